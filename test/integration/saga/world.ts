import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { Definition, Json } from '@ductor/core';
import plugin from '@ductor/plugin-saga';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { ActionError, type startTestEngine, type TestAction, type TestEngine } from '../../support/engine.ts';
import { until } from '../../support/until.ts';
import { act, type TestWorkflow } from '../../support/workflow.ts';
import { startWorld } from '../scatter-gather/world.ts';

const migrations = {
  folder: fileURLToPath(new URL('../../../../plugins/saga/migrations', import.meta.url)),
  historyTable: 'eec_migration_saga',
};

export const sagaDatabase = (): Promise<TestDatabase> => createTestDatabase([migrations]);

/** Every effect of the world by its idempotency key: the same again does nothing. */
export class Effects {
  readonly applied: { readonly key: string; readonly what: Json }[] = [];
  private readonly keys = new Set<string>();

  apply(key: string, what: Json): void {
    if (this.keys.has(key)) return;
    this.keys.add(key);
    this.applied.push({ key, what });
  }

  /** What the undo actions were given, in the order in which they took effect. */
  get undone(): readonly Json[] {
    return this.applied.filter(({ key }) => key.startsWith('undo/')).map(({ what }) => what);
  }
}

export interface SagaEngine extends TestEngine {
  readonly dataId: string;
  readonly effects: Effects;
  control(runId: string, control: string): Promise<void>;
  /** The compensation runs of a run, oldest first. */
  compensations(runId: string): Promise<readonly { readonly id: string; readonly status: string }[]>;
  /** The only one of that run, once it has ended. */
  compensated(runId: string): ReturnType<TestEngine['ended']>;
  duties(runId: string): Promise<readonly DutyRow[]>;
}

export interface DutyRow {
  readonly step_ref: string;
  readonly generation: number;
  readonly state: string;
  readonly error: { readonly code: string } | null;
}

const traits = { effect: 'write', idempotency: 'key' } as const;

/** Every action may be repeated with its key. */
export const ACTIONS: Definition['actions'] = {
  'test.do': traits,
  'test.undo': traits,
  'test.fail': traits,
  'test.gone': traits,
};

/** `do` answers with a number of its own, `undo` keeps what it was given, `fail` fails for good. */
function sagaActions(effects: Effects, more: { readonly [name: string]: TestAction } = {}) {
  let counter = 0;
  const actions: { readonly [name: string]: TestAction } = {
    'test.do': (args) => {
      counter += 1;
      return { n: counter, args };
    },
    'test.undo': (args, { dispatch }) => {
      effects.apply(dispatch.task.idempotencyKey, args);
      return null;
    },
    'test.fail': () => {
      throw new ActionError('refused', { retryable: false });
    },
    ...more,
  };
  return actions;
}

export async function startSagaEngine(
  options: Pick<Parameters<typeof startTestEngine>[0], 'database' | 'definitions' | 'dataId'> & {
    readonly effects?: Effects;
    readonly actions?: { readonly [name: string]: TestAction };
    readonly isOff?: boolean;
  } = {},
): Promise<SagaEngine> {
  const { effects = new Effects(), actions, isOff, dataId = randomUUID(), ...rest } = options;
  const { steps, tables, hooks, fields } = plugin.contribute({} as never, {});
  const brought = isOff ? {} : { steps: steps ?? [], hooks: [hooks ?? {}], fields: fields ?? [] };
  const engine = await startWorld({
    ...rest,
    dataId,
    database: options.database ?? (await sagaDatabase()),
    actions: sagaActions(effects, actions),
    tables: tables ?? [],
    ...brought,
  });
  const compensations = (runId: string) =>
    engine.query<{ id: string; status: string }>(
      `select id, status from eec_workflow_run where kind = 'compensation' and input ->> 'run_id' = $1 order by id`,
      runId,
    );
  return {
    ...engine,
    dataId,
    effects,
    compensations,
    async control(runId, control) {
      await engine.query(
        `insert into eec_workflow_inbox (id, tenant_id, chain_id, run_id, kind, request_id, actor, body)
         values ($1::uuid, 'default', $2, $2, 'control', $1::uuid::text, 'key:ops', $3)`,
        randomUUID(),
        runId,
        JSON.stringify({ control }),
      );
      engine.engine.wakeups.push([runId]);
    },
    async compensated(runId) {
      const id = await until(async () => (await compensations(runId)).at(-1)?.id ?? null, 'a compensation run');
      return engine.ended(id);
    },
    duties: (runId) =>
      engine.query<DutyRow>(
        `select step_ref, generation, state, error from eec_workflow_duty where run_id = $1
         order by completed_at, version, ordinal`,
        runId,
      ),
  };
}

/** A step whose undo is given its output's number. */
export const undoable = (ref: string, more: object = {}, compensation: object = {}) =>
  act(ref, {
    compensation: { action: 'test.undo', args: { ref, n: '${output.n}' }, ...compensation },
    ...more,
  });

export const failing = (ref: string, more: object = {}) => act(ref, { action: 'test.fail', ...more });

export const saga = (workflow: TestWorkflow): TestWorkflow => ({ ...workflow, actions: ACTIONS });
