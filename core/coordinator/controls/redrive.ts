import type { CompiledDefinition, CompiledEdge } from '../../definition/compiled.ts';
import type { Ref } from '../../json.ts';
import type { EndedNode } from '../../run/node.ts';
import type { RunState } from '../../run/run.ts';
import type { Cause } from '../../run/transition.ts';
import type { Draft } from '../draft.ts';
import { routeHeld } from './hold.ts';

/**
 * Reopens an ended run: nodes whose failure nothing has handled, cancelled ones, those whose turn the end forestalled, and
 * all downstream of them are set back and run again in a new generation; the others keep what they have.
 */
export function redrive(draft: Draft, cause: Cause): void {
  const { compiled, state } = draft.given;
  draft.ending = null;
  draft.begin();
  const again = toRunAgain(compiled, state);
  const edges = edgesInto(again, compiled, state);
  for (const ref of again) {
    const { resolved, taken } = edges.get(ref) ?? { resolved: 0, taken: 0 };
    const before = draft.node(ref);
    const generation = (before?.generation ?? 0) + 1;
    if (before || resolved > 0) {
      draft.set({ at: { ref, branch: [] }, generation, status: 'pending', resolved, taken }, cause);
    }
    const { join, incoming } = draft.step(ref);
    if (incoming === 0 || (taken > 0 && (join === 'any' || resolved === incoming))) draft.ready.push({ ref, cause });
  }
  routeHeld(draft, cause);
}

const hasToRunAgain = (node: EndedNode): boolean =>
  node.status === 'cancelled' || (node.status === 'failed' && node.taken.length === 0);

const onward = (steps: CompiledDefinition['steps'], ref: Ref): readonly CompiledEdge[] =>
  (steps.get(ref)?.outgoing ?? []).filter(({ leaves }) => !leaves);

function toRunAgain({ steps, entries }: CompiledDefinition, { ended }: RunState): ReadonlySet<Ref> {
  const targetsOf = ({ at, taken }: EndedNode) =>
    onward(steps, at.ref)
      .filter(({ index }) => taken.includes(index))
      .map(({ to }) => to);
  // Let start by the very tick that ended the run, and so never started.
  const forestalled = [...entries, ...[...ended.values()].flatMap(targetsOf)].filter((ref) => !ended.has(ref));
  // Steps of a region run again with their owner.
  const failed = [...ended.values()]
    .filter(({ at }) => steps.get(at.ref)?.owner === null)
    .filter(hasToRunAgain)
    .map(({ at }) => at.ref);
  const found = new Set([...failed, ...forestalled]);
  // A set that grows while it is walked is walked to its end.
  for (const ref of found) for (const { to } of onward(steps, ref)) found.add(to);
  return found;
}

interface Edges {
  resolved: number;
  taken: number;
}

/** What the nodes that stay as they are have decided of the edges into the others. */
function edgesInto(
  again: ReadonlySet<Ref>,
  { steps }: CompiledDefinition,
  { ended }: RunState,
): ReadonlyMap<Ref, Edges> {
  const counts = new Map<Ref, Edges>();
  for (const node of ended.values()) {
    if (again.has(node.at.ref) || node.unrouted) continue;
    for (const { to, index } of onward(steps, node.at.ref)) {
      if (!again.has(to)) continue;
      const count = counts.get(to) ?? { resolved: 0, taken: 0 };
      counts.set(to, count);
      count.resolved += 1;
      if (node.taken.includes(index)) count.taken += 1;
    }
  }
  return counts;
}
