import type { AttemptOutcome } from '@ductor/core';
import { expect } from 'chai';
import { ActionError, startTestEngine, type TestEngine, testPool } from '../../support/engine.ts';
import { until } from '../../support/until.ts';
import { allPages, type Rest, routesOfRuns, startRest } from './rest.ts';

const PAYING = {
  steps: [
    { ref: 'fetch', type: 'ACTION', action: 'test.double', args: { n: '${input.n}' } },
    { ref: 'sum', type: 'TRANSFORM', value: '${steps.fetch.output + 1}', effects: { context: { sum: '${output}' } } },
  ],
  edges: [{ from: 'fetch', to: 'sum' }],
};

describe('reading a run', () => {
  let engine: TestEngine;
  let rest: Rest;
  /** What actions named `test.lost` answer: nobody knows what they did. */
  const lost: AttemptOutcome = { status: 'lost' };
  const late: AttemptOutcome = { status: 'timed_out', deadline: 'startToCloseMs' };
  let release: () => void = () => undefined;

  before(async () => {
    const actions = {
      'test.double': (args: unknown) => 2 * (args as { n: number }).n,
      'test.fail': () => Promise.reject(new Error('no luck')),
      'test.busy': () => Promise.reject(new ActionError('busy', { retryAfterMs: 3_000 })),
      'test.hold': () =>
        new Promise<null>((resolve) => {
          release = () => resolve(null);
        }),
    };
    const pool = testPool(actions);
    engine = await startTestEngine({
      pool: {
        ...pool,
        run: async (dispatch, control) => {
          const { action } = dispatch.task;
          return action === 'test.lost' ? lost : action === 'test.late' ? late : pool.run(dispatch, control);
        },
      },
    });
    rest = await startRest({ engine, routes: (parts) => routesOfRuns(parts, { engine }) });
  });
  after(async () => {
    await rest.stop();
    await engine.stop();
  });

  const start = (workflow: Parameters<TestEngine['define']>[0], input: object = {}, more: object = {}) =>
    engine.start(engine.define(workflow), input as never, { tenantId: 't1', ...more });
  const get = (path: string) => rest.call({ path });
  const waitFor = (runId: string, status: string) =>
    until(async () => (await engine.state(runId)).status === status, `run ${runId} to be ${status}`);

  it('shows its nodes with their attempts and outputs', async () => {
    const runId = await start(PAYING, { n: 21 });
    await engine.ended(runId);
    const { status, body } = await get(`/api/v2/workflow-runs/${runId}/snapshot`);
    expect(status).to.equal(200);
    expect(body).to.deep.include({
      run_id: runId,
      family_slug: 'test',
      workflow_type: 'test',
      version: 1,
      kind: 'workflow',
      status: 'completed',
      input: { n: 21 },
      output: 43,
      error: null,
      run_context: { sum: 43 },
      controls: [],
    });
    expect(body.lineage).to.include({ root_run_id: runId, parent_run_id: null, nesting_depth: 0 });
    expect(body.connectors).to.eql([{ id: 'test', package: '@test/connector', version: '1.0.0', integrity: null }]);
    expect(body.nodes.fetch).to.deep.include({
      type: 'STEP_TYPE_ACTION',
      status: 'completed',
      generation: 1,
      attempt: 1,
      output: 42,
    });
    expect(body.nodes.sum).to.deep.include({
      type: 'STEP_TYPE_TRANSFORM',
      status: 'completed',
      attempt: 0,
      output: 43,
    });
    const { body: attempts } = await get(`/api/v2/workflow-runs/${runId}/attempts`);
    expect(attempts.items).to.have.length(1);
    expect(attempts.items[0]).to.deep.include({
      attempt_id: body.nodes.fetch.attempt_id,
      step_ref: 'fetch',
      branch: [],
      generation: 1,
      attempt: 1,
      status: 'completed',
      tier: 'thread',
      input: { n: 21 },
      output: 42,
      error: null,
    });
    expect(attempts.items[0].ended_at >= attempts.items[0].scheduled_at).to.equal(true);
  });

  it('shows it as it was after any of its transitions', async () => {
    const runId = await start(PAYING, { n: 1 });
    const { version } = await engine.ended(runId);
    const first = (await get(`/api/v2/workflow-runs/${runId}/snapshot?at=1`)).body;
    expect(first).to.include({
      status: 'running',
      record_version: 1,
      output: null,
      ended_at: null,
      current_step: 'fetch',
    });
    expect(first.nodes).to.have.all.keys('fetch');
    expect(first.nodes.fetch).to.include({ status: 'running', attempt: 1 });
    const last = (await get(`/api/v2/workflow-runs/${runId}/snapshot?at=${version}`)).body;
    const now = (await get(`/api/v2/workflow-runs/${runId}/snapshot`)).body;
    expect({ ...last, metadata: null }).to.eql({ ...now, metadata: null });
    expect((await get(`/api/v2/workflow-runs/${runId}/snapshot?at=${version + 1}`)).status).to.equal(404);
    for (const at of ['0', '-1', 'x', '1.5', '9007199254740993']) {
      expect((await get(`/api/v2/workflow-runs/${runId}/snapshot?at=${at}`)).status, at).to.equal(400);
    }
  });

  it('lists its events in order, page by page, either way', async () => {
    const runId = await start(PAYING, { n: 1 });
    await engine.ended(runId);
    const path = `/api/workflows/runs/${runId}/events`;
    const all = (await get(path)).body.items;
    const brief = all.map((event: { type: string; step_ref?: string; to: string }) =>
      [event.type, event.step_ref, event.to].filter(Boolean).join(' '),
    );
    expect(brief).to.eql([
      'node fetch running',
      'attempt fetch scheduled',
      'run running',
      'attempt fetch ended',
      'node fetch completed',
      'node sum completed',
      'run completed',
    ]);
    expect(all[0]).to.deep.include({
      seq: 1,
      index: 0,
      from: null,
      branch: [],
      generation: 1,
      cause: { kind: 'started' },
    });
    expect(all.at(-1)).to.deep.include({ from: 'running', cause: { kind: 'finished' } });
    expect(await allPages(rest, `${path}?page_size=1`)).to.eql(all);
    expect(await allPages(rest, `${path}?page_size=3&order=desc`)).to.eql([...all].reverse());
  });

  it('says why it failed', async () => {
    const runId = await start({
      steps: [{ ref: 'f', type: 'ACTION', action: 'test.fail', retry: { max_attempts: 1 } }],
    });
    await engine.ended(runId);
    const { body } = await get(`/api/v2/workflow-runs/${runId}/snapshot`);
    expect(body.error).to.deep.include({ message: 'no luck', party: 'connector' });
    expect(body.nodes.f).to.deep.include({ status: 'failed', outcome: 'ERROR' });
    expect((await get(`/api/workflows/runs/${runId}`)).body).to.deep.include({ status: 'failed', error: body.error });
    expect((await get(`/api/v2/workflow-runs/${runId}/why`)).body).to.deep.include({ status: 'failed', reasons: [] });
  });

  it('says why its attempts failed, in the API’s words', async () => {
    const errorOf = async (action: string) => {
      const runId = await start({ steps: [{ ref: 'f', type: 'ACTION', action, retry: { max_attempts: 1 } }] });
      return until(
        async () => (await get(`/api/v2/workflow-runs/${runId}/attempts`)).body.items[0]?.error ?? null,
        'the attempt to fail',
      );
    };
    expect(await errorOf('test.busy')).to.eql({
      code: 'busy',
      message: 'busy',
      party: 'connector',
      retryable: true,
      retry_after_ms: 3_000,
    });
    expect(await errorOf('test.late')).to.eql({
      code: 'timeout',
      message: 'The attempt passed its start_to_close deadline.',
      deadline: 'start_to_close',
    });
  });

  it('says what it waits for', async () => {
    const runId = await start({ steps: [{ ref: 'h', type: 'ACTION', action: 'test.hold', timeout: 'PT5M' }] });
    await waitFor(runId, 'running');
    const { body } = await get(`/api/v2/workflow-runs/${runId}/why`);
    expect(body).to.deep.include({ run_id: runId, status: 'running' });
    expect(body.reasons).to.have.length(1);
    expect(body.reasons[0]).to.deep.include({ step_ref: 'h', branch: [], code: 'attempt_running', attempt: 1 });
    expect(body.reasons[0].next_wake_at > body.reasons[0].since).to.equal(true);
    const { nodes } = (await get(`/api/v2/workflow-runs/${runId}/snapshot`)).body;
    expect(nodes.h).to.deep.include({ reason: { code: 'attempt_running', attempt: 1 } });
    expect(nodes.h).to.have.property('next_wake_at');
    release();
    await engine.ended(runId);
    const startAt = new Date(Date.now() + 3_600_000).toISOString();
    const later = await start(PAYING, { n: 1 }, { startAt });
    expect((await get(`/api/v2/workflow-runs/${later}/why`)).body.reasons).to.deep.include.members([
      {
        step_ref: null,
        branch: [],
        code: 'held_back',
        by: 'start_at',
        since: (await engine.state(later)).tickedAt,
        next_wake_at: startAt,
      },
    ]);
  });

  describe('and an attempt whose outcome nobody knows', () => {
    const LOST = {
      steps: [
        { ref: 'l', type: 'ACTION', action: 'test.lost' },
        { ref: 'sum', type: 'TRANSFORM', value: '${steps.l.output}' },
      ],
      edges: [{ from: 'l', to: 'sum' }],
    };
    const asked = async () => {
      const runId = await start(LOST);
      await waitFor(runId, 'waiting');
      const { body } = await get(`/api/v2/workflow-runs/${runId}/why`);
      expect(body.reasons[0]).to.include({ step_ref: 'l', code: 'outcome_unknown', attempt: 1 });
      const { items } = (await get(`/api/v2/workflow-runs/${runId}/attempts`)).body;
      return { runId, attemptId: String(items[0].attempt_id) };
    };
    const resolve = ({ runId, attemptId }: { runId: string; attemptId: string }, body: object, key = rest.key.t1) =>
      rest.call({ method: 'POST', path: `/api/v2/workflow-runs/${runId}/attempts/${attemptId}:resolve`, body, key });

    it('takes an operator’s word for it, once for each request_id', async () => {
      const at = await asked();
      const body = {
        request_id: 'op-1',
        reason: 'seen in the ledger',
        resolution: { outcome: 'completed', output: { paid: true } },
      };
      const accepted = await Promise.all([resolve(at, body), resolve(at, body), resolve(at, body)]);
      for (const { status, body: answer } of accepted)
        expect([status, answer.status, answer.run_id]).to.eql([200, 'accepted', at.runId]);
      await engine.ended(at.runId);
      const { body: snapshot } = await get(`/api/v2/workflow-runs/${at.runId}/snapshot`);
      expect(snapshot).to.deep.include({ status: 'completed', output: { paid: true } });
      expect(snapshot.controls).to.have.length(1);
      expect(snapshot.controls[0]).to.include({
        request_id: 'op-1',
        control: 'resolveAttempt',
        actor: 'key:t1',
        outcome: 'applied',
        reason: 'seen in the ledger',
      });
      // The same again is answered the same, also now that the run is over.
      expect((await resolve(at, body)).body).to.include({ status: 'accepted' });
      const other = await resolve(at, { ...body, resolution: { outcome: 'retry' } });
      expect([other.status, other.body.error.code]).to.eql([409, 'already_exists']);
      const late = await resolve(at, { ...body, request_id: 'op-2' });
      expect([late.status, late.body.error.code]).to.eql([409, 'failed_precondition']);
      const { items } = (await get(`/api/workflows/runs/${at.runId}/events`)).body;
      expect(items.find(({ type }: { type: string }) => type === 'control')).to.include({
        to: 'applied',
        request_id: 'op-1',
        actor: 'key:t1',
      });
    });

    it('fails the step with the operator’s message', async () => {
      const at = await asked();
      await resolve(at, { request_id: 'op', resolution: { outcome: 'failed', message: 'not in the ledger' } });
      const { ending } = await engine.ended(at.runId);
      expect(ending).to.deep.include({ status: 'failed' });
      expect(JSON.stringify(ending)).to.contain('not in the ledger');
    });

    it('refuses bad words, other tenants, and attempts that are not there', async () => {
      const at = await asked();
      const good = { request_id: 'op', resolution: { outcome: 'retry' } };
      for (const bad of [
        {},
        { ...good, request_id: '' },
        { ...good, resolution: 'retry' },
        { ...good, resolution: { outcome: 'maybe' } },
        { ...good, resolution: { outcome: 'retry', output: 1 } },
        { ...good, resolution: { outcome: 'failed', output: 1 } },
        { ...good, more: 1 },
        { ...good, resolution: { outcome: 'completed', output: 'x\0y' } },
      ]) {
        expect((await resolve(at, bad)).status, JSON.stringify(bad)).to.equal(400);
      }
      expect((await resolve(at, good, rest.key.t2)).status).to.equal(404);
      expect((await resolve({ ...at, attemptId: at.runId }, good)).status).to.equal(404);
      expect((await resolve({ ...at, attemptId: 'x' }, good)).status).to.equal(400);
      const { rows } = await rest.db.hot.query('select from eec_workflow_inbox where run_id = $1', [at.runId]);
      expect(rows).to.have.length(0);
    });
  });
});
