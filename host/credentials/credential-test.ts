import { randomUUID } from 'node:crypto';
import type { ActionPool, AttemptOutcome, ConnectorPin } from '@ductor/core';
import type { CredentialRow } from '../postgres/credentials.ts';

export interface TestResult {
  /** `untested`: the connector has no action that proves this kind. */
  readonly status: 'passed' | 'failed' | 'untested';
  readonly error?: { readonly code: string; readonly message: string };
}

const WITHIN_MS = 30_000;
const GRACE_MS = 1_000;

/** Runs the action that proves a credential, in its connector's pool as any attempt. */
export async function testCredential(
  pools: Pick<ActionPool, 'run'>,
  { tenant_id: tenantId, name, connector }: CredentialRow,
  { pin, test }: { readonly pin: ConnectorPin; readonly test: string },
): Promise<TestResult> {
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), WITHIN_MS);
  const id = randomUUID();
  try {
    const outcome = await pools.run(
      {
        ...{ runId: id, tenantId, ref: 'test', branch: [], connector: pin, traceparent: null },
        attempt: { id, token: id, number: 1 },
        task: { action: `${connector}.${test}`, args: {}, credential: name, idempotencyKey: `credential-test/${id}` },
        deadlines: { startToCloseMs: WITHIN_MS },
      },
      { abort: abort.signal, graceMs: GRACE_MS, traceparent: null, started() {}, heartbeat() {}, log() {} },
    );
    return resultOf(outcome);
  } finally {
    clearTimeout(timer);
  }
}

function resultOf(outcome: AttemptOutcome): TestResult {
  if (outcome.status === 'completed') return { status: 'passed' };
  if (outcome.status !== 'failed') {
    return { status: 'failed', error: { code: 'timeout', message: `No answer within ${WITHIN_MS / 1000} seconds.` } };
  }
  const { code, message } = outcome.error;
  return { status: 'failed', error: { code, message } };
}
