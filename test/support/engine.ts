import { randomUUID } from 'node:crypto';
import {
  type ActionControl,
  type ActionPool,
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
import { pino } from 'pino';
import { DatabaseClock } from '#host/engine/database-clock.js';
import { createEngine, type Engine } from '#host/engine/engine.js';
import { openDatabase } from '#host/postgres/connection.js';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { until } from './until.ts';
import { definitionOf, type TestWorkflow } from './workflow.ts';

export type TestAction = (args: Json, control: ActionControl & { dispatch: Dispatch }) => Promise<Json> | Json;

/** Runs actions that are functions of the test, in this thread: for what the engine does, not for isolation. */
export function testPool(actions: { readonly [name: string]: TestAction }): ActionPool {
  return {
    async run(dispatch, control): Promise<AttemptOutcome> {
      const action = actions[dispatch.task.action];
      if (control.abort.aborted) return { status: 'stopped' };
      control.started('thread');
      const aborted = new Promise<AttemptOutcome>((resolve) => {
        control.abort.addEventListener('abort', () => resolve({ status: 'stopped' }), { once: true });
      });
      const ran = (async (): Promise<AttemptOutcome> => {
        try {
          if (!action) throw new Error(`no action ${dispatch.task.action}`);
          return { status: 'completed', output: await action(dispatch.task.args, { ...control, dispatch }) };
        } catch (error) {
          const failure = error as { code?: string; message: string; retryable?: boolean; retryAfterMs?: number };
          return {
            status: 'failed',
            error: {
              code: failure.code ?? 'connector_error',
              message: failure.message,
              party: 'connector',
              retryable: failure.retryable ?? true,
              ...(failure.retryAfterMs !== undefined && { retryAfterMs: failure.retryAfterMs }),
            },
          };
        }
      })();
      return Promise.race([ran, aborted]);
    },
    available: () => ({ ok: true }),
    state: () => [],
    close: async () => {},
  };
}

export interface TestEngine {
  readonly engine: Engine;
  readonly clock: DatabaseClock;
  readonly database: TestDatabase;
  readonly db: ReturnType<typeof openDatabase>;
  define(workflow: TestWorkflow): string;
  start(definitionId: string, input?: Json, more?: Partial<StartRequest>): Promise<string>;
  /** The state as its transitions fold to it. */
  state(runId: string): Promise<RunState>;
  /** The state once the run has ended. */
  ended(runId: string): Promise<RunState>;
  stop(options?: { keep?: boolean }): Promise<void>;
}

export async function startTestEngine(options: {
  readonly actions?: { readonly [name: string]: TestAction };
  readonly pool?: ActionPool;
  readonly hooks?: readonly Hooks[];
  readonly tables?: readonly AnyTable[];
  readonly database?: TestDatabase;
  readonly definitions?: Map<string, Definition>;
  readonly dataId?: string;
}): Promise<TestEngine> {
  const database = options.database ?? (await createTestDatabase());
  const log = pino({ level: process.env.TEST_LOG ?? 'silent' });
  const db = openDatabase({ connection: database.url, poolSize: 2, log });
  const definitions = options.definitions ?? new Map<string, Definition>();
  const clock = new DatabaseClock();
  const engine = createEngine({
    hot: db.hot,
    clock,
    registry: { steps: stepTypes(BUILT_IN_STEPS), hooks: options.hooks ?? [], stepFields: [] },
    tables: options.tables ?? [],
    definitions: { version: async (id) => definitions.get(id) ?? null },
    pool: options.pool ?? testPool(options.actions ?? {}),
    lease: { hostId: randomUUID(), name: 'test', dataId: options.dataId ?? randomUUID(), plugins: [] },
    log,
    cacheBytes: 16 * 1024 * 1024,
    drainMs: 2_000,
  });
  await engine.start();
  const state = async (runId: string) => {
    const [found] = await engine.store.load([runId]);
    if (!found) throw new Error(`no run ${runId}`);
    return found;
  };
  return {
    engine,
    clock,
    database,
    db,
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
    async stop({ keep = false } = {}) {
      await engine.stop();
      await db.close();
      if (!keep) await database.drop();
    },
  };
}
