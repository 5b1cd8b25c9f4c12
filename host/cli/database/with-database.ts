import type { Knex } from 'knex';
import { type BaseLogger, destination, type Logger } from 'pino';
import type { Config } from '../../config/config.ts';
import { embeddedUrlOfRunning, startEmbeddedPostgres } from '../../embedded/embedded-postgres.ts';
import { createLog } from '../../log.ts';
import { openDatabase } from '../../postgres/connection.ts';

/** The database that the configuration names, or the embedded one. */
export async function withDatabase<T>(
  config: Config,
  work: (database: { readonly knex: Knex; readonly log: BaseLogger }) => Promise<T>,
): Promise<T> {
  const log = commandLog();
  const onServer = async (connection: string): Promise<T> => {
    const database = openDatabase({ connection, poolSize: 2, log });
    try {
      return await work({ knex: database.knex, log });
    } finally {
      await database.close();
    }
  };
  return config.database.url === null ? withEmbedded(config, onServer) : onServer(config.database.url);
}

/** The embedded database: a running host's, else one for as long as `work` runs. */
export async function withEmbedded<T>(
  { dataDir }: Pick<Config, 'dataDir'>,
  work: (url: string) => Promise<T>,
): Promise<T> {
  const running = await embeddedUrlOfRunning(dataDir);
  if (running !== null) return work(running);
  const embedded = await startEmbeddedPostgres({ dataDir, log: commandLog() });
  try {
    return await work(embedded.url);
  } finally {
    await embedded.stop();
  }
}

/** stdout is for what a command answers. */
const commandLog = (): Logger => createLog({ level: 'warn', destination: destination({ fd: 2, sync: true }) });
