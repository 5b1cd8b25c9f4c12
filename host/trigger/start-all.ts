import { setImmediate as turn } from 'node:timers/promises';
import type { TenantId } from '@ductor/core';
import type { TriggerAnswer, TriggerRequest, TriggerService } from './trigger-service.ts';

export type StartResult = { readonly answer: TriggerAnswer } | { readonly error: unknown };

/** What is computed in one turn of the event loop; its commit is under way while the next is computed. */
const A_TURN = 64;

/**
 * Starts many runs of one definition, each in its own right; answers in their order. Those with the same idempotency key
 * come one after another, so that the first of them decides what the key stands for. Throws `not_found`.
 */
export async function startAll(
  triggers: Pick<TriggerService, 'start' | 'resolve'>,
  {
    tenantId,
    address,
    requests,
  }: {
    readonly tenantId: TenantId;
    readonly address: string;
    readonly requests: readonly TriggerRequest[];
  },
): Promise<readonly StartResult[]> {
  const resolved = await triggers.resolve(tenantId, address);
  const byKey = new Map<string, Promise<StartResult>>();
  const results: Promise<StartResult>[] = [];
  for (const [i, request] of requests.entries()) {
    if (i > 0 && i % A_TURN === 0) await turn();
    const key = request.idempotencyKey;
    const before = key === null ? undefined : byKey.get(key);
    const start = () => settled(triggers.start(tenantId, request, resolved));
    const result = before === undefined ? start() : before.then(start);
    if (key !== null) byKey.set(key, result);
    results.push(result);
  }
  return Promise.all(results);
}

const settled = (starting: Promise<TriggerAnswer>): Promise<StartResult> =>
  starting.then(
    (answer) => ({ answer }),
    (error: unknown) => ({ error }),
  );
