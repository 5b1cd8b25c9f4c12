import { expect } from 'chai';
import { publishGraph, startTestHost, type TestHost } from '../support/host.js';
import { until } from '../support/until.js';

interface Answer {
  readonly run_id: string;
  readonly status: string;
  readonly response_group_output?: unknown;
  readonly error?: { readonly code: string; readonly message: string; readonly details: never };
}

describe('A trigger', () => {
  let host: TestHost;
  before(async function () {
    this.timeout(60_000);
    host = await startTestHost();
    const echo = { ref: 'echo', type: 'TRANSFORM', value: '${input}' };
    await publishGraph(host, 'echo', { graph: { steps: [echo], edges: [] } });
    await publishGraph(host, 'other', { graph: { steps: [echo], edges: [] } });
    const request = { ref: 'get', type: 'ACTION', action: 'http.request', args: { url: `${host.url}/healthz` } };
    const accepted = {
      ref: 'accepted',
      type: 'CHECKPOINT',
      name: 'accepted',
      reply: { status: '${steps.get.output.status}' },
    };
    const silent = { ref: 'silent', type: 'CHECKPOINT', name: 'silent' };
    await publishGraph(host, 'replies', {
      graph: {
        steps: [silent, request, accepted],
        edges: [
          { from: 'silent', to: 'get', type: 'SUCCESS' },
          { from: 'get', to: 'accepted', type: 'SUCCESS' },
        ],
      },
    });
    await publishGraph(host, 'strict', {
      graph: { steps: [echo], edges: [] },
      settings: {
        input_schema: { type: 'object', required: ['day'], properties: { day: { type: 'string', format: 'date' } } },
      },
    });
  });
  after(() => host.stop());

  const trigger = (slug: string, body: object = {}) =>
    host.call<Answer>('POST', `/api/v2/workflow-definitions/${slug}:trigger`, body);
  const count = async (query: string) =>
    (await host.call<{ items: readonly unknown[] }>('GET', `/api/workflows/runs?page_size=500&${query}`)).body.items
      .length;

  it('C04 one key makes one run, whoever asks, and in whatever order its fields come', async () => {
    const same = Array.from({ length: 20 }, () => trigger('echo', { idempotency_key: 'k1', input: { n: 1, m: 2 } }));
    const first = await Promise.all(same);
    expect(new Set(first.map(({ body }) => body.run_id)).size).to.equal(1);
    const reordered = await trigger('echo', { input: { m: 2, n: 1 }, idempotency_key: 'k1' });
    expect(reordered.body.run_id).to.equal(first[0]?.body.run_id);
    const mismatch = await trigger('echo', { idempotency_key: 'k1', input: { n: 2 } });
    expect([mismatch.status, mismatch.body.error?.code]).to.deep.equal([409, 'already_exists']);
    const { body: run } = await host.call<{ input: unknown; status: string }>(
      'GET',
      `/api/workflows/runs/${first[0]?.body.run_id}`,
    );
    expect(run).to.deep.include({ input: { n: 1, m: 2 }, status: 'completed' });
    const elsewhere = await trigger('other', { idempotency_key: 'k1', input: { n: 2 } });
    expect(elsewhere.body.run_id).to.not.equal(first[0]?.body.run_id);
    expect(await count('workflow_type=other')).to.equal(1);
  });

  it('C04 the run that holds a key is answered also when it has failed, or its workflow was archived', async () => {
    await publishGraph(host, 'doomed', { graph: { steps: [{ ref: 'no', type: 'FAIL', code: 'doomed' }], edges: [] } });
    const failed = await trigger('doomed', { idempotency_key: 'd1' });
    expect(failed.body.status).to.equal('failed');
    await host.call('POST', '/api/workflow-definitions/doomed/archive');
    const again = await trigger('doomed', { idempotency_key: 'd1' });
    expect(again.body).to.deep.include({ run_id: failed.body.run_id, status: 'failed' });
    const fresh = await trigger('doomed', { idempotency_key: 'd2' });
    expect([fresh.status, fresh.body.error?.code]).to.deep.equal([409, 'failed_precondition']);
  });

  it('waits for the first checkpoint with a reply, and tells it also after the fact', async () => {
    const waited = await trigger('replies', { wait_for_checkpoint: true, idempotency_key: 'w1' });
    expect(waited.body.response_group_output).to.deep.equal({ status: 200 });
    const after = await trigger('replies', { wait_for_checkpoint: true, idempotency_key: 'w1' });
    expect(after.body).to.deep.include({ run_id: waited.body.run_id, response_group_output: { status: 200 } });
  });

  it('waits for the checkpoint it names, which need not have a reply', async () => {
    const waited = await trigger('replies', { wait_for_checkpoint: true, checkpoint_name: 'silent' });
    expect(waited.body.response_group_output).to.equal(null);
  });

  it('that waits in vain answers at the end of the run, or of its time, without a reply', async () => {
    const ended = await trigger('echo', { wait_for_checkpoint: true });
    expect(ended.body.status).to.equal('completed');
    expect(ended.body).to.not.have.property('response_group_output');
    const startAt = new Date(Date.now() + 3_600_000).toISOString();
    const timedOut = await trigger('echo', {
      wait_for_checkpoint: true,
      checkpoint_timeout_seconds: 1,
      start_at: startAt,
    });
    expect(timedOut.body.status).to.equal('pending');
  });

  it('that waits is answered when the host stops, and its run is there for the next host', async function () {
    this.timeout(60_000);
    const stopping = await startTestHost();
    const next = { database: stopping.database };
    await publishGraph(stopping, 'later', {
      graph: { steps: [{ ref: 'c', type: 'CHECKPOINT', name: 'c', reply: 1 }], edges: [] },
    });
    const answer = stopping.call<Answer>('POST', '/api/v2/workflow-definitions/later:trigger', {
      wait_for_checkpoint: true,
      checkpoint_timeout_seconds: 300,
      start_at: new Date(Date.now() + 3_600_000).toISOString(),
    });
    await until(async () => {
      const { body } = await stopping.call<{ items: readonly unknown[] }>('GET', '/api/workflows/runs');
      return body.items.length === 1 || null;
    }, 'the run to be there');
    await stopping.stop({ keep: true });
    const { status, body } = await answer;
    expect(status).to.equal(200);
    expect(body.status).to.equal('pending');
    expect(body).to.not.have.property('response_group_output');
    const successor = await startTestHost(next);
    try {
      const { body: run } = await successor.call('GET', `/api/workflows/runs/${body.run_id}`);
      expect(run).to.include({ status: 'pending' });
    } finally {
      await successor.stop();
    }
  });

  it('starts later if it says so, and until then says why it waits', async () => {
    const startAt = new Date(Date.now() + 1_500).toISOString();
    const { body } = await trigger('echo', { start_at: startAt });
    expect(body.status).to.equal('pending');
    const { body: why } = await host.call<{ reasons: readonly object[] }>(
      'GET',
      `/api/v2/workflow-runs/${body.run_id}/why`,
    );
    expect(why.reasons).to.have.length(1);
    expect(why.reasons[0]).to.deep.include({ code: 'held_back', by: 'start_at', next_wake_at: startAt });
    const run = await until(async () => {
      const { body: found } = await host.call<{ status: string; started_at: string }>(
        'GET',
        `/api/workflows/runs/${body.run_id}`,
      );
      return found.status === 'completed' ? found : null;
    }, 'the run to start');
    expect(run.started_at >= startAt).to.equal(true);
  });

  it('is refused with every problem of its input and fields, and starts nothing', async () => {
    const before = await count('');
    const input = await trigger('strict', {
      input: { day: 'tomorrow' },
      correlation_labels: [{ key: 'Bad Key', id: '' }],
    });
    expect([input.status, input.body.error?.code]).to.deep.equal([400, 'invalid_argument']);
    expect(JSON.stringify(input.body.error?.details)).to.include('input.day').and.include('correlation_labels');
    expect((await trigger('echo', { inputs: {} })).status).to.equal(400);
    expect((await trigger('echo', { wait_for_checkpoint: 'yes' })).status).to.equal(400);
    expect((await trigger('nowhere')).status).to.equal(404);
    await host.call('POST', '/api/workflow-definitions', { family_slug: 'unpublished' });
    expect((await trigger('unpublished')).body.error?.code).to.equal('failed_precondition');
    expect(await count('')).to.equal(before);
  });

  it('C39 does not reach another tenant’s definitions, by id or slug, nor share its keys', async () => {
    const key = await host.tenantKey('t2');
    const { body: mine } = await host.call<{ items: readonly { id: string; family_slug: string }[] }>(
      'GET',
      '/api/workflow-definitions',
    );
    for (const address of ['echo', ...mine.items.map(({ id }) => id)]) {
      expect((await host.call('POST', `/api/v2/workflow-definitions/${address}:trigger`, {}, key)).status).to.equal(
        404,
      );
    }
    const created = await host.call<{ id: string }>(
      'POST',
      '/api/workflow-definitions',
      { family_slug: 'echo', graph: { steps: [{ ref: 'e', type: 'TRANSFORM', value: 1 }], edges: [] } },
      key,
    );
    await host.call('POST', `/api/workflow-definitions/${created.body.id}/publish`, undefined, key);
    const theirs = await host.call<Answer>(
      'POST',
      '/api/v2/workflow-definitions/echo:trigger',
      { idempotency_key: 'k1', input: { n: 1, m: 2 } },
      key,
    );
    expect(theirs.status).to.equal(200);
    expect((await host.call('GET', `/api/workflows/runs/${theirs.body.run_id}`)).status).to.equal(404);
  });

  it('gives its labels to the run, by which lists find it and expressions see it', async () => {
    await publishGraph(host, 'labelled', {
      graph: { steps: [{ ref: 'l', type: 'TRANSFORM', value: '${run.labels.order}' }], edges: [] },
    });
    const { body } = await trigger('labelled', { correlation_labels: [{ key: 'order', id: "o-1' or 1=1 --" }] });
    const { body: run } = await host.call<{ output: unknown; attributes: object }>(
      'GET',
      `/api/workflows/runs/${body.run_id}`,
    );
    expect(run.output).to.equal("o-1' or 1=1 --");
    expect(run.attributes).to.deep.include({ 'ductor.correlation.order': "o-1' or 1=1 --" });
    expect(await count(`label.order=${encodeURIComponent("o-1' or 1=1 --")}`)).to.equal(1);
    expect(await count('label.order=o-1')).to.equal(0);
  });
});
