/** What an operator allows a package at most; a manifest can only ask for less. */
export interface PoolLimits {
  readonly threads: number;
  readonly maxOldGenerationMb: number;
  /** Attempts that one thread runs at once. */
  readonly concurrency: number;
  readonly maxOutputBytes: number;
  /** A thread without work ends after this. */
  readonly idleMs: number;
  /** A connector that is not loaded by then fails what waits for it. */
  readonly loadMs: number;
}

export const DEFAULT_LIMITS: PoolLimits = {
  threads: 2,
  maxOldGenerationMb: 256,
  concurrency: 256,
  maxOutputBytes: 4 * 1024 * 1024,
  idleMs: 30_000,
  loadMs: 30_000,
};
