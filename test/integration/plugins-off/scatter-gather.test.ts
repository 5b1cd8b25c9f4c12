import { expect } from 'chai';
import { publishGraph } from '../../support/host.ts';
import { ask, chain, Hosts, Shop } from './world.ts';

/** Item 0 goes through; each other one waits for a word, beside one that may not start before it. */
const graph = {
  steps: [
    { ref: 'each', type: 'SCATTER', items: '[0, 1, 2, 3]', max_in_flight: 2 },
    ask('do', '${index}'),
    { ref: 'odd', type: 'CONDITION', expression: 'item > 0' },
    { ref: 'go', type: 'WAIT', signal: 'go' },
    { ref: 'was', type: 'TRANSFORM', join: 'any', value: '${item}' },
    { ref: 'all', type: 'GATHER', scatter: 'each' },
  ],
  edges: [
    { from: 'each', to: 'do', type: 'SUCCESS' },
    { from: 'do', to: 'odd', type: 'SUCCESS' },
    { from: 'odd', to: 'go', type: 'TRUE' },
    { from: 'odd', to: 'was', type: 'FALSE' },
    { from: 'go', to: 'was', type: 'SUCCESS' },
    { from: 'was', to: 'all', type: 'SUCCESS' },
  ],
};

describe('A run in the midst of a fan-out, whose plugin goes and comes back', () => {
  const hosts = new Hosts();
  const shop = new Shop();
  let url = '';
  before(async () => {
    url = await shop.open();
    await publishGraph(await hosts.start(), 'fan', { graph });
    await publishGraph(hosts.now, 'other', { graph: chain([ask('tell', 'other')]) });
  });
  beforeEach(() => {
    shop.asked.length = 0;
  });
  after(async () => {
    await hosts.stop();
    shop.close();
  });

  it('waits with the reason, takes what it is sent afterwards, and runs no branch twice', async () => {
    const runId = await hosts.trigger('fan', { url });
    await hosts.waitsAt(runId, '1/go');
    await hosts.waitsAt(runId, '2/go');

    await hosts.start('scatter-gather');
    expect(await hosts.why(runId)).to.eql(['plugin_missing scatter-gather']);
    expect((await hosts.resolve(runId, 'go', { branch: [1] })).status).to.equal(200);
    // What has its plugins goes on meanwhile, and shows that the host is at work.
    await hosts.ended(await hosts.trigger('other', { url }));
    expect(await hosts.snapshot(runId)).to.nested.include({ status: 'waiting', 'nodes.1/go.status': 'waiting' });
    expect(shop.asked).to.have.members(['/0', '/1', '/2', '/other']);

    await hosts.start();
    // The word that came meanwhile ends branch 1, so that the last one starts.
    await hosts.waitsAt(runId, '3/go');
    for (const index of [2, 3]) await hosts.resolve(runId, 'go', { branch: [index] });
    expect(await hosts.ended(runId)).to.deep.include({ status: 'completed', output: [0, 1, 2, 3] });
    expect(shop.asked.filter((path) => path !== '/other')).to.have.members(['/0', '/1', '/2', '/3']);
  });

  it('is cancelled by a word that came meanwhile', async () => {
    const runId = await hosts.trigger('fan', { url });
    await hosts.waitsAt(runId, '1/go');
    await hosts.start('scatter-gather');
    const { status } = await hosts.now.call('POST', `/api/v2/workflow-runs/${runId}:cancel`, { request_id: 'c' });
    expect(status).to.equal(200);
    expect(await hosts.why(runId)).to.eql(['plugin_missing scatter-gather']);
    await hosts.start();
    expect((await hosts.ended(runId)).status).to.equal('cancelled');
    expect(shop.asked).not.to.include('/3');
  });
});
