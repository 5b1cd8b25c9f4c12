import { constants } from 'node:os';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The first signal that asks for an end. The next one ends the process at once, as it would have without us. */
export function untilStopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let isFirst = true;
    for (const name of SIGNALS) {
      process.on(name, (signal) => {
        if (!isFirst) process.exit(128 + constants.signals[signal]);
        isFirst = false;
        resolve(signal);
      });
    }
  });
}
