import type { Problem } from '@ductor/client';

/** The command was not used as it has to be; its message says how. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** One finding of a refusal, and where in a file it lies if that is known. */
export interface Detail extends Partial<Problem> {
  /** `lead-router.yaml:12:5` */
  readonly place?: string;
}
