/** What single values become in the relations of a commit. */
import { type Change, type FoldedAttempt, type Letter, type NodeState, nodeKey } from '@ductor/core';

export function letterColumns(letter: Letter) {
  const { kind, chainId: chain_id } = letter;
  const engine = { actor: null, reason: null, request_id: null };
  switch (kind) {
    case 'message': {
      const { at, message } = letter;
      return { kind, chain_id, node: nodeKey(at), body: JSON.stringify({ at, message }), ...engine };
    }
    case 'child': {
      const { at, runId, end } = letter;
      return { kind, chain_id, node: nodeKey(at), body: JSON.stringify({ at, runId, end }), ...engine };
    }
    case 'control': {
      const { control, requestId: request_id, reason } = letter;
      return { kind, chain_id, node: '', body: JSON.stringify({ control }), actor: 'engine', reason, request_id };
    }
  }
}

export function errorText(outcome: NonNullable<FoldedAttempt['outcome']>): string | null {
  if (outcome.status === 'failed') return JSON.stringify(outcome.error);
  return outcome.status === 'timed_out' ? JSON.stringify({ code: 'timeout', deadline: outcome.deadline }) : null;
}

/** A change without what attempts' and the run's own rows say. Fields that are `undefined` are not written. */
export function withoutRepeats(change: Change): unknown {
  if (change.type === 'ended' && change.ending.status === 'completed')
    return { ...change, ending: { status: 'completed' } };
  if (change.type !== 'node') return change;
  return { ...change, node: nodeWithoutRepeats(change.node) };
}

/** A node without its task, and without an output that its attempt has. */
export function nodeWithoutRepeats(node: NodeState): unknown {
  if (node.status === 'completed') return node.outputIn === 'attempt' ? { ...node, output: undefined } : node;
  return 'work' in node && node.work ? { ...node, work: { ...node.work, task: undefined } } : node;
}
