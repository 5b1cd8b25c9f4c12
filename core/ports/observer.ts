import type { Commit, CommitResult, TickPayload } from '../coordinator/payload.ts';
import type { RunId, TenantId } from '../json.ts';
import type { AttemptReport } from '../run/arrival.ts';
import type { AttemptOutcome } from '../run/attempt.ts';
import type { RunHeader } from '../run/run.ts';
import type { Dispatch, PoolState } from './action-pool.ts';

/** One statement, and what became of each of its ticks, in their order. */
export interface CommittedBatch {
  readonly commits: readonly Commit[];
  readonly results: readonly CommitResult[];
  readonly durationMs: number;
}

export interface ObservedRequest {
  readonly method: string;
  readonly path: string;
  /** As its caller sent it. */
  readonly traceparent: string | null;
}

export interface ObservedAnswer {
  /** The template that it matched, such as `/api/workflow-runs/{run_id}`; `null`: none. */
  readonly route: string | null;
  /** `null`: its caller went before it was complete. */
  readonly status: number | null;
  readonly durationMs: number;
}

export interface ObservedTrigger {
  readonly tenantId: TenantId;
  readonly address: string;
  /** Of what asks for the run. */
  readonly traceparent: string | null;
}

/**
 * What a host tells as it happens, and what comes with it. Some things begin and end: both are told with the same object.
 * To a beginning an observer may answer with the W3C `traceparent` of a span that it has made: what follows, in this
 * process and beyond it, is that span's child.
 */
export interface Moments {
  /** A batch has come back from the store. */
  committed: [batch: CommittedBatch];
  /** One tick of a run here; `payload.transition.at` is when it was computed. */
  ticked: [payload: TickPayload, header: RunHeader];
  attemptBegan: [dispatch: Dispatch];
  attemptEnded: [dispatch: Dispatch, end: { readonly outcome: AttemptOutcome; readonly report: AttemptReport }];
  triggerBegan: [trigger: ObservedTrigger];
  /** `runId` is absent if it was refused. */
  triggerEnded: [trigger: ObservedTrigger, end: { readonly runId?: RunId; readonly error?: unknown }];
  requestBegan: [request: ObservedRequest];
  requestEnded: [request: ObservedRequest, answer: ObservedAnswer];
}

/** Called in the middle of it all: it has to be quick, and keeps and changes nothing that it is shown. */
export type Observer = {
  readonly [M in keyof Moments]?: (...told: Moments[M]) => M extends `${string}Began` ? string | undefined : void;
};

/** Tells all observers. */
export type Tell = <M extends keyof Moments>(moment: M, ...told: Moments[M]) => string | undefined;

/** How much waits, at the moment it is asked. */
export interface Gauges {
  /** What waits its turn, by the name of the queue. */
  readonly queues: { readonly [name: string]: number };
  readonly pools: readonly PoolState[];
  /** How late what is due is seen to; up to the time between two sweeps is usual. */
  readonly sweepLagMs: number;
}
