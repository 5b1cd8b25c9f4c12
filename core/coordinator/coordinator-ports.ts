import type { CompiledDefinition } from '../definition/compiled.ts';
import type { DefinitionId, RunId, TenantId } from '../json.ts';
import type { Clock, Ids } from '../ports/clock.ts';
import type { TaskQueue } from '../ports/queue.ts';
import type { RunStore } from '../ports/run-store.ts';
import type { RunHeader } from '../run/run.ts';
import type { ChildPorts } from './companions.ts';
import type { Registry } from './draft.ts';
import type { TickPayload } from './payload.ts';

/** A run's definition made ready, or why this host leaves its runs alone. */
export type Prepared =
  | { readonly ok: true; readonly compiled: CompiledDefinition }
  | ({ readonly ok: false } & Missing);

/** Step types and words of a definition that this host lacks (`step.audit`), and the plugins that are known to have them. */
export interface Missing {
  readonly words: readonly string[];
  readonly plugins: readonly string[];
}

export interface CoordinatorPorts {
  readonly registry: Registry;
  readonly store: RunStore;
  /** From a cache where it can; asynchronous only when it must read. */
  readonly prepare: (id: DefinitionId) => Prepared | Promise<Prepared>;
  /** Those of the names that no credential of the tenant has. Cached like definitions, so it may be late by seconds. */
  readonly missingCredentials: (
    tenantId: TenantId,
    names: readonly string[],
  ) => ReadonlySet<string> | Promise<ReadonlySet<string>>;
  readonly children: ChildPorts;
  readonly tasks: TaskQueue;
  readonly abort: (attempts: TickPayload['aborted'], graceMs: number) => void;
  /** After each commit, also of each run that it has started: what waits, rows and letters ask for. */
  readonly committed: (payload: TickPayload, header: RunHeader) => void;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly failed: (what: string, error: unknown, runId?: RunId) => void;
  readonly cacheBytes: number;
}
