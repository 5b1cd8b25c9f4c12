import type { RunId } from '@ductor/core';
import { expect } from 'chai';
import { triggerRoutes } from '#host/http/trigger.routes.js';
import { until } from '../../support/until.ts';
import { type Rest, startRest } from './rest.ts';

describe('a trigger that waits for a checkpoint', () => {
  const runId = '0198f2a4-7c1e-7d3a-9b1f-3f2d8a6c0e11' as RunId;
  const waits: AbortSignal[] = [];
  let rest: Rest;

  beforeEach(async () => {
    waits.length = 0;
    /** Waits for nothing but its signal. */
    const triggers = {
      start: async () => ({ runId, existed: false, status: 'pending' }) as const,
      awaitCheckpoint: async ({ signal }: { readonly signal: AbortSignal }) => {
        waits.push(signal);
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
        return { status: 'waiting', reply: null } as const;
      },
    };
    rest = await startRest({ routes: () => triggerRoutes(triggers, []) });
    await rest.server.start();
  });
  afterEach(() => rest.stop());

  const trigger = (signal: AbortSignal | null = null) =>
    fetch(`${rest.server.info.uri}/api/v2/workflow-definitions/slow:trigger`, {
      method: 'POST',
      headers: { authorization: `Bearer ${rest.key.t1}`, 'content-type': 'application/json' },
      body: JSON.stringify({ wait_for_checkpoint: true }),
      signal,
    });
  const wait = () => until(() => waits[0] ?? null, 'the trigger to wait');

  it('waits no longer than its caller', async () => {
    const leaving = new AbortController();
    const answer = trigger(leaving.signal).catch((error: Error) => error.name);
    const signal = await wait();
    expect(signal.aborted).to.equal(false);
    leaving.abort();
    await until(() => signal.aborted || null, 'the wait to end');
    expect(await answer).to.equal('AbortError');
  });

  it('is answered when the server stops', async () => {
    const answer = trigger();
    await wait();
    await rest.server.stop({ timeout: 5_000 });
    const response = await answer;
    expect(response.status).to.equal(200);
    const body = await response.json();
    expect(body).to.include({ run_id: runId, status: 'waiting' });
    expect(body).to.not.have.property('response_group_output');
  });
});
