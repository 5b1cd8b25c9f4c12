import { expect } from 'chai';
import { startTestHost, type TestHost } from '../../support/host.js';
import { type Service, startService } from './service.js';
import { ended, publishCall, runCall } from './workflow.js';

const TRACEPARENT = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00';
const OFF = 'plugins: { metrics: false }\n';
/** Longer than a host takes to stop. */
const START_IN_MS = 3_000;

describe('A trace context, with nobody to make spans', () => {
  let service: Service;
  let host: TestHost;
  before(async function () {
    this.timeout(60_000);
    service = await startService();
    host = await startTestHost({ yaml: OFF });
    await publishCall(host, service.url);
  });
  after(async () => {
    await host.stop();
    service.close();
  });

  it('goes from the trigger through the run to what its connector calls, as it came', async () => {
    const { traceparent, traceId } = await runCall(host, { path: '/ok' }, { traceparent: TRACEPARENT });
    expect(service.seen.at(-1)?.traceparent).to.equal(TRACEPARENT);
    expect(traceparent).to.equal(TRACEPARENT);
    expect(traceId).to.equal('4bf92f3577b34da6a3ce929d0e0e4736');
  });

  it('is made where the caller sends none, and told in the answer', async () => {
    const { traceparent, traceId } = await runCall(host, { path: '/ok' });
    expect(service.seen.at(-1)?.traceparent).to.equal(traceparent);
    expect(traceparent?.split('-')[1]).to.equal(traceId);
  });

  it('is no part of what an idempotency key stands for', async () => {
    const trigger = (traceparent: string) =>
      fetch(`${host.url}/api/v2/workflow-definitions/call:trigger`, {
        method: 'POST',
        headers: { authorization: `Bearer ${host.key}`, 'content-type': 'application/json', traceparent },
        body: JSON.stringify({ input: { path: '/ok', headers: {} }, idempotency_key: 'once' }),
      }).then(async (response) => (await response.json()) as { run_id: string });
    const first = await trigger(TRACEPARENT);
    const again = await trigger(TRACEPARENT.replace('4bf92f', '000000'));
    expect(first.run_id).to.be.a('string');
    expect(again.run_id).to.equal(first.run_id);
    await ended(host, first.run_id);
  });

  it('has no page to be scraped', async () => {
    expect((await host.call('GET', '/metrics')).status).to.equal(404);
  });

  it('outlives the host that took the trigger', async function () {
    this.timeout(60_000);
    const calls = service.seen.length;
    const response = await fetch(`${host.url}/api/v2/workflow-definitions/call:trigger`, {
      method: 'POST',
      headers: { authorization: `Bearer ${host.key}`, 'content-type': 'application/json', traceparent: TRACEPARENT },
      body: JSON.stringify({
        input: { path: '/ok', headers: {} },
        start_at: new Date(Date.now() + START_IN_MS).toISOString(),
      }),
    });
    const { run_id } = (await response.json()) as { run_id: string };
    await host.stop({ keep: true });
    expect(service.seen.length, 'nothing was called yet').to.equal(calls);
    host = await startTestHost({ yaml: OFF, database: host.database });
    expect(await ended(host, run_id)).to.equal('completed');
    expect(service.seen.slice(calls).map(({ traceparent }) => traceparent)).to.eql([TRACEPARENT]);
  });
});
