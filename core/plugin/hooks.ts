import type { Definition, Step } from '../definition/graph.ts';
import type { Refusal } from '../errors.ts';
import type { AttemptId, Instant, JsonObject } from '../json.ts';
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

/**
 * An execution has completed, with or without attempts, applied to its node or not; or an attempt came to something else.
 * A node that fails or is skipped without an attempt is not told of.
 */
export interface Settled {
  readonly run: RunView;
  readonly at: NodeAddress;
  readonly generation: number;
  readonly executionKey: string;
  readonly step: Step;
  readonly definition: Definition;
  /** The plugins' words in its step, with what expressions see now: evaluated, or folded where they await more. */
  readonly fields: JsonObject;
  readonly outcome: AttemptOutcome;
  /** The attempt whose row holds the output; `null`: its transition does. */
  readonly keptBy: AttemptId | null;
  /** It is over for good, and nobody knows whether its effect has happened. */
  readonly isUnknown: boolean;
  /** How its run has ended, if it heard of this only then. */
  readonly ended: Ending | null;
  /** The number of that end, or of the one to come. */
  readonly number: number;
  /** Settled executions of a run are in the order of `now`, then `version`, then `ordinal`. */
  readonly now: Instant;
  readonly version: number;
  readonly ordinal: number;
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
  settle?(moment: Settled): readonly Command[];
  /**
   * `fields`: the plugins' words in its graph, their expressions evaluated or folded. `apart`: steps that have run, if at
   * all, in branches that were runs of their own.
   */
  end?(moment: {
    readonly run: RunView;
    readonly definition: Definition;
    readonly ending: Ending;
    readonly number: number;
    readonly fields: JsonObject;
    readonly apart: readonly Step[];
  }): readonly Command[];
}
