import { createLog } from '../../log.ts';
import { startHost } from '../../main.ts';
import { readConfig } from '../config-file.ts';
import { namingThePort } from './port-error.ts';
import { untilStopSignal } from './stop-signal.ts';
import { welcome } from './welcome.ts';

/** Runs a host until a signal ends it. */
export async function runInForeground(configFile: string | undefined): Promise<void> {
  const config = await readConfig(configFile);
  const log = createLog({ level: config.log.level });
  // Listened to from here on: a host that is told to stop while it starts stops as soon as it has.
  const stopSignal = untilStopSignal();
  const host = await startHost({ config, log }).catch((error) => {
    throw namingThePort(error, config);
  });
  if (process.stdout.isTTY) process.stdout.write(welcome({ host, config }));
  const signal = await stopSignal;
  log.info({ signal }, 'stopping: what runs may end first; the same signal again ends it at once');
  await host.stop();
  log.info('stopped');
}
