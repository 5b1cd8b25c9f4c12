/** Branches that have not started are rows: a run has some of the next ones at hand, so that few ticks must look. */
import type { InputQuery } from '../ports/run-store.ts';
import { type NodeKey, nodeKey, type WaitingNode } from '../run/node.ts';
import type { Fan, RunState } from '../run/run.ts';
import type { BranchPage } from './inputs.ts';
import type { TickPayload } from './payload.ts';

const LEAST = 256;
const MOST = 2_048;

export type BranchPages = ReadonlyMap<NodeKey, BranchPage>;

/** Owners that have branches yet to start. */
function* owners({ fans, open }: RunState): Iterable<{ readonly node: WaitingNode; readonly fan: Fan }> {
  for (const [key, fan] of fans) {
    const node = fan.started < fan.total ? open.get(key) : undefined;
    if (node?.status === 'waiting' && node.generation === fan.generation) yield { node, fan };
  }
}

const mostInFlight = ({ wait }: WaitingNode): number =>
  wait.kind === 'children' ? (wait.maxInFlight ?? LEAST) : LEAST;

/** How many a look brings. */
const pageOf = (node: WaitingNode): number => Math.min(MOST, Math.max(LEAST, 2 * mostInFlight(node)));

/** Whether fewer are at hand than may be wanted next; of a wide window half of what a look brings will do. */
function isShort({ node, fan: { started, released } }: { node: WaitingNode; fan: Fan }, pages: BranchPages): boolean {
  const atHand = pages.get(nodeKey(node.at))?.variables.length ?? 0;
  return atHand < Math.min(released - started, mostInFlight(node), pageOf(node) / 2);
}

export const pagesToRead = (state: RunState, pages: BranchPages): InputQuery['branches'] =>
  [...owners(state)]
    .filter((owner) => isShort(owner, pages))
    .map(({ node, fan: { generation, started: from } }) => ({
      ...{ node: nodeKey(node.at), generation, from },
      count: pageOf(node),
    }));

/** What is still ahead after a commit: of the pages that the tick had, and of the branches that it has made. */
export function pagesAfter(state: RunState, pages: BranchPages, { branches }: TickPayload): BranchPages {
  const ahead = new Map<NodeKey, BranchPage>();
  for (const { node, fan } of owners(state)) {
    const key = nodeKey(node.at);
    const { generation, started } = fan;
    const made = branches.opened.find((each) => each.node === key && each.generation === generation);
    const page = made ? { generation, from: 0, variables: made.of } : pages.get(key);
    if (page?.generation !== generation) continue;
    const variables = page.variables.slice(started - page.from, started - page.from + MOST);
    if (variables.length > 0) ahead.set(key, { generation, from: started, variables });
  }
  return ahead;
}

/** Whether the next tick has branches to start, or lacks those that it might have to. */
export const wantsBranches = (state: RunState, pages: BranchPages): boolean =>
  [...owners(state)].some((owner) => {
    const { node, fan } = owner;
    return isShort(owner, pages) || (fan.released > fan.started && fan.open < mostInFlight(node));
  });
