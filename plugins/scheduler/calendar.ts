import type { Cron, WallDay } from './cron.ts';
import { DAY_MS, type Zone } from './zone.ts';

/** A day that never comes within so many years comes never: 29 February on a Monday takes up to 40. */
const HORIZON_DAYS = 41 * 366;
/** An instant lies on the UTC day of its local day, one beside it, or, after a gap of a whole day, two behind. */
const LOCAL_DAYS = [-2, -1, 0, 1] as const;

/**
 * The instants at which something is due, in milliseconds. A named hour that the clock skips moves on by the length of
 * the gap; one that the clock shows twice counts the first time. An hour by `*` or `/n` is due whenever the clock shows it.
 */
export class Calendar {
  private readonly cron: Cron;
  private readonly zone: Zone;
  private readonly startMs: number;
  private readonly endMs: number;
  private readonly days = new Map<number, readonly number[]>();

  /** `startMs`, `endMs`: nothing is due before the one or after the other. */
  constructor(
    { cron, zone }: { readonly cron: Cron; readonly zone: Zone },
    { startMs = -Infinity, endMs = Infinity }: { readonly startMs?: number; readonly endMs?: number } = {},
  ) {
    this.cron = cron;
    this.zone = zone;
    this.startMs = startMs;
    this.endMs = endMs;
  }

  /** The first one after it; `null`: none will come. */
  next(afterMs: number): number | null {
    return this.coming(afterMs).next().value ?? null;
  }

  /** Those after it, as far as anybody looks ahead. */
  coming(afterMs: number): Generator<number, void> {
    const from = Math.max(afterMs, this.startMs - 1);
    return this.between(from, from + HORIZON_DAYS * DAY_MS);
  }

  /** Each once and in order, after the one and up to the other. */
  *between(afterMs: number, upToMs: number): Generator<number, void> {
    const after = Math.max(afterMs, this.startMs - 1);
    const upTo = Math.min(upToMs, this.endMs);
    for (let day = Math.floor(after / DAY_MS); day * DAY_MS <= upTo; day++) {
      for (const due of this.within(day)) if (due > after && due <= upTo) yield due;
    }
  }

  /** Those within a UTC day. */
  private within(day: number): readonly number[] {
    const [from, to] = [day * DAY_MS, (day + 1) * DAY_MS];
    const found = LOCAL_DAYS.flatMap((distance) =>
      this.ofLocalDay(day + distance).filter((due) => due >= from && due < to),
    );
    return [...new Set(found)].sort((a, b) => a - b);
  }

  private ofLocalDay(day: number): readonly number[] {
    const known = this.days.get(day);
    if (known) return known;
    // The days are asked for in order.
    if (this.days.size > 2 * LOCAL_DAYS.length) this.days.clear();
    const instants = this.cron.isOn(wallDay(day)) ? this.timesOf(day).flatMap((wallMs) => this.instantsOf(wallMs)) : [];
    this.days.set(day, instants);
    return instants;
  }

  private timesOf(day: number): readonly number[] {
    const { hours, minutes } = this.cron;
    return hours.flatMap((hour) => minutes.map((minute) => day * DAY_MS + (hour * 60 + minute) * 60_000));
  }

  private instantsOf(wallMs: number): readonly number[] {
    const instants = this.zone.instantsOf(wallMs);
    if (this.cron.followsClock) return instants;
    return [instants[0] ?? this.zone.afterGap(wallMs)];
  }
}

function wallDay(day: number): WallDay {
  const date = new Date(day * DAY_MS);
  return {
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    weekday: date.getUTCDay(),
    daysInMonth: new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate(),
  };
}
