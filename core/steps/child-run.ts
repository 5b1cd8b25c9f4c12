/** Steps that start a run, and wait for what it has to say. */
import type { Json, JsonObject, RunId } from '../json.ts';
import type { ChildEnd } from '../run/arrival.ts';
import type { RunSeed } from './command.ts';

export const startRun = <Memo extends Json>(seed: RunSeed, memo: Memo) =>
  ({
    to: 'waiting',
    wait: { kind: 'children' },
    memo,
    commands: [{ do: 'spawn', child: { kind: 'run', seed } }],
  }) as const;

/** It has ended without completing. */
export function childFailed(
  end: Extract<ChildEnd, { status: 'failed' | 'cancelled' | 'terminated' }>,
  runId: RunId | null,
) {
  const cause = end.status === 'failed' ? { error: { code: end.error.code, message: end.error.message } } : {};
  const message = `The child run ${end.status === 'failed' ? 'failed' : `was ${end.status}`}.`;
  return failed(`child_${end.status}`, message, { child_run_id: runId, ...cause });
}

export const failed = (code: string, message: string, details: JsonObject) =>
  ({ to: 'failed', error: { code, message, party: 'user', details } }) as const;
