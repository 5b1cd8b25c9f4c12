import type { Instant, TenantId } from '@ductor/core';
import type { Knex } from 'knex';
import { DURATION_BOUNDS_MS } from '../stats/durations.ts';
import { type Bindings, rowsOf } from './reads/rows.ts';

export type Bucket = 'minute' | 'hour' | 'day';

export interface StatsQuery {
  readonly tenantId: TenantId;
  /** Minutes that begin from `from` to before `to`. */
  readonly from: Instant;
  readonly to: Instant;
  readonly bucket: Bucket;
  readonly kind: string;
  /** `null`: all of them. */
  readonly slug: string | null;
}

/** A sum over roll-ups. */
export interface StatsSum {
  readonly what: 'created' | 'ended' | 'attempts';
  readonly outcome: string;
  readonly count: number;
  readonly totalMs: number;
  /** By the bounds of `stats/durations.ts`. */
  readonly durations: readonly number[];
}

const SUMS = `what, outcome, cast(sum(count) as bigint) as count, cast(sum(total_ms) as bigint) as "totalMs",
    array[${[...DURATION_BOUNDS_MS, null].map((_, i) => `cast(sum(durations[${i + 1}]) as bigint)`).join(', ')}] as durations`;

const OF_QUERY = `from eec_stats_minute
   where tenant_id = :tenantId and minute >= :from and minute < :to and run_kind = :kind
     and (cast(:slug as text) is null or family_slug = :slug)`;

const SERIES = `
  select date_trunc(:bucket, minute) as at, ${SUMS} ${OF_QUERY} group by 1, what, outcome order by 1`;

const BY_WORKFLOW = `
  select family_slug as name, ${SUMS} ${OF_QUERY} and what <> 'attempts'
   group by family_slug, what, outcome order by family_slug`;

const BY_ACTION = `
  select action as name, ${SUMS} ${OF_QUERY} and what = 'attempts' group by action, what, outcome order by action`;

const bindingsOf = ({ tenantId, from, to, kind, slug }: StatsQuery): Bindings => ({ tenantId, from, to, kind, slug });

/** Sums by the part of time they lie in, in order. Plan: a range of the primary key, for each of these. */
export const statsSeries = (knex: Knex, query: StatsQuery): Promise<readonly (StatsSum & { at: Instant })[]> =>
  rowsOf(knex, SERIES, { ...bindingsOf(query), bucket: query.bucket });

/** Sums by slug; empty for runs whose definition is gone. */
export const statsByWorkflow = (knex: Knex, query: StatsQuery): Promise<readonly (StatsSum & { name: string })[]> =>
  rowsOf(knex, BY_WORKFLOW, bindingsOf(query));

export const statsByAction = (knex: Knex, query: StatsQuery): Promise<readonly (StatsSum & { name: string })[]> =>
  rowsOf(knex, BY_ACTION, bindingsOf(query));

export interface OpenRuns {
  readonly slug: string;
  readonly count: number;
}

const OPEN = `
  select coalesce(d.family_slug, '') as slug, cast(sum(o.count) as bigint) as count
    from (select definition_id, count(*) as count
            from (select definition_id, kind from eec_workflow_run
                   where tenant_id = :tenantId and ended_at is null order by id desc limit :limit) newest
           where kind = :kind group by definition_id) o
    left join eec_workflow_definition d on d.tenant_id = :tenantId and d.id = o.definition_id
   group by 1 order by 1`;

/** The open runs as they are now, by slug; of a tenant's newest `limit`. Plan: eec_workflow_run_open_list. */
export const openRuns = (
  knex: Knex,
  of: { readonly tenantId: TenantId; readonly kind: string; readonly limit: number },
): Promise<readonly OpenRuns[]> => rowsOf(knex, OPEN, { ...of });
