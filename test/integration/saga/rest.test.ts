import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { publishGraph, startTestHost, type TestHost } from '../../support/host.ts';
import { until } from '../../support/until.ts';

interface Compensation {
  readonly id: string;
  readonly step_ref: string;
  readonly state: string;
  readonly compensation_run_id: string;
  readonly status?: string;
}
interface Page<T> {
  readonly items: readonly T[];
}
interface Refusal {
  readonly error: {
    readonly code: string;
    readonly details: readonly { readonly path: string; readonly code: string }[];
  };
}

/** An undo whose arguments come from its step's output and from what was known then. */
const compensation = (more: object = {}) => ({
  action: 'http.request',
  args: { method: 'POST', url: '${input.url}/${output.path}', body: {} },
  retry: { max_attempts: 1 },
  ...more,
});
const graphOf = (undo: object) => ({
  steps: [
    { ref: 'book', type: 'TRANSFORM', value: { path: 'undo-book' }, compensation: compensation() },
    { ref: 'pay', type: 'TRANSFORM', value: { path: 'undo-pay' }, compensation: undo },
    { ref: 'no', type: 'FAIL', code: 'no' },
  ],
  edges: [
    { from: 'book', to: 'pay', type: 'SUCCESS' },
    { from: 'pay', to: 'no', type: 'SUCCESS' },
  ],
  finally: [{ ref: 'tell', type: 'ACTION', action: 'http.request', args: { url: '${input.url}/${outcome.status}' } }],
});

describe('Compensations over the API', () => {
  let host: TestHost;
  let shop: Server;
  let shopUrl = '';
  const asked: string[] = [];
  let isClosed = true;
  before(async () => {
    host = await startTestHost();
    shop = createServer((request, response) => {
      request.resume();
      asked.push(request.url ?? '');
      response.writeHead(isClosed && request.url === '/undo-pay' ? 400 : 200, { 'content-type': 'application/json' });
      response.end('{}');
    }).listen(0, '127.0.0.1');
    await once(shop, 'listening');
    shopUrl = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`;
    await publishGraph(host, 'order', { graph: graphOf(compensation()) });
  });
  beforeEach(() => {
    asked.length = 0;
    isClosed = true;
  });
  after(async () => {
    shop.closeAllConnections();
    shop.close();
    await host.stop();
  });

  const start = async (): Promise<string> => {
    const { body } = await host.call<{ run_id: string }>('POST', '/api/v2/workflow-definitions/order:trigger', {
      input: { url: shopUrl },
      correlation_labels: [{ key: 'order', id: 'o-1' }],
    });
    return body.run_id;
  };
  const compensationsOf = async (runId: string, key?: string) =>
    host.call<Page<Compensation>>('GET', `/api/v2/workflow-runs/${runId}/compensations`, undefined, key);
  const stateOf = async (runId: string, ref: string) =>
    (await compensationsOf(runId)).body.items.find(({ step_ref }) => step_ref === ref);
  const becomes = (runId: string, ref: string, state: string) =>
    until(async () => {
      const found = await stateOf(runId, ref);
      return found?.state === state ? found : null;
    }, `${ref} to be ${state}`);
  const ask = (
    runId: string,
    { id }: Compensation,
    verb: string,
    { key, request_id = verb }: { readonly key?: string; readonly request_id?: string } = {},
  ) =>
    host.call<{ compensation_run_id: string; state: string } & Refusal>(
      'POST',
      `/api/v2/workflow-runs/${runId}/compensations/${id}:${verb}`,
      { request_id, reason: 'because' },
      key,
    );
  const openItems = async () =>
    (await host.call<Page<Compensation & { run_id: string }>>('GET', '/api/repair-items?status=open')).body.items;

  it('are listed, tried again, and settled by hand; each of it is in the audit log', async () => {
    const runId = await start();
    const left = await becomes(runId, 'pay', 'repair');
    await becomes(runId, 'book', 'undone');
    await until(() => asked.length === 3, 'the finalizer');
    expect(asked).to.eql(['/undo-pay', '/undo-book', '/failed']);
    expect((await openItems()).map(({ run_id, step_ref }) => [run_id, step_ref])).to.deep.include([runId, 'pay']);

    isClosed = false;
    const { status, body } = await ask(runId, left, 'retry');
    expect([status, typeof body.compensation_run_id]).to.eql([200, 'string']);
    const undone = await becomes(runId, 'pay', 'undone');
    expect(undone.compensation_run_id).to.equal(body.compensation_run_id);
    expect((await openItems()).filter(({ run_id }) => run_id === runId)).to.eql([]);
    // The same word again is the same; another one comes too late.
    const again = await ask(runId, left, 'retry');
    expect([again.status, again.body.compensation_run_id]).to.eql([200, body.compensation_run_id]);
    expect((await ask(runId, left, 'retry', { request_id: 'other' })).status).to.equal(409);
    expect((await ask(runId, left, 'resolve')).status).to.equal(409);

    isClosed = true;
    const other = await start();
    const settled = await becomes(other, 'pay', 'repair');
    expect((await ask(other, settled, 'resolve')).body.state).to.equal('resolved');
    expect((await ask(other, settled, 'resolve')).body.state).to.equal('resolved');
    expect((await ask(other, settled, 'retry')).status).to.equal(409);
    const { body: log } = await host.call<Page<{ action: string; target: string; actor: string }>>(
      'GET',
      '/api/audit-log',
    );
    const noted = log.items.filter(({ action }) => action.startsWith('compensation.'));
    expect(noted.map(({ action, target }) => [action, target])).to.have.deep.members([
      ['compensation.retry', left.id],
      ['compensation.resolve', settled.id],
    ]);
  });

  it('of branches see what is known there, each with its own output', async () => {
    const url = '${input.url}/${output.path}-${item}-${index}-${scatters.each.item}-${steps.sum.output}';
    const graph = {
      steps: [
        { ref: 'each', type: 'SCATTER', items: '[10, 20, 30]' },
        { ref: 'sum', type: 'TRANSFORM', value: '${item + index}' },
        {
          ref: 'book',
          type: 'TRANSFORM',
          value: { path: 'undo' },
          compensation: { action: 'http.request', args: { url } },
        },
        { ref: 'all', type: 'GATHER', scatter: 'each' },
        { ref: 'no', type: 'FAIL', code: 'no' },
      ],
      edges: ['each', 'sum', 'book', 'all', 'no'].flatMap((to, i, refs) =>
        i === 0 ? [] : [{ from: refs[i - 1], to, type: 'SUCCESS' }],
      ),
    };
    await publishGraph(host, 'fan', { graph });
    const path = '/api/v2/workflow-definitions/fan:trigger';
    const { body } = await host.call<{ run_id: string }>('POST', path, { input: { url: shopUrl } });
    await until(async () => {
      const { items } = (await compensationsOf(body.run_id)).body;
      return items.length === 3 && items.every(({ state }) => state === 'undone');
    }, 'all branches to be undone');
    expect(asked.filter((each) => /^\/undo-\d/.test(each))).to.eql([
      '/undo-30-2-30-32',
      '/undo-20-1-20-21',
      '/undo-10-0-10-10',
    ]);
  });

  it('are listed in the order in which they were done, page by page, those of one tick too', async () => {
    const refs = Array.from({ length: 12 }, (_, n) => `s${n}`);
    const undo = { action: 'http.request', args: { url: '${input.url}' } };
    const steps = refs.map((ref) => ({ ref, type: 'TRANSFORM', value: 1, compensation: undo }));
    const edges = refs.slice(1).map((to, n) => ({ from: refs[n], to, type: 'SUCCESS' }));
    await publishGraph(host, 'twelve', { graph: { steps, edges } });
    const { body } = await host.call<{ run_id: string }>('POST', '/api/v2/workflow-definitions/twelve:trigger', {
      input: { url: shopUrl },
    });
    await until(async () => (await compensationsOf(body.run_id)).body.items.length === refs.length, 'all to be done');
    const pages = async (order: string) => {
      const found: string[] = [];
      for (let after = ''; ; ) {
        const path = `/api/v2/workflow-runs/${body.run_id}/compensations?page_size=5&order=${order}${after}`;
        const page = (await host.call<Page<Compensation> & { next_page_token: string | null }>('GET', path)).body;
        found.push(...page.items.map(({ step_ref }) => step_ref));
        if (page.next_page_token === null) return found;
        after = `&page_token=${page.next_page_token}`;
      }
    };
    expect(await pages('asc')).to.eql(refs);
    expect(await pages('desc')).to.eql([...refs].reverse());
  });

  it('are another tenant’s nowhere', async () => {
    const runId = await start();
    const left = await becomes(runId, 'pay', 'repair');
    const key = await host.tenantKey('other');
    expect((await compensationsOf(runId, key)).status).to.equal(404);
    expect((await ask(runId, left, 'retry', { key })).status).to.equal(404);
    expect((await ask(runId, left, 'resolve', { key })).status).to.equal(404);
    const { body } = await host.call<Page<unknown>>('GET', '/api/repair-items', undefined, key);
    expect(body.items).to.eql([]);
  });

  it('run as runs of a kind and definition of their own, in no list that does not ask for them', async () => {
    const runId = await start();
    await becomes(runId, 'pay', 'repair');
    const list = async (query: string) =>
      (
        await host.call<Page<{ run_id: string; kind: string; definition_id: string; workflow_type: string }>>(
          'GET',
          `/api/workflows/runs?${query}&root_run_id=${runId}`,
        )
      ).body.items;
    expect((await list('page_size=9')).map(({ run_id }) => run_id)).to.eql([runId]);
    const [undo] = await list('kind=compensation&label.order=o-1&workflow_type=order');
    expect(undo).to.include({ kind: 'compensation', workflow_type: 'order' });
    const { body } = await host.call<Page<{ status: string }>>('GET', '/api/workflow-definitions');
    expect(new Set(body.items.map(({ status }) => status))).to.eql(new Set(['draft', 'published']));
    const address = `/api/v2/workflow-definitions/${undo?.definition_id}:trigger`;
    expect((await host.call('POST', address, {})).status).to.equal(404);
  });

  it('are refused at publish with all that is wrong with them', async () => {
    const bad = { action: 'http.request', args: { method: 'FLY', url: '${output.pth + nothing}' }, credential: 'none' };
    const graph = {
      ...graphOf(bad),
      finally: [
        { ref: 'book', type: 'ACTION', action: 'nowhere.act' },
        { ref: 'wait', type: 'WAIT', action: 'http.request', args: { url: '${outcome.status}' } },
        { ref: 'told', type: 'ACTION', action: 'http.request', args: { url: '${outcome.state}' } },
      ],
    };
    const created = await host.call<{ id: string }>('POST', '/api/workflow-definitions', {
      ...{ family_slug: 'bad', title: 'bad', graph },
    });
    const { status, body } = await host.call<Refusal>('POST', `/api/workflow-definitions/${created.body.id}/publish`);
    expect(status).to.equal(400);
    expect(body.error.details.map(({ path }) => path)).to.include.members([
      'graph.steps[1].compensation.args.method',
      'graph.steps[1].compensation.args.url',
      'graph.steps[1].compensation.credential',
      'graph.finally[0].action',
      'graph.finally[1].type',
      'graph.finally[2].args.url',
    ]);
  });

  it('are no words of an author’s steps', async () => {
    const graph = { steps: [{ ref: 'u', type: 'STEP_TYPE_UNDO' }], edges: [] };
    const created = await host.call<{ id: string }>('POST', '/api/workflow-definitions', {
      ...{ family_slug: 'undoes', title: 'undoes', graph },
    });
    const { body } = await host.call<Refusal>('POST', `/api/workflow-definitions/${created.body.id}/publish`);
    expect(body.error.details[0]).to.include({ path: 'graph.steps[0].type', code: 'internal_step_type' });
  });
});
