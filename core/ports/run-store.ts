import type { TickInputs } from '../coordinator/inputs.ts';
import type { Commit, CommitResult } from '../coordinator/payload.ts';
import type { AttemptId, Instant, RunId } from '../json.ts';
import type { AttemptReport } from '../run/arrival.ts';
import type { AttemptKey, AttemptOutcome } from '../run/attempt.ts';
import type { NodeKey } from '../run/node.ts';
import type { RunState } from '../run/run.ts';
import type { Need } from '../run/wait.ts';

/** What the coordinator already knows of a run whose inputs it asks for. */
export interface InputQuery {
  readonly runId: RunId;
  /** Attempts in flight as the state has them: the outcomes of these are looked for, and whether their host still lives. */
  readonly attempts: readonly AttemptId[];
  /** Rows of branches that have not started. */
  readonly branches: readonly {
    readonly node: NodeKey;
    readonly generation: number;
    readonly from: number;
    readonly count: number;
  }[];
  readonly needs: readonly { readonly node: NodeKey; readonly need: Need }[];
}

/** `version` is the current one: another than the caller's means that its state is stale. */
export interface LoadedInputs {
  readonly version: number;
  readonly inputs: TickInputs;
  readonly now: Instant;
}

export interface Overdue {
  readonly runId: RunId;
  /** May lie in the near future: then it is when to look. */
  readonly dueAt: Instant;
}

/** All that is durable about runs, for the coordinator. Methods take many, and throw only if the store is away. */
export interface RunStore {
  /** The states as their transitions fold to them; `null` for a run that does not exist. */
  load(runIds: readonly RunId[]): Promise<readonly (RunState | null)[]>;
  /** Keeps a state whole: loading it folds only what came after. It is read before this first waits. */
  keep(state: RunState): Promise<void>;
  inputs(queries: readonly InputQuery[]): Promise<readonly (LoadedInputs | null)[]>;
  /** One statement; per run all or nothing. */
  commit(commits: readonly Commit[]): Promise<readonly CommitResult[]>;
  /** The id of the tick that made this version: tells one's own commit after a lost connection. */
  tickAt(runId: RunId, version: number): Promise<string | null>;
  /** The worker: appends an outcome if its attempt is still open, or marks what finished although it was told to stop. */
  record(
    outcomes: readonly { runId: RunId; attempt: AttemptKey; outcome: AttemptOutcome; report: AttemptReport }[],
  ): Promise<void>;
  /** The worker: what runs for long shows that it does. */
  progress(beats: readonly { runId: RunId; id: AttemptId; startedAt: Instant; heartbeat: unknown }[]): Promise<void>;
  /** The sweep: whom to look at, now or within `horizonMs`. */
  overdue(horizonMs: number, limit: number): Promise<readonly Overdue[]>;
}
