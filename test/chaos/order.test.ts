import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { freePort, type HostProcess, startHostProcess } from '../support/host-process.js';
import { until } from '../support/until.js';

interface Why {
  readonly reasons: readonly { readonly step_ref: string | null; readonly code: string }[];
}
interface Run {
  readonly status: string;
  readonly output: unknown;
}
interface Member {
  readonly run_id: string;
  readonly status: string;
  readonly relation: string;
}

describe('An order that waits for money, a manager, a parcel and an invoice', () => {
  let invoices: Server;
  let target: string;
  const keys: string[] = [];
  before(async () => {
    invoices = createServer((request, response) => {
      keys.push(String(request.headers['idempotency-key']));
      request
        .resume()
        .on('end', () =>
          setTimeout(() => response.setHeader('content-type', 'application/json').end('{"number":7}'), 300),
        );
    });
    await new Promise<void>((resolve) => invoices.listen(0, '127.0.0.1', resolve));
    target = `http://127.0.0.1:${(invoices.address() as AddressInfo).port}/`;
  });
  after(() => {
    invoices.closeAllConnections();
    invoices.close();
  });

  it('is carried out once, though its host is killed between every two steps', async function () {
    this.timeout(180_000);
    const dataDir = await mkdtemp(join(tmpdir(), 'ductor-order-'));
    const port = await freePort();
    let host = await startHostProcess({ dataDir, port });
    const restart = async () => {
      await host.kill('SIGKILL');
      host = await startHostProcess({ dataDir, port });
    };
    const call = <T>(method: string, path: string, body?: unknown) => host.call<T>(method, path, body);
    const waitsFor = (runId: string, ref: string, code: string) =>
      until(async () => {
        const { reasons } = await call<Why>('GET', `/api/v2/workflow-runs/${runId}/why`);
        return reasons.some((reason) => reason.step_ref === ref && reason.code === code);
      }, `${ref} to wait (${code})`);
    try {
      await publishWorkflows(host, target);
      const { run_id: runId } = await call<{ run_id: string }>('POST', '/api/v2/workflow-definitions/order:trigger', {
        input: { order: 'o-1' },
        idempotency_key: 'o-1',
      });
      await restart();
      await waitsFor(runId, 'paid', 'waiting_for_event');
      const paid = { event_name: 'order.paid', correlation_key: 'o-1', event_id: 'p-1', payload: { cents: 990 } };
      expect(await call('POST', '/api/v2/workflow-events:publish', paid)).to.include({ matched: 1 });
      await restart();
      expect(await call('POST', '/api/v2/workflow-events:publish', paid), 'the same again').to.include({ matched: 0 });
      await waitsFor(runId, 'approved', 'waiting_for_approval');
      const yes = { request_id: 'a-1', approver_id: 'ann', payload: { note: 'fine' } };
      await call('POST', `/api/v2/workflow-runs/${runId}/steps/approved:approve`, yes);
      await restart();
      await call('POST', `/api/v2/workflow-runs/${runId}/steps/approved:approve`, yes);
      await waitsFor(runId, 'race', 'arms_open');
      await call('POST', '/api/v2/workflow-events:publish', {
        event_name: 'order.shipped',
        correlation_key: 'o-1',
        payload: {},
      });
      await until(async () => keys.length > 0, 'the invoice to be asked for');
      await restart();
      await until(
        async () => (await call<Run>('GET', `/api/workflows/runs/${runId}`)).status === 'completed',
        'the order to be done',
        60_000,
      );
      expect((await call<Run>('GET', `/api/workflows/runs/${runId}`)).output).to.deep.equal({
        paid: 990,
        by: 'ann',
        first: 'shipped',
        invoice: 7,
      });
      expect(new Set(keys).size, 'one invoice, however often it was asked for').to.equal(1);
      const { items } = await call<{ items: readonly Member[] }>('GET', `/api/workflows/runs/${runId}/tree`);
      expect(items.map(({ status }) => status)).to.deep.equal(['completed', 'completed']);
      const { items: events } = await call<{ items: readonly { type: string; step_ref?: string; to?: string }[] }>(
        'GET',
        `/api/workflows/runs/${runId}/events?page_size=500`,
      );
      const completed = events.flatMap(({ type, step_ref, to }) =>
        type === 'node' && to === 'completed' ? [step_ref] : [],
      );
      expect(completed.sort()).to.deep.equal(['approved', 'done', 'invoice', 'paid', 'race', 'shipped']);
    } finally {
      await host.kill('SIGTERM');
      await rm(dataDir, { recursive: true, force: true });
    }
  });
});

async function publishWorkflows(host: HostProcess, url: string): Promise<void> {
  const order = {
    steps: [
      {
        ref: 'paid',
        type: 'WAIT',
        event: { event_name: 'order.paid', correlation_key: 'input.order' },
        timeout: 'P7D',
      },
      { ref: 'approved', type: 'APPROVAL', approvers: ['ann', 'bob'], timeout: 'P1D' },
      { ref: 'race', type: 'RACE', arms: ['shipped', 'three_days'] },
      { ref: 'shipped', type: 'WAIT', event: { event_name: 'order.shipped', correlation_key: 'input.order' } },
      { ref: 'three_days', type: 'WAIT', duration: 'P3D' },
      { ref: 'invoice', type: 'SUBWORKFLOW', workflow: { slug: 'invoice' }, input: { order: '${input.order}' } },
      {
        ref: 'done',
        type: 'TRANSFORM',
        value: {
          paid: '${steps.paid.output.cents}',
          by: '${steps.approved.output.approvals[0].approver_id}',
          first: '${steps.race.output.winner}',
          invoice: '${steps.invoice.output.number}',
        },
      },
    ],
    edges: [
      { from: 'paid', to: 'approved', type: 'SUCCESS' },
      { from: 'approved', to: 'race', type: 'APPROVED' },
      { from: 'race', to: 'invoice', type: 'SUCCESS' },
      { from: 'invoice', to: 'done', type: 'SUCCESS' },
    ],
  };
  const invoice = {
    steps: [{ ref: 'make', type: 'ACTION', action: 'http.request', args: { method: 'POST', url, body: '${input}' } }],
    edges: [],
    output: '${steps.make.output.body}',
  };
  for (const [slug, graph] of Object.entries({ invoice, order })) {
    const body = { family_slug: slug, title: slug, graph };
    const { id } = await host.call<{ id: string }>('POST', '/api/workflow-definitions', body);
    await host.call('POST', `/api/workflow-definitions/${id}/publish`);
  }
}
