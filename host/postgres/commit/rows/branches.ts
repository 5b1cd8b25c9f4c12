import { derivedUuid, type EndedBranch, type TickPayload } from '@ductor/core';
import type { RowOf } from '../../binary-arrays.ts';
import type { branches as columns } from '../relations.ts';
import type { CoreRelations } from './core-relations.ts';
import { keptAt } from './payloads.ts';

type BranchEnd = Pick<RowOf<typeof columns>, keyof typeof NOT_OVER>;

const NOT_OVER = { status: null, output: null, payload_id: null, error: null, branch_run_id: null, ended_at: null };

export function pushBranches(relations: CoreRelations, { runId, tenantId, transition, branches }: TickPayload): void {
  const ends = new Map<string, BranchEnd>(
    branches.ended.map((ended) => {
      const { node, generation, index } = ended;
      return [`${node} ${generation} ${index}`, branchEnd(relations, { runId, tenantId, transition }, ended)] as const;
    }),
  );
  for (const { node, generation, of } of branches.opened) {
    for (const [index, variables] of of.entries()) {
      const key = `${node} ${generation} ${index}`;
      const end = ends.get(key) ?? NOT_OVER;
      ends.delete(key);
      const row = {
        run_id: runId,
        tenant_id: tenantId,
        node,
        generation,
        index,
        variables: JSON.stringify(variables),
      };
      relations.branches.push({ ...row, ...end });
    }
  }
  for (const { node, generation, index } of branches.ended) {
    const end = ends.get(`${node} ${generation} ${index}`);
    if (end) relations.branchEnds.push({ run_id: runId, node, generation, index, ...end });
  }
}

function branchEnd(
  relations: CoreRelations,
  run: Pick<TickPayload, 'runId' | 'tenantId' | 'transition'>,
  { node, generation, index, end, attempt, runId }: EndedBranch,
) {
  const place = `${run.runId}/branch/${node}/${generation}/${index}`;
  const id = attempt ?? derivedUuid(run.transition.at, place);
  const kept =
    end.status === 'completed' ? keptAt(relations, run, { id, value: end.output, ofTransition: true }) : null;
  return {
    status: end.status,
    output: kept?.text ?? null,
    payload_id: kept?.isApart ? id : null,
    error: end.status === 'failed' ? JSON.stringify(end.error) : null,
    branch_run_id: runId,
    ended_at: run.transition.at,
  };
}
