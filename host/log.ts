import { type DestinationStream, type Logger, pino } from 'pino';
import type { LogLevel } from './config/config.ts';
import { hideSecrets } from './config/hide-secrets.ts';

/**
 * One JSON line for each entry, to stdout unless told otherwise. Fields named like secrets are hidden, but for those that
 * a child log is made with: these say who speaks.
 */
export function createLog({
  level,
  destination,
}: {
  readonly level: LogLevel;
  readonly destination?: DestinationStream;
}): Logger {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: {
      level: (label: string) => ({ level: label }),
      log: (fields: Record<string, unknown>) => hideSecrets(fields),
    },
    serializers: { err: (error: Error) => hideSecrets({ ...pino.stdSerializers.err(error) }) },
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}

/** The part of the host that speaks, on each of its lines. */
export const componentLog = (log: Logger, component: string): Logger => log.child({ component });
