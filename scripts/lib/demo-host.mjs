import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { destination } from 'pino';
import { loadConfig } from '#host/config/load-config.js';
import { createLog } from '#host/log.js';
import { startHost } from '#host/main.js';

/** Starts a development host on the embedded database; its log goes to `<data>/demo.log`. */
export async function startDemoHost() {
  const wanted = await configFor(process.env.PORT);
  const { host, port } = wanted.server;
  const isTaken = port !== 0 && !(await isFree(host, port));
  const config = isTaken ? await configFor('0') : wanted;
  const log = createLog({
    level: config.log.level,
    destination: destination({ dest: join(config.dataDir, 'demo.log'), mkdir: true, sync: true }),
  });
  const note = isTaken ? ` (Port ${port} is taken: it took a free one.)` : '';
  return { host: await startHost({ config, log }), config, note };
}

/** A DATABASE_URL of the environment is somebody's database, and a demo leaves it alone. */
function configFor(port) {
  const { DUCTOR_DATA_DIR, DUCTOR_BOOTSTRAP_API_KEY, DUCTOR_MASTER_KEY, LOG_LEVEL } = process.env;
  return loadConfig({
    argv: {},
    env: { PORT: port, DUCTOR_DATA_DIR, DUCTOR_BOOTSTRAP_API_KEY, DUCTOR_MASTER_KEY, LOG_LEVEL },
    cwd: process.cwd(),
  });
}

async function isFree(host, port) {
  const probe = createServer();
  try {
    await once(probe.listen(port, host), 'listening');
    return true;
  } catch (error) {
    if (error.code === 'EADDRINUSE') return false;
    throw error;
  } finally {
    probe.close();
  }
}
