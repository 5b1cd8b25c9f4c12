import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { explainRun } from '../support/explain-run.js';
import { freePort, type HostProcess, startHostProcess } from '../support/host-process.js';
import { until } from '../support/until.js';
import { killPostgres, random } from './mortal-host.js';

const COUNT = process.env.FULL === '1' ? 50 : 5;
const { SEED } = process.env;
const SEEDS = SEED === undefined ? Array.from({ length: COUNT }, (_, i) => i + 1) : [Number(SEED)];
const RUNS = 200;
const KILLS = 3;
const END_WITHIN_MS = 90_000;
const FINAL = ['completed', 'failed', 'cancelled', 'terminated'];
/** So many runs at most are explained: what is wrong with one is mostly wrong with all. */
const MOST_EXPLAINED = 3;

interface EventItem {
  readonly type: string;
  readonly step_ref?: string;
  readonly to?: string;
}

describe('Two hundred runs in flight, host and database killed at random', () => {
  let service: Server;
  let target: string;
  before(async () => {
    service = createServer((request, response) => {
      request
        .resume()
        .on('end', () =>
          setTimeout(() => response.setHeader('content-type', 'application/json').end('{"ok":true}'), 20),
        );
    });
    await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
    target = `http://127.0.0.1:${(service.address() as AddressInfo).port}/`;
  });
  after(() => {
    service.closeAllConnections();
    service.close();
  });

  for (const seed of SEEDS) {
    it(`all complete, each node exactly once, no attempt without outcome (seed ${seed})`, async function () {
      this.timeout(300_000);
      const dataDir = await mkdtemp(join(tmpdir(), 'ductor-chaos-'));
      const port = await freePort();
      const next = random(seed);
      let host = await startHostProcess({ dataDir, port });
      try {
        await publish(host, target);
        const runIds = await startRuns(host);
        for (let kill = 0; kill < KILLS; kill++) {
          await delay(50 + next() * 700);
          if (next() < 0.3) await killPostgres(dataDir);
          else host = await crash(host, { dataDir, port });
        }
        await allComplete(host, runIds);
        for (const runId of runIds) await checkRun(host, runId);
      } finally {
        await host.kill('SIGTERM');
        await rm(dataDir, { recursive: true, force: true });
      }
    });
  }
});

async function publish(host: HostProcess, url: string): Promise<void> {
  const call = (ref: string) => ({
    ref,
    type: 'ACTION',
    action: 'http.request',
    args: { method: 'POST', url, body: { at: ref } },
  });
  const steps = [
    call('a'),
    call('b'),
    { ref: 'c', type: 'TRANSFORM', value: '${steps.b.output.body.ok}' },
    call('d'),
    call('e'),
  ];
  const edges = steps.slice(1).map(({ ref }, i) => ({ from: steps[i]!.ref, to: ref, type: 'SUCCESS' }));
  const { id } = await host.call<{ id: string }>('POST', '/api/workflow-definitions', {
    family_slug: 'chaos',
    title: 'Chaos',
    graph: { steps, edges },
  });
  await host.call('POST', `/api/workflow-definitions/${id}/publish`);
}

async function startRuns(host: HostProcess): Promise<readonly string[]> {
  const start = (n: number) =>
    host.call<{ run_id: string }>('POST', '/api/v2/workflow-definitions/chaos:trigger', {
      input: { n },
      idempotency_key: `run-${n}`,
    });
  const runs = await Promise.all(Array.from({ length: RUNS }, (_, n) => start(n)));
  return runs.map(({ run_id }) => run_id);
}

async function crash(host: HostProcess, where: { dataDir: string; port: number }): Promise<HostProcess> {
  await host.kill('SIGKILL');
  return startHostProcess(where);
}

async function allComplete(host: HostProcess, runIds: readonly string[]): Promise<void> {
  const open = new Set(runIds);
  const wrong: string[] = [];
  const isOver = async (runId: string) => {
    const run = await host.call<{ status: string }>('GET', `/api/workflows/runs/${runId}`).catch(() => null);
    if (run === null || !FINAL.includes(run.status)) return false;
    if (run.status !== 'completed') wrong.push(runId);
    return open.delete(runId);
  };
  const allOver = async () => {
    for (const runId of open) if (!(await isOver(runId))) return false;
    return true;
  };
  await until(allOver, 'all runs to end', END_WITHIN_MS).catch(async () => {
    for (const runId of [...open]) await isOver(runId);
    wrong.push(...open);
  });
  if (wrong.length === 0) return;
  const explained = [];
  for (const runId of wrong.slice(0, MOST_EXPLAINED)) explained.push(await explainRun(host, runId));
  throw new Error([`${wrong.length} of ${runIds.length} runs have not completed`, ...explained].join('\n\n'));
}

async function checkRun(host: HostProcess, runId: string): Promise<void> {
  const { items: events } = await host.call<{ items: readonly EventItem[] }>(
    'GET',
    `/api/workflows/runs/${runId}/events?page_size=500`,
  );
  const completed = events
    .filter(({ type, to }) => type === 'node' && to === 'completed')
    .map(({ step_ref }) => step_ref);
  expect(completed.sort()).to.deep.equal(['a', 'b', 'c', 'd', 'e']);
  const { items: attempts } = await host.call<{ items: readonly { status: string }[] }>(
    'GET',
    `/api/v2/workflow-runs/${runId}/attempts?page_size=500`,
  );
  expect(attempts.map(({ status }) => status)).to.not.include.members(['scheduled']);
  expect(attempts.map(({ status }) => status)).to.not.include.members(['running']);
}
