/** What PostgreSQL's and the driver's errors mean for us. */
import pg from 'pg';

/**
 * The server's own word. Nothing else has a SQLSTATE, though the system's `EPIPE` looks like one: it is what comes of
 * writing to a session that has ended unheard.
 */
export const sqlState = (error: unknown): string | null =>
  error instanceof pg.DatabaseError ? (error.code ?? null) : null;

/** Node's own codes of faults of ours; those of a stream or socket tell of the connection. */
const FAULT = /^ERR_(?!STREAM|SOCKET|SSL|TLS)/;
/** How the driver and the pools begin where they have no code for it. */
const LOST =
  /^(Connection |Client (was closed|has encountered)|timeout (exceeded when|expired)|Query read timeout|Cannot use a pool|Knex: Timeout|Unable to acquire|aborted$|Th.* SSL connection)/;

/** JavaScript's own: a fault in the host or a plugin, whatever it says. */
const BUGS = [TypeError, RangeError, ReferenceError, SyntaxError];

/** The connection went, or the server, or there was none: nobody knows whether the statement was carried out. */
export function isConnectionLoss(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) {
    const { severity, code = '' } = error;
    // After these the session is over, whatever the code says of why.
    return severity === 'FATAL' || severity === 'PANIC' || /^(08|57P|53300)/.test(code);
  }
  if (!(error instanceof Error) || BUGS.some((kind) => error instanceof kind)) return false;
  // The operating system's: ECONNRESET, EPIPE, ENOENT of the socket, …; what has a path is of a file.
  if ('code' in error && typeof error.code === 'string') return !FAULT.test(error.code) && !('path' in error);
  return LOST.test(error.message);
}

/** Disk full, read-only after a failover, failing disk: it was rolled back, and is nothing that the statement can help. */
export const isServerTrouble = (error: unknown): boolean => /^(53100|25006|58)/.test(sqlState(error) ?? '');

/** Serialization failure, deadlock, lock not available, cancelled: it was rolled back, and may be sent again. */
export const isRetryable = (error: unknown): boolean =>
  ['40001', '40P01', '55P03', '57014'].includes(sqlState(error) ?? '');

/** The database is away, or could not do it just now: asking again makes sense. */
export const isUnavailable = (error: unknown): boolean =>
  isConnectionLoss(error) || isServerTrouble(error) || isRetryable(error);

/** It will never be stored: bad text, numbers out of range, too much of it. */
export const isDataError = (error: unknown): boolean => /^(22|54)/.test(sqlState(error) ?? '');

export const isUniqueViolation = (error: unknown): boolean => sqlState(error) === '23505';
