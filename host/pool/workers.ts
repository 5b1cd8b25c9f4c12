import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';

export interface WorkersOptions {
  readonly execArgv: string[];
  /** What the threads find as their temporary folder. */
  readonly tmp: string | null;
  readonly maxOldGenerationMb: number;
  readonly maxThreads: number;
}

const SHIM = fileURLToPath(new URL('./thread/shim.js', import.meta.url));

/** Piscina as one pool uses it: each thread is given one task, our shim, and is gone after it. */
export const openWorkers = ({ execArgv, tmp, maxOldGenerationMb, maxThreads }: WorkersOptions): Piscina =>
  new Piscina({
    filename: SHIM,
    name: 'serve',
    env: tmp === null ? {} : { TMPDIR: tmp },
    execArgv,
    resourceLimits: { maxOldGenerationSizeMb: maxOldGenerationMb, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 },
    minThreads: 0,
    maxThreads,
    idleTimeout: 0,
    concurrentTasksPerWorker: 1,
    // The default freezes a thread's event loop between tasks.
    atomics: 'disabled',
    recordTiming: false,
  });
