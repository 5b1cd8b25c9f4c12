/**
 * From `ductor start` to a `/readyz` of 200 on a data directory that is there already: wall time, and processor time of the
 * host's process, which a busy machine disturbs less. `node scripts/bench/cold-start.mjs [rounds]`
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../../host/bin/ductor.js', import.meta.url));
const rounds = Number(process.argv[2] ?? 10);
/** Linux counts processor time in these. */
const TICK_MS = 10;

const dataDir = mkdtempSync(join(tmpdir(), 'ductor-cold-start-'));
try {
  await start();
  const results = [];
  for (let round = 0; round < rounds; round++) results.push(await start());
  const median = (name) => results.map((result) => result[name]).sort((a, b) => a - b)[Math.floor(rounds / 2)];
  const least = Math.min(...results.map(({ wallMs }) => wallMs));
  console.log(
    `ready after ${median('wallMs')} ms (median of ${rounds}, least ${least}), ${median('cpuMs')} ms of processor`,
  );
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}

async function start() {
  const port = await freePort();
  const begun = performance.now();
  const host = spawn(process.execPath, [program, 'start'], {
    env: { PATH: process.env.PATH, DUCTOR_DATA_DIR: dataDir, PORT: String(port), LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(host, 'exit');
  for (;;) {
    const response = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null);
    if (response?.ok) break;
    if (host.exitCode !== null) throw new Error('the host ended before it was ready');
    await delay(5);
  }
  const wallMs = Math.round(performance.now() - begun);
  const cpuMs = processorMs(host.pid);
  host.kill('SIGTERM');
  await ended;
  return { wallMs, cpuMs };
}

/** User and system time of a process so far; 0 where there is no /proc. */
function processorMs(pid) {
  if (process.platform !== 'linux') return 0;
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}
