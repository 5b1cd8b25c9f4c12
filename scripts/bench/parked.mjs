/**
 * What runs that wait cost: `node scripts/bench/parked.mjs [runs]`, by default 10,000; see README.md. A host in a process of
 * its own, through its REST API; what it does to the database is what the database counts.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { pino } from 'pino';
import { startEmbeddedPostgres } from '#host/embedded/embedded-postgres.js';
import { inFlight, quantiles } from './measure.mjs';

const RUNS = Number(process.argv[2] ?? 10_000);
const IDLE_SECONDS = 20;
const PUBLISHED = Math.min(300, RUNS / 10);
const DUE = Math.min(1_000, RUNS / 10);
const BATCH = 1_000;
const YEARS_AHEAD = '2099-01-01T00:00:00Z';
const key = 'the-benchmark-uses-a-key-of-more-than-32-characters';
const program = fileURLToPath(new URL('../../host/bin/ductor.js', import.meta.url));

const scratch = mkdtempSync(join(tmpdir(), 'ductor-parked-'));
const database = await startEmbeddedPostgres({ dataDir: scratch, log: pino({ level: 'silent' }) });
const client = new pg.Client(database.url);
// Its next statement says that it was lost; an error that nobody hears would leave the host running.
client.on('error', () => undefined);
let host = null;
try {
  const firstIn = await timeOf(async () => {
    host = await startHost();
  });
  await client.connect();
  await publishWorkflows();
  const ms = (number) => number.toFixed(1);
  const spread = (numbers) => {
    const at = quantiles(numbers);
    return `p50 ${ms(at(0.5))} ms, p99 ${ms(at(0.99))}, most ${ms(at(1))}`;
  };
  console.log(`load ${loadavg()[0].toFixed(1)}; started on an empty database in ${ms(firstIn)} ms`);
  console.log(`nothing parked: ${await idle()}`);

  const filledIn = await timeOf(park);
  console.log(`${RUNS} parked in ${ms(filledIn / 1000)} s: ${Math.round((RUNS * 1000) / filledIn)} runs/s`);
  console.log(`memory of the host: ${host.memory()}`);
  // Not what vacuum does to so many new rows.
  await client.query('vacuum analyze');

  const { answers, ends } = await publishToSome();
  console.log(`an event for one of them is answered: ${spread(answers)}; its run has ended: ${spread(ends)}`);

  host.child.kill('SIGKILL');
  await host.ended;
  const readyIn = await timeOf(async () => {
    host = await startHost();
  });
  const resolvedIn = readyIn + (await timeOf(() => publishTo(RUNS / 2 - 1, { untilEnded: true })));
  console.log(`killed and started again: ready after ${ms(readyIn)} ms, resolved one after ${ms(resolvedIn)} ms`);
  // By now no roll-up of what has just been started is due any more.
  console.log(`${RUNS} parked: ${await idle()}`);

  const late = await timersOfOneSecond();
  console.log(
    `${DUE} timers of one second, none early by more than ${ms(Math.max(0, -Math.min(...late)))} ms: late ${spread(late)}`,
  );
  console.log(`memory of the host: ${host.memory()}; load ${loadavg()[0].toFixed(1)}`);
} finally {
  host?.child.kill('SIGTERM');
  await host?.ended;
  await client.end();
  await database.stop();
  rmSync(scratch, { recursive: true, force: true });
}

async function startHost() {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(process.execPath, [program, 'start'], {
    cwd: scratch,
    env: {
      PATH: process.env.PATH,
      ...{ DATABASE_URL: database.url, DUCTOR_DATA_DIR: join(scratch, 'host'), DUCTOR_MODE: 'development' },
      ...{ PORT: String(port), LOG_LEVEL: 'warn', DUCTOR_BOOTSTRAP_API_KEY: key },
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(child, 'exit');
  while (!(await fetch(`${url}/readyz`).catch(() => null))?.ok) {
    if (child.exitCode !== null) throw new Error('the host ended before it was ready');
    await delay(10);
  }
  return {
    child,
    ended,
    async call(method, path, body) {
      const response = await fetch(url + path, {
        method,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
      return response.json();
    },
    /** Resident now, and at most so far; where the system says so. */
    memory() {
      const status = process.platform === 'linux' ? readFileSync(`/proc/${child.pid}/status`, 'utf8') : '';
      const mib = (name) => Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024);
      return `${mib('VmRSS')} MiB, at most ${mib('VmHWM')}`;
    },
  };
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function publishWorkflows() {
  const waits = {
    event: { event: { event_name: 'parked', correlation_key: 'input.key' } },
    timer: { until: 'input.until' },
  };
  for (const [slug, wait] of Object.entries(waits)) {
    const graph = { steps: [{ ref: 'w', type: 'WAIT', ...wait }], edges: [] };
    const { id } = await host.call('POST', '/api/workflow-definitions', { family_slug: slug, title: slug, graph });
    await host.call('POST', `/api/workflow-definitions/${id}/publish`);
  }
}

async function timeOf(work) {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

/** What a host that has nothing to do asks of the database, and what it takes. */
async function idle() {
  const counted = async () => {
    // Sessions tell what they did within a second or so of their next statement.
    await delay(3_000);
    const { rows } = await client.query(
      `select xact_commit::int as statements, tup_fetched::int as rows from pg_stat_database where datname = current_database()`,
    );
    return rows[0];
  };
  const before = await counted();
  await delay((IDLE_SECONDS - 3) * 1_000);
  const after = await counted();
  const each = (name) => ((after[name] - before[name]) / IDLE_SECONDS).toFixed(1);
  return `${each('statements')} statements/s and ${each('rows')} rows/s while idle; ${host.memory()}`;
}

/** Half of them wait for an event, half for an instant years ahead. */
async function park() {
  await inFlight(RUNS / BATCH, 4, async (i) => {
    const slug = i % 2 === 0 ? 'event' : 'timer';
    const first = Math.floor(i / 2) * BATCH;
    const items = Array.from({ length: BATCH }, (_, n) => ({
      input: slug === 'event' ? { key: `k${first + n}` } : { until: YEARS_AHEAD },
    }));
    const answer = await host.call('POST', `/api/v2/workflow-definitions/${slug}:triggerBatch`, { items });
    const refused = answer.items.find(({ error }) => error);
    if (refused) throw new Error(JSON.stringify(refused));
  });
}

async function publishTo(n, { untilEnded = false } = {}) {
  const body = { event_name: 'parked', correlation_key: `k${n}`, event_id: `e${n}` };
  const { matched } = await host.call('POST', '/api/v2/workflow-events:publish', body);
  if (matched !== 1) throw new Error(`the event for k${n} matched ${matched} waits`);
  if (!untilEnded) return;
  const open = 'select from eec_workflow_wait where event_name = $1 and correlation_key = $2';
  while ((await client.query(open, ['parked', `k${n}`])).rowCount > 0) await delay(2);
}

/** One after the other; when a run has ended is told by the database. */
async function publishToSome() {
  const answers = [];
  for (let i = 0; i < PUBLISHED; i++)
    answers.push(await timeOf(() => publishTo(Math.floor((i * RUNS) / 2 / PUBLISHED))));
  for (;;) {
    const { rows } = await client.query(
      `select (extract(epoch from r.ended_at - v.published_at) * 1000)::float8 as ms from eec_workflow_event v
       join eec_workflow_run r on r.id = (v.matches #>> '{0,run_id}')::uuid`,
    );
    if (rows.every(({ ms }) => ms !== null)) return { answers, ends: rows.map(({ ms }) => ms) };
    await delay(50);
  }
}

/** How late each is, by the database's clock; less than 0 would be early. */
async function timersOfOneSecond() {
  const from = Date.now() + 10_000;
  const items = Array.from({ length: DUE }, (_, i) => ({
    input: { until: new Date(from + (i * 1_000) / DUE).toISOString() },
  }));
  const answer = await host.call('POST', '/api/v2/workflow-definitions/timer:triggerBatch', { items });
  const ids = answer.items.map(({ run_id: id }) => id);
  for (;;) {
    const { rows } = await client.query(
      `select (extract(epoch from ended_at - (input ->> 'until')::timestamptz) * 1000)::float8 as ms
       from eec_workflow_run where id = any($1::uuid[])`,
      [ids],
    );
    if (rows.every(({ ms }) => ms !== null)) return rows.map(({ ms }) => ms);
    await delay(100);
  }
}
