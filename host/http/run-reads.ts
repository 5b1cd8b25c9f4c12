import {
  type ActionPool,
  type AnyTable,
  type Clock,
  type ConnectorPin,
  type Definition,
  type DefinitionId,
  type DefinitionStore,
  DuctorError,
  type Ids,
  type Prepared,
  type Reason,
  type RunFeed,
  type RunId,
  type RunState,
  type RunWhy,
  why,
} from '@ductor/core';
import type { Request } from '@hapi/hapi';
import Joi from '@hapi/joi';
import type { Knex } from 'knex';
import type { Logger } from 'pino';
import { SWEEP_MS } from '../engine/sweep.ts';
import { readAttemptFacts } from '../postgres/reads/attempts.ts';
import { type RunHead, readRunHead } from '../postgres/reads/run.ts';
import { type Caller, callerOf } from './caller.ts';
import { uuid } from './validation.ts';

/** What the routes over runs need of the host. */
export interface RunRoutesDeps {
  readonly knex: Knex;
  /** The run's state after the transition `upTo`, by default its last. Large values may be references to payloads. */
  readonly loadState: (runId: RunId, upTo?: number) => Promise<RunState | null>;
  readonly prepare: (id: DefinitionId) => Prepared | Promise<Prepared>;
  readonly definitions: DefinitionStore;
  readonly pools: Pick<ActionPool, 'available' | 'state'>;
  readonly feed: Pick<RunFeed, 'subscribe'>;
  readonly wake: (runId: RunId) => void;
  readonly clock: Pick<Clock, 'now'>;
  readonly ids: Pick<Ids, 'uuidv7'>;
  /** Plugins' tables: their `filters` narrow the list of runs. */
  readonly tables: readonly AnyTable[];
  readonly log: Logger;
}

export const runParams = { run_id: uuid.required() };

/** The caller, and the run that the path names: 404 where it is another tenant's, or nobody's. */
export async function runOf(
  { knex }: Pick<RunRoutesDeps, 'knex'>,
  request: Request,
): Promise<{ readonly caller: Caller; readonly runId: RunId; readonly head: RunHead }> {
  const caller = callerOf(request);
  const runId = String(request.params.run_id);
  const head = await readRunHead(knex, { tenantId: caller.tenantId, runId });
  if (head === null) throw noRun(runId);
  return { caller, runId, head };
}

export const noRun = (runId: RunId) => new DuctorError('not_found', `There is no run ${runId}.`);

export async function stateOf(deps: RunRoutesDeps, runId: RunId, upTo?: number): Promise<RunState> {
  const state = await deps.loadState(runId, upTo);
  if (state === null) throw noRun(runId);
  return state;
}

/** What the run waits for, with what its rows and this host's pools say. */
export async function explain(deps: RunRoutesDeps, state: RunState): Promise<readonly RunWhy[]> {
  const { id: runId, tenantId, definitionId } = state.header;
  const ids = [...state.open.values()].flatMap((node) => ('work' in node && node.work ? [node.work.attempt.id] : []));
  const [prepared, attempts] = await Promise.all([
    deps.prepare(definitionId),
    readAttemptFacts(deps.knex, { tenantId, runId, ids }),
  ]);
  const pins = prepared.ok ? prepared.compiled.definition.connectors : [];
  const unavailable = new Map(pins.flatMap((pin) => unavailability(deps.pools, pin)));
  return why({ state, prepared, attempts, unavailable, now: deps.clock.now(), sweepMs: SWEEP_MS });
}

function unavailability(pools: RunRoutesDeps['pools'], pin: ConnectorPin): readonly (readonly [string, Reason])[] {
  const { package: name, version } = pin;
  const available = pools.available(pin);
  if (!available.ok) return [[pin.id, { code: available.reason, package: name, version }]];
  const pool = pools.state().find((each) => each.package === name && each.version === version);
  return pool && pool.queued > 0 ? [[pin.id, { code: 'pool_full', package: name }]] : [];
}

/** The version that a run is of, also where this host cannot run it. */
export async function definitionOf(deps: RunRoutesDeps, id: DefinitionId): Promise<Definition> {
  const prepared = await deps.prepare(id);
  if (prepared.ok) return prepared.compiled.definition;
  const definition = await deps.definitions.version(id);
  if (definition === null) throw new Error(`There is no definition ${id}.`);
  return definition;
}

export const READ = { scope: ['workflow:read'] };
export const CONTROL = { scope: ['workflow_run:write'] };

/** A caller's own id of an intent. Those that begin with `parent/` are the engine's: a parent's word to its children. */
export const requestId = Joi.string()
  .min(1)
  .max(256)
  .pattern(/^parent\//, { invert: true, name: 'ids that the engine makes' });
