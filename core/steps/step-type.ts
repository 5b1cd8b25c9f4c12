import type { Graph, Outcome, Region, Step, StepTypeName } from '../definition/graph.ts';
import type { Failure, Problem } from '../errors.ts';
import type { Instant, Json } from '../json.ts';
import type { Facts } from '../plugin/table.ts';
import type { ChildEnd, ChildKey, MatchedEvent, Message, Signal } from '../run/arrival.ts';
import type { NodeAddress } from '../run/node.ts';
import type { Reason } from '../run/reason.ts';
import type { Fan, RunView } from '../run/run.ts';
import type { Wait } from '../run/wait.ts';
import type { Evaluate, FromSchema, JsonSchema } from '../schema.ts';
import type { Command } from './command.ts';
import type { Move } from './move.ts';

interface Context {
  readonly at: NodeAddress;
  readonly run: RunView;
  readonly now: Instant;
  readonly evaluate: Evaluate;
  /** `chain/step[/branch]/generation`: the same over the retries of this execution. */
  readonly executionKey: string;
  /** `now` plus a duration; safe beyond 2^31 ms. */
  after(durationMs: number): Instant;
}

/** At the start the configuration is known, its expressions already values. */
export interface StartContext<Config> extends Context {
  readonly config: Config;
  /** Where this step is the exit of branches: what their owner came to, and they; `fan: null`: there were none. */
  readonly exitOf: { readonly output: Json; readonly fan: Fan | null } | null;
}

/** Afterwards: only what the node chose to remember, and the rows it asked for. */
export interface InputContext<Memo> extends Context {
  readonly memo: Memo;
  readonly facts: Facts;
}

/** What a node may hear. A handler left out has the default said here; `null`: consumed, nothing changes. */
export interface Inputs {
  /** The task is over for good, retries included. Default: a value completes, an error fails. */
  outcome: { readonly ok: true; readonly output: Json } | { readonly ok: false; readonly error: Failure };
  /** Default: `resolve` completes with the payload, others change nothing. */
  signal: Signal;
  /** Default: completes with the payload. */
  event: MatchedEvent;
  /** Default of both: ignored. */
  child: { readonly child: ChildKey; readonly end: ChildEnd };
  message: Message;
  /** `wakeAt` has come, or the needed facts have. Default: completes with null. */
  wake: null;
  /** The step's own deadline has passed. Default: fails with `timeout`, outcome TIMEOUT. */
  timeout: null;
}

/** One kind of step: a value, pure throughout. */
export interface StepType<S extends JsonSchema, Memo extends Json, Out extends Outcome> {
  readonly type: StepTypeName;
  /** The step's own fields; says which are expressions, and so what publish checks. */
  readonly schema: S;
  /** Edge types that may leave, besides ERROR, ALWAYS and TIMEOUT. Default: SUCCESS. Empty: it ends its path, no edge leaves. */
  readonly outcomes?: readonly Out[];
  /** Given up, it stays until the run that it has started is over: what that still does is its own run's. Default: false. */
  readonly waitsOut?: boolean;
  /** `start` always ends the node: it runs nothing and never waits, so no TIMEOUT edge leaves. Default: false. */
  readonly endsAtOnce?: boolean;
  /** What the schema cannot say. */
  check?(step: Step, graph: Graph): readonly Problem[];
  /** Which steps it owns and runs as its children. */
  region?(step: Step, graph: Graph): Omit<Region, 'owner'>;
  /** It ends or keeps the run as a whole, and so cannot stand in a region. Default: false. */
  readonly outsideRegions?: boolean;
  start(context: StartContext<FromSchema<S>>): Move<Memo, NoInfer<Out>>;
  readonly on?: {
    [Kind in keyof Inputs]?: (context: InputContext<Memo>, input: Inputs[Kind]) => Move<Memo, NoInfer<Out>> | null;
  };
  /** It was parked and is given up, with its run or by its owner: what its rows must know of that. */
  cancelled?(context: Omit<InputContext<Memo>, 'facts' | 'evaluate' | 'after'>): readonly Command[];
  /** Only where the wait does not already say it. */
  why?(wait: Wait, memo: Memo): Reason;
}

/** Its types sealed: configuration and memory meet only inside. */
// biome-ignore lint/suspicious/noExplicitAny: the engine hands back to a type only what that type made
export type AnyStepType = StepType<any, any, any>;

/** Infers the configuration from the schema, and the memory from what `start` returns. */
export const defineStep = <const S extends JsonSchema, Memo extends Json = null, const Out extends Outcome = 'SUCCESS'>(
  type: StepType<S, Memo, Out>,
): AnyStepType => type;
