import type { Schemas } from '@ductor/client';
import { reasonText } from '../reason.ts';
import type { StepItem } from './progress.ts';
import type { NodeView, RunView } from './view.ts';

/** What is drawn of a snapshot; `steps` gives the order, and those that the run has not come to. */
export function viewOfSnapshot(snapshot: Schemas['RunSnapshot'], steps: readonly StepItem[]): RunView {
  const { family_slug, version, run_id, status, started_at, ended_at, nodes } = snapshot;
  const known = new Set(steps.map(({ ref }) => ref));
  const others = Object.keys(nodes).filter((key) => !known.has(key));
  return {
    title: `${family_slug} v${version}`,
    runId: run_id,
    status,
    startedAt: started_at,
    endedAt: ended_at,
    nodes: [
      ...steps.map(({ ref, type }) => viewOf(ref, nodes[ref], type)),
      ...others.map((key) => viewOf(key, nodes[key], null)),
    ],
  };
}

function viewOf(label: string, node: Schemas['Node'] | undefined, type: string | null): NodeView {
  return {
    label,
    type: node?.type ?? type,
    status: node?.status ?? 'pending',
    startedAt: node?.status === 'skipped' ? null : (node?.started_at ?? null),
    endedAt: node?.ended_at ?? null,
    attempts: [],
    note: node === undefined ? '' : noteOf(node),
  };
}

function noteOf({ error, reason, attempt, next_wake_at }: Schemas['Node']): string {
  if (error !== undefined) return `${error.code}: ${error.message}`;
  if (reason !== undefined) return `${reasonText(reason)}${next_wake_at ? `, looked at again at ${next_wake_at}` : ''}`;
  return attempt > 1 ? `${attempt} attempts` : '';
}
