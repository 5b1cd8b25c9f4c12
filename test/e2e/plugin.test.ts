import { cp, mkdir, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { publishGraph, startTestHost, type TestHost } from '../support/host.js';
import { until } from '../support/until.js';

const source = fileURLToPath(new URL('../../fixtures/plugins/audit', import.meta.url));
const compiled = fileURLToPath(new URL('../fixtures/plugins/audit', import.meta.url));
/** Below the test's own build, where the package's imports resolve. */
const installed = fileURLToPath(new URL('../fixtures/plugins/audit-installed', import.meta.url));

interface Run {
  readonly run_id: string;
  readonly status: string;
}
interface Why {
  readonly status: string;
  readonly reasons: readonly { readonly code: string; readonly plugin?: string }[];
}

describe('A third party’s plugin', () => {
  before(async () => {
    await mkdir(installed, { recursive: true });
    for (const file of ['package.json', 'options.schema.json', 'migrations']) {
      await cp(`${source}/${file}`, `${installed}/${file}`, { recursive: true });
    }
    await cp(`${compiled}/plugin.js`, `${installed}/plugin.js`);
  });
  after(() => rm(installed, { recursive: true, force: true }));

  const on = () => `plugins:\n  ${JSON.stringify(installed)}: {}\n`;
  const off = () => `plugins:\n  ${JSON.stringify(installed)}: false\n`;

  it('adds a step type, a step field, a hook, a table and a route', async () => {
    const host = await startTestHost({ yaml: on() });
    try {
      const steps = [
        { ref: 'note', type: 'ACME_AUDIT', entry: '"lead " + input.lead' },
        { ref: 'decide', type: 'RULE', audit: 'who got it', rules: [{ when: 'true', value: 'anna' }] },
      ];
      await publishGraph(host, 'audited', {
        graph: { steps, edges: [{ from: 'note', to: 'decide', type: 'SUCCESS' }] },
      });
      const { body } = await host.call<Run>('POST', '/api/v2/workflow-definitions/audited:trigger', {
        input: { lead: 'l-1' },
      });
      await ended(host, body.run_id);
      const { body: count } = await host.call('GET', '/api/plugins/acme-audit/count');
      expect(JSON.stringify(count)).to.include('"entries":2');
    } finally {
      await host.stop();
    }
  });

  it('that is switched off refuses its step type by name, parks open runs with a reason, and resumes them when it is back', async () => {
    let host = await startTestHost({ yaml: on() });
    const { database } = host;
    const steps = [
      {
        ref: 'slow',
        type: 'ACTION',
        action: 'http.request',
        args: { url: `${host.url}/healthz` },
        retry: { max_attempts: 1 },
      },
      { ref: 'note', type: 'ACME_AUDIT', entry: '"done"' },
    ];
    const graph = { steps, edges: [{ from: 'slow', to: 'note', type: 'SUCCESS' }] };
    await publishGraph(host, 'audited', { graph });
    const startAt = new Date(Date.now() + 2_000).toISOString();
    const { body: run } = await host.call<Run>('POST', '/api/v2/workflow-definitions/audited:trigger', {
      start_at: startAt,
    });
    expect(run.status).to.equal('pending');
    await host.stop({ keep: true });

    host = await startTestHost({ yaml: off(), database });
    const refused = await host.call<{ error: { code: string; details: readonly { message: string }[] } }>(
      'POST',
      '/api/workflow-definitions',
      {
        family_slug: 'other',
        title: 'Other',
        graph: { steps: [steps[1]], edges: [] },
      },
    );
    const published = await host.call<{ error: { details: readonly { message: string }[] } }>(
      'POST',
      `/api/workflow-definitions/${(refused.body as unknown as { id: string }).id}/publish`,
    );
    expect(published.status).to.equal(400);
    expect(JSON.stringify(published.body.error.details)).to.include('acme-audit');
    const { body: why } = await host.call<Why>('GET', `/api/v2/workflow-runs/${run.run_id}/why`);
    expect(why.reasons.map(({ code, plugin }) => [code, plugin])).to.deep.equal([['plugin_missing', 'acme-audit']]);
    expect((await host.call('GET', '/api/plugins/acme-audit/count')).status).to.equal(404);
    const other = await startTestHost({ yaml: on(), database });
    const { body: ready } = await host.call<{ status: string; checks: { plugins: { details: object } } }>(
      'GET',
      '/readyz',
    );
    expect(ready.status).to.equal('degraded');
    expect(ready.checks.plugins.details).to.deep.include({ lacking: ['acme-audit'] });
    await other.stop({ keep: true });
    await host.stop({ keep: true });

    host = await startTestHost({ yaml: on(), database });
    await until(
      async () => (await host.call<Run>('GET', `/api/workflows/runs/${run.run_id}`)).body.status !== 'pending',
      'the run to start',
    );
    await ended(host, run.run_id);
    await host.stop();
  });
});

async function ended(host: TestHost, runId: string): Promise<void> {
  await until(async () => {
    const { body } = await host.call<Run>('GET', `/api/workflows/runs/${runId}`);
    return body.status === 'completed' || body.status === 'failed';
  }, `run ${runId} to end`);
}
