import { DuctorApiError, type DuctorClient } from '@ductor/client';
import type { StepItem } from './progress.ts';

/** A version's steps, each after all that lead to it. None for a key that may not read definitions. */
export async function readSteps(client: Pick<DuctorClient, 'GET'>, id: string): Promise<readonly StepItem[]> {
  try {
    const { data } = await client.GET('/api/workflow-definitions/{id}', { params: { path: { id } } });
    return inOrder(data.graph);
  } catch (error) {
    if (error instanceof DuctorApiError && error.code === 'permission_denied') return [];
    throw error;
  }
}

/** As much of a graph as gives an order. */
interface Shape {
  readonly steps?: readonly StepItem[];
  readonly edges?: readonly { readonly from: string; readonly to: string }[];
}

/** Among those that could come next, the one that was written first. */
export function inOrder({ steps = [], edges = [] }: Shape): readonly StepItem[] {
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
