/** An attempt whose credential does not exist is not opened: its node is parked until the credential is there. */
import type { CompiledDefinition } from '../definition/compiled.ts';
import type { TenantId } from '../json.ts';
import { nodeKey } from '../run/node.ts';
import type { CoordinatorPorts } from './coordinator-ports.ts';
import type { Draft } from './draft.ts';
import { NO_INPUTS, type TickInputs } from './inputs.ts';
import { openAttempt } from './moves.ts';

/** What a tick has to know of credentials; nothing is asked where the definition names none. */
export const missingCredentials = (
  ports: Pick<CoordinatorPorts, 'missingCredentials'>,
  tenantId: TenantId,
  { credentials }: CompiledDefinition,
): TickInputs['missingCredentials'] | Promise<TickInputs['missingCredentials']> =>
  credentials.length === 0 ? NO_INPUTS.missingCredentials : ports.missingCredentials(tenantId, credentials);

/** Opens the attempts of those that were waiting for a credential which is there by now. */
export function releaseFromCredentials(draft: Draft): void {
  const { compiled, inputs } = draft.given;
  if (draft.isHeld || compiled.credentials.length === 0) return;
  const { missingCredentials: missing } = inputs;
  for (const node of draft.given.state.open.values()) {
    if (node.status !== 'waiting' || node.wait.kind !== 'credential' || missing.has(node.wait.name)) continue;
    // Something in this tick may have moved it already.
    if (draft.node(nodeKey(node.at)) !== node) continue;
    const { next } = node.wait;
    // A first attempt is scheduled now, whenever it was wanted.
    const firstScheduledAt = next.number === 1 ? draft.now : next.firstScheduledAt;
    openAttempt(draft, node, { ...next, firstScheduledAt, cause: { kind: 'woken' } });
  }
}
