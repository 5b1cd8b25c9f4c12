/** How an arrival finds its window, after the commit that parked it: each step may be repeated, and does nothing twice. */
import type { Database, DatabaseTime, Inbox } from '@ductor/core';

export interface ArrivingServices {
  readonly db: Database;
  readonly inbox: Inbox;
  readonly clock: Pick<DatabaseTime, 'offset'>;
}

/** Of all inputs of a window, in bytes: what a step's output may have, if none is larger alone. */
const MOST_BYTES = 4 * 1024 * 1024;
const TRIES = 20;
const UNIQUE_VIOLATION = '23505';

const IS_DOUBLE = `exists (
  select from eec_workflow_digest_arrival x
  where x.window_id = w.id and x.counts and x.dedupe_key = (select dedupe_key from a))`;
const ITEMS = `w.items + case when ${IS_DOUBLE} then 0 else 1 end`;
const IS_FULL = `(${ITEMS} >= w.max_count or w.bytes + excluded.bytes >= ${MOST_BYTES})`;
const NOW = '(clock_timestamp() + $2::interval)';
const LEADER_IS_THERE = `not exists (
  select from eec_workflow_digest_arrival l where l.id = w.leader_id and l.ended_at is not null)`;

/** What the arrival, and maybe its window's leader, have to be told. */
const PLACED = `
  a.run_id, a.chain_id, a.step_ref, a.outcome, w.id as window_id, w.due_at, w.leader_run_id, w.leader_chain_id, w.leader_id,
  w.leader_id = a.id as leads, not w.is_open as is_closed`;

interface Placed {
  readonly chain_id: string;
  readonly step_ref: string;
  readonly outcome: string | null;
  readonly window_id: string;
  readonly due_at: string;
  readonly leader_id: string;
  readonly leader_run_id: string;
  readonly leader_chain_id: string;
  readonly leads: boolean;
  readonly is_closed: boolean;
}

/** Not placed, not given up, and of a run that goes on; if somebody else has it in hand, theirs. */
const LOCKED = `
  select a.*, r.definition_id, octet_length(r.input::text) as bytes
  from eec_workflow_digest_arrival a join eec_workflow_run r on r.id = a.run_id
  where a.id = $1 and a.window_id is null and a.ended_at is null and r.ended_at is null
  for no key update of a skip locked`;

/**
 * Joins the open window, or opens one. Whoever is second waits for the first, and then sees what that one did: the window's
 * row is read anew, the clock too. Nothing is joined that is due.
 */
const JOIN = `
with a as materialized (${LOCKED}),
w as (
  insert into eec_workflow_digest as w
    (id, tenant_id, definition_id, step_ref, digest_key, leader_id, leader_run_id, leader_chain_id,
     opened_at, due_at, max_count, bytes, is_open)
  select gen_random_uuid(), tenant_id, definition_id, step_ref, digest_key, id, run_id, chain_id,
    ${NOW}, ${NOW} + case when max_count > 1 then window_ms else 0 end * interval '1 millisecond', max_count, bytes, max_count > 1
  from a
  on conflict (tenant_id, definition_id, step_ref, digest_key) where is_open do update set
    revision = w.revision + 1, items = ${ITEMS}, bytes = w.bytes + excluded.bytes,
    is_open = not ${IS_FULL}, due_at = case when ${IS_FULL} then ${NOW} else w.due_at end
  where w.due_at > ${NOW} and ${LEADER_IS_THERE}
  returning *)
update eec_workflow_digest_arrival a set window_id = w.id, place = w.revision, counts = not ${IS_DOUBLE}
from w where a.id = $1
returning ${PLACED}`;

/**
 * An earlier execution of the same node is in a window for good: it was flushed there, and the run has not heard of it; or it
 * led one that nobody has flushed, which now is due.
 */
const JOIN_AGAIN = `
with a as materialized (${LOCKED}),
w as (
  update eec_workflow_digest w set
    leader_id = case when w.flushed_at is null then a.id else w.leader_id end,
    due_at = least(w.due_at, ${NOW}), is_open = false, revision = w.revision + 1
  from a, eec_workflow_digest_arrival e
  where e.id = any($3::text[]) and w.id = e.window_id
    and ((w.leader_id = e.id and w.flushed_at is null) or (w.leader_id <> e.id and e.outcome = 'flushed'))
  returning w.*)
update eec_workflow_digest_arrival a set window_id = w.id, place = w.revision,
  outcome = case when w.flushed_at is not null then 'flushed' end, ended_at = w.flushed_at
from w where a.id = $1
returning ${PLACED}`;

/** Placed before, and maybe not told. */
const PLACED_BEFORE = `
select ${PLACED} from eec_workflow_digest_arrival a join eec_workflow_digest w on w.id = a.window_id
where a.id = $1 and not a.told`;

/** The window that it would be in may be over: then the next to come opens another. Yields whether it is still to be placed. */
const CLOSE = `
with a as materialized (${LOCKED}),
w as (
  update eec_workflow_digest w set is_open = false from a
  where w.tenant_id = a.tenant_id and w.definition_id = a.definition_id and w.step_ref = a.step_ref and w.digest_key = a.digest_key
    and w.is_open and not (w.due_at > ${NOW} and ${LEADER_IS_THERE}))
select id from a`;

const TOLD = 'update eec_workflow_digest_arrival set told = true where id = $1';

export class Arriving {
  private readonly services: ArrivingServices;
  /** One statement of this host at a time: those of one window wait for each other, and would keep others from the database. */
  private last: Promise<unknown> = Promise.resolve();

  constructor(services: ArrivingServices) {
    this.services = services;
  }

  async perform(ids: readonly string[]): Promise<void> {
    for (const id of ids) await this.arrive(id);
  }

  private async arrive(id: string): Promise<void> {
    const { db, inbox } = this.services;
    const placed = await this.inTurn(() => this.place(id));
    if (!placed) return;
    const { window_id: window, due_at: at, leads, leader_run_id: into, leader_id, leader_chain_id } = placed;
    const of = { ref: placed.step_ref, branch: [] };
    const told =
      placed.outcome === null ? { topic: 'window', body: { arrival: id, window, at, leads, into } } : merged(id, into);
    await inbox.tell(placed.chain_id, of, told);
    // It may be full: then its leader need not wait.
    if (placed.is_closed && !leads) {
      const body = { arrival: leader_id, window, at, leads: true, into };
      await inbox.tell(leader_chain_id, of, { topic: 'window', body });
    }
    await db.query(TOLD, [id]);
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.last.then(work);
    this.last = result.catch(() => undefined);
    return result;
  }

  /** `undefined`: it has been told, it is gone, or somebody else has it in hand. */
  private async place(id: string): Promise<Placed | undefined> {
    const { db, clock } = this.services;
    for (let tries = 0; tries < TRIES; tries++) {
      const placed =
        (await this.again(id)) ?? (await this.join(id)) ?? (await db.query<Placed>(PLACED_BEFORE, [id]))[0];
      if (placed) return placed;
      if ((await db.query(CLOSE, [id, clock.offset()])).length === 0) return undefined;
    }
    throw new Error(`${id} finds no window`);
  }

  private async again(id: string): Promise<Placed | undefined> {
    const before = earlierExecutions(id);
    if (before.length === 0) return undefined;
    return (await this.services.db.query<Placed>(JOIN_AGAIN, [id, this.services.clock.offset(), before]))[0];
  }

  /** Of two of one dedupe_key that come at once, the second has to look again. */
  private async join(id: string): Promise<Placed | undefined> {
    const { db, clock } = this.services;
    try {
      return (await db.query<Placed>(JOIN, [id, clock.offset()]))[0];
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === UNIQUE_VIOLATION) return undefined;
      throw error;
    }
  }
}

/** To whoever waits in a window that is flushed. */
export const merged = (arrival: string, into: string) => ({ topic: 'merged', body: { arrival, into } });

/** An execution key ends with its generation. */
function earlierExecutions(id: string): readonly string[] {
  const slash = id.lastIndexOf('/');
  const generation = Number(id.slice(slash + 1));
  return Array.from({ length: generation - 1 }, (_, i) => `${id.slice(0, slash)}/${i + 1}`);
}
