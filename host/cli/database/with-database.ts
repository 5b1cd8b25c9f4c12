import type { Knex } from 'knex';
import { type BaseLogger, destination } from 'pino';
import type { Config } from '../../config/config.ts';
import { embeddedUrlOfRunning, startEmbeddedPostgres } from '../../embedded/embedded-postgres.ts';
import { createLog } from '../../log.ts';
import { openDatabase } from '../../postgres/connection.ts';

/** The database that the configuration names, or the embedded one: a running host's, else one for as long as `work` runs. */
export async function withDatabase<T>(
  config: Config,
  work: (database: { readonly knex: Knex; readonly log: BaseLogger }) => Promise<T>,
): Promise<T> {
  // stdout is for what the command answers.
  const log = createLog({ level: 'warn', destination: destination({ fd: 2, sync: true }) });
  const running = config.database.url ?? (await embeddedUrlOfRunning(config.dataDir));
  const embedded = running === null ? await startEmbeddedPostgres({ dataDir: config.dataDir, log }) : null;
  try {
    const database = openDatabase({ connection: running ?? embedded?.url ?? '', poolSize: 2, log });
    try {
      return await work({ knex: database.knex, log });
    } finally {
      await database.close();
    }
  } finally {
    await embedded?.stop();
  }
}
