import type { Change, NodeState, Transition } from '@ductor/core';
import { expect } from 'chai';
import { eventsOf } from '#core/run/events.js';

const AT = '2026-11-29T01:00:09.000Z';
const at = { ref: 'pay', branch: [] };
const attempt = { id: 'a1', token: 't1', number: 1 };
const task = { action: 'test.pay', args: {}, idempotencyKey: 'k' };
const work = { task, attempt, firstScheduledAt: AT, losses: 0 };
const started = { at, generation: 1, startedAt: AT, deadlineAt: null, memo: null };
const ended = { at, generation: 1, startedAt: AT, endedAt: AT, attempt: { id: 'a1', number: 1 }, taken: [] };
const running: NodeState = { ...started, status: 'running', work };
const outcome = { kind: 'arrival', of: 'outcome' } as const;
const error = { code: 'card_declined', message: 'No.', party: 'connector', retryable: true } as const;

const transition = (...changes: Change[]): Transition => ({ runId: 'r', version: 40, at: AT, changes });
const brief = (...changes: Change[]) =>
  eventsOf(transition(...changes)).map(({ type, from, to }) => `${type} ${from} → ${to}`);

describe('the events of a transition', () => {
  it('are numbered through in the order of its changes, and say where, what and why', () => {
    const events = eventsOf(
      transition(
        {
          type: 'node',
          from: 'running',
          node: { ...ended, status: 'completed', outcome: 'SUCCESS', output: 1, outputIn: 'attempt' },
          cause: outcome,
        },
        { type: 'context', set: { a: 1 }, cause: outcome },
        { type: 'run', from: 'running', to: 'waiting', ending: null, deadlineAt: null, cause: { kind: 'parked' } },
      ),
    );
    expect(events).to.eql([
      {
        seq: 40,
        index: 0,
        at: AT,
        type: 'attempt',
        node: at,
        generation: 1,
        from: 'scheduled',
        to: 'ended',
        attemptId: 'a1',
        attempt: 1,
        cause: outcome,
      },
      {
        seq: 40,
        index: 1,
        at: AT,
        type: 'node',
        node: at,
        generation: 1,
        from: 'running',
        to: 'completed',
        cause: outcome,
      },
      { seq: 40, index: 2, at: AT, type: 'run', from: 'running', to: 'waiting', cause: { kind: 'parked' } },
    ]);
  });

  it('are the same for a transition whose tasks and outputs lie in other rows', () => {
    const stored = JSON.parse(
      JSON.stringify(
        transition({
          type: 'node',
          from: null,
          node: { ...running, work: { ...work, task: undefined } } as never,
          cause: { kind: 'started' },
        }),
      ),
    ) as Transition;
    expect(brief(...stored.changes)).to.eql(['node null → running', 'attempt null → scheduled']);
  });

  it('show a retry as an attempt that ended, a wait that opens and closes, and the next attempt', () => {
    const backoff: NodeState = { ...started, status: 'backoff', work, retryAt: AT, error };
    const again: NodeState = { ...running, work: { ...work, attempt: { id: 'a2', token: 't2', number: 2 } } };
    expect(brief({ type: 'node', from: 'running', node: backoff, cause: outcome })).to.eql([
      'attempt scheduled → ended',
      'node running → backoff',
      'wait null → open',
    ]);
    expect(brief({ type: 'node', from: 'backoff', node: again, cause: { kind: 'arrival', of: 'due' } })).to.eql([
      'wait open → closed',
      'node backoff → running',
      'attempt null → scheduled',
    ]);
    const [, failed] = eventsOf(transition({ type: 'node', from: 'running', node: backoff, cause: outcome }));
    expect(failed).to.deep.include({ error: { code: 'card_declined', message: 'No.' } });
  });

  it('tell a lost attempt from the one that follows it', () => {
    const again: NodeState = { ...running, work: { ...work, attempt: { id: 'a2', token: 't2', number: 2 } } };
    const [lost, , next] = eventsOf(transition({ type: 'node', from: 'running', node: again, cause: outcome }));
    expect(lost).to.include({ type: 'attempt', to: 'ended', attempt: 1, attemptId: null });
    expect(next).to.include({ type: 'attempt', to: 'scheduled', attempt: 2, attemptId: 'a2' });
  });

  it('show signals and controls with their ids', () => {
    const waiting: NodeState = { ...started, status: 'waiting', parkedAt: AT, wait: { kind: 'signal' } };
    expect(brief({ type: 'node', from: 'running', node: waiting, cause: { kind: 'started' } }).at(-1)).to.equal(
      'wait null → open',
    );
    const done: NodeState = { ...ended, status: 'completed', outcome: 'SUCCESS', output: null, outputIn: 'transition' };
    expect(brief({ type: 'node', from: 'waiting', node: done, cause: { kind: 'arrival', of: 'signal' } })).to.eql([
      'signal received → applied',
      'wait open → closed',
      'node waiting → completed',
    ]);
    const control = {
      id: 'i',
      requestId: 'op-1',
      actor: 'key:ops',
      reason: null,
      receivedAt: AT,
      control: 'resolveAttempt',
      attemptId: 'a1',
      resolution: { as: 'retry' },
    } as const;
    const [event] = eventsOf(
      transition({
        type: 'control',
        control,
        outcome: { outcome: 'no_effect' },
        cause: { kind: 'control', requestId: 'op-1' },
      }),
    );
    expect(event).to.include({
      type: 'control',
      to: 'no_effect',
      control: 'resolveAttempt',
      requestId: 'op-1',
      actor: 'key:ops',
    });
  });

  it('end with how the run ended', () => {
    const failure = { code: 'stuck', message: 'It was.', party: 'engine' } as const;
    const [event] = eventsOf(
      transition({
        type: 'ended',
        from: 'running',
        ending: { status: 'failed', error: failure },
        cause: { kind: 'finished' },
      }),
    );
    expect(event).to.deep.include({
      type: 'run',
      from: 'running',
      to: 'failed',
      error: { code: 'stuck', message: 'It was.' },
    });
  });
});
