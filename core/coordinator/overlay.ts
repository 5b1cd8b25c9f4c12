/** A map that is only read, and what a tick makes of it. */
export class Overlay<K, V> {
  private readonly base: ReadonlyMap<K, V>;
  private readonly own = new Map<K, V | null>();

  constructor(base: ReadonlyMap<K, V>) {
    this.base = base;
  }

  get(key: K): V | undefined {
    const own = this.own.get(key);
    return own === undefined ? this.base.get(key) : (own ?? undefined);
  }

  /** `null`: it is there no more. */
  set(key: K, value: V | null): void {
    this.own.set(key, value);
  }

  /** Those that the tick has set come last. */
  *entries(): Iterable<readonly [K, V]> {
    for (const entry of this.base) if (!this.own.has(entry[0])) yield entry;
    for (const [key, value] of this.own) if (value !== null) yield [key, value];
  }
}
