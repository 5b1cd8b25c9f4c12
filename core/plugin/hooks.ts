import type { Definition } from '../definition/graph.ts';
import type { Refusal } from '../errors.ts';
import type { JsonObject } from '../json.ts';
import type { Control } from '../run/arrival.ts';
import type { AttemptOutcome } from '../run/attempt.ts';
import type { NodeAddress } from '../run/node.ts';
import type { Ending, RunView } from '../run/run.ts';
import type { Need } from '../run/wait.ts';
import type { Command, Write } from '../steps/command.ts';
import type { Facts } from './table.ts';

/** Where a run comes from: all that passes on to descendants passes here. */
export type Origin =
  | { readonly from: 'trigger'; readonly fields: JsonObject }
  | { readonly from: 'child' | 'deferred' | 'continued'; readonly run: RunView }
  | { readonly from: 'reset'; readonly run: RunView; readonly sequence: number; readonly terminatesSource: boolean };

/** What a start may add to the run row, and to the same statement. */
export interface Additions {
  readonly fields?: JsonObject;
  readonly attributes?: JsonObject;
  readonly rows?: readonly Write[];
}

/** The moments of a definition and a run: pure, answered with data, written by the statement of the moment. */
export interface Hooks {
  publish?(moment: { readonly definition: Definition; readonly previous: Definition | null }): readonly Write[];
  archive?(moment: { readonly definition: Definition }): readonly Write[];
  start?(moment: {
    readonly run: RunView;
    readonly definition: Definition;
    readonly origin: Origin;
  }): Additions | { readonly refuse: Refusal };
  /** `needs` is asked before the tick that applies the control. */
  readonly control?: {
    needs?(control: Control, run: RunView): readonly Need[];
    decide(moment: {
      readonly control: Control;
      readonly run: RunView;
      readonly facts: Facts;
    }): readonly Command[] | { readonly refuse: Refusal };
  };
  /** An execution is over, applied to its node or not. `fields`: the plugins' fields of its step. */
  settle?(moment: {
    readonly run: RunView;
    readonly at: NodeAddress;
    readonly executionKey: string;
    readonly outcome: AttemptOutcome;
    readonly fields: JsonObject;
  }): readonly Command[];
  end?(moment: {
    readonly run: RunView;
    readonly definition: Definition;
    readonly ending: Ending;
    readonly number: number;
  }): readonly Command[];
}
