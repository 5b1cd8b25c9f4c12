import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { Database, RunState } from '@ductor/core';
import plugin from '@ductor/plugin-event-sets';
import type {} from '#event-sets/digest.step.js';
import { tellInbox } from '#host/postgres/runs/tell.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { startTestEngine, type TestEngine } from '../../support/engine.ts';
import { until } from '../../support/until.ts';
import { chainOf, type TestWorkflow } from '../../support/workflow.ts';

const migrations = {
  folder: fileURLToPath(new URL('../../../../plugins/event-sets/migrations', import.meta.url)),
  historyTable: 'eec_migration_event_sets',
};

export const digestDatabase = (): Promise<TestDatabase> => createTestDatabase([migrations]);

/** An engine with the plugin. */
export interface DigestEngine extends TestEngine {
  /** Statements of deeds from here on: what comes of them, if not what they ask for. */
  onDeed: ((text: string) => void) | null;
  control(runId: string, name: string): Promise<void>;
  /** Time passes, and what is due by then is looked at without waiting for a sweep. */
  passes(ms: number): Promise<void>;
  /** Once it stands like this. */
  stands(runId: string, is: (state: RunState) => boolean, what: string): Promise<RunState>;
  /** Does what is left over from deeds. */
  recover(): Promise<void>;
}

export async function startDigestEngine(
  options: Pick<
    Parameters<typeof startTestEngine>[0],
    'database' | 'definitions' | 'dataId' | 'actions' | 'clock' | 'log' | 'drainMs' | 'through'
  >,
): Promise<DigestEngine> {
  const waiting: { engine?: TestEngine } = {};
  const engine = () => {
    if (!waiting.engine) throw new Error('The engine has not started yet.');
    return waiting.engine;
  };
  const added: Pick<DigestEngine, 'onDeed'> = { onDeed: null };
  const db: Database = {
    async query<Row>(text: string, values: readonly unknown[] = []) {
      added.onDeed?.(text);
      return (await engine().db.hot.query(text, [...values])).rows as Row[];
    },
  };
  const { steps, tables } = plugin.contribute(
    {
      db,
      clock: {
        now: () => engine().clock.now(),
        offset: () => engine().clock.offset(),
        after: (ms, callback) => engine().clock.after(ms, callback),
        sleep: (ms, signal) => engine().clock.sleep(ms, signal),
      },
      inbox: {
        async tell(chainId, at, message) {
          const runId = await tellInbox(engine().db.hot, { chainId, at, message });
          if (runId !== null) engine().engine.wakeups.push([runId]);
        },
      },
      lists: {
        asked: () => ({ size: 50, order: 'asc', after: null, question: null }),
        page: (_asked, rows, { show }) => ({ items: rows.map(show), next_page_token: null }),
      },
    },
    {},
  );
  const started = await startTestEngine({ ...options, steps: steps ?? [], tables: tables ?? [] });
  waiting.engine = started;
  const deed = tables?.find(({ deed }) => deed)?.deed;
  return Object.assign(added, started, {
    async control(runId: string, name: string) {
      await started.query(
        `insert into eec_workflow_inbox (id, tenant_id, chain_id, run_id, kind, request_id, actor, body)
         values ($1::uuid, 'default', $2, $2, 'control', $1::uuid::text, 'key:ops', $3)`,
        randomUUID(),
        runId,
        JSON.stringify({ control: name }),
      );
      started.engine.wakeups.push([runId]);
    },
    async passes(ms: number) {
      started.clock.advance(ms);
      const due = await started.engine.store.overdue(0, 1_000);
      started.engine.wakeups.push(due.map(({ runId }) => runId));
    },
    stands: (runId: string, is: (state: RunState) => boolean, what: string) =>
      until(async () => {
        const state = await started.state(runId);
        return is(state) ? state : null;
      }, `${runId} ${what}`),
    async recover() {
      const rows = await started.query<{ row: never }>(deed?.recover ?? '', 500);
      await deed?.perform(
        rows.map(({ row }) => row),
        new AbortController().signal,
      );
    },
  });
}

/** Orders of one customer become one letter, after an hour. */
export const together = (fields: object = {}): TestWorkflow => ({
  ...chainOf([
    { ref: 'd', type: 'DIGEST', digest_key: 'input.customer', window: 'PT1H', ...fields },
    { ref: 'after', type: 'TRANSFORM', value: '${steps.d.output.items.map(i, i.n)}' },
  ]),
});

export const HOUR_MS = 3_600_000;

/** It has found its window, and knows of it. */
export const isPlaced = ({ open }: RunState): boolean => {
  const node = open.get('d');
  return node?.status === 'waiting' && (node.memo as { window: string | null }).window !== null;
};

export const windowIn = ({ open }: RunState): string => {
  const node = open.get('d');
  if (node?.status !== 'waiting') throw new Error(`d is ${node?.status}`);
  return (node.memo as { window: string }).window;
};

/** Who leads, as the run knows it. */
export const leaderOf = ({ open }: RunState): string | null => {
  const node = open.get('d');
  const reason = node?.status === 'waiting' && node.wait.kind === 'message' ? node.wait.reason : null;
  return reason?.code === 'digest_window_until' ? reason.led_by : null;
};
