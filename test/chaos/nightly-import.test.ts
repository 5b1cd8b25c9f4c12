import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Json, JsonObject } from '@ductor/core';
import { expect } from 'chai';
import { centsOf, startWarehouse, type Warehouse } from '../examples/warehouse.js';
import { until } from '../support/until.js';
import { MortalHost, random } from './mortal-host.js';

/** The import: rows → each (publish → index) → imported → announce. What was published is withdrawn if that fails. */
const EXAMPLE = fileURLToPath(new URL('../../examples/nightly-import.json', import.meta.url));

const isFull = process.env.FULL === '1';
const { SEED } = process.env;
const SEEDS = SEED === undefined ? (isFull ? [1, 2, 3, 4, 5] : [1]) : [Number(SEED)];
const ROWS = isFull ? 1000 : 200;
const KILLS = isFull ? 6 : 3;
const MINUTE_MS = 60_000;
/** Restarts and all, on a machine that does much else. */
const PATIENCE_MS = 180_000;

interface Run {
  readonly run_id: string;
  readonly kind: string;
  readonly status: string;
  readonly output: Json;
  readonly error: { readonly code: string; readonly details?: JsonObject } | null;
  readonly parent_run_id: string | null;
}
interface Event {
  readonly type: string;
  readonly step_ref?: string;
  readonly branch?: readonly number[];
  readonly to?: string;
}
interface Branch {
  readonly index: number;
  readonly status: string;
}
interface Compensation {
  readonly run_id: string;
  readonly step_ref: string;
  readonly branch: readonly [number];
  readonly state: string;
}
interface Occurrence {
  readonly due_at: string;
  readonly outcome: string;
  readonly by: string;
  readonly run_id: string;
}

describe(`A nightly import of ${ROWS} rows, its host and database killed at random`, () => {
  for (const seed of SEEDS) {
    describe(`(seed ${seed})`, function () {
      this.timeout(2 * PATIENCE_MS + MINUTE_MS);
      const next = random(seed);
      let host: MortalHost;
      let warehouse: Warehouse;
      before(async () => {
        host = await MortalHost.start();
      });
      after(() => host?.stop());
      afterEach(() => warehouse?.close());

      /** So many rows are refused for good, every second of them only once it is published. */
      const open = (refused: number, mayAnnounce: boolean): Promise<Warehouse> => {
        const distance = Math.floor(ROWS / refused);
        const isRefused = (row: number) => row % distance === distance - 1 && row < distance * refused;
        const refuser = (row: number) => (((row + 1) / distance) % 2 === 0 ? '/publish' : '/index');
        return startWarehouse({
          rows: ROWS,
          refuses: (path, row) =>
            row === null ? path === '/announce' && !mayAnnounce : isRefused(row) && path === refuser(row),
        });
      };

      it('withdraws each article once, the last one first, when its last step fails', async () => {
        warehouse = await open(ROWS / 100, false);
        const minute = nextMinute();
        const times = { start_at: at(minute), end_at: at(minute + 1) };
        const scheduleId = await publish(host, 'unannounced', warehouse, { cron: '* * * * *', ...times });
        // The host is not there when the occurrence is due, or just then.
        await until(() => Date.now() > minute - 2_000 + next() * 2_000, 'the minute', MINUTE_MS + 5_000);
        await host.kill('host');
        const runId = await occurred(host, scheduleId, { due_at: at(minute), by: 'timetable' });
        await storm({ host, warehouse, next, requests: 2.9 * ROWS });
        const { run, undo } = await family(host, runId);
        expect(run?.status).to.equal('failed');
        expect(run?.error?.code).to.equal('http_422');
        expect(undo).to.deep.include({ status: 'completed', output: { undone: ROWS - ROWS / 200, failed: 0 } });
        await checkUndone(host, warehouse, runId);
        expect([...warehouse.onSale]).to.deep.equal([]);
        expect(await branches(host, runId)).to.deep.equal({ completed: ROWS * 0.99, failed: ROWS / 100 });
        expect(await repairItems(host, runId)).to.deep.equal([]);
        await checkSettled(host, { runId, scheduleId });
      });

      it('leaves all as it is when its last step completes', async () => {
        warehouse = await open(ROWS / 100, true);
        const scheduleId = await publish(host, 'announced', warehouse, {
          cron: '30 2 * * *',
          timezone: 'Europe/Berlin',
        });
        const night = { from: '2026-03-29T00:00:00Z', to: '2026-03-29T23:59:59Z' };
        await host.call('POST', `/api/workflow-schedules/${scheduleId}:backfill`, night);
        // The clock there skips that hour: half past two is half past three.
        const runId = await occurred(host, scheduleId, { due_at: '2026-03-29T01:30:00.000Z', by: 'backfill' });
        await storm({ host, warehouse, next, requests: 1.9 * ROWS });
        const { run, undo } = await family(host, runId);
        const refused = (await failedBranches(host, runId)).map(({ index }) => index);
        const taken = Array.from({ length: ROWS }, (_, row) => row).filter((row) => !refused.includes(row));
        const articles = taken.map((row) => `article-${row}`);
        const cents = taken.reduce((sum, row) => sum + centsOf(row), 0);
        expect(run).to.deep.include({ status: 'completed', output: { rows: ROWS, articles, cents, refused } });
        expect(undo).to.equal(undefined);
        expect(refused).to.have.length(ROWS / 100);
        expect(warehouse.effects('/publish')).to.have.length(ROWS - ROWS / 200);
        expect(warehouse.effects('/withdraw')).to.deep.equal([]);
        expect(warehouse.effects('/announce')).to.have.length(1);
        await checkSettled(host, { runId, scheduleId });
      });

      it('withdraws what it has published so far when one row too many is refused', async () => {
        warehouse = await open(ROWS / 100 + 1, true);
        const scheduleId = await publish(host, 'refused', warehouse, { cron: '30 2 * * *' });
        const { due_at } = await host.call<Occurrence>('POST', `/api/workflow-schedules/${scheduleId}:triggerNow`);
        const runId = await occurred(host, scheduleId, { due_at, by: 'manual' });
        await storm({ host, warehouse, next, requests: 2 * ROWS });
        const { run, undo } = await family(host, runId);
        expect(run?.status).to.equal('failed');
        expect(run?.error).to.deep.include({ code: 'branch_failed' });
        expect(run?.error?.details).to.deep.include({ failed: ROWS / 100 + 1 });
        expect(undo?.status).to.equal('completed');
        await checkUndone(host, warehouse, runId);
        expect((await failedBranches(host, runId)).length).to.equal(ROWS / 100 + 1);
        // A call that was broken off may have published its row: somebody is told of each.
        const left = await repairItems(host, runId);
        expect(left.map(({ branch: [row] }) => row)).to.include.members([...warehouse.onSale]);
        expect(warehouse.effects('/announce')).to.deep.equal([]);
        await checkSettled(host, { runId, scheduleId });
      });
    });
  }
});

const at = (ms: number): string => new Date(ms).toISOString();

/** With time left to publish before. */
const nextMinute = (): number => Math.ceil((Date.now() + 3_000) / MINUTE_MS) * MINUTE_MS;

/** Publishes the import of a warehouse under a slug, and answers with the id of its schedule. */
async function publish(host: MortalHost, slug: string, { url }: Warehouse, times: JsonObject): Promise<string> {
  const definition = JSON.parse(await readFile(EXAMPLE, 'utf8'));
  const { input } = definition.settings.schedule;
  const schedule = { ...times, input: { ...input, shop_url: url } };
  const draft = { ...definition, family_slug: slug, settings: { schedule } };
  const { id } = await host.call<{ id: string }>('POST', '/api/workflow-definitions', draft);
  await host.call('POST', `/api/workflow-definitions/${id}/publish`);
  const [only] = await host.list<{ id: string }>(`/api/workflow-schedules?family=${slug}`);
  return only?.id ?? '';
}

/** The run of the only occurrence there is, once it has been fired. */
async function occurred(
  host: MortalHost,
  scheduleId: string,
  expected: Pick<Occurrence, 'due_at' | 'by'>,
): Promise<string> {
  const path = `/api/workflow-schedules/${scheduleId}/occurrences`;
  const first = await until(async () => (await host.list<Occurrence>(path))[0] ?? null, 'an occurrence', PATIENCE_MS);
  expect(first).to.deep.include({ ...expected, outcome: 'fired' });
  return first.run_id;
}

interface Storm {
  readonly host: MortalHost;
  readonly warehouse: Warehouse;
  readonly next: () => number;
  /** No more than the whole takes. */
  readonly requests: number;
}

/** Kills host or database each time so many requests have come. */
async function storm({ host, warehouse, next, requests }: Storm): Promise<void> {
  const moments = Array.from({ length: KILLS }, () => Math.floor(next() * requests)).sort((a, b) => a - b);
  for (const moment of moments) {
    const what = next() < 0.3 ? 'database' : 'host';
    await until(() => warehouse.requests > moment, `${moment} requests`, PATIENCE_MS);
    await host.kill(what);
  }
}

const FINAL = ['completed', 'failed'];

/** The run and, if it failed, the one that undoes it, both at their ends; there are no others. */
async function family(host: MortalHost, runId: string) {
  const members = await until(
    async () => {
      const found = await host.list<Run>(`/api/workflows/runs/${runId}/tree`).catch(() => []);
      if (found.length > 0 && found.every(({ status }) => FINAL.includes(status))) return found;
      await delay(200);
      return null;
    },
    `the end of ${runId} and of what undoes it`,
    PATIENCE_MS,
  ).catch(async (error) => {
    throw new Error(`${error.message}\n${await host.explain(runId)}`);
  });
  const [root, child, ...others] = members;
  expect(others).to.deep.equal([]);
  expect(root).to.deep.include({ run_id: runId, kind: 'workflow', parent_run_id: null });
  if (child) expect(child).to.deep.include({ kind: 'compensation', parent_run_id: runId });
  const [run, undo] = await Promise.all(members.map(({ run_id }) => host.get<Run>(`/api/workflows/runs/${run_id}`)));
  return { run, undo };
}

const branchesOf = (host: MortalHost, runId: string, status: string) =>
  host.list<Branch>(`/api/v2/workflow-runs/${runId}/nodes/each/branches?status=${status}`);

const failedBranches = (host: MortalHost, runId: string) => branchesOf(host, runId, 'failed');

/** What somebody has to see to. */
async function repairItems(host: MortalHost, runId: string): Promise<readonly Compensation[]> {
  const all = await host.list<Compensation>('/api/repair-items?status=open');
  return all.filter(({ run_id }) => run_id === runId);
}

/** How many there are by each status that any has. */
async function branches(host: MortalHost, runId: string) {
  const statuses = ['pending', 'in_flight', 'completed', 'failed', 'cancelled'];
  const counts = await Promise.all(
    statuses.map(async (status) => [status, (await branchesOf(host, runId, status)).length] as const),
  );
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
}

/** Each completed execution, as the run's own transitions tell, was undone once, the last one first. */
async function checkUndone(host: MortalHost, warehouse: Warehouse, runId: string): Promise<void> {
  const events = await host.list<Event>(`/api/workflows/runs/${runId}/events`);
  const published = events
    .filter(({ type, step_ref, to }) => type === 'node' && step_ref === 'publish' && to === 'completed')
    .map(({ branch: [row = -1] = [] }) => row);
  const withdrawn = warehouse.effects('/withdraw');
  expect(withdrawn.map(({ row }) => row).join()).to.equal([...published].reverse().join());
  expect(withdrawn.map(({ key }) => key)).to.deep.equal(
    [...published].reverse().map((row) => `undo/${runId}/publish/${row}/1`),
  );
  const duties = await host.list<Compensation>(`/api/v2/workflow-runs/${runId}/compensations`);
  const undone = duties.filter(({ state }) => state === 'undone');
  expect(undone.map(({ branch: [row] }) => row).join()).to.equal(published.join());
}

/** Nothing is left over: one run of one occurrence, no attempt without an outcome, nothing that waits. */
async function checkSettled(host: MortalHost, { runId, scheduleId }: { runId: string; scheduleId: string }) {
  const occurrences = await host.list<Occurrence>(`/api/workflow-schedules/${scheduleId}/occurrences`);
  expect(occurrences.map(({ outcome, run_id }) => [outcome, run_id])).to.deep.equal([['fired', runId]]);
  const runs = await host.list<Run>(`/api/workflows/runs?schedule_id=${scheduleId}`);
  expect(runs.map(({ run_id }) => run_id)).to.deep.equal([runId]);
  for (const { run_id } of await host.list<Run>(`/api/workflows/runs/${runId}/tree`)) {
    const { reasons } = await host.get<{ reasons: readonly Json[] }>(`/api/v2/workflow-runs/${run_id}/why`);
    expect(reasons).to.deep.equal([]);
    const attempts = await host.list<{ status: string }>(`/api/v2/workflow-runs/${run_id}/attempts`);
    expect(attempts.filter(({ status }) => status === 'scheduled' || status === 'running')).to.deep.equal([]);
  }
}
