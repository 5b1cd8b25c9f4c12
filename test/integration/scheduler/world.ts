import { fileURLToPath } from 'node:url';
import type { Definition, Hooks, Json, JsonObject, Trigger } from '@ductor/core';
import { rowWriter } from '#host/postgres/write-rows.js';
import { scheduleField } from '#scheduler/fields.js';
import { scheduleHooks } from '#scheduler/hooks.js';
import { Scheduler } from '#scheduler/scheduler.js';
import { OccurrenceStarter } from '#scheduler/starter.js';
import { type OccurrenceRow, type ScheduleRow, ScheduleStore } from '#scheduler/store.js';
import { occurrenceTable, runTable, scheduleTable } from '#scheduler/tables.js';
import { createTestDatabase } from '../../support/database.ts';
import { startTestEngine, type TestEngine } from '../../support/engine.ts';
import { until } from '../../support/until.ts';
import { definitionOf, type TestWorkflow } from '../../support/workflow.ts';

const migrations = {
  folder: fileURLToPath(new URL('../../../../plugins/scheduler/migrations', import.meta.url)),
  historyTable: 'eec_migration_scheduler',
};
const tables = [scheduleTable, occurrenceTable, runTable];
const options = { catchup_window_ms: 60_000, keep_occurrences_days: 30 };

/** An engine with the scheduler's tables and hooks, whose looks the test decides. */
export interface World {
  readonly test: TestEngine;
  readonly hooks: Hooks;
  /** Each is one host's; `trigger` stands between it and the engine. */
  scheduler(through?: (trigger: Pick<Trigger, 'start'>) => Pick<Trigger, 'start'>): Scheduler;
  publish(slug: string, schedule: JsonObject | undefined, steps?: TestWorkflow['steps']): Promise<Definition>;
  archive(definition: Definition): Promise<void>;
  row(slug: string): Promise<ScheduleRow & { next_at: string | null }>;
  /** The oldest first. */
  occurrences(slug: string): Promise<readonly OccurrenceRow[]>;
  runs(slug: string): Promise<readonly { id: string; input: Json; status: string; priority: string }[]>;
  /** Time goes on to just after the next multiple of so many minutes, and further. */
  advanceTo(minutes: number, furtherMs?: number): void;
  /** The host is killed, and another one takes its place. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export async function startWorld(): Promise<World> {
  const database = await createTestDatabase([migrations]);
  // The hooks read the clock of the engine that they are given to.
  const field = scheduleField({ now: () => test.clock.now() });
  const hooks = scheduleHooks(field);
  let test = await startTestEngine({ database, tables, hooks: [hooks] });
  const store = new ScheduleStore({
    query: async (text, values = []) => (await test.db.hot.query(text, [...values])).rows,
  });
  const latest = new Map<string, Definition>();
  const write = (definition: Definition, rows: Parameters<ReturnType<typeof rowWriter>>[2]) =>
    test.db.knex.transaction((transaction) => rowWriter(tables)(transaction, definition.tenantId, rows));

  const trigger: Pick<Trigger, 'start'> = {
    async start({ workflow: { slug }, input, idempotencyKey, priority = 'normal', fields = {} }) {
      const definition = latest.get(slug);
      if (!definition) throw new Error(`nothing is published as ${slug}`);
      const idempotency = { scope: slug, key: idempotencyKey, requestHash: JSON.stringify([input, fields]) };
      return test.engine.starter.start({
        tenantId: 'default',
        definitionId: definition.id,
        kind: 'workflow',
        input,
        origin: { from: 'trigger', fields },
        startAt: null,
        subjectType: null,
        subjectId: null,
        externalDeploymentId: null,
        priority,
        idempotency,
        traceparent: null,
      });
    },
  };

  return {
    get test() {
      return test;
    },
    hooks,
    scheduler(through = (same) => same) {
      const starter = new OccurrenceStarter({ trigger: through(trigger), store });
      return new Scheduler({ store, starter, clock: test.clock, options });
    },
    async publish(slug, schedule, steps = [{ ref: 'a', type: 'TRANSFORM', value: 1 }]) {
      const settings: JsonObject = schedule === undefined ? {} : { schedule };
      const definition = { ...definitionOf({ slug, steps, settings }), publishedAt: test.clock.now() };
      test.definitions.set(definition.id, definition);
      await write(definition, hooks.publish?.({ definition, previous: latest.get(slug) ?? null }) ?? []);
      latest.set(slug, definition);
      // The database's clock may be a moment ahead of this one: the first look is to find it.
      await until(async () => {
        const ahead = 'select 1 from eec_workflow_schedule where next_due_at is null and next_at > $1';
        return (await test.query(ahead, test.clock.now())).length === 0;
      }, `${slug} to be looked at`);
      return definition;
    },
    archive: (definition) => write(definition, hooks.archive?.({ definition }) ?? []),
    async row(slug) {
      const [row] = await test.query<ScheduleRow & { next_at: string | null }>(
        'select * from eec_workflow_schedule where family_slug = $1',
        slug,
      );
      if (!row) throw new Error(`no schedule of ${slug}`);
      return row;
    },
    occurrences: (slug) =>
      test.query<OccurrenceRow>(
        `select o.* from eec_workflow_schedule_occurrence o join eec_workflow_schedule s on s.id = o.schedule_id
         where s.family_slug = $1 order by o.due_at, o.outcome`,
        slug,
      ),
    runs: (slug) =>
      test.query(
        `select id, input, status, priority from eec_workflow_run
         where fields -> 'schedule' ->> 'id' = (select id::text from eec_workflow_schedule where family_slug = $1) order by id`,
        slug,
      ),
    advanceTo(minutes, furtherMs = 0) {
      const stepMs = minutes * 60_000;
      test.clock.advance(stepMs - (Date.parse(test.clock.now()) % stepMs) + 5 + furtherMs);
    },
    async restart() {
      const { clock, definitions } = test;
      await test.crash();
      test = await startTestEngine({ database, tables, hooks: [hooks], clock, definitions });
    },
    stop: () => test.stop(),
  };
}
