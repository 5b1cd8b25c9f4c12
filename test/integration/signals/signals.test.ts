import { expect } from 'chai';
import { publishGraph, startTestHost, type TestHost } from '../../support/host.ts';
import { openSession } from '../../support/session.ts';
import { until } from '../../support/until.ts';

interface Run {
  readonly status: string;
  readonly output: unknown;
}

describe('Signals', function () {
  this.timeout(60_000);
  let host: TestHost;
  before(async () => {
    host = await startTestHost();
    await publishGraph(host, 'agree', {
      graph: {
        steps: [
          { ref: 'first', type: 'WAIT', duration: 'PT1S' },
          { ref: 'agreed', type: 'APPROVAL' },
          { ref: 'never', type: 'WAIT', signal: 'never' },
        ],
        edges: [
          { from: 'first', to: 'agreed', type: 'SUCCESS' },
          { from: 'agreed', to: 'never', type: 'REJECTED' },
        ],
        output: '${steps.agreed.output}',
      },
    });
    await publishGraph(host, 'two', {
      graph: {
        steps: [
          {
            ref: 'agreed',
            type: 'APPROVAL',
            approvers: ['ann', 'ben'],
            min_approvals: 2,
            form: { type: 'object', required: ['limit'], properties: { limit: { type: 'integer', maximum: 500 } } },
          },
        ],
        edges: [],
      },
    });
    await publishGraph(host, 'wait', {
      graph: {
        steps: [
          { ref: 'go', type: 'WAIT', signal: 'go' },
          { ref: 'last', type: 'WAIT', signal: 'last' },
        ],
        edges: [{ from: 'go', to: 'last', type: 'SUCCESS' }],
        output: { go: '${steps.go.output}', last: '${steps.last.output}' },
      },
    });
  });
  after(() => host.stop());

  const start = async (slug: string): Promise<string> => {
    const { body } = await host.call<{ run_id: string }>('POST', `/api/v2/workflow-definitions/${slug}:trigger`, {});
    return body.run_id;
  };
  /** Answers with the number of rows. */
  async function query(text: string, ...values: readonly unknown[]): Promise<number> {
    const client = await openSession(host.database.url);
    try {
      return (await client.query(text, [...values])).rowCount ?? 0;
    } finally {
      await client.end();
    }
  }
  const runOf = async (runId: string) => (await host.call<Run>('GET', `/api/workflows/runs/${runId}`)).body;
  const becomes = (runId: string, status: string) =>
    until(async () => {
      const run = await runOf(runId);
      return run.status === status ? run : null;
    }, `run ${runId} to be ${status}`);
  const signal = (runId: string, step: string, body: object, key?: string) =>
    host.call<{ error?: { code: string; details?: readonly { path: string }[] } }>(
      'POST',
      `/api/v2/workflow-runs/${runId}/steps/${step}`,
      body,
      key,
    );
  const parked = (runId: string, step: string) =>
    until(async () => {
      const { body } = await host.call<{ reasons: readonly { step_ref: string; code: string }[] }>(
        'GET',
        `/api/v2/workflow-runs/${runId}/why`,
      );
      return body.reasons.find((reason) => reason.step_ref === step) ?? null;
    }, `${step} to wait`);

  it('C20 keep an early approval, apply it once, and leave a late one without effect', async () => {
    const runId = await start('agree');
    const approve = { request_id: 'ok', approver_id: 'ann', payload: { limit: 5 } };
    const early = await Promise.all([
      signal(runId, 'agreed:approve', approve),
      signal(runId, 'agreed:approve', approve),
    ]);
    for (const { status, body } of early) {
      expect(status, JSON.stringify(body)).to.equal(200);
      expect(body).to.include({ status: 'accepted', run_id: runId });
    }
    const { output } = await becomes(runId, 'completed');
    const vote = { approver_id: 'ann', comment: null, payload: { limit: 5 } };
    expect(output).to.deep.equal({ decision: 'approved', approvals: [vote] });
    const late = await Promise.all([
      signal(runId, 'agreed:approve', approve),
      signal(runId, 'agreed:approve', { ...approve, request_id: 'late' }),
      signal(runId, 'agreed:reject', { request_id: 'no' }),
    ]);
    expect(late.map(({ status }) => status)).to.deep.equal([200, 200, 200]);
    expect((await runOf(runId)).output).to.deep.equal({ decision: 'approved', approvals: [vote] });
  });

  it('say with the same request_id what they said before, and refuse something else under it', async () => {
    const runId = await start('two');
    await parked(runId, 'agreed');
    const approve = { request_id: 'r', approver_id: 'ann', payload: { limit: 5 } };
    expect((await signal(runId, 'agreed:approve', approve)).status).to.equal(200);
    expect((await signal(runId, 'agreed:approve', approve)).status).to.equal(200);
    for (const [verb, body] of [
      ['reject', { request_id: 'r', approver_id: 'ann' }],
      ['approve', { ...approve, payload: { limit: 6 } }],
    ] as const) {
      const { status, body: answer } = await signal(runId, `agreed:${verb}`, body);
      expect([status, answer.error?.code]).to.deep.equal([409, 'already_exists']);
    }
    const control = await host.call('POST', `/api/v2/workflow-runs/${runId}:pause`, { request_id: 'r' });
    expect(control.status).to.equal(409);
  });

  it('count distinct approvers, and only those that the step names', async () => {
    const runId = await start('two');
    await parked(runId, 'agreed');
    const vote = (request_id: string, approver_id: string) =>
      signal(runId, 'agreed:approve', { request_id, approver_id, payload: { limit: 5 } });
    expect((await vote('1', 'zoe')).body.error?.code).to.equal('permission_denied');
    expect((await signal(runId, 'agreed:approve', { request_id: '1b', payload: { limit: 5 } })).status).to.equal(403);
    await vote('2', 'ann');
    await vote('3', 'ann');
    const reason = await until(async () => {
      const found = await parked(runId, 'agreed');
      return 'have' in found && found.have === 1 ? found : null;
    }, 'one approval');
    expect(reason).to.include({ code: 'waiting_for_approval', have: 1, need: 2 });
    await vote('4', 'ben');
    await becomes(runId, 'completed');
  });

  it('are held against the form, with the path of what does not fit', async () => {
    const runId = await start('two');
    const approve = (payload?: object) =>
      signal(runId, 'agreed:approve', { request_id: 'f', approver_id: 'ann', ...(payload && { payload }) });
    const wrong = await approve({ limit: 501 });
    expect(wrong.status).to.equal(400);
    expect(wrong.body.error?.details?.[0]?.path).to.equal('payload.limit');
    expect((await approve()).status).to.equal(400);
    expect((await approve({ limit: 500 })).status).to.equal(200);
    const reject = await signal(runId, 'agreed:reject', { request_id: 'g', approver_id: 'ben' });
    expect(reject.status).to.equal(200);
    expect((await becomes(runId, 'failed')).status).to.equal('failed');
  });

  it('end a WAIT with their payload, also one that waits later', async () => {
    const runId = await start('wait');
    await signal(runId, 'last:resolve', { request_id: '2', payload: 'two' });
    expect(await parked(runId, 'go')).to.include({ code: 'waiting_for_signal' });
    await signal(runId, 'go:resolve', { request_id: '1', payload: 'one' });
    expect((await becomes(runId, 'completed')).output).to.deep.equal({ go: 'one', last: 'two' });
  });

  it('for a paused run are applied when it is resumed', async () => {
    const runId = await start('wait');
    await parked(runId, 'go');
    await host.call('POST', `/api/v2/workflow-runs/${runId}:pause`, { request_id: 'p' });
    await becomes(runId, 'paused');
    await signal(runId, 'go:resolve', { request_id: '1', payload: 1 });
    await signal(runId, 'last:resolve', { request_id: '2', payload: 2 });
    expect((await runOf(runId)).status).to.equal('paused');
    await host.call('POST', `/api/v2/workflow-runs/${runId}:resume`, { request_id: 'r' });
    expect((await becomes(runId, 'completed')).output).to.deep.equal({ go: 1, last: 2 });
  });

  it('are refused where there is nothing to take them', async () => {
    const runId = await start('wait');
    await parked(runId, 'go');
    const code = async (path: string, body: object) => {
      const answer = await host.call<{ error: { code: string; message: string } }>('POST', path, body);
      return [answer.status, answer.body.error.code];
    };
    const steps = `/api/v2/workflow-runs/${runId}/steps`;
    const body = { request_id: 'x' };
    const nobody = '/api/v2/workflow-runs/01900000-0000-7000-8000-000000000000/steps/go:resolve';
    expect(await code(nobody, body)).to.deep.equal([404, 'not_found']);
    expect(await code(`${steps}/nothing:resolve`, body)).to.deep.equal([404, 'not_found']);
    expect(await code(`${steps}/go:resolve`, { ...body, branch: [3] })).to.deep.equal([400, 'invalid_argument']);
    expect(await code(`${steps}/go:approve`, body)).to.deep.equal([400, 'invalid_argument']);
    expect(await code(`${steps}/go:resolve`, {})).to.deep.equal([400, 'invalid_argument']);
    await host.call('POST', `/api/v2/workflow-runs/${runId}:terminate`, { request_id: 't' });
    await becomes(runId, 'terminated');
    expect(await code(`${steps}/last:resolve`, body)).to.deep.equal([409, 'failed_precondition']);
    expect((await signal(runId, 'go:resolve', body)).status, 'it was cancelled, and is over').to.equal(200);
    const other = await host.tenantKey('other');
    expect((await signal(runId, 'go:resolve', body, other)).status).to.equal(404);
  });

  it('of one run wait by the thousand, and no more', async () => {
    const runId = await start('wait');
    await parked(runId, 'go');
    await host.call('POST', `/api/v2/workflow-runs/${runId}:pause`, { request_id: 'p' });
    await becomes(runId, 'paused');
    const send = (n: number) => signal(runId, 'last:resolve', { request_id: `s${n}`, payload: n });
    await send(0);
    // As many more as 998 requests would leave.
    await query(
      `insert into eec_workflow_inbox (id, tenant_id, chain_id, run_id, kind, node, request_id, actor, body, is_wanted)
       select gen_random_uuid(), tenant_id, chain_id, run_id, kind, node, 'more' || n, actor, body, is_wanted
       from eec_workflow_inbox, generate_series(1, 998) n where run_id = $1 and kind = 'signal'`,
      runId,
    );
    expect((await signal(runId, 'go:resolve', { request_id: 'g' })).status).to.equal(200);
    const refused = await send(1_000);
    expect([refused.status, refused.body.error?.code]).to.deep.equal([429, 'resource_exhausted']);
    await host.call('POST', `/api/v2/workflow-runs/${runId}:resume`, { request_id: 'r' });
    expect((await becomes(runId, 'completed')).output).to.deep.equal({ go: null, last: 0 });
    const left = await query('select from eec_workflow_inbox where run_id = $1 and applied_at is null', runId);
    expect(left, 'signals that came too late').to.equal(0);
  });
});
