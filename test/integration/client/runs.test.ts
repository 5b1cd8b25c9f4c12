import { createClient, type DuctorClient, type RunEvent } from '@ductor/client';
import { expect } from 'chai';
import { publishGraph, startTestHost, type TestHost } from '../../support/host.ts';
import { rejection } from '../../support/rejection.ts';
import { until } from '../../support/until.ts';
import { startCuttingProxy } from './cutting-proxy.ts';

/** Waits twice for a signal. */
const patient = {
  steps: [
    { ref: 'first', type: 'WAIT', signal: 'go' },
    { ref: 'second', type: 'WAIT', signal: 'go' },
  ],
  edges: [{ from: 'first', to: 'second', type: 'SUCCESS' }],
};

describe('the client, on a host', function () {
  this.timeout(60_000);
  let host: TestHost;
  let client: DuctorClient;

  before(async () => {
    host = await startTestHost();
    client = createClient({ url: host.url, apiKey: host.key });
    await publishGraph(host, 'patient', { graph: patient });
    await publishGraph(host, 'quick', { graph: { steps: [{ ref: 'one', type: 'TRANSFORM', value: 1 }], edges: [] } });
  });

  after(() => host.stop());

  async function trigger(definition_id: string, correlation_labels: { key: string; id: string }[] = []) {
    const { data } = await client.POST('/api/v2/workflow-definitions/{definition_id}:trigger', {
      params: { path: { definition_id } },
      body: { correlation_labels },
    });
    return data.run_id;
  }

  const resolve = (run_id: string, step_ref: string) =>
    client.POST('/api/v2/workflow-runs/{run_id}/steps/{step_ref}:resolve', {
      params: { path: { run_id, step_ref } },
      body: { request_id: step_ref },
    });

  async function eventsOf(run_id: string): Promise<readonly RunEvent[]> {
    const all: RunEvent[] = [];
    const init = { params: { path: { run_id }, query: { order: 'asc', page_size: 2 } } } as const;
    for await (const event of client.paged('/api/workflows/runs/{run_id}/events', init)) all.push(event);
    return all;
  }

  describe('watchRun', () => {
    it('sees each event once and in order, over connections that are cut', async () => {
      const proxy = await startCuttingProxy(host.url);
      try {
        const run = await trigger('patient');
        const seen: RunEvent[] = [];
        for await (const event of createClient({ url: proxy.url, apiKey: host.key }).watchRun(run)) {
          seen.push(event);
          if (event.type !== 'node' || event.to !== 'waiting') continue;
          proxy.cut();
          await resolve(run, String(event.step_ref));
        }
        expect(seen).to.deep.equal(await eventsOf(run));
        expect(seen.at(-1)).to.include({ type: 'run', to: 'completed' });
        expect(proxy.taken()).to.be.at.least(3);
      } finally {
        proxy.close();
      }
    });

    it('goes on behind an event, and ends at once where nothing comes after it', async () => {
      const run = await trigger('quick');
      await client.waitForRun(run);
      const all = await eventsOf(run);
      const read = async (after: RunEvent | undefined) => {
        const seen: RunEvent[] = [];
        for await (const event of client.watchRun(run, { ...(after && { after }) })) seen.push(event);
        return seen;
      };
      expect(await read(all[0])).to.deep.equal(all.slice(1));
      expect(await read(all.at(-1))).to.deep.equal([]);
    });

    it('ends its connection when its reader has seen enough, and throws the reason of its signal', async () => {
      const proxy = await startCuttingProxy(host.url);
      try {
        const run = await trigger('patient');
        const far = createClient({ url: proxy.url, apiKey: host.key });
        for await (const _ of far.watchRun(run)) break;
        const stop = new AbortController();
        const reading = (async () => {
          for await (const { to } of far.watchRun(run, { signal: stop.signal })) {
            if (to === 'waiting') stop.abort(new Error('enough'));
          }
        })();
        expect(await rejection(reading)).to.have.property('message', 'enough');
      } finally {
        proxy.close();
      }
    });

    it('refuses what does not exist, and a host that was never there', async () => {
      const missing = client.watchRun('00000000-0000-7000-8000-000000000000');
      expect(await rejection(missing.next())).to.include({ code: 'not_found', status: 404 });
      const nobody = createClient({ url: 'http://127.0.0.1:9', apiKey: 'k' });
      expect(await rejection(nobody.watchRun('r').next())).to.include({ name: 'DuctorConnectionError' });
    });
  });

  describe('waitForRun', () => {
    it('answers with the run as soon as it is over', async () => {
      const run = await trigger('patient');
      const over = client.waitForRun(run);
      await resolve(run, 'first');
      await resolve(run, 'second');
      expect(await over).to.include({ run_id: run, status: 'completed' });
      expect(await client.waitForRun(run)).to.include({ status: 'completed' });
    });

    it('looks for itself where no stream comes through', async () => {
      let refused = 0;
      const fetchWithoutStreams = async (request: Request) => {
        if (!request.url.endsWith('/watch')) return fetch(request);
        refused += 1;
        return new Response('no streams here', { status: 404 });
      };
      const run = await trigger('patient');
      const behind = createClient({ url: host.url, apiKey: host.key, fetch: fetchWithoutStreams });
      const over = behind.waitForRun(run);
      await until(() => refused === 1, 'the stream to be asked for');
      await resolve(run, 'first');
      await resolve(run, 'second');
      expect(await over).to.include({ status: 'completed' });
    });

    it('gives up when its time is up or its signal says so', async () => {
      const run = await trigger('patient');
      expect(await rejection(client.waitForRun(run, { timeoutMs: 50 }))).to.include({ name: 'TimeoutError' });
      const signal = AbortSignal.abort(new Error('no longer'));
      expect(await rejection(client.waitForRun(run, { signal }))).to.have.property('message', 'no longer');
    });
  });

  it('reads a list to its end, each item once, while rows arrive', async () => {
    const labels = [{ key: 'batch', id: 'paged' }];
    const first: string[] = [];
    for (let count = 0; count < 5; count += 1) first.push(await trigger('quick', labels));
    const seen: string[] = [];
    let added = '';
    const query = { order: 'asc', page_size: 2, filters: { 'label.batch': 'paged' } } as const;
    for await (const { run_id } of client.paged('/api/workflows/runs', { params: { query } })) {
      seen.push(run_id);
      if (seen.length === 3) added = await trigger('quick', labels);
    }
    expect(seen).to.deep.equal([...first, added]);
  });
});
