/** What PostgreSQL's and the driver's errors mean for us. */

export const sqlState = (error: unknown): string | null =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;

const SQLSTATE = /^[0-9A-Z]{5}$/;

/** The connection went, or the server: nobody knows whether the statement was carried out. */
export function isConnectionLoss(error: unknown): boolean {
  const code = sqlState(error);
  if (code === null) return error instanceof Error && /connection|socket|terminated|timeout|ended/i.test(error.message);
  // The operating system's: ECONNRESET, ECONNREFUSED, ENOENT of the socket, … Node's own (ERR_…) are faults of ours.
  return (
    (!SQLSTATE.test(code) && !code.startsWith('ERR_')) ||
    code.startsWith('08') ||
    code.startsWith('57P') ||
    code === '53300'
  );
}

/** Serialization failure, deadlock, lock not available, cancelled: it was rolled back, and may be sent again. */
export const isRetryable = (error: unknown): boolean =>
  ['40001', '40P01', '55P03', '57014'].includes(sqlState(error) ?? '');

/** It will never be stored: bad text, numbers out of range, too much of it. */
export const isDataError = (error: unknown): boolean => /^(22|54)/.test(sqlState(error) ?? '');

export const isUniqueViolation = (error: unknown): boolean => sqlState(error) === '23505';
