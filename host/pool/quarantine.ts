const HELD_MS = 60_000;

/** Actions under suspicion of harming their neighbours: for a minute, their attempts run alone in a thread. */
export class Quarantine {
  readonly #until = new Map<string, number>();

  add(action: string): void {
    this.#until.set(action, performance.now() + HELD_MS);
  }

  holds(action: string): boolean {
    const until = this.#until.get(action);
    if (until === undefined) return false;
    if (until > performance.now()) return true;
    this.#until.delete(action);
    return false;
  }
}
