import { type ChildEnd, defineStep, type Hooks } from '@ductor/core';
import { expect } from 'chai';
import { act, type TestWorkflow } from '../../support/workflow.ts';
import { MemoryRun, nodeChanges } from './memory-run.ts';

const race = (arms: TestWorkflow['steps'], more: object = {}): MemoryRun =>
  new MemoryRun({
    steps: [
      { ref: 'race', type: 'RACE', arms: arms.map(({ ref }) => ref), ...more },
      { ref: 'next', type: 'TRANSFORM', value: '${steps.race.output}' },
      ...arms,
    ],
    edges: [{ from: 'race', to: 'next' }],
  });

describe('A race', () => {
  it('is won by the first arm to complete: the others are told to stop, and the run waits for them', () => {
    const run = race([act('a'), act('b')]);
    expect(run.why().map(({ reason }) => reason.code)).to.include('arms_open');
    const loser = run.running('b').id;
    run.complete('a', 1);
    expect(run.node('race')).to.include({ status: 'completed' });
    expect(run.node('next')).to.deep.include({ status: 'completed', output: { winner: 'a', output: 1 } });
    expect(run.aborted).to.deep.equal([loser]);
    expect(run.state.status).to.equal('running');
    expect(run.why().map(({ reason }) => reason)).to.deep.equal([{ code: 'stopping', attempt: 1 }]);
    run.outcome('b', { status: 'stopped' });
    expect(run.state.status).to.equal('completed');
    expect(run.state.ending).to.deep.equal({ status: 'completed', output: { winner: 'a', output: 1 } });
  });

  it('keeps what a loser completed though it was told to stop, and nothing follows from it', () => {
    const run = race([act('a'), act('b')]);
    run.complete('a', 1);
    const payload = run.complete('b', 2);
    expect(payload?.attempts.folded[0]).to.include({ finishedAnyway: true });
    expect(run.node('b')).to.include({ status: 'completed', output: 2 });
    expect(run.node('race')).to.deep.include({ output: { winner: 'a', output: 1 } });
  });

  it('gives up the waits and retries of losers in the commit of the winner', () => {
    const run = race([
      act('a'),
      { ref: 'timer', type: 'WAIT', duration: 'P3D' },
      act('r', { retry: { max_attempts: 9 } }),
    ]);
    run.fail('r', { retryable: true });
    expect(run.waits.map(({ node }) => node)).to.have.members(['race', 'timer', 'r']);
    run.complete('a');
    expect(run.waits).to.deep.equal([]);
    expect([run.status('timer'), run.status('r')]).to.deep.equal(['cancelled', 'cancelled']);
  });

  it('without a winner fails with the last error', () => {
    const run = race([act('a'), act('b')]);
    run.fail('a', { code: 'first' });
    expect(run.status('race')).to.equal('waiting');
    run.fail('b', { code: 'last' });
    expect(run.state.ending).to.have.nested.property('error.code', 'last');
    expect(run.state.ending).to.have.nested.property('error.details.step_ref', 'race');
  });

  it('that passes its own deadline stops its arms', () => {
    const run = race([act('a')], { timeout: 'PT5S' });
    const { id } = run.running('a');
    run.advance(5_000);
    expect(run.aborted).to.include(id);
    run.outcome('a', { status: 'stopped' });
    expect(run.state.ending).to.have.nested.property('error.code', 'timeout');
  });

  it('decided while the run is paused is decided when it is resumed', () => {
    const run = race([act('a'), act('b')]);
    run.control('pause');
    run.complete('b', 2);
    expect(run.status('race')).to.equal('waiting');
    run.control('resume');
    expect(run.node('race')).to.deep.include({ output: { winner: 'b', output: 2 } });
  });

  it('is run again, with all its arms, when it has failed and the run is redriven', () => {
    const run = race([act('a'), act('b')]);
    run.fail('a');
    run.fail('b');
    run.control('redrive');
    expect(run.running('a').generation).to.equal(2);
    run.complete('b', 1);
    run.outcome('a', { status: 'stopped' });
    expect(run.state.status).to.equal('completed');
  });

  it('of steps that end at once starts no more of them than it needs', () => {
    const run = race([{ ref: 'a', type: 'TRANSFORM', value: 1 }, act('b')]);
    expect(run.state.status).to.equal('completed');
    expect(
      nodeChanges(run.transitions).filter(({ node }) => node.at.ref === 'b' && node.status === 'running'),
    ).to.have.length.lessThan(2);
    expect(run.open).to.deep.equal([]);
  });
});

const nested = (more: object = {}, workflow: object = {}): MemoryRun =>
  new MemoryRun({
    steps: [{ ref: 'sub', type: 'SUBWORKFLOW', workflow: { slug: 'invoice' }, input: { n: 1 }, ...more }],
    ...workflow,
  });

const started = (run: MemoryRun) => run.spawned[0]!;
const FAILED: ChildEnd = { status: 'failed', error: { code: 'boom', message: 'No.', party: 'user' } };

describe('A sub-workflow', () => {
  it('asks for its run with the input, and completes with its output', () => {
    const run = nested();
    const { runId, seed } = started(run);
    expect(seed).to.deep.include({
      workflow: { slug: 'invoice', version: 'latest' },
      parentClose: 'cancel',
      report: 'end',
    });
    expect(run.why()[0]?.reason).to.deep.equal({ code: 'waiting_for_child', run_id: runId });
    run.child(runId, { status: 'completed', output: { ok: true } });
    expect(run.state.ending).to.deep.equal({ status: 'completed', output: { ok: true } });
  });

  it('fails as its run did, and with what kept that from starting', () => {
    const failing = nested();
    failing.child(started(failing).runId, FAILED);
    expect(failing.state.ending).to.have.nested.property('error.code', 'child_failed');
    expect(failing.state.ending).to.have.nested.property('error.details.error.code', 'boom');
    const refused = nested();
    const error = { code: 'nesting_limit', message: 'a → b', party: 'user' } as const;
    refused.child(started(refused).runId, { status: 'refused', error });
    expect(refused.state.ending).to.have.nested.property('error.code', 'nesting_limit');
  });

  it('that waits for a checkpoint is over with it, and fails where it is not reached', () => {
    const run = nested({ wait_for: { checkpoint: 'half' } });
    run.child(started(run).runId, { status: 'checkpoint', name: 'half', output: 5 });
    expect(run.state.ending).to.deep.equal({ status: 'completed', output: 5 });
    const missed = nested({ wait_for: { checkpoint: 'half' } });
    missed.child(started(missed).runId, { status: 'completed', output: 5 });
    expect(missed.state.ending).to.have.nested.property('error.code', 'checkpoint_not_reached');
  });

  it('is told what parent_close says when its parent is cancelled, which waits for its end', () => {
    const run = nested({ parent_close: 'terminate' });
    run.control('cancel');
    expect(run.state.status).to.equal('cancelling');
    expect(run.letters).to.have.length(1);
    expect(run.letters[0]).to.include({ kind: 'control', chainId: started(run).runId, control: 'terminate' });
    run.control('cancel');
    expect(run.letters, 'it is told once').to.have.length(1);
    run.child(started(run).runId, { status: 'terminated' });
    expect(run.state.status).to.equal('cancelled');
  });

  it('that is abandoned goes on', () => {
    const run = nested({ parent_close: 'abandon' });
    run.control('cancel');
    expect(run.state.status).to.equal('cancelled');
    expect(run.letters).to.deep.equal([]);
  });

  it('is terminated with its parent', () => {
    const run = nested();
    run.control('terminate');
    expect(run.state.status).to.equal('terminated');
    expect(run.letters[0]).to.include({ control: 'terminate' });
  });

  it('whose step gives up is told to stop', () => {
    const run = nested({ timeout: 'PT5S' });
    run.advance(5_000);
    expect(run.letters[0]).to.include({ control: 'cancel' });
    expect(run.state.ending).to.have.nested.property('error.code', 'timeout');
    run.child(started(run).runId, { status: 'cancelled' });
    expect(run.state.children.size).to.equal(0);
  });

  it('has another run when it is redriven, and hears no more of the one before', () => {
    const run = nested();
    const first = started(run).runId;
    run.child(first, FAILED);
    run.control('redrive');
    const second = run.spawned[1]!.runId;
    expect(second).to.not.equal(first);
    run.child(first, { status: 'completed', output: 'old' });
    expect(run.status('sub')).to.equal('waiting');
    run.child(second, { status: 'completed', output: 'new' });
    expect(run.state.ending).to.deep.equal({ status: 'completed', output: 'new' });
  });

  it('is waited for where the policy is to drain', () => {
    const run = new MemoryRun({
      steps: [act('a'), { ref: 'sub', type: 'SUBWORKFLOW', workflow: { slug: 'invoice' } }],
      settings: { failure_policy: 'drain' },
    });
    run.fail('a');
    expect(run.letters).to.deep.equal([]);
    expect(run.state.status).to.equal('running');
    run.child(started(run).runId, { status: 'completed', output: 1 });
    expect(run.node('sub')).to.include({ status: 'completed', unrouted: true });
    expect(run.state.status).to.equal('failed');
  });
});

describe('A deferred run', () => {
  it('is asked for with its delay, and its step is over once it is there', () => {
    const run = new MemoryRun({
      steps: [{ ref: 'later', type: 'DEFER', workflow: { slug: 'remind' }, delay: 'PT1H' }],
    });
    const { runId, seed } = started(run);
    expect(seed).to.include({ report: 'start', parentClose: 'abandon', startAt: '2026-01-01T01:00:00.000Z' });
    run.child(runId, { status: 'started' });
    expect(run.state.ending).to.deep.equal({ status: 'completed', output: { run_id: runId } });
  });
});

describe('A run that is started by something else', () => {
  const seed = { kind: 'x', workflow: { slug: 'x', version: 1 }, input: {}, parentClose: 'abandon' } as const;

  it('is another one each time that a plugin asks, also twice at one instant', () => {
    const settle: Hooks['settle'] = ({ ended }) =>
      ended ? [{ do: 'spawn', child: { kind: 'run', seed: { ...seed, report: 'nothing' } } }] : [];
    const run = new MemoryRun({ steps: [act('a'), act('b')] }, { hooks: [{ settle }] });
    const open = [...run.open];
    run.control('terminate');
    for (const { id, ref, branch, generation } of open) {
      const late = { kind: 'late', id: ref, at: { ref, branch }, generation, attemptId: id, output: null } as const;
      run.tick({ arrivals: [late] });
    }
    expect(new Set(run.spawned.map(({ runId }) => runId)).size).to.equal(2);
  });

  it('leaves the step that waits for it the instant at which it wants to be woken', () => {
    const impatient = defineStep({
      type: 'STEP_TYPE_IMPATIENT',
      schema: { type: 'object' },
      start: ({ after }) => ({
        to: 'waiting',
        memo: null,
        wait: { kind: 'children', wakeAt: after(1_000) },
        commands: [{ do: 'spawn', child: { kind: 'run', seed: { ...seed, report: 'end' } } }],
      }),
    });
    const run = new MemoryRun({ steps: [{ ref: 'i', type: 'IMPATIENT' }] }, { steps: [impatient] });
    run.advance(1_000);
    expect(run.status('i')).to.equal('completed');
  });
});

describe('EMIT', () => {
  it('publishes with the tick that runs it', () => {
    const run = new MemoryRun(
      {
        steps: [
          { ref: 'e', type: 'EMIT', event_name: 'paid', correlation_key: 'input.id', payload: { n: '${input.n}' } },
        ],
      },
      { input: { id: 'o-1', n: 3 } },
    );
    expect(run.published).to.have.length(1);
    expect(run.published[0]).to.deep.include({ eventName: 'paid', correlationKey: 'o-1', payload: { n: 3 } });
  });
});
