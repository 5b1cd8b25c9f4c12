import knexFactory, { type Knex } from 'knex';
import pg from 'pg';
import { parseIntoClientConfig } from 'pg-connection-string';
import type { BaseLogger } from 'pino';
import { parse as parseArray } from 'postgres-array';

/** The two ways to the database. */
export interface Database {
  /** For the schema and ordinary queries. */
  readonly knex: Knex;
  /** For the hot statements, which PostgreSQL plans once and by index alone. */
  readonly hot: pg.Pool;
  /** A session for one purpose alone, to be ended by who asked for it. */
  session(): Promise<pg.Client>;
  /** Waits for the statements under way and ends all sessions. */
  close(): Promise<void>;
}

/** Two lanes of commits, and room for what must not wait behind them. */
const hotConnections = 4;
const connectWithinMs = 10_000;

/** What the parsers below rely on. */
const outputSettings = ['TimeZone=UTC', 'DateStyle=ISO'];

/**
 * A statement planned while its tables are empty would scan them for ever, and estimates of array parameters mislead:
 * the hot statements are written so that nested loops over indexes are right at every size.
 */
const hotSettings = [
  ...['enable_seqscan=off', 'enable_hashjoin=off', 'enable_mergejoin=off'],
  ...['plan_cache_mode=force_generic_plan', 'jit=off'],
];

/**
 * Opens the database that a PostgreSQL URL names. Connections are made when they are needed, and again when they are
 * lost; a lost one fails its statement and nothing else.
 *
 * @param connection as in `DATABASE_URL`, of at most `poolSize` + 4 sessions.
 */
export function openDatabase({
  connection,
  poolSize,
  log,
}: {
  readonly connection: string;
  readonly poolSize: number;
  readonly log: BaseLogger;
}): Database {
  const knex = knexFactory({
    client: 'pg',
    connection: clientConfig(connection, outputSettings),
    pool: { min: 0, max: poolSize },
    // Without it an error's message repeats the values of its statement.
    compileSqlOnError: false,
    log: {
      debug: (message) => log.debug({ knex: message }, 'knex'),
      warn: (message) => log.warn({ knex: message }, 'knex'),
      error: (message) => log.error({ knex: message }, 'knex'),
      deprecate: (message) => log.warn({ knex: message }, 'knex'),
    },
  });
  const hot = new pg.Pool({
    ...clientConfig(connection, [...outputSettings, ...hotSettings]),
    max: hotConnections,
    // Prepared statements live as long as their session.
    idleTimeoutMillis: 0,
  });
  hot.on('error', (error) => log.warn({ err: error }, 'a database connection was lost while idle'));
  // The pool listens to idle clients only; one that is lost in use would end the process. Its statement says so itself.
  hot.on('connect', (client) => client.on('error', () => undefined));
  return {
    knex,
    hot,
    async session() {
      const client = new pg.Client(clientConfig(connection, outputSettings));
      client.on('error', () => undefined);
      await client.connect();
      return client;
    },
    async close() {
      await Promise.all([knex.destroy(), hot.end()]);
    },
  };
}

/** What both pools accept; their own types do not quite agree. */
type ClientConfig = Knex.PgConnectionConfig & { readonly types: Types };

function clientConfig(url: string, settings: readonly string[]): ClientConfig {
  const { options, application_name = 'ductor', ...server } = parseIntoClientConfig(url);
  const ours = settings.map((setting) => `-c ${setting}`);
  return {
    ...Object.fromEntries(Object.entries(server).filter(([, value]) => value !== undefined)),
    application_name,
    connectionTimeoutMillis: connectWithinMs,
    keepAlive: true,
    // Ours come last, and so win.
    options: [...(options === undefined ? [] : [options]), ...ours].join(' '),
    types,
  };
}

/** `2026-01-02 03:04:05.678901+00` as an Instant; `infinity` as it is. */
function toInstant(text: string): string {
  if (!text.endsWith('+00')) return text;
  const [seconds = '', fraction = ''] = text.slice(0, -'+00'.length).split('.');
  return `${seconds.replace(' ', 'T')}.${fraction.slice(0, 3).padEnd(3, '0')}Z`;
}

const asWritten = (text: string): string => text;

type Parser = (text: string) => unknown;

interface Types {
  getTypeParser(id: number, format?: string): Parser;
}

const { INT8, DATE, TIMESTAMP, TIMESTAMPTZ } = pg.types.builtins;
// Types that pg's list does not name.
const int8Array = 1016;
const timestamptzArray = 1185;

/** By type id. For these pg answers with strings (int8), or with Date objects, some in the host's time zone. */
const parsers: ReadonlyMap<number, Parser> = new Map<number, Parser>([
  [INT8, Number],
  [TIMESTAMPTZ, toInstant],
  [TIMESTAMP, asWritten],
  [DATE, asWritten],
  [int8Array, (text) => parseArray(text, Number)],
  [timestamptzArray, (text) => parseArray(text, toInstant)],
]);

const usual: Types = pg.types;
const types: Types = {
  getTypeParser: (id, format) => (format === 'binary' ? undefined : parsers.get(id)) ?? usual.getTypeParser(id, format),
};
