import pg from 'pg';

/** A statement on its way to the database. */
export interface Passing {
  /** As it is prepared: `commit_3`, `load_inputs`. */
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
  /** Carries it out. */
  run(): Promise<pg.QueryResult>;
}

type Queryable = { query(config: pg.QueryConfig): Promise<pg.QueryResult> };

/** The same pool, of which each statement passes `on` first: it may be counted, held, broken, or carried out unheard. */
export function faultyPool(hot: pg.Pool, on: (statement: Passing) => Promise<pg.QueryResult>): pg.Pool {
  const inner: Queryable = hot;
  const query = (config: pg.QueryConfig | string, values: unknown[] = []): Promise<pg.QueryResult> => {
    const whole = typeof config === 'string' ? { text: config, values } : config;
    return on({
      name: whole.name ?? '',
      text: whole.text,
      values: whole.values ?? [],
      run: () => inner.query(whole),
    });
  };
  return new Proxy(hot, {
    get: (target, property) => (property === 'query' ? query : Reflect.get(target, property, target)),
  });
}

/** As the driver says that the connection went. */
export const connectionLost = (): Error => Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });

/** As PostgreSQL says it. */
export const saidByServer = (code: string, { severity = 'ERROR', message = code } = {}): Error =>
  Object.assign(new pg.DatabaseError(message, message.length, 'error'), { code, severity });

/** As PostgreSQL says that it broke a statement off. */
export const brokenOff = (): Error => saidByServer('40001', { message: 'could not serialize access' });
