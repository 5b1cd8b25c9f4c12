import { expect } from 'chai';
import type { TestHost } from '../../support/host.ts';
import { chain, Hosts } from './world.ts';

interface Refusal {
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly details: readonly { readonly path: string; readonly code: string; readonly message: string }[];
  };
}

const undo = { compensation: { action: 'http.request', args: { url: 'http://127.0.0.1/' } } };
const each = [
  { ref: 'each', type: 'SCATTER', items: '[1]' },
  { ref: 'one', type: 'TRANSFORM', value: 1, ...undo },
  { ref: 'all', type: 'GATHER', scatter: 'each' },
];
const definition = {
  graph: {
    ...chain(each),
    finally: [{ ref: 'tell', type: 'ACTION', action: 'http.request', args: { url: 'http://127.0.0.1/' } }],
  },
  settings: { schedule: { cron: '* * * * *' } },
};

describe('Plugins that are off', () => {
  const hosts = new Hosts();
  let host: TestHost;
  before(async () => {
    await hosts.start();
    await hosts.now.call('POST', '/api/workflow-definitions', {
      family_slug: 'before',
      title: 'before',
      ...definition,
    });
    const published = await hosts.now.call('POST', '/api/workflow-definitions/before/publish');
    expect(published.status).to.equal(200);
    host = await hosts.start('saga', 'scatter-gather', 'scheduler');
  });
  after(() => hosts.stop());

  it('have their words and step types refused at publish, each by its place and plugin, with what to do', async () => {
    await host.call('POST', '/api/workflow-definitions', { family_slug: 'now', title: 'now', ...definition });
    const { status, body } = await host.call<Refusal>('POST', '/api/workflow-definitions/now/publish');
    expect(status).to.equal(400);
    const found = body.error.details.map(({ path, code, message }) => [path, code, /'([\w-]+)'/.exec(message)?.[1]]);
    expect(found).to.have.deep.members([
      ['graph.steps[0].type', 'plugin_missing', 'scatter-gather'],
      ['graph.steps[1].compensation', 'plugin_missing', 'saga'],
      ['graph.steps[2].type', 'plugin_missing', 'scatter-gather'],
      ['graph.finally', 'plugin_missing', 'saga'],
      ['settings.schedule', 'plugin_missing', 'scheduler'],
    ]);
    for (const { message } of body.error.details) expect(message).to.include('turn it on in ductor.yaml');
  });

  it('have no route, and whoever calls one is told which plugin it was', async () => {
    const run = '01890a5d-ac96-774b-bcce-b302099a8057';
    for (const [method, path, plugin] of [
      ['GET', '/api/workflow-schedules', 'scheduler'],
      ['POST', `/api/workflow-schedules/${run}:pause`, 'scheduler'],
      ['GET', '/api/repair-items?status=open', 'saga'],
      ['GET', `/api/v2/workflow-runs/${run}/compensations`, 'saga'],
      ['POST', `/api/v2/workflow-runs/${run}/compensations/${run}:retry`, 'saga'],
    ] as const) {
      const { status, body } = await host.call<Refusal>(method, path);
      expect([status, body.error.details?.[0]?.code], path).to.eql([404, 'plugin_missing']);
      expect(body.error.message).to.include(`while the plugin '${plugin}' is off: turn it on in ductor.yaml`);
    }
    for (const path of [`/api/v2/workflow-runs/${run}/nothing`, '/api/repair-itemses', '/api/v2/workflow-runs']) {
      const { body } = await host.call<Refusal>('DELETE', path);
      expect(body.error.message, path).not.to.include('plugin');
    }
  });

  it('let no run of a version start that needs them', async () => {
    const { status, body } = await host.call<Refusal>('POST', '/api/v2/workflow-definitions/before:trigger', {});
    expect([status, body.error.code, body.error.details[0]?.code]).to.eql([
      409,
      'failed_precondition',
      'plugin_missing',
    ]);
    expect(body.error.message).to.include('scatter-gather').and.include('saga').and.include('step.compensation');
  });
});
