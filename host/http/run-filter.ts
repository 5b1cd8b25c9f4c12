import {
  type AnyTable,
  DuctorError,
  FINAL_STATUSES,
  type Instant,
  type JsonObject,
  type RunStatus,
} from '@ductor/core';
import Joi from '@hapi/joi';
import type { RunListFilter } from '../postgres/reads/run-list.ts';
import { type TableFilter, tableFilters } from './table-filters.ts';
import { instant, uuid } from './validation.ts';

/** What runs are narrowed to, in the words of the list's query. */
export interface RunFilter {
  readonly schema: Joi.ObjectSchema;
  /** Of what fits the schema. */
  of(query: object): RunListFilter;
  /** Of what fitted it once, and was kept as JSON. Throws `failed_precondition` if a plugin's word has gone since. */
  ofKept(query: JsonObject): RunListFilter;
}

const STATUSES: readonly RunStatus[] = ['pending', 'running', 'waiting', 'paused', 'cancelling', ...FINAL_STATUSES];
const text = Joi.string().min(1).max(1_024);

/** `tables`: plugins' tables, whose filters are words too. */
export function runFilter(tables: readonly AnyTable[]): RunFilter {
  const filters = tableFilters(tables);
  const own = Joi.object({
    workflow_type: text.description('The slug; - and _ are the same in it'),
    status: Joi.array()
      .items(Joi.string().valid(...STATUSES))
      .single(),
    active_only: Joi.boolean().description('Only runs that have not ended'),
    subject_type: text,
    subject_id: text,
    root_run_id: uuid,
    kind: text.description('By default workflow'),
    started_after: instant,
    started_before: instant,
  }).pattern(/^attribute\../, text);
  const schema = filters.reduce((words, { accepts }) => words.pattern(accepts, text), own);
  const of = (query: object) => filterOf(query as FilterQuery, filters);
  return {
    schema,
    of,
    ofKept(query) {
      const { value, error } = schema.validate(query);
      if (error) throw new DuctorError('failed_precondition', `The filter does not hold any more: ${error.message}.`);
      return of(value as object);
    },
  };
}

interface FilterQuery {
  readonly workflow_type?: string;
  readonly status?: readonly RunStatus[];
  readonly active_only?: boolean;
  readonly subject_type?: string;
  readonly subject_id?: string;
  readonly root_run_id?: string;
  readonly kind?: string;
  readonly started_after?: Date;
  readonly started_before?: Date;
}

function filterOf(query: FilterQuery, filters: readonly TableFilter[]): RunListFilter {
  const { workflow_type, status, active_only, subject_type, subject_id, root_run_id, kind = 'workflow' } = query;
  const given = Object.entries(query) as [string, unknown][];
  return {
    kind,
    ...(workflow_type !== undefined && { workflowType: workflow_type }),
    ...(status !== undefined && { statuses: status }),
    ...(active_only !== undefined && { activeOnly: active_only }),
    ...(subject_type !== undefined && { subjectType: subject_type }),
    ...(subject_id !== undefined && { subjectId: subject_id }),
    ...(root_run_id !== undefined && { rootRunId: root_run_id }),
    ...(query.started_after && { startedAfter: instantOf(query.started_after) }),
    ...(query.started_before && { startedBefore: instantOf(query.started_before) }),
    attributes: given.flatMap(([name, value]) =>
      name.startsWith('attribute.') ? [{ key: name.slice('attribute.'.length), value: String(value) }] : [],
    ),
    plugins: given.flatMap(([name, value]) =>
      filters.filter(({ accepts }) => accepts.test(name)).map(({ bind }) => bind(name, String(value))),
    ),
  };
}

const instantOf = (date: Date): Instant => date.toISOString();
