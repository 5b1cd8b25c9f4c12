import { randomUUID } from 'node:crypto';
import {
  type ActionControl,
  type ActionPool,
  type AnyField,
  type AnyStepType,
  type AnyTable,
  type AttemptOutcome,
  BUILT_IN_STEPS,
  type Definition,
  type Dispatch,
  type Hooks,
  type Json,
  type RunState,
  type StartRequest,
  stepTypes,
} from '@ductor/core';
import type pg from 'pg';
import { type Logger, pino } from 'pino';
import { DatabaseClock } from '#host/engine/database-clock.js';
import { createEngine, type Engine } from '#host/engine/engine.js';
import { type Database, openDatabase } from '#host/postgres/connection.js';
import { loadStates } from '#host/postgres/runs/load.js';
import { unlistedId } from '#host/postgres/unlisted.js';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { until } from './until.ts';
import { definitionOf, type TestWorkflow } from './workflow.ts';

export type TestAction = (args: Json, control: ActionControl & { dispatch: Dispatch }) => Promise<Json> | Json;

/**
 * Runs actions that are functions of the test, in this thread: for what the engine does, not for isolation.
 * One that is told to stop has `graceMs` to come to its end.
 */
export function testPool(actions: { readonly [name: string]: TestAction }): ActionPool {
  return {
    async run(dispatch, control): Promise<AttemptOutcome> {
      const { abort } = control;
      if (abort.aborted) return { status: 'stopped' };
      control.started('thread');
      const ran = outcomeOf(actions[dispatch.task.action], { ...control, abort, dispatch });
      // The signal is used again by other attempts: nothing may be left on it.
      let giveUp = () => {};
      const graceIsOver = new Promise<AttemptOutcome>((resolve) => {
        giveUp = () => setTimeout(() => resolve({ status: 'stopped' }), control.graceMs).unref();
      });
      abort.addEventListener('abort', giveUp, { once: true });
      const outcome = await Promise.race([ran, graceIsOver]);
      abort.removeEventListener('abort', giveUp);
      return abort.aborted && outcome.status === 'failed' ? { status: 'stopped' } : outcome;
    },
    available: () => ({ ok: true }),
    state: () => [],
    close: async () => {},
  };
}

async function outcomeOf(
  action: TestAction | undefined,
  control: ActionControl & { dispatch: Dispatch },
): Promise<AttemptOutcome> {
  const { action: name, args } = control.dispatch.task;
  try {
    if (!action) throw new Error(`no action ${name}`);
    return { status: 'completed', output: await Promise.resolve(action(args, control)) };
  } catch (error) {
    const { code, message, retryable, retryAfterMs } = error as Partial<ActionError>;
    return {
      status: 'failed',
      error: {
        code: code ?? 'connector_error',
        message: message ?? '',
        party: 'connector',
        retryable: retryable ?? true,
        ...(retryAfterMs !== undefined && { retryAfterMs }),
      },
    };
  }
}

/** What an action throws to fail in a certain way. */
export class ActionError extends Error {
  readonly code: string;
  readonly retryable: boolean;
  readonly retryAfterMs: number | undefined;

  constructor(code: string, { retryable = true, retryAfterMs }: { retryable?: boolean; retryAfterMs?: number } = {}) {
    super(code);
    this.code = code;
    this.retryable = retryable;
    this.retryAfterMs = retryAfterMs;
  }
}

/** Something that actions wait at until the test lets them go, or they are told to stop. */
export class Gate {
  private open: () => void = () => undefined;
  private readonly opened = new Promise<void>((resolve) => {
    this.open = resolve;
  });
  /** How many have come to it. */
  arrived = 0;

  readonly pass = async ({ abort }: ActionControl): Promise<void> => {
    this.arrived += 1;
    let stop = () => {};
    const stopped = new Promise<void>((_, reject) => {
      stop = () => reject(new ActionError('stopped'));
    });
    abort.addEventListener('abort', stop, { once: true });
    await Promise.race([this.opened, stopped]);
    abort.removeEventListener('abort', stop);
  };

  release(): void {
    this.open();
  }
}

export interface TestEngine {
  readonly engine: Engine;
  readonly clock: DatabaseClock;
  readonly database: TestDatabase;
  readonly db: Database;
  readonly hostId: string;
  readonly definitions: Map<string, Definition>;
  define(workflow: TestWorkflow): string;
  start(definitionId: string, input?: Json, more?: Partial<StartRequest>): Promise<string>;
  /** The state as its transitions fold to it. */
  state(runId: string): Promise<RunState>;
  /** The state once the run has ended. */
  ended(runId: string): Promise<RunState>;
  /** Rows of the database as it is; `$1` stands for the first value. */
  query<Row extends pg.QueryResultRow>(text: string, ...values: readonly unknown[]): Promise<readonly Row[]>;
  /** `keep`: the database is there for another engine. */
  stop(options?: { keep?: boolean }): Promise<void>;
  /** Loses its database and everything it had in mind; says goodbye to nobody. */
  crash(): Promise<void>;
}

export async function startTestEngine(options: {
  readonly actions?: { readonly [name: string]: TestAction };
  readonly pool?: ActionPool;
  readonly hooks?: readonly Hooks[];
  /** Beside those that are built in. */
  readonly steps?: readonly AnyStepType[];
  readonly tables?: readonly AnyTable[];
  readonly fields?: readonly AnyField[];
  readonly missingCredentials?: () => ReadonlySet<string>;
  readonly maxDepth?: number;
  readonly database?: TestDatabase;
  readonly definitions?: Map<string, Definition>;
  readonly dataId?: string;
  readonly cacheBytes?: number;
  readonly drainMs?: number;
  /** Default: one of the engine's own, which tells the database's time. */
  readonly clock?: DatabaseClock;
  readonly log?: Logger;
  /** Stands between the engine and its database. */
  readonly through?: (hot: pg.Pool) => pg.Pool;
}): Promise<TestEngine> {
  const database = options.database ?? (await createTestDatabase());
  const log = options.log ?? pino({ level: process.env.TEST_LOG ?? 'silent' });
  const db = openDatabase({ connection: database.url, poolSize: 2, log });
  const definitions = options.definitions ?? new Map<string, Definition>();
  const clock = options.clock ?? new DatabaseClock();
  const hostId = randomUUID();
  const engine = createEngine({
    hot: options.through?.(db.hot) ?? db.hot,
    clock,
    registry: {
      steps: stepTypes([...BUILT_IN_STEPS, ...(options.steps ?? [])]),
      hooks: options.hooks ?? [],
      fields: options.fields ?? [],
    },
    tables: options.tables ?? [],
    disabled: { disabledStepTypes: new Map(), disabledFields: new Map() },
    definitions: { version: async (id) => definitions.get(id) ?? null },
    missingCredentials: options.missingCredentials ?? (() => new Set()),
    children: {
      resolve: async (_tenantId, { slug }) =>
        [...definitions.values()].find(({ familySlug }) => familySlug === slug)?.id ?? null,
      define: async (workflow, of) => {
        const id = unlistedId(workflow, of);
        const { graph, settings = {} } = workflow;
        definitions.set(id, { ...of, id, graph, settings });
        return id;
      },
      checkInput: () => [],
      maxDepth: options.maxDepth ?? 16,
    },
    startByEvent: async () => {
      throw new Error('No definition of these tests has triggers.');
    },
    pool: options.pool ?? testPool(options.actions ?? {}),
    lease: { hostId, name: 'test', dataId: options.dataId ?? randomUUID(), plugins: [] },
    log,
    tell: () => undefined,
    cacheBytes: options.cacheBytes ?? 16 * 1024 * 1024,
    drainMs: options.drainMs ?? 2_000,
  });
  await engine.start();
  const state = async (runId: string) => {
    const [found] = await loadStates(db.hot, [runId]);
    if (!found) throw new Error(`no run ${runId}`);
    return found;
  };
  return {
    engine,
    clock,
    database,
    db,
    hostId,
    definitions,
    define(workflow) {
      const definition = definitionOf(workflow);
      definitions.set(definition.id, definition);
      return definition.id;
    },
    async start(definitionId, input = {}, more = {}) {
      const { runId } = await engine.starter.start({
        tenantId: 'default',
        definitionId,
        kind: 'workflow',
        input,
        origin: { from: 'trigger', fields: {} },
        startAt: null,
        subjectType: null,
        subjectId: null,
        externalDeploymentId: null,
        priority: 'normal',
        idempotency: null,
        traceparent: null,
        ...more,
      });
      return runId;
    },
    state,
    ended: (runId) =>
      until(async () => {
        const found = await state(runId);
        return found.endedAt === null ? null : found;
      }, `run ${runId} to end`),
    query: async (text, ...values) => (await db.hot.query(text, [...values])).rows,
    async stop({ keep = false } = {}) {
      await engine.stop();
      await db.close();
      if (!keep) await database.drop();
    },
    async crash() {
      await db.close();
      await engine.stop();
    },
  };
}
