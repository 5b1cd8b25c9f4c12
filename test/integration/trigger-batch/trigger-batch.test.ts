import { expect } from 'chai';
import { publishGraph, startTestHost, type TestHost } from '../../support/host.ts';
import { until } from '../../support/until.ts';

interface Item {
  readonly run_id?: string;
  readonly status?: string;
  readonly error?: { code: string; message: string; details?: { path: string; code: string; allowed?: string[] }[] };
}

describe('Triggering many runs at once', () => {
  let host: TestHost;
  before(async () => {
    host = await startTestHost();
    await publishGraph(host, 'count', {
      graph: { steps: [{ ref: 'a', type: 'TRANSFORM', value: '${input.n}' }], edges: [] },
      settings: { input_schema: { type: 'object', required: ['n'], properties: { n: { type: 'integer' } } } },
    });
  });
  after(() => host.stop());

  const batch = (items: unknown, { of = 'count', key }: { of?: string; key?: string } = {}) =>
    host.call<{ items: Item[]; error?: NonNullable<Item['error']> }>(
      'POST',
      `/api/v2/workflow-definitions/${of}:triggerBatch`,
      { items },
      key,
    );
  const single = (body: object) =>
    host.call<{ run_id: string }>('POST', '/api/v2/workflow-definitions/count:trigger', body);
  const outputOf = (runId: string) =>
    until(async () => {
      const { body } = await host.call<{ status: string; output: number }>('GET', `/api/workflows/runs/${runId}`);
      return body.status === 'completed' ? { output: body.output } : null;
    }, `run ${runId} to end`);

  it('answers each in its place, and one that is refused does not hold up the others', async () => {
    const { status, body } = await batch([
      { input: { n: 1 }, subject_type: 'order', subject_id: 'o-1', priority: 'high' },
      { input: { n: 'x' } },
      { input: { n: 2 }, sort: 1 },
      7,
      null,
      { input: { n: 3 }, wait_for_checkpoint: true },
      { input: { n: 4 }, correlation_labels: [{ key: 'Order', id: 'o' }] },
      { input: { n: 5 }, correlation_labels: [{ key: 'order', id: 'o-5' }] },
      { input: { n: 6 }, start_at: '2999-01-01T00:00:00Z' },
    ]);
    expect(status).to.equal(200);
    const { items } = body;
    expect(items).to.have.length(9);
    const started = items.flatMap(({ run_id }, i) => (run_id === undefined ? [] : [i]));
    expect(started).to.eql([0, 7, 8]);
    expect((await outputOf(String(items[0]?.run_id))).output).to.equal(1);
    expect((await outputOf(String(items[7]?.run_id))).output).to.equal(5);
    const detail = (i: number) => [items[i]?.error?.code, items[i]?.error?.details?.[0]?.path];
    expect(detail(1)).to.eql(['invalid_argument', 'input.n']);
    expect(detail(2)).to.eql(['invalid_argument', 'sort']);
    expect(items[2]?.error?.details?.[0]?.allowed).to.include.members(['input', 'idempotency_key', 'priority']);
    expect(detail(3)).to.eql(['invalid_argument', '']);
    expect(detail(4)).to.eql(['invalid_argument', '']);
    expect(detail(5)).to.eql(['invalid_argument', 'wait_for_checkpoint']);
    expect(detail(6)).to.eql(['invalid_argument', 'correlation_labels[0].key']);
    const { body: run } = await host.call<{ subject_id: string }>('GET', `/api/workflows/runs/${items[0]?.run_id}`);
    expect(run).to.include({ subject_type: 'order', subject_id: 'o-1', priority: 'high' });
    const { body: labelled } = await host.call<{ items: Item[] }>('GET', '/api/workflows/runs?label.order=o-5');
    expect(labelled.items.map(({ run_id }) => run_id)).to.eql([items[7]?.run_id]);
  });

  it('gives one run for one key, which the first item decides, in this batch and the next', async () => {
    const before = (await single({ input: { n: 0 }, idempotency_key: 'k-0' })).body.run_id;
    const items = [
      { input: { n: 0 }, idempotency_key: 'k-0' },
      { input: { n: 1 }, idempotency_key: 'k-1' },
      { input: { n: 1 }, idempotency_key: 'k-1' },
      { input: { n: 2 }, idempotency_key: 'k-1' },
      { input: { n: 1 }, idempotency_key: 'k-1' },
      { input: { n: 9 }, idempotency_key: 'k-0' },
    ];
    const first = (await batch(items)).body.items;
    expect(first[0]?.run_id).to.equal(before);
    const run = first[1]?.run_id;
    expect(run).to.be.a('string');
    expect(first.map(({ run_id, error }) => run_id ?? error?.code)).to.eql([
      ...[before, run, run],
      ...['already_exists', run, 'already_exists'],
    ]);
    expect((await outputOf(String(run))).output).to.equal(1);
    await outputOf(before);
    const again = (await batch(items)).body.items;
    expect(again.map(({ run_id, status, error }) => [run_id, status, error?.code])).to.eql(
      first.map(({ run_id, error }) => [run_id, run_id && 'completed', error?.code]),
    );
    expect((await single({ input: { n: 1 }, idempotency_key: 'k-1' })).body.run_id).to.equal(run);
  });

  it('refuses a batch that is none, too large, or of nothing', async () => {
    const refusal = async (answer: ReturnType<typeof batch>) => {
      const { status, body } = await answer;
      return [status, body.error?.code];
    };
    expect(await refusal(batch([]))).to.eql([400, 'invalid_argument']);
    expect(await refusal(batch('x'))).to.eql([400, 'invalid_argument']);
    expect(await refusal(batch(undefined))).to.eql([400, 'invalid_argument']);
    expect(await refusal(batch(Array.from({ length: 1_001 }, () => ({}))))).to.eql([400, 'invalid_argument']);
    expect(await refusal(batch([{ input: 'x'.repeat(1_100_000) }]))).to.eql([413, 'payload_too_large']);
    expect(await refusal(batch([{ input: { n: 1 } }], { of: 'nothing' }))).to.eql([404, 'not_found']);
    const key = await host.tenantKey('elsewhere');
    expect(await refusal(batch([{ input: { n: 1 } }], { key }))).to.eql([404, 'not_found']);
  });

  it('refuses each where no version takes new runs, but for keys that are known', async () => {
    await publishGraph(host, 'retired', { graph: { steps: [{ ref: 'a', type: 'TRANSFORM', value: 1 }], edges: [] } });
    const items = [{ idempotency_key: 'r' }, {}];
    const [known] = (await batch(items.slice(0, 1), { of: 'retired' })).body.items;
    const versions = await host.call<{ items: { id: string }[] }>('GET', '/api/workflow-definitions/retired/versions');
    await host.call('POST', `/api/workflow-definitions/${versions.body.items[0]?.id}/archive`);
    const { body } = await batch(items, { of: 'retired' });
    expect(body.items.map(({ run_id, error }) => run_id ?? error?.code)).to.eql([known?.run_id, 'failed_precondition']);
  });

  it('starts a thousand in a fraction of the time that single calls take', async function () {
    this.timeout(60_000);
    const items = Array.from({ length: 1_000 }, (_, n) => ({ input: { n }, idempotency_key: `many-${n}` }));
    const begun = performance.now();
    const { body } = await batch(items);
    const together = performance.now() - begun;
    expect(body.items.filter(({ run_id }) => run_id !== undefined)).to.have.length(1_000);
    expect(new Set(body.items.map(({ run_id }) => run_id)).size).to.equal(1_000);
    const some = 30;
    const from = performance.now();
    for (let n = 0; n < some; n++) await single({ input: { n }, idempotency_key: `alone-${n}` });
    const alone = ((performance.now() - from) / some) * 1_000;
    expect(together, `${Math.round(together)} ms together, ${Math.round(alone)} ms alone`).to.be.below(alone / 2);
  });
});
