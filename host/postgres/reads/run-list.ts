import {
  type ChainId,
  FINAL_STATUSES,
  type Instant,
  isFinal,
  type RunId,
  type RunStatus,
  type TenantId,
} from '@ductor/core';
import type { Knex } from 'knex';
import { type Bindings, rowsOf } from './rows.ts';
import { RUN_COLUMNS, type RunRow } from './run-rows.ts';

/** What a list of runs is narrowed to; everything given must hold. */
export interface RunListFilter {
  readonly kind: string;
  /** A slug, in which `-` and `_` are the same. */
  readonly workflowType?: string;
  readonly statuses?: readonly RunStatus[];
  readonly activeOnly?: boolean;
  readonly subjectType?: string;
  readonly subjectId?: string;
  readonly rootRunId?: RunId;
  readonly startedAfter?: Instant;
  readonly startedBefore?: Instant;
  /** As text; a number or boolean is found by its text too. */
  readonly attributes?: readonly { readonly key: string; readonly value: string }[];
  /** Of plugins' tables: selects `run_id` over `:tenant_id`, `:value` and, where there is one, `:key`. */
  readonly plugins?: readonly { readonly sql: string; readonly key?: string; readonly value: string }[];
}

export interface RunListQuery {
  readonly tenantId: TenantId;
  readonly filter: RunListFilter;
  readonly order: 'asc' | 'desc';
  /** Only runs beyond this one, in the list's order. */
  readonly after: RunId | null;
  readonly limit: number;
}

/** Runs by id, which is by time of creation. */
export async function listRuns(knex: Knex, query: RunListQuery): Promise<readonly RunRow[]> {
  const selected = await selectRuns(knex, query, RUN_COLUMNS);
  if (selected === null) return [];
  const sql = `
    select r.*, d.family_slug, d.version
      from (${selected.sql}) r
      left join eec_workflow_definition d on d.tenant_id = :tenantId and d.id = r.definition_id
     order by r.id ${query.order}`;
  return rowsOf<RunRow>(knex, sql, selected.bindings);
}

/** So many are counted, and no more. */
const MOST_COUNTED = 100_000;

/** How many runs a list would have; `null`: more than 100,000. */
export async function countRuns(knex: Knex, query: Omit<RunListQuery, 'limit'>): Promise<number | null> {
  const selected = await selectRuns(knex, { ...query, limit: MOST_COUNTED + 1 }, 'r.id');
  if (selected === null) return 0;
  const [row] = await rowsOf<{ count: number }>(knex, `select count(*) from (${selected.sql}) r`, selected.bindings);
  const count = row?.count ?? 0;
  return count > MOST_COUNTED ? null : count;
}

/** As much of the runs of a list as it takes to send them a control. */
export async function listChains(
  knex: Knex,
  query: RunListQuery,
): Promise<readonly { readonly id: RunId; readonly chainId: ChainId }[]> {
  const selected = await selectRuns(knex, query, 'r.id, r.chain_id as "chainId"');
  return selected === null ? [] : rowsOf(knex, selected.sql, selected.bindings);
}

/** Every part of the statement is constant; all values are bound. `null`: no run can match. */
async function selectRuns(
  knex: Knex,
  query: RunListQuery,
  columns: string,
): Promise<{ readonly sql: string; readonly bindings: Bindings } | null> {
  const { order, limit, filter } = query;
  const slices = statusSlices(filter);
  const definitionIds =
    filter.workflowType === undefined ? null : await definitionsOf(knex, query.tenantId, filter.workflowType);
  if (slices.length === 0 || definitionIds?.length === 0) return null;
  const { conditions, bindings } = conditionsOf(query, definitionIds);
  const sliceBindings: { [name: string]: Bindings[string] } = {};
  const selects = slices.map(({ where, value }, i) => {
    if (value !== null) sliceBindings[`slice_${i}`] = value;
    const all = [...conditions, ...(where === null ? [] : [where.replace(':slice', `:slice_${i}`)])];
    return `(select ${columns} from eec_workflow_run r where ${all.join(' and ')} order by r.id ${order} limit :limit)`;
  });
  const sql = `select * from (${selects.join(' union all ')}) r order by r.id ${order} limit :limit`;
  return { sql, bindings: { ...bindings, ...sliceBindings, limit } };
}

interface Slice {
  readonly where: string | null;
  readonly value: string | readonly string[] | null;
}

/**
 * One slice for open runs and one for each way to have ended: each is an index in the list's order, so a rare status
 * costs a page and not a scan.
 */
function statusSlices({ statuses, activeOnly }: RunListFilter): readonly Slice[] {
  if (statuses === undefined) return [{ where: activeOnly ? 'r.ended_at is null' : null, value: null }];
  const open = statuses.filter((status) => !isFinal(status));
  const final = activeOnly ? [] : FINAL_STATUSES.filter((status) => statuses.includes(status));
  return [
    ...(open.length === 0 ? [] : [{ where: 'r.ended_at is null and r.status = any(:slice)', value: open }]),
    ...final.map((status) => ({ where: 'r.final_status = :slice', value: status })),
  ];
}

function conditionsOf(
  { tenantId, filter, order, after }: RunListQuery,
  definitionIds: readonly string[] | null,
): { conditions: string[]; bindings: Bindings } {
  const conditions = ['r.tenant_id = :tenantId', 'r.kind = :kind'];
  const bindings: { [name: string]: Bindings[string] } = { tenantId, kind: filter.kind };
  const add = (name: string, value: Bindings[string] | undefined, condition: string) => {
    if (value === undefined || value === null) return;
    bindings[name] = value;
    conditions.push(condition);
  };
  add('after', after, `r.id ${order === 'desc' ? '<' : '>'} :after`);
  add('definitionIds', definitionIds, 'r.definition_id = any(:definitionIds)');
  add('subjectType', filter.subjectType, 'r.subject_type = :subjectType');
  add('subjectId', filter.subjectId, 'r.subject_id = :subjectId');
  add('rootRunId', filter.rootRunId, 'r.root_run_id = :rootRunId');
  add('startedAfter', filter.startedAfter, 'r.started_at > :startedAfter');
  add('startedBefore', filter.startedBefore, 'r.started_at < :startedBefore');
  filter.attributes?.forEach(({ key, value }, i) => {
    const [text, scalar] = [`attribute_${i}`, `scalar_${i}`];
    bindings[text] = JSON.stringify({ [key]: value });
    bindings[scalar] = JSON.stringify({ [key]: scalarOf(value) });
    conditions.push(`(r.attributes @> cast(:${text} as jsonb) or r.attributes @> cast(:${scalar} as jsonb))`);
  });
  filter.plugins?.forEach(({ sql, key, value }, i) => {
    Object.assign(bindings, {
      tenant_id: tenantId,
      [`plugin_value_${i}`]: value,
      ...(key !== undefined && { [`plugin_key_${i}`]: key }),
    });
    conditions.push(`r.id in (${sql.replace(/(?<!:):(key|value)\b/g, `:plugin_$1_${i}`)})`);
  });
  return { conditions, bindings };
}

const DEFINITIONS = `
  select id from eec_workflow_definition where tenant_id = :tenantId and family_slug = :slug and status in ('published', 'archived')
  union all
  select id from eec_workflow_definition where tenant_id = :tenantId and family_slug = :slug and status = 'unlisted'`;

/** Read before the runs are, so that PostgreSQL knows how rare they are. Slugs have no `_` of their own. */
async function definitionsOf(knex: Knex, tenantId: TenantId, workflowType: string): Promise<readonly string[]> {
  const slug = workflowType.replaceAll('_', '-');
  return (await rowsOf<{ id: string }>(knex, DEFINITIONS, { tenantId, slug })).map(({ id }) => id);
}

/** What JSON the text of a filter may stand for besides itself. */
function scalarOf(text: string): string | number | boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  return /^-?\d{1,15}(\.\d{1,15})?$/.test(text) ? Number(text) : text;
}
