import pg from 'pg';

/**
 * A session of a test's own, to be ended by it. One that is lost fails its statements, and no more: heard by nobody, it
 * would end the process.
 */
export async function openSession(url: string, config: pg.ClientConfig = {}): Promise<pg.Client> {
  const session = new pg.Client({ ...config, connectionString: url });
  session.on('error', () => undefined);
  await session.connect();
  return session;
}

/** Several, in the same way. */
export function openSessions(url: string, config: pg.PoolConfig = {}): pg.Pool {
  const pool = new pg.Pool({ ...config, connectionString: url });
  pool.on('error', () => undefined);
  pool.on('connect', (session) => session.on('error', () => undefined));
  return pool;
}
