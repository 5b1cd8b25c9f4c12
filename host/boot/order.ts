/** What has an id and needs others by theirs. */
export interface Requiring {
  readonly id: string;
  readonly requires: readonly string[];
}

export interface Order {
  /** Each after all that it requires, and by id where that leaves a choice. */
  readonly ids: readonly string[];
  /** Each as the chain of ids that leads back to its first, which is its least: `[a, b, a]`. */
  readonly cycles: readonly (readonly string[])[];
}

/** Sorts what can be sorted; what is in a cycle or requires something in one is left out. Unknown ids count as there. */
export function orderByRequires(items: readonly Requiring[]): Order {
  const left = new Map(items.map(({ id, requires }) => [id, requires]));
  const ids: string[] = [];
  for (;;) {
    const [next] = [...left]
      .filter(([, requires]) => !requires.some((other) => left.has(other)))
      .map(([id]) => id)
      .sort();
    if (next === undefined) return { ids, cycles: cyclesOf(left) };
    left.delete(next);
    ids.push(next);
  }
}

/** Everything in `left` leads into a cycle; following one requirement each names every cycle so reached once. */
function cyclesOf(left: ReadonlyMap<string, readonly string[]>): readonly (readonly string[])[] {
  const cycles = new Map<string, readonly string[]>();
  for (const start of [...left.keys()].sort()) {
    const path: string[] = [];
    let at: string | undefined = start;
    while (at !== undefined && !path.includes(at)) {
      path.push(at);
      at = left.get(at)?.find((other) => left.has(other));
    }
    if (at === undefined) continue;
    const cycle = path.slice(path.indexOf(at));
    const least = cycle.indexOf([...cycle].sort()[0] ?? at);
    const turned = [...cycle.slice(least), ...cycle.slice(0, least)];
    cycles.set(turned.join(' '), [...turned, turned[0] ?? at]);
  }
  return [...cycles.values()];
}
