import type { Audit, Database, Definition, Instant, JsonObject, RunId } from '@ductor/core';
import type { FailurePolicy } from './fields.ts';

export interface DutyRow {
  readonly id: string;
  readonly execution: string;
  readonly run_id: RunId;
  readonly chain_id: string;
  readonly step_ref: string;
  readonly branch: readonly number[];
  readonly generation: number;
  readonly action: string;
  readonly failure_policy: FailurePolicy;
  readonly state: 'owed' | 'undoing' | 'undone' | 'unknown' | 'repair' | 'ignored' | 'resolved';
  readonly completed_at: Instant;
  readonly undo_run_id: RunId | null;
  readonly error: JsonObject | null;
  readonly settled_at: Instant | null;
  readonly opened_at: Instant | null;
  readonly resolution: JsonObject | null;
  /** Where it stands in the list that it was read for. */
  readonly place: PlaceInRun | PlaceOfRepair;
  /** The run that undoes it goes on. */
  readonly is_under_way: boolean;
}

interface Page<Key> {
  readonly order: 'asc' | 'desc';
  /** The last row's before; `null` for the first page. */
  readonly after: Key | null;
  readonly limit: number;
}

/** Instants as text, to the microsecond. */
type PlaceInRun = readonly [completedAt: string, version: number, ordinal: number, id: string];
type PlaceOfRepair = readonly [openedAt: string, id: string];

const COLUMNS = `d.id, d.execution, d.run_id, d.chain_id, d.step_ref, d.branch, d.generation, d.action, d.failure_policy, d.state,
  d.completed_at, d.undo_run_id, d.error, d.settled_at, d.opened_at, d.resolution,
  d.state = 'undoing' and exists (
    select from eec_workflow_run u where u.id = d.undo_run_id and u.ended_at is null) as is_under_way`;

const PLACE_IN_RUN = 'json_build_array(d.completed_at::text, d.version, d.ordinal, d.id) as place';

/** What is read of duties outside of ticks; each of one tenant. */
export class CompensationStore {
  readonly #db: Database;
  readonly #audit: Audit;

  constructor({ db, audit }: { readonly db: Database; readonly audit: Audit }) {
    this.#db = db;
    this.#audit = audit;
  }

  /** Of the version that its run is of. */
  async graphOf({ run_id }: Pick<DutyRow, 'run_id'>): Promise<Pick<Definition, 'graph'>> {
    const text = `select d.graph from eec_workflow_run r join eec_workflow_definition d on d.id = r.definition_id
      where r.id = $1::uuid`;
    const [found] = await this.#db.query<Pick<Definition, 'graph'>>(text, [run_id]);
    if (!found) throw new Error(`Run ${run_id} has no definition.`);
    return found;
  }

  async hasRun(tenantId: string, runId: RunId): Promise<boolean> {
    const rows = await this.#db.query('select from eec_workflow_run where tenant_id = $1 and id = $2::uuid', [
      tenantId,
      runId,
    ]);
    return rows.length > 0;
  }

  /**
   * Its own, and those of branches that are runs, in the order in which they were done. Plan: the run's parts of
   * eec_workflow_duty_run and _chain.
   */
  list(tenantId: string, runId: RunId, { order, after, limit }: Page<PlaceInRun>): Promise<readonly DutyRow[]> {
    const sorted = `order by d.completed_at ${order}, d.version ${order}, d.ordinal ${order}, d.id ${order} limit $7`;
    const part = (which: string) => `
      (select * from eec_workflow_duty d where d.tenant_id = $1 and ${which} and ($3::timestamptz is null
        or (d.completed_at, d.version, d.ordinal, d.id) ${beyond(order)} ($3, $4::bigint, $5::int, $6::uuid)) ${sorted})`;
    const text = `
      select ${COLUMNS}, ${PLACE_IN_RUN} from (
        ${part('d.run_id = $2::uuid')} union all ${part('d.chain_id = $2::uuid and d.run_id <> $2::uuid')}) d ${sorted}`;
    return this.#db.query(text, [tenantId, runId, ...(after ?? [null, null, null, null]), limit]);
  }

  /** Plan: a range of eec_workflow_duty_repair. `isOpen`: `null` for all. */
  repairs(
    tenantId: string,
    isOpen: boolean | null,
    { order, after, limit }: Page<PlaceOfRepair>,
  ): Promise<readonly DutyRow[]> {
    const text = `
      select ${COLUMNS}, json_build_array(d.opened_at::text, d.id) as place from eec_workflow_duty d
      where d.tenant_id = $1 and d.opened_at is not null
        and ($2::boolean is null or $2 = (d.state in ('unknown', 'repair', 'undoing')))
        and ($3::timestamptz is null or (d.opened_at, d.id) ${beyond(order)} ($3, $4::uuid))
      order by d.opened_at ${order}, d.id ${order} limit $5`;
    return this.#db.query(text, [tenantId, isOpen, ...(after ?? [null, null]), limit]);
  }

  async find(tenantId: string, runId: RunId, id: string): Promise<DutyRow | null> {
    const text = `select ${COLUMNS}, ${PLACE_IN_RUN} from eec_workflow_duty d
      where d.tenant_id = $1 and $2::uuid in (d.run_id, d.chain_id) and d.id = $3::uuid`;
    return (await this.#db.query<DutyRow>(text, [tenantId, runId, id]))[0] ?? null;
  }

  /** Says that nothing is left to do. `false`: it is being undone, or over. */
  async resolve({ tenantId, actor, id, reason }: Asked): Promise<boolean> {
    const text = `
      update eec_workflow_duty d set state = 'resolved', settled_at = clock_timestamp(), resolution = json_build_object(
        'actor', cast(:actor as text), 'reason', cast(:reason as text), 'at', clock_timestamp())
      where d.tenant_id = :tenantId and d.id = cast(:id as uuid) and (d.state in ('owed', 'unknown', 'repair', 'ignored')
        or d.state = 'undoing' and exists (select from eec_workflow_run u where u.id = d.undo_run_id and u.ended_at is not null))
      returning d.id`;
    const values = { tenantId, actor, id, reason };
    return (await this.#audit.change({ text, values }, entryOf('resolve', { tenantId, actor, id, reason }))).length > 0;
  }

  /** The run that this word has started already. Plan: eec_workflow_run_idempotency. */
  async runOf({ run_id }: DutyRow, tenantId: string, key: string): Promise<RunId | null> {
    const text = `select id from eec_workflow_run
      where tenant_id = $1 and idempotency_scope = $2 and idempotency_key = $3`;
    return (await this.#db.query<{ id: RunId }>(text, [tenantId, run_id, key]))[0]?.id ?? null;
  }

  async noteRetry(asked: Asked): Promise<void> {
    const text = 'select id from eec_workflow_duty where tenant_id = :tenantId and id = cast(:id as uuid)';
    await this.#audit.change({ text, values: { tenantId: asked.tenantId, id: asked.id } }, entryOf('retry', asked));
  }
}

/** Who asks for what, and why. */
export interface Asked {
  readonly tenantId: string;
  readonly actor: string;
  readonly id: string;
  readonly reason: string | null;
}

const entryOf = (verb: string, { tenantId, actor, id: target, reason }: Asked) => ({
  tenantId,
  actor,
  action: `compensation.${verb}`,
  target,
  ...(reason !== null && { details: { reason } }),
});

const beyond = (order: 'asc' | 'desc'): string => (order === 'asc' ? '>' : '<');
