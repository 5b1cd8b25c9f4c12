/** Published events: kept, matched against open waits and triggers, and handed on. */
import type { Clock, Ids, Json, RunId, TenantId, TickPayload } from '@ductor/core';
import type pg from 'pg';
import type { BaseLogger } from 'pino';
import { deliver } from '../postgres/events/deliver.ts';
import { findEvents, unmatchedEvents } from '../postgres/events/find-events.ts';
import { insertEvent } from '../postgres/events/insert-event.ts';
import { type LookingBack, pendingLookBacks } from '../postgres/events/look-back.ts';
import type { EventRow, Match } from '../postgres/events/rows.ts';
import { eventsToStartAgain, startedAgain } from '../postgres/events/start-again.ts';
import { triggersOf } from '../postgres/events/triggers.ts';
import { type SubscribedRow, waitingFor } from '../postgres/events/waiting-for.ts';
import { choose } from './choose.ts';
import { type StartByEvent, startByTriggers } from './event-triggers.ts';
import { lookBack } from './look-back.ts';

export interface EventPorts {
  readonly hot: pg.Pool;
  readonly clock: Pick<Clock, 'sleep'> & { readonly offset: () => string };
  readonly ids: Pick<Ids, 'uuidv7'>;
  readonly wake: (runIds: readonly RunId[]) => void;
  readonly start: StartByEvent;
  readonly log: BaseLogger;
}

export interface PublishRequest {
  readonly eventName: string;
  readonly correlationKey: string;
  /** The publisher's own, one of its name's. Default: its row's id. */
  readonly eventId: string | null;
  readonly payload: Json;
}

/** So many runs are told of an event in one statement. */
const RUNS_PER_PAGE = 500;
const RECOVER_MS = 6_000;
const RECOVERED_AT_ONCE = 100;

/** A limit has no room for the run just now. */
const isHeldOff = ({ error }: Match): boolean => error?.code === 'resource_exhausted';

/**
 * An event is kept first, then matched: whoever parks meanwhile sees it, or is seen. What a host leaves unmatched, the
 * others take up; every step of it may be repeated, and delivers nothing twice.
 */
export class Events {
  private readonly ports: EventPorts;
  private readonly underWay = new Set<Promise<void>>();

  constructor(ports: EventPorts) {
    this.ports = ports;
  }

  /**
   * `matched`: how many waits took it; 0 for one that is there already. Rejects only if it could not be kept: one that
   * could not be matched just now is matched later.
   */
  async publish(
    tenantId: TenantId,
    { eventName, correlationKey, eventId, payload }: PublishRequest,
  ): Promise<{ readonly eventId: string; readonly matched: number }> {
    const { hot, clock, ids } = this.ports;
    const id = ids.uuidv7();
    const own = { id, tenantId, eventName, correlationKey, eventId: eventId ?? id, payload };
    const event = await insertEvent(hot, own, clock.offset());
    const matched = event === null ? 0 : await this.match(event);
    return { eventId: own.eventId, matched };
  }

  /** After a commit: what it published is matched, and what it parked looks back. */
  follow({ published, waits, runId }: TickPayload): void {
    if (published.length > 0) {
      const ids = published.map(({ id }) => id);
      this.track(async () => {
        for (const event of await findEvents(this.ports.hot, ids)) await this.match(event);
      });
    }
    if (waits.opened.some(({ subscription }) => subscription?.lookbackMs !== undefined)) {
      this.track(() => this.lookBacks(runId));
    }
  }

  /** Finds what was left undone, here or elsewhere; until told to stop, and what is under way has ended. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.guarded(async () => {
        await this.matchWhatIsLeft();
        await this.startAgain();
        await this.lookBacks(null);
      });
      await this.ports.clock.sleep(RECOVER_MS, signal);
    }
    await Promise.all(this.underWay);
  }

  private async matchWhatIsLeft(): Promise<void> {
    const { hot, clock } = this.ports;
    const read = (after: EventRow | null) =>
      unmatchedEvents(hot, { offset: clock.offset(), limit: RECOVERED_AT_ONCE, after });
    for await (const event of pageByPage(read)) await this.match(event);
  }

  /** A page a pass: whatever becomes of them, these come last from now on. */
  private async startAgain(): Promise<void> {
    const { hot, clock } = this.ports;
    for (const event of await eventsToStartAgain(hot, { offset: clock.offset(), limit: RECOVERED_AT_ONCE })) {
      const started = await this.startRuns(event);
      const startsAgain = started.some(isHeldOff);
      await startedAgain(hot, { event, started, startsAgain, offset: clock.offset() });
    }
  }

  /** Of one run, or of all. */
  private async lookBacks(runId: RunId | null): Promise<void> {
    const { hot, clock, ids, wake } = this.ports;
    const read = (after: LookingBack | null) => pendingLookBacks(hot, { runId, limit: RECOVERED_AT_ONCE, after });
    for await (const node of pageByPage(read)) {
      await this.guarded(() => lookBack(node, { hot, offset: clock.offset, ids, wake }));
    }
  }

  private track(work: () => Promise<void>): void {
    const done: Promise<void> = this.guarded(work).finally(() => this.underWay.delete(done));
    this.underWay.add(done);
  }

  private async guarded(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.ports.log.error({ err: error }, 'events could not be matched; they will be');
    }
  }

  /** Answers with how many waits have taken it. What fails is left to whoever looks for unmatched events. */
  private async match(unmatched: EventRow): Promise<number> {
    let event = unmatched;
    try {
      let started: readonly Match[] | null = null;
      while (event.matched_at === null) {
        const rows = await waitingFor(this.ports.hot, event, RUNS_PER_PAGE);
        const isLast = new Set(rows.map(({ run_id }) => run_id)).size < RUNS_PER_PAGE;
        if (isLast) started ??= await this.startRuns(event);
        const next = await this.deliver(event, rows, { isLast, started: started ?? [] });
        if (next === null) break;
        event = next;
      }
    } catch (error) {
      this.ports.log.error({ err: error, event: event.id }, 'an event could not be matched; it will be');
    }
    return event.matched;
  }

  /** One page of the runs that wait for it. Answers with the event as it is by then; `null`: it is gone. */
  private async deliver(
    event: EventRow,
    rows: readonly SubscribedRow[],
    { isLast, started }: { readonly isLast: boolean; readonly started: readonly Match[] },
  ): Promise<EventRow | null> {
    const { hot, clock, ids, wake } = this.ports;
    const { chosen, faults } = choose(event, rows);
    const deliveries = chosen.map((delivery) => ({ ...delivery, inboxId: ids.uuidv7() }));
    const toldTo = rows.at(-1)?.run_id ?? event.told_to;
    const startsAgain = started.some(isHeldOff);
    const progress = { toldTo, isLast, startsAgain, matches: [...faults, ...started] };
    const delivered = await deliver(hot, { event, deliveries, progress, offset: clock.offset() });
    if (delivered === null) return (await findEvents(hot, [event.id]))[0] ?? null;
    wake(delivered.runs);
    // A page that others got in the way of is read again.
    if (deliveries.length === delivered.runs.length) this.report(event, faults);
    return { ...event, ...delivered };
  }

  private async startRuns(event: EventRow): Promise<readonly Match[]> {
    const triggers = await triggersOf(this.ports.hot, event);
    const started = await startByTriggers(event, triggers, this.ports.start);
    this.report(
      event,
      started.filter(({ error }) => error !== undefined),
    );
    return started;
  }

  private report({ id, event_name }: EventRow, faults: readonly Match[]): void {
    for (const fault of faults) {
      this.ports.log.warn(
        { event: id, event_name, ...fault },
        'an event could not be told to one that may wait for it',
      );
    }
  }
}

/** Each page begins after the last one, so that what fails hides nothing that comes after it. */
async function* pageByPage<Row>(read: (after: Row | null) => Promise<readonly Row[]>): AsyncGenerator<Row> {
  for (let after: Row | null = null; ; ) {
    const page: readonly Row[] = await read(after);
    yield* page;
    const last = page.at(-1);
    if (!last || page.length < RECOVERED_AT_ONCE) return;
    after = last;
  }
}
