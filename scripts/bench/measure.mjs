import { readFileSync } from 'node:fs';

/** `at(0.5)` of numbers: the smallest that is not less than this part of them. */
export function quantiles(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  return (part) => sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)];
}

/** Runs `work(i)` for 0 to n-1, at most `limit` at a time. */
export async function inFlight(n, limit, work) {
  let next = 0;
  const lane = async () => {
    while (next < n) await work(next++);
  };
  await Promise.all(Array.from({ length: Math.min(limit, n) }, lane));
}

const TICK_MS = 10;

/** Processor time of this process's main thread so far, in milliseconds; null where the system does not say. */
function mainThreadMs() {
  try {
    const fields = readFileSync(`/proc/self/task/${process.pid}/stat`, 'utf8').split(') ')[1].split(' ');
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  } catch {
    return null;
  }
}

/** Answers with how long `work` took, on the wall and on processors, beside what it answers. */
export async function timed(work) {
  const cpu = process.cpuUsage();
  const main = mainThreadMs();
  const startedAt = performance.now();
  const value = await work();
  const seconds = (performance.now() - startedAt) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  return { value, seconds, processMs: (user + system) / 1000, mainMs: main === null ? null : mainThreadMs() - main };
}
