import type { RunId, Transition } from '@ductor/core';
import type { Knex } from 'knex';
import { rowsOf } from './rows.ts';

const ASCENDING = `
  select version, at, changes from eec_workflow_transition
   where run_id = :runId and version >= :from order by version limit :limit`;
const DESCENDING = `
  select version, at, changes from eec_workflow_transition
   where run_id = :runId and version <= :from order by version desc limit :limit`;

/**
 * Transitions of a run, from a version on in either direction, as they are stored: without the tasks and outputs that
 * attempts hold. The run's tenant is the caller's to know.
 */
export async function readTransitions(
  knex: Knex,
  query: { readonly runId: RunId; readonly order: 'asc' | 'desc'; readonly from: number; readonly limit: number },
): Promise<readonly Transition[]> {
  const { order, ...bindings } = query;
  const rows = await rowsOf<Omit<Transition, 'runId'>>(knex, order === 'asc' ? ASCENDING : DESCENDING, bindings);
  return rows.map((row) => ({ runId: query.runId, ...row }));
}
