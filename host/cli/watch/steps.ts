import type { Api } from '../api.ts';
import { ApiError } from '../errors.ts';
import type { DefinitionDetail } from '../wire.ts';
import type { StepItem } from './progress.ts';

/** A version's steps, each after all that lead to it. None for a key that may not read definitions. */
export async function readSteps(api: Api, definitionId: string): Promise<readonly StepItem[]> {
  try {
    const { graph } = await api.get<DefinitionDetail>(`/api/workflow-definitions/${encodeURIComponent(definitionId)}`);
    return inOrder(graph);
  } catch (error) {
    if (error instanceof ApiError && error.code === 'permission_denied') return [];
    throw error;
  }
}

/** Among those that could come next, the one that was written first. */
export function inOrder({ steps, edges }: Pick<DefinitionDetail['graph'], 'steps' | 'edges'>): readonly StepItem[] {
  const open = new Map<string, number>(steps.map(({ ref }) => [ref, 0]));
  for (const { to } of edges) open.set(to, (open.get(to) ?? 0) + 1);
  const waiting = [...steps];
  const ordered: StepItem[] = [];
  while (waiting.length > 0) {
    const ready = waiting.findIndex(({ ref }) => open.get(ref) === 0);
    // A published graph has no cycle; whatever this is, its steps are shown.
    const [next] = waiting.splice(Math.max(ready, 0), 1);
    if (next === undefined) break;
    ordered.push({ ref: next.ref, type: next.type });
    for (const { from, to } of edges) if (from === next.ref) open.set(to, (open.get(to) ?? 0) - 1);
  }
  return ordered;
}
