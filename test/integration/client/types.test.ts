import { createClient, type Schemas } from '@ductor/client';
import { expect } from 'chai';

/** What it answers each request with. */
const playing = (answer: object) =>
  createClient({ url: 'http://nowhere.test', apiKey: 'k', fetch: async () => Response.json(answer) });

const run_id = '0198f2a4-7c1e-7d3a-9b1f-3f2d8a6c0e11';

/** The compiler is what tests here: it refuses an expected error that is none. */
describe('the types of the client', () => {
  it('know the answer of each path', async () => {
    const { data } = await playing({ status: 'completed' }).GET('/api/workflows/runs/{run_id}', {
      params: { path: { run_id } },
    });
    const status: Schemas['RunStatus'] = data.status;
    expect(status).to.equal('completed');
    // @ts-expect-error: a status is a text
    const number: number = data.status;
    expect(number).to.equal('completed');
  });

  it('know the parameters and bodies of each path', async () => {
    const client = playing({ items: [], next_page_token: null });
    await client.GET('/api/workflows/runs');
    await client.GET('/api/workflows/runs', { params: { query: { status: ['failed'], filters: { 'label.a': 'b' } } } });
    // @ts-expect-error: there is no such status
    await client.GET('/api/workflows/runs', { params: { query: { status: ['lost'] } } });
    // @ts-expect-error: there is no such parameter
    await client.GET('/api/workflows/runs', { params: { query: { limit: 1 } } });
    // @ts-expect-error: there is no such path
    await client.GET('/api/workflows/run');
    // @ts-expect-error: this path takes a body
    await client.POST('/api/v2/workflow-runs/{run_id}:pause', { params: { path: { run_id } } });
    await client.POST('/api/v2/workflow-runs/{run_id}:pause', {
      params: { path: { run_id } },
      body: { request_id: 'a' },
    });
  });

  it('know the items of each list, and what is no list', async () => {
    const client = playing({ items: [{ run_id }], next_page_token: null });
    for await (const run of client.paged('/api/workflows/runs')) {
      const id: string = run.run_id;
      expect(id).to.equal(run_id);
    }
    // @ts-expect-error: this list is of a run
    client.paged('/api/workflows/runs/{run_id}/events');
    // @ts-expect-error: this path answers with no list
    client.paged('/healthz');
  });
});
