/** Why the engine gives a run up. */
import type { Failure } from '../errors.ts';

export const livelock = (conflicts: number): Failure => ({
  code: 'conflict_livelock',
  message: `Its state could not be committed: something else held it each time, ${conflicts} times in a row.`,
  party: 'engine',
});

export const faultOf = (error: unknown): Failure => ({
  code: 'internal',
  message: `Its tick cannot be computed: ${error instanceof Error ? error.message : String(error)}`,
  party: 'engine',
});
