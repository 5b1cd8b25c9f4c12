import { expect } from 'chai';
import { MemoryRun } from './memory-run.ts';

const wait = (fields: object, input: object = {}): MemoryRun =>
  new MemoryRun({ steps: [{ ref: 'w', type: 'WAIT', ...fields }] }, { input: input as never });

describe('WAIT', () => {
  it('for a duration is over when it has passed, and not before', () => {
    const run = wait({ duration: 'PT2S' });
    expect(run.why()[0]?.reason).to.deep.equal({ code: 'timer_due_at', at: '2026-01-01T00:00:02.000Z' });
    run.advance(1_999);
    expect(run.status('w')).to.equal('waiting');
    run.advance(1);
    expect(run.state.status).to.equal('completed');
  });

  it('C12 for decades keeps its instant, and for none goes on at once', () => {
    expect(wait({ until: 'input.at' }, { at: '2099-12-31T23:59:59Z' }).waits[0]?.dueAt).to.equal(
      '2099-12-31T23:59:59.000Z',
    );
    expect(wait({ duration: 'P30D' }).waits[0]?.dueAt).to.equal('2026-01-31T00:00:00.000Z');
    expect(wait({ duration: 'PT0S' }).state.status).to.equal('completed');
    expect(wait({ until: 'input.at' }, { at: '2020-01-01T00:00:00+02:00' }).state.status).to.equal('completed');
  });

  it('until what is no instant fails, and says what it was', () => {
    for (const at of ['tomorrow', '', 'NaN', '2026-13-01T00:00:00Z', '+012026-01-01T00:00:00Z', 'Infinity']) {
      expect(wait({ until: 'input.at' }, { at }).state.ending, at).to.have.nested.property(
        'error.code',
        'invalid_instant',
      );
    }
  });

  it('for a signal ends with its payload; other words change nothing', () => {
    const run = wait({ signal: 'go' });
    run.signal('w', { verb: 'approve' });
    expect(run.why()[0]?.reason).to.deep.equal({ code: 'waiting_for_signal', name: 'go' });
    run.signal('w', { verb: 'resolve', payload: { yes: 1 } });
    expect(run.state.ending).to.deep.equal({ status: 'completed', output: { yes: 1 } });
  });

  it('for an event subscribes to its name and key', () => {
    const run = wait(
      { event: { event_name: 'paid', correlation_key: 'input.id', match: 'event.payload.n > 1' } },
      { id: 'o-1' },
    );
    expect(run.waits).to.have.length(1);
    expect(run.waits[0]?.subscription).to.deep.include({ eventName: 'paid', correlationKey: 'o-1' });
    run.event('w', 'event');
    expect(run.state.status).to.equal('completed');
  });

  it('that passes its deadline takes the TIMEOUT edge', () => {
    const run = new MemoryRun({
      steps: [
        { ref: 'w', type: 'WAIT', signal: 'go', timeout: 'PT5S' },
        { ref: 'late', type: 'TRANSFORM', value: 'late' },
      ],
      edges: [{ from: 'w', to: 'late', type: 'TIMEOUT' }],
    });
    run.advance(5_000);
    expect(run.state.ending).to.deep.equal({ status: 'completed', output: 'late' });
  });
});

const approval = (fields: object = {}): MemoryRun =>
  new MemoryRun({
    steps: [
      { ref: 'ask', type: 'APPROVAL', ...fields },
      { ref: 'yes', type: 'TRANSFORM', value: 'yes' },
      { ref: 'no', type: 'TRANSFORM', value: 'no' },
    ],
    edges: [
      { from: 'ask', to: 'yes', type: 'APPROVED' },
      { from: 'ask', to: 'no', type: 'REJECTED' },
    ],
  });

describe('APPROVAL', () => {
  it('counts distinct approvers, and says how many it lacks', () => {
    const run = approval({ min_approvals: 2 });
    run.signal('ask', { verb: 'approve', approverId: 'ann', payload: { note: 'fine' } });
    run.signal('ask', { verb: 'approve', approverId: 'ann' });
    expect(run.why()[0]?.reason).to.deep.equal({ code: 'waiting_for_approval', have: 1, need: 2 });
    run.signal('ask', { verb: 'approve', approverId: 'bob', comment: 'ok' });
    expect(run.node('ask')).to.deep.include({
      outcome: 'APPROVED',
      output: {
        decision: 'approved',
        approvals: [
          { approver_id: 'ann', comment: null, payload: { note: 'fine' } },
          { approver_id: 'bob', comment: 'ok', payload: null },
        ],
      },
    });
  });

  it('is decided by the first reject', () => {
    const run = approval({ min_approvals: 2 });
    run.signal('ask', { verb: 'approve', approverId: 'ann' });
    run.signal('ask', { verb: 'reject', approverId: 'bob', comment: 'no' });
    expect(run.state.ending).to.deep.equal({ status: 'completed', output: 'no' });
  });

  it('hears only those it names', () => {
    const run = approval({ approvers: ['ann'] });
    run.signal('ask', { verb: 'reject', approverId: 'eve' });
    expect(run.status('ask')).to.equal('waiting');
    run.signal('ask', { verb: 'approve', approverId: 'ann' });
    expect(run.state.status).to.equal('completed');
  });

  it('rejected without an edge for it fails the run', () => {
    const run = new MemoryRun({ steps: [{ ref: 'ask', type: 'APPROVAL' }] });
    run.signal('ask', { verb: 'reject' });
    expect(run.state.ending).to.have.nested.property('error.code', 'rejected');
  });

  it('rejected while the run is paused fails it when it is resumed', () => {
    const run = new MemoryRun({ steps: [{ ref: 'ask', type: 'APPROVAL' }] });
    run.control('pause');
    expect(run.signal('ask', { verb: 'reject' }), 'it is kept').to.equal(null);
    run.control('resume');
    run.signal('ask', { verb: 'reject' });
    expect(run.state.status).to.equal('failed');
  });
});

describe('A signal that is early', () => {
  it('is kept until its step is parked', () => {
    const run = new MemoryRun({
      steps: [
        { ref: 'a', type: 'ACTION', action: 'test.do' },
        { ref: 'ask', type: 'APPROVAL' },
      ],
      edges: [{ from: 'a', to: 'ask' }],
    });
    expect(run.signal('ask', { verb: 'approve' })).to.equal(null);
    expect(run.status('ask')).to.equal(undefined);
  });
});
