export const DAY_MS = 86_400_000;

/** Days whose offsets are kept; a year of them is looked at to see whether a rare day comes. */
const MOST_KEPT = 4_096;

/** How far the clock on the wall is ahead of UTC, by the runtime's time zone data. */
export class Zone {
  private readonly format: Intl.DateTimeFormat;
  /** By day since 1970, at its beginning in UTC. */
  private readonly offsets = new Map<number, number>();
  /** By day: when its offset becomes the next day's. */
  private readonly changes = new Map<number, number>();

  /** Throws an `Error` for a name that is none of the IANA's. */
  constructor(name: string) {
    // `Intl` takes `+02:00` too.
    if (!/^[a-z]/i.test(name)) throw new Error(`there is no time zone ${name}`);
    try {
      this.format = new Intl.DateTimeFormat('en-US', {
        timeZone: name,
        hourCycle: 'h23',
        ...{ year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric' },
      });
    } catch {
      throw new Error(`there is no time zone ${name}`);
    }
  }

  /** The instants at which the clock shows `wallMs`: none in a gap, two where it is set back over it. */
  instantsOf(wallMs: number): readonly number[] {
    return this.offsetsAround(wallMs)
      .map((offset) => wallMs - offset)
      .filter((instant) => this.offsetAt(instant) === wallMs - instant);
  }

  /** Of a time that the clock skips: the instant that is as far behind the gap as the time lies in it. */
  afterGap(wallMs: number): number {
    return wallMs - Math.min(...this.offsetsAround(wallMs));
  }

  /** Those that hold a day before or after, the largest first: so the instants by them come in order. */
  private offsetsAround(wallMs: number): readonly number[] {
    const before = this.offsetAt(wallMs - DAY_MS);
    const after = this.offsetAt(wallMs + DAY_MS);
    return before === after ? [before] : [Math.max(before, after), Math.min(before, after)];
  }

  private offsetAt(instant: number): number {
    const day = Math.floor(instant / DAY_MS);
    const [from, to] = [this.offsetOn(day), this.offsetOn(day + 1)];
    return from === to || instant < this.changeOn(day, from) ? from : to;
  }

  private offsetOn(day: number): number {
    const known = this.offsets.get(day);
    if (known !== undefined) return known;
    if (this.offsets.size >= MOST_KEPT) this.offsets.clear();
    const offset = this.measure(day * DAY_MS);
    this.offsets.set(day, offset);
    return offset;
  }

  /** No zone changes twice in a day. */
  private changeOn(day: number, from: number): number {
    const known = this.changes.get(day);
    if (known !== undefined) return known;
    let [low, high] = [day * DAY_MS, (day + 1) * DAY_MS];
    while (high - low > 1_000) {
      const middle = Math.floor((low + high) / 2_000) * 1_000;
      if (this.measure(middle) === from) low = middle;
      else high = middle;
    }
    this.changes.set(day, high);
    return high;
  }

  private measure(instant: number): number {
    const shown = Object.fromEntries(
      this.format.formatToParts(instant).map(({ type, value }) => [type, Number(value)]),
    );
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = shown;
    return Date.UTC(year, month - 1, day, hour, minute, second) - instant;
  }
}

const zones = new Map<string, Zone>();

/** One for each name: what it has measured serves all schedules. Throws an `Error` for an unknown one. */
export function zoneOf(name: string): Zone {
  const zone = zones.get(name) ?? new Zone(name);
  zones.set(name, zone);
  return zone;
}
