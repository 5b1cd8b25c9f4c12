import { defineTable, type Instant, type Json } from '@ductor/core';
import { Arriving, type ArrivingServices } from './digest-arriving.ts';

/** An execution of a DIGEST; its id is its execution key. */
export type Arrival = {
  readonly id: string;
  readonly chainId: string;
  readonly ref: string;
  readonly key: string;
  readonly dedupe: string | null;
  readonly windowMs: number;
  readonly maxCount: number;
  readonly at: Instant;
};

/** After the commit that parks it, an arrival finds its window. */
export function arrivalTable(services: ArrivingServices) {
  const arriving = new Arriving(services);
  return defineTable<Arrival>({
    name: 'eec_workflow_digest_arrival',
    write: `
      insert into eec_workflow_digest_arrival
        (id, tenant_id, run_id, chain_id, step_ref, digest_key, dedupe_key, window_ms, max_count, arrived_at)
      select row ->> 'id', tenant_id, run_id, (row ->> 'chainId')::uuid, row ->> 'ref', row ->> 'key', row ->> 'dedupe',
        (row ->> 'windowMs')::bigint, (row ->> 'maxCount')::int, (row ->> 'at')::timestamptz
      from written`,
    deed: {
      perform: (arrivals) => arriving.perform(arrivals.map(({ id }) => id)),
      // Led by eec_workflow_digest_arrival_due.
      recover: `
        select json_build_object('id', id) as row from eec_workflow_digest_arrival
        where not told and ended_at is null order by arrived_at limit $1`,
    },
  });
}

/** A window and all that are in it, in the order in which they came. */
export type Window = {
  readonly id: string;
  /** As it was read; whoever joins changes it. */
  readonly revision: number;
  readonly arrivals: readonly {
    readonly id: string;
    readonly chainId: string;
    readonly ref: string;
    readonly dedupe: string | null;
    readonly item: Json;
  }[];
};

type Flush = { readonly id: string; readonly revision: number; readonly at: Instant };

/** Read by its leader when it is due, and closed by the commit that takes it up, if nobody has come since. */
export const windowTable = defineTable<Flush>({
  name: 'eec_workflow_digest',
  load: `
    select needed.run_id, needed.node, json_build_object('id', w.id, 'revision', w.revision, 'arrivals', (
      select json_agg(json_build_object('id', a.id, 'chainId', a.chain_id, 'ref', a.step_ref, 'dedupe', a.dedupe_key,
        'item', r.input) order by a.place)
      from eec_workflow_digest_arrival a join eec_workflow_run r on r.id = a.run_id
      where a.window_id = w.id and a.ended_at is null)) as row
    from needed join eec_workflow_digest w on w.id = (needed.key #>> '{}')::uuid`,
  lock: `
    select expected.run_id, expected.ord
    from expected join eec_workflow_digest w on w.id = (expected.row ->> 'id')::uuid
    where w.revision = (expected.expect ->> 'revision')::int and w.flushed_at is null
    order by w.id for no key update of w skip locked`,
  write: `
    update eec_workflow_digest w set is_open = false, flushed_at = (written.row ->> 'at')::timestamptz
    from written where w.id = (written.row ->> 'id')::uuid`,
});

/** How an arrival came out: in its window's digest, or gone before that. */
type End = { readonly id: string; readonly outcome: 'flushed' | 'left'; readonly at: Instant };

/**
 * Ends of arrivals. One that is to be flushed must not have left; one that leaves may have been flushed a moment ago, which
 * then stays. Nobody waits for a row that is being moved.
 */
export const arrivalEnds = defineTable<End>({
  name: 'eec_workflow_digest_arrival_end',
  lock: `
    with held as materialized (
      select expected.run_id, expected.ord
      from expected join eec_workflow_digest_arrival a on a.id = expected.row ->> 'id'
      where a.ended_at is null or expected.row ->> 'outcome' = 'left'
      order by a.id for no key update of a skip locked)
    select run_id, ord from held
    union all
    -- parked and given up by one and the same tick: it was never there
    select run_id, ord from expected
    where row ->> 'outcome' = 'left' and not exists (select from eec_workflow_digest_arrival a where a.id = row ->> 'id')`,
  write: `
    update eec_workflow_digest_arrival a set outcome = written.row ->> 'outcome', ended_at = (written.row ->> 'at')::timestamptz
    from written where a.id = written.row ->> 'id' and a.ended_at is null`,
});

/** The row, which its run has to find as it expects it. */
export const endOf = (end: End) => arrivalEnds.row(end, end);
