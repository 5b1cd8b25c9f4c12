/**
 * The commit: one statement for many ticks. It locks, decides, then writes.
 *
 * - `lock.ts`: every row that a tick read and now closes or moves, `skip locked`: what is being moved by somebody else counts
 *   as a conflict, so nobody waits and nothing deadlocks.
 * - `runs.ts`: a run is `ok` only if all of its rows were locked as they were read.
 * - `write.ts`: only for runs that are ok. The one exception is attempts' outcomes: they are appends, and stay.
 *
 * Plan: nested loops from each relation into a primary key. CTEs are never joined with each other (they have no index,
 * and it would be quadratic): columns are carried through the lock, and membership is asked by hashed `in`, which
 * `is true` keeps PostgreSQL from turning into a join.
 */
import { type Columns, unnest } from '../binary-arrays.ts';
import { lockParts } from './lock.ts';
import { runParts } from './runs.ts';
import type { Shape } from './shape.ts';
import { writeParts } from './write.ts';

/** `$1` is the host's id, `$2` the clock's offset; relations follow in the order of `parameters`. */
export interface Statement {
  readonly text: string;
  readonly parameters: readonly string[];
}

export function commitStatement(shape: Shape): Statement {
  const parameters: string[] = [];
  let next = 3;
  const relation = (name: string, columns: Columns, alias: string) => {
    parameters.push(name);
    const first = next;
    next += Object.keys(columns).length;
    return unnest(alias, columns, first);
  };
  const parts = [...lockParts(shape, relation), ...runParts(shape, relation), ...writeParts(shape, relation)];
  const text = `with ${parts.join(',\n')}\nselect id, $1::uuid host, clock_timestamp() + $2::interval now from moved`;
  return { text, parameters };
}
