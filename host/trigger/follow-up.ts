import {
  type CoordinatorPorts,
  type Definition,
  type DefinitionId,
  DuctorError,
  type RunStarter,
  type RunStore,
  refusedFor,
  type Trigger,
  type UnlistedWorkflow,
  viewOf,
} from '@ductor/core';
import { canonicalHash } from './canonical-json.ts';

interface FollowUpPorts {
  readonly store: Pick<RunStore, 'load'>;
  readonly starter: RunStarter;
  readonly prepare: CoordinatorPorts['prepare'];
  readonly define: (workflow: UnlistedWorkflow, of: Definition) => Promise<DefinitionId>;
}

/** Starts a run of a graph that was never published, as the child of a run that is there. Throws `DuctorError`. */
export const followUps =
  ({ store, starter, prepare, define }: FollowUpPorts): Trigger['followUp'] =>
  async ({ tenantId, runId, kind, graph, input, idempotencyKey }) => {
    const [state] = await store.load([runId]);
    if (state?.header.tenantId !== tenantId) throw new DuctorError('not_found', `There is no run ${runId}.`);
    const { definitionId, chainId, priority, traceparent } = state.header;
    const prepared = await prepare(definitionId);
    if (!prepared.ok) throw refusedFor(prepared);
    const { definition } = prepared.compiled;
    return starter.start({
      ...{ tenantId, kind, input, priority, traceparent },
      definitionId: await define({ graph }, definition),
      origin: { from: 'child', run: viewOf(state) },
      kinship: { chainId, slug: definition.familySlug, node: null, report: 'nothing' },
      ...{ startAt: null, subjectType: null, subjectId: null, externalDeploymentId: null },
      idempotency: { key: idempotencyKey, scope: runId, requestHash: canonicalHash([kind, graph as never, input]) },
    });
  };
