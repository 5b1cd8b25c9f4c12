import type { Knex } from 'knex';
import { type BaseLogger, destination } from 'pino';
import type { Config } from '../../config/config.ts';
import { startEmbeddedPostgres } from '../../embedded/embedded-postgres.ts';
import { createLog } from '../../log.ts';
import { openDatabase } from '../../postgres/connection.ts';

/** The database that the configuration names, or the embedded one, which runs for as long as `work` does. */
export async function withDatabase<T>(
  config: Config,
  work: (database: { readonly knex: Knex; readonly log: BaseLogger }) => Promise<T>,
): Promise<T> {
  // stdout is for what the command answers.
  const log = createLog({ level: 'warn', destination: destination({ fd: 2, sync: true }) });
  const embedded =
    config.database.url === null ? await startEmbeddedPostgres({ dataDir: config.dataDir, log }) : undefined;
  try {
    const connection = config.database.url ?? embedded?.url ?? '';
    const database = openDatabase({ connection, poolSize: 2, log });
    try {
      return await work({ knex: database.knex, log });
    } finally {
      await database.close();
    }
  } finally {
    await embedded?.stop();
  }
}
