import { expect } from 'chai';
import { publishGraph } from '../../support/host.ts';
import { until } from '../../support/until.ts';
import { ask, chain, Hosts, Shop } from './world.ts';

const undo = (path: string) => ({
  compensation: {
    action: 'http.request',
    args: { method: 'POST', url: `\${input.url}/undo-${path}`, body: {} },
    retry: { max_attempts: 1_000, initial_interval_ms: 50, max_interval_ms: 50 },
  },
});
const wait = (ref: string) => ({ ref, type: 'WAIT', signal: ref });
const graph = {
  ...chain([
    wait('first'),
    ask('book', 'book', undo('book')),
    ask('pay', 'pay', undo('pay')),
    wait('second'),
    { ref: 'no', type: 'FAIL', code: 'no' },
  ]),
  finally: [ask('tell', '${outcome.status}')],
};

describe('A saga whose plugin goes and comes back', () => {
  const hosts = new Hosts();
  const shop = new Shop();
  let url = '';
  before(async () => {
    url = await shop.open();
    await publishGraph(await hosts.start(), 'order', { graph });
    await publishGraph(hosts.now, 'other', { graph: chain([{ ref: 'a', type: 'TRANSFORM', value: 1 }]) });
  });
  beforeEach(async () => {
    await hosts.start();
    shop.asked.length = 0;
    shop.isClosed = false;
  });
  after(async () => {
    await hosts.stop();
    shop.close();
  });

  /** Another run on the host as it is: when it has ended, the first had its chance. */
  const otherEnds = async () => hosts.ended(await hosts.trigger('other', {}));
  const compensations = async (runId: string) =>
    (await hosts.get<{ items: { step_ref: string; state: string }[] }>(`/api/v2/workflow-runs/${runId}/compensations`))
      .items;
  const undone = (runId: string) =>
    until(async () => (await compensations(runId)).every(({ state }) => state === 'undone'), 'all to be undone');
  const told = () => until(() => shop.asked.includes('/failed'), 'the finalizer');

  for (const [what, first] of [
    ['before anything that it would have to undo', true],
    ['that owes an undo', false],
  ] as const) {
    it(`waits ${what}: nothing completes and nothing ends unheard`, async () => {
      const runId = await hosts.trigger('order', { url });
      await hosts.waitsAt(runId, 'first');
      if (!first) {
        await hosts.resolve(runId, 'first');
        await hosts.waitsAt(runId, 'second');
      }
      await hosts.start('saga');
      await hosts.resolve(runId, first ? 'first' : 'second');
      await otherEnds();
      expect(await hosts.why(runId)).to.eql(['plugin_missing saga']);
      expect((await hosts.snapshot(runId)).status).to.equal('waiting');

      await hosts.start();
      if (first) {
        await hosts.waitsAt(runId, 'second');
        await hosts.resolve(runId, 'second');
      }
      expect((await hosts.ended(runId)).status).to.equal('failed');
      await told();
      expect(shop.asked).to.eql(['/book', '/pay', '/undo-pay', '/undo-book', '/failed']);
      await undone(runId);
    });
  }

  it('waits in the midst of its compensation, and goes on with what is left of it', async () => {
    shop.isClosed = true;
    const runId = await hosts.trigger('order', { url });
    await hosts.waitsAt(runId, 'first');
    await hosts.resolve(runId, 'first');
    await hosts.waitsAt(runId, 'second');
    await hosts.resolve(runId, 'second');
    await hosts.ended(runId);
    await until(
      async () => (await compensations(runId)).some(({ state }) => state === 'undoing'),
      'the undo to have begun',
    );
    const [run] = (
      await hosts.get<{ items: { run_id: string }[] }>(`/api/workflows/runs?kind=compensation&root_run_id=${runId}`)
    ).items;
    const undoId = run!.run_id;

    await hosts.start('saga');
    shop.isClosed = false;
    await otherEnds();
    expect(await hosts.why(undoId)).to.eql(['plugin_missing saga']);
    expect((await hosts.snapshot(undoId)).status).to.be.oneOf(['running', 'waiting']);
    expect(shop.asked.filter((path) => path === '/undo-book')).to.eql([]);

    await hosts.start();
    expect((await hosts.ended(undoId)).status).to.equal('completed');
    expect(new Set(shop.asked)).to.eql(new Set(['/book', '/pay', '/undo-pay', '/undo-book', '/failed']));
    expect(shop.asked.slice(-2)).to.eql(['/undo-book', '/failed']);
    await undone(runId);
  });
});
