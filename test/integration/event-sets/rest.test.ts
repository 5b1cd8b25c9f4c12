import { expect } from 'chai';
import { publishGraph, startTestHost, type TestHost } from '../../support/host.ts';
import { until } from '../../support/until.ts';

interface Run {
  readonly status: string;
  readonly output: unknown;
  readonly merged_into_run_id?: string;
}
interface Listed {
  readonly items: readonly { readonly digest_key: string; readonly arrivals: number; readonly state: string }[];
  readonly next_page_token: string | null;
}

const LIST = '/api/event-sets/digests';

describe('Event sets and digests over REST', function () {
  this.timeout(60_000);
  let host: TestHost;
  before(async () => {
    host = await startTestHost();
    const requirements = [
      { name: 'early', event_name: 'thing', count: 2 },
      { name: 'late', event_name: 'thing', match: 'event.payload.n > 1' },
    ];
    const set = { ref: 's', type: 'EVENT_SET', correlation_key: 'input.key', requirements };
    await publishGraph(host, 'set', { graph: { steps: [set], edges: [] } });
    await publishGraph(host, 'looks-back', { graph: { steps: [{ ...set, lookback: 'PT1H' }], edges: [] } });
    const digest = { ref: 'd', type: 'DIGEST', digest_key: 'input.key', window: 'PT1H', max_count: 2 };
    await publishGraph(host, 'digest', { graph: { steps: [digest], edges: [] } });
  });
  after(() => host.stop());

  const start = async (slug: string, key: string): Promise<string> => {
    const { body } = await host.call('POST', `/api/v2/workflow-definitions/${slug}:trigger`, { input: { key } });
    return String(body.run_id);
  };
  const run = async (runId: string) => (await host.call<Run>('GET', `/api/workflows/runs/${runId}`)).body;
  const ended = (runId: string) =>
    until(async () => {
      const found = await run(runId);
      return found.status === 'waiting' || found.status === 'running' ? null : found;
    }, `${runId} to end`);
  const publish = async (key: string, n: number, eventId = `${key}-${n}`) => {
    const event = { event_name: 'thing', correlation_key: key, event_id: eventId, payload: { n } };
    return (await host.call<{ matched: number }>('POST', '/api/v2/workflow-events:publish', event)).body.matched;
  };
  const sets = (of: readonly (readonly number[])[], key: string) => {
    const [early, late] = of.map((all) => all.map((n) => ({ event_id: `${key}-${n}`, payload: { n } })));
    return { matched: { early, late } };
  };

  it('an event fills the first requirement with room, once, and every set that wants it', async () => {
    const both = [await start('set', 'k'), await start('set', 'k')];
    expect(await publish('k', 2)).to.equal(2);
    expect(await publish('k', 2), 'the same again').to.equal(0);
    expect(await publish('k', 1)).to.equal(2);
    expect(await publish('k', 0), 'nobody has room for it').to.equal(0);
    for (const runId of both) expect((await run(runId)).status).to.equal('waiting');
    expect(await publish('k', 3)).to.equal(2);
    for (const runId of both) expect((await ended(runId)).output).to.deep.equal(sets([[2, 1], [3]], 'k'));
  });

  it('events of a while ago count where the step looks back', async () => {
    for (const n of [5, 6, 7]) expect(await publish('past', n)).to.equal(0);
    expect((await ended(await start('looks-back', 'past'))).output).to.deep.equal(sets([[5, 6], [7]], 'past'));
    const late = await start('set', 'past');
    expect((await run(late)).status).to.equal('waiting');
  });

  it('lists the windows that are not flushed, to their tenant alone; a merged run names its leader', async () => {
    const keys = ['a', 'b', 'c'];
    const leaders = await Promise.all(keys.map((key) => start('digest', key)));
    const list = async (query: string, key?: string) =>
      (await host.call<Listed>('GET', LIST + query, undefined, key)).body;
    await until(async () => (await list('')).items.length === 3, 'three windows');
    const first = await list('?page_size=2');
    const second = await list(`?page_size=2&page_token=${first.next_page_token}`);
    expect([...first.items, ...second.items].map(({ digest_key }) => digest_key)).to.have.members(keys);
    expect(second.next_page_token).to.equal(null);
    expect(first.items[0]).to.deep.include({ state: 'open', arrivals: 1 });
    expect((await list('', await host.tenantKey('other'))).items).to.deep.equal([]);

    const follower = await start('digest', 'a');
    expect(await ended(follower)).to.deep.include({ status: 'merged', merged_into_run_id: leaders[0] });
    expect((await ended(leaders[0]!)).output).to.deep.equal({ count: 2, items: [{ key: 'a' }, { key: 'a' }] });
    expect((await list('')).items).to.have.length(2);
    const snapshot = await host.call<Run>('GET', `/api/v2/workflow-runs/${follower}/snapshot`);
    expect(snapshot.body.merged_into_run_id).to.equal(leaders[0]);
  });
});
