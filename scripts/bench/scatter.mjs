/**
 * What many branches of one run cost: `node scripts/bench/scatter.mjs [rounds] [--full]`; see README.md. A host in a process
 * of its own, on an embedded PostgreSQL; what it leaves in the database is read from there.
 */
import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { pino } from 'pino';
import { startEmbeddedPostgres } from '#host/embedded/embedded-postgres.js';
import { quantiles } from './measure.mjs';

const { values, positionals } = parseArgs({ allowPositionals: true, options: { full: { type: 'boolean' } } });
const ROUNDS = Number(positionals[0] ?? 3);
const FEW = 1_000;
const MANY = 10_000;
const program = fileURLToPath(new URL('./scatter-host.mjs', import.meta.url));

const graph = (reduce) => ({
  steps: [
    { ref: 'each', type: 'STEP_TYPE_SCATTER', items: 'input.items', on_branch_failure: 'collect' },
    { ref: 'do', type: 'STEP_TYPE_ACTION', action: 'noop.step', args: { i: '${item.i}' } },
    { ref: 'all', type: 'STEP_TYPE_GATHER', scatter: 'each', ...(reduce && { reduce }) },
  ],
  edges: [
    { from: 'each', to: 'do', type: 'SUCCESS' },
    { from: 'do', to: 'all', type: 'SUCCESS' },
  ],
});

const scratch = mkdtempSync(join(tmpdir(), 'ductor-scatter-'));
const database = await startEmbeddedPostgres({ dataDir: scratch, log: pino({ level: 'silent' }) });
const client = new pg.Client(database.url);
// Its next statement says that it was lost; an error that nobody hears would leave the host running.
client.on('error', () => undefined);
const dataId = randomUUID();
let host = null;
try {
  host = await startHost({ counted: graph('results.filter(r, r.status == "completed").size()'), listed: graph(null) });
  await client.connect();
  console.log(`load ${loadavg()[0].toFixed(1)}`);
  for (const slug of ['counted', 'listed']) {
    await fanOut(slug, FEW);
    await compare(slug, FEW, MANY);
  }
  await killedInTheMiddle(MANY);
  if (values.full) await compare('counted', MANY, 10 * MANY, 1);
  console.log(`load ${loadavg()[0].toFixed(1)}`);
} finally {
  await host?.stop();
  await client.end();
  await database.stop();
  rmSync(scratch, { recursive: true, force: true });
}

/** In turns, so that what else is on the machine disturbs both. */
async function compare(slug, few, many, times = ROUNDS) {
  const ofFew = [];
  const ofMany = [];
  for (let round = 0; round < times; round++) {
    ofFew.push(await fanOut(slug, few));
    ofMany.push(await fanOut(slug, many));
  }
  const medians = (name) => [ofFew, ofMany].map((all) => quantiles(all.map((took) => took[name]))(0.5));
  const growth = (name) => {
    const [one, other] = medians(name);
    const each = ofMany.map((took, round) => (took[name] / ofFew[round][name]).toFixed(1));
    return `${one.toFixed(2)} and ${other.toFixed(2)} s, ×${(other / one).toFixed(1)} (${each.join(', ')})`;
  };
  console.log(`${slug}, ${few} and ${many} items: ${growth('seconds')}; processor of the host ${growth('processor')}`);
  console.log(
    `  memory of the host grows by ${medians('grown').map(mib).join(' and ')}, of which stay ${medians('kept').map(mib).join(' and ')} of heap`,
  );
  console.log(`  ${await traces(ofMany[0].runId)}`);
}

async function fanOut(slug, n) {
  const before = await host.ask('memory');
  host.resetPeak();
  const processor = await host.ask('processor');
  const runId = await host.ask('start', { slug, n });
  const seconds = await ended(runId);
  const took = { runId, seconds, processor: (await host.ask('processor')) - processor };
  const grown = Math.max(0, host.status('VmHWM') - before.rss);
  return { ...took, grown, kept: Math.max(0, (await host.ask('memory')).heapUsed - before.heapUsed) };
}

/** Answers with the seconds from its start to its end, by the database's clock. */
async function ended(runId) {
  const text =
    'select status, extract(epoch from ended_at - created_at)::float8 as seconds from eec_workflow_run where id = $1 and ended_at is not null';
  for (;;) {
    const { rows } = await client.query(text, [runId]);
    if (rows[0]?.status === 'completed') return rows[0].seconds;
    if (rows[0]) throw new Error(`run ${runId} is ${rows[0].status}`);
    await delay(20);
  }
}

/** What a run has left: how much one statement wrote at most, and how large its rows are. */
async function traces(runId) {
  const { rows } = await client.query(
    `select count(*)::int as versions, sum(octet_length(changes::text))::int as bytes,
       (array_agg(octet_length(changes::text) order by octet_length(changes::text) desc))[1:2] as largest,
       max((select count(*) from json_array_elements(changes) c where c ->> 'type' = 'branch' and json_typeof(c -> 'branch') = 'null'))::int as ended,
       max((select count(*) from json_array_elements(changes) c where c ->> 'type' = 'branch' and json_typeof(c -> 'branch') <> 'null'))::int as started,
       (select octet_length(node_states::text) + octet_length(run_context::text) from eec_workflow_run where id = $1) as row
     from eec_workflow_transition where run_id = $1`,
    [runId],
  );
  const { versions, bytes, largest, ended, started, row } = rows[0];
  return `${versions} ticks, ${mib(bytes)} of transitions, the largest ${largest.join(' and ')} bytes; one ends at most ${ended} branches and starts ${started}; run row ${row} bytes`;
}

async function killedInTheMiddle(n) {
  const runId = await host.ask('start', { slug: 'counted', n });
  const over = async () => {
    const { rows } = await client.query(
      'select count(*)::int as n from eec_workflow_branch where run_id = $1 and status is not null',
      [runId],
    );
    return rows[0].n;
  };
  while ((await over()) < n / 2) await delay(20);
  await host.kill();
  const before = await over();
  const startedAt = performance.now();
  host = await startHost({});
  const readyIn = performance.now() - startedAt;
  while ((await over()) === before) await delay(5);
  const movedIn = performance.now() - startedAt - readyIn;
  const loaded = host.status('VmHWM');
  await ended(runId);
  console.log(
    `killed after ${before} of ${n} branches: ready again in ${readyIn.toFixed(0)} ms, moved after ${movedIn.toFixed(0)} ms more; memory of the host at most ${mib(loaded)} by then, ${mib(host.status('VmHWM'))} at the end`,
  );
}

async function startHost(graphs) {
  const of = { url: database.url, dataDir: scratch, dataId, graphs };
  const child = fork(program, [JSON.stringify(of)], { execArgv: ['--expose-gc'] });
  const ended = once(child, 'exit');
  const waiting = new Map();
  child.on('message', ({ id, answer, error }) => {
    const asked = waiting.get(id);
    waiting.delete(id);
    if (error) asked?.reject(new Error(error));
    else asked?.resolve(answer);
  });
  const [said] = await Promise.race([once(child, 'message'), ended]);
  if (said !== 'ready') throw new Error('the host ended before it was ready');
  return {
    ask: (ask, of) =>
      new Promise((resolve, reject) => {
        const id = randomUUID();
        waiting.set(id, { resolve, reject });
        child.send({ id, ask, of });
      }),
    /** In bytes; 0 where the system does not say. */
    status: (name) => {
      if (process.platform !== 'linux') return 0;
      const text = readFileSync(`/proc/${child.pid}/status`, 'utf8');
      return Number(new RegExp(`${name}:\\s+(\\d+)`).exec(text)?.[1] ?? 0) * 1024;
    },
    resetPeak: () => {
      if (process.platform === 'linux') writeFileSync(`/proc/${child.pid}/clear_refs`, '5');
    },
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
    async stop() {
      child.disconnect();
      await ended;
    },
  };
}

function mib(bytes) {
  return `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
}
