/** The tick: a pure function from a run and what has happened to it to everything that shall be written. */
import type { Ref } from '../json.ts';
import { type NodeState, nodeKey, type OpenNode } from '../run/node.ts';
import { Draft, type Given } from './draft.ts';
import type { RunSummary, TickPayload } from './payload.ts';
import { advancePhase } from './phases/advance.phase.ts';
import { arrivalsPhase } from './phases/arrivals.phase.ts';
import { controlPhase } from './phases/control.phase.ts';
import { settlePhase } from './phases/settle.phase.ts';

const PHASES: readonly ((draft: Draft) => void)[] = [controlPhase, arrivalsPhase, advancePhase, settlePhase];

/**
 * Same arguments, same payload, byte for byte; what it is given stays as it is.
 * `null`: a redundant wakeup, nothing is to be written.
 */
export function compute(given: Given): TickPayload | null {
  const draft = new Draft(given);
  for (const phase of PHASES) phase(draft);
  const { state, start, inputs } = given;
  const { id: runId, chainId, tenantId } = state.header;
  const isNoOp = draft.changes.all.length === 0 && draft.folded.length === 0 && draft.consumed.length === 0;
  if (isNoOp && start === null) return null;
  return {
    runId,
    chainId,
    tenantId,
    expectedVersion: state.version,
    start,
    transition: { runId, version: state.version + 1, at: draft.now, changes: draft.changes.all },
    attempts: { opened: draft.opened, folded: draft.folded },
    branches: { opened: draft.branchesOpened, ended: draft.branchesEnded },
    waits: {
      opened: [...draft.waitsOpened.values()].flat(),
      moved: draft.waitsMoved,
      closed: [...draft.waitsClosed].map(([node, rows]) => ({ node, rows, arrivals: inputs.waits.get(node) ?? 0 })),
    },
    consumed: draft.consumed,
    outbox: draft.outbox,
    spawned: draft.spawned,
    published: draft.published,
    rows: draft.rows,
    aborted: draft.aborted,
    after: summary(draft),
  };
}

function summary(draft: Draft): RunSummary {
  const { state } = draft.given;
  // Those in branches are in none of the run's own columns, so that these stay small.
  const ofRun: OpenNode[] = [];
  for (const node of draft.openNodes()) if (isOfRun(node)) ofRun.push(node);
  const replies = draft.changes.all.flatMap((change) => (change.type === 'reply' ? [change.reply] : []));
  return {
    status: draft.status,
    ending: draft.ending,
    startedAt: draft.begunAt,
    currentStep: ofRun.find(({ status }) => status !== 'pending')?.at.ref ?? lastMoved(draft),
    nodes: Object.fromEntries(
      ofRun.map((node) => [nodeKey(node.at), { status: node.status, generation: node.generation }]),
    ),
    context: draft.context === state.context ? null : draft.context,
    attributes: draft.attributes === state.attributes && draft.given.start === null ? null : draft.attributes,
    fields: draft.fields === state.fields ? null : draft.fields,
    replies: replies.length === 0 ? null : [...state.replies, ...replies],
  };
}

const isOfRun = ({ at }: NodeState): boolean => at.branch.length === 0;

const lastMoved = ({ changes }: Draft): Ref | null => {
  const last = changes.all.findLast(
    (change) => change.type === 'node' && change.node.status !== 'skipped' && isOfRun(change.node),
  );
  return last?.type === 'node' ? last.node.at.ref : null;
};
