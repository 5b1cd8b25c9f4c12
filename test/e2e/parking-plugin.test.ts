import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { pluginPackage, pluginSource } from '../support/audit-plugin.ts';
import { publishGraph, startTestHost, type TestHost } from '../support/host.ts';
import { readReadme } from '../support/readme.ts';
import { until } from '../support/until.ts';

interface Run {
  readonly status: string;
  readonly output: unknown;
  readonly error: { readonly code: string; readonly details?: object } | null;
}

describe("A third party's parking step type", function () {
  this.timeout(60_000);
  let host: TestHost;

  before(async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'ductor-quiet-'));
    await pluginPackage('quiet', join(dataDir, 'plugins', 'node_modules', '@acme', 'ductor-plugin-quiet'));
    host = await startTestHost({ dataDir, yaml: 'plugins: { "@acme/ductor-plugin-quiet": { version: 1.0.0 } }\n' });
    const step = { ref: 'quiet', type: 'ACME_QUIET', event_name: 'noise', correlation_key: 'input.key' };
    await publishGraph(host, 'hour', { graph: { steps: [{ ...step, quiet: 'PT1H' }], edges: [] } });
    await publishGraph(host, 'moment', {
      graph: { steps: [{ ...step, quiet: 'PT0.2S', timeout: 'PT2S' }], edges: [] },
    });
  });
  after(() => host.stop());

  const start = async (slug: string, key: string) => {
    const { body } = await host.call('POST', `/api/v2/workflow-definitions/${slug}:trigger`, { input: { key } });
    return String(body.run_id);
  };
  const ended = (runId: string) =>
    until(async () => {
      const { body } = await host.call<Run>('GET', `/api/workflows/runs/${runId}`);
      return body.status === 'waiting' || body.status === 'running' ? null : body;
    }, `${runId} to end`);
  const heard = async (runId: string) => {
    const { body } = await host.call<{ reasons: { code: string; heard: number }[] }>(
      'GET',
      `/api/v2/workflow-runs/${runId}/why`,
    );
    expect(body.reasons[0]?.code).to.equal('acme_quiet');
    return body.reasons[0]?.heard;
  };

  it('hears events, says why it waits, and goes on when it is told to', async () => {
    const runId = await start('hour', 'k-1');
    expect(await heard(runId)).to.equal(0);
    for (const n of [1, 2]) {
      await host.call('POST', '/api/v2/workflow-events:publish', {
        ...{ event_name: 'noise', correlation_key: 'k-1', payload: n },
      });
      await until(async () => (await heard(runId)) === n, `${n} events to be heard`);
    }
    await host.call('POST', `/api/plugins/acme-quiet/runs/${runId}/enough`);
    expect(await ended(runId)).to.deep.include({ status: 'completed', output: { heard: 2 } });
  });

  it('wakes when its time has come', async () => {
    expect(await ended(await start('moment', 'k-2'))).to.deep.include({ status: 'completed', output: { heard: 0 } });
  });

  it('sees the rows that it asks for, and gives up at its timeout', async () => {
    await host.call('PUT', '/api/plugins/acme-quiet/holds/k-3');
    const { status, error } = await ended(await start('moment', 'k-3'));
    expect(status).to.equal('failed');
    expect(error).to.deep.include({ code: 'timeout' });
  });

  it('is the one that the README shows', async () => {
    const shown = [
      ...readReadme('plugins/event-sets/README.md').matchAll(/\n\n`([\w./-]+)`[^\n]*\n\n```\w+\n(.*?)^```$/gms),
    ];
    expect(shown.map(([, name]) => name)).to.eql([
      'quiet.step.ts',
      'holds.ts',
      'migrations/0001_holds.sql',
      'plugin.ts',
    ]);
    for (const [, name = '', code] of shown) {
      expect(code, name).to.equal(await readFile(join(pluginSource('quiet'), name), 'utf8'));
    }
  });
});
