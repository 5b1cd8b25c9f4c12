/**
 * `npm run bench [-- --full] [-- --only W2,W4]`: measures this product alone.
 * `npm run bench -- --peers dbos,restate`: side by side with others, by a runner that BENCH_PEERS names. See README.md.
 */
import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { pino } from 'pino';
import { startEmbeddedPostgres } from '#host/embedded/embedded-postgres.js';
import { open } from './ductor.peer.mjs';
import { inFlight, quantiles, timed } from './measure.mjs';

const { values: options } = parseArgs({
  options: {
    full: { type: 'boolean', default: false },
    only: { type: 'string' },
    peers: { type: 'string' },
    rounds: { type: 'string' },
    out: { type: 'string' },
  },
});

const sizes = options.full
  ? { w1: 300, w1Warm: 50, w2: 2000, w3: [1000, 4000], w4: 10_000, rest: 5000, inFlight: 64 }
  : { w1: 100, w1Warm: 20, w2: 300, w3: [250, 1000], w4: 2000, rest: 1000, inFlight: 64 };

if (options.peers === undefined) await alone();
else await besidePeers(options.peers);

async function alone() {
  const scratch = await mkdtemp(join(tmpdir(), 'ductor-bench-'));
  const database = await startDatabase(scratch);
  const peer = await open({ url: database.url, database: 'ductor', scratch, sizes });
  try {
    await describe(database.url);
    for (const [name, workload] of workloads(peer)) {
      if (options.only === undefined || options.only.split(',').includes(name)) console.log(await workload());
    }
    console.log(`peak memory of this process: ${Math.round(process.resourceUsage().maxRSS / 1024)} MiB`);
  } finally {
    await peer.close();
    await database.stop();
    await rm(scratch, { recursive: true, force: true });
  }
}

/** The server that DATABASE_URL names, in a database of its own; else an embedded one. */
async function startDatabase(scratch) {
  const named = process.env.DATABASE_URL;
  if (named === undefined) return startEmbeddedPostgres({ dataDir: scratch, log: pino({ level: 'silent' }) });
  const admin = new pg.Client(named);
  // It is idle for long; its next statement says that it was lost.
  admin.on('error', () => undefined);
  await admin.connect();
  const name = `ductor_bench_${process.pid}`;
  await admin.query(`create database ${name}`);
  const url = new URL(named);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    async stop() {
      await admin.query(`drop database ${name} with (force)`);
      await admin.end();
    },
  };
}

async function describe(url) {
  const client = new pg.Client(url);
  await client.connect();
  const { rows } = await client.query(
    `select name, setting from pg_settings where name in ('server_version', 'fsync', 'synchronous_commit', 'shared_buffers')`,
  );
  await client.end();
  const settings = rows.map(({ name, setting }) => `${name} ${setting}`).join(', ');
  console.log(`node ${process.version}, ${availableParallelism()} × ${cpus()[0]?.model}; ${settings}`);
}

function* workloads(peer) {
  yield ['W1', () => oneAtATime(peer)];
  yield ['W2', () => chains(peer)];
  for (const n of sizes.w3) yield [`W3_${n}`, () => fanOut(peer, n)];
  yield ['W4', () => burst(peer)];
  for (const connections of [1, 16, 64]) yield [`REST_${connections}`, () => rest(peer, connections)];
  yield ['REST_W4', () => restBurst(peer)];
}

function round(number, digits = 0) {
  return number.toFixed(digits);
}

/** What a step cost this process and its main thread alone, in microseconds. */
function cost({ processMs, mainMs }, steps) {
  const each = (ms) => (ms === null ? '?' : round((ms * 1000) / steps));
  return `${each(processMs)} µs of processor a step, ${each(mainMs)} of them on the main thread`;
}

async function oneAtATime(peer) {
  for (let i = 0; i < sizes.w1Warm; i++) await peer.runToEnd(1);
  const latencies = [];
  for (let i = 0; i < sizes.w1; i++) latencies.push((await timed(() => peer.runToEnd(1))).seconds * 1000);
  const at = quantiles(latencies);
  return `W1 one run at a time: p50 ${round(at(0.5), 2)} ms, p95 ${round(at(0.95), 2)}, p99 ${round(at(0.99), 2)}`;
}

async function chains(peer) {
  const took = await timed(() => inFlight(sizes.w2, sizes.inFlight, () => peer.runInFlight(10)));
  return `W2 chains of 10: ${round((sizes.w2 * 10) / took.seconds)} steps/s; ${cost(took, sizes.w2 * 10)}`;
}

async function fanOut(peer, n) {
  const took = await timed(() => peer.fanOut(n));
  return `W3 ${took.value} side by side: ${round(took.seconds, 3)} s; ${cost(took, n)}`;
}

async function burst(peer) {
  const took = await timed(() => peer.burst(sizes.w4, sizes.inFlight));
  return `W4 runs of one step: ${round(sizes.w4 / took.seconds)} runs/s; ${cost(took, sizes.w4)}`;
}

/** Asks another process to send requests; resolves with what it measured. */
async function load(peer, job) {
  const child = fork(fileURLToPath(new URL('./rest-load.mjs', import.meta.url)));
  child.send({ ...(await peer.listen()), slug: 'chain-1', ...job });
  const [answer] = await Promise.race([once(child, 'message'), once(child, 'exit')]);
  child.kill();
  if (typeof answer !== 'object' || answer === null) throw new Error('the load generator ended without an answer');
  return answer;
}

async function rest(peer, connections) {
  const { latencies, seconds } = await load(peer, { requests: sizes.rest, connections });
  await peer.settled();
  const at = quantiles(latencies);
  const ms = `p50 ${round(at(0.5), 2)} ms, p99 ${round(at(0.99), 2)}`;
  return `REST trigger, ${connections} connections: ${ms}; ${round(sizes.rest / seconds)} requests/s`;
}

async function restBurst(peer) {
  const took = await timed(async () => {
    await load(peer, { requests: sizes.w4, connections: sizes.inFlight });
    await peer.settled();
  });
  return `W4 through REST: ${round(sizes.w4 / took.seconds)} runs/s; ${cost(took, sizes.w4)}`;
}

async function besidePeers(peers) {
  const folder = process.env.BENCH_PEERS;
  if (folder === undefined) throw new Error('BENCH_PEERS names the folder of the runner and its peers; see README.md.');
  const ours = fileURLToPath(new URL('./ductor.peer.mjs', import.meta.url));
  const args = ['--peers', `${peers},ductor=${ours}`, ...(options.full ? [] : ['--smoke'])];
  if (options.rounds !== undefined) args.push('--rounds', options.rounds);
  if (options.out !== undefined) args.push('--out', resolve(options.out));
  const child = spawn(process.execPath, ['run.mjs', ...args], { cwd: folder, stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  process.exitCode = code ?? 1;
}
