import plugin from '@ductor/plugin-event-sets';
import { expect } from 'chai';
import { MemoryRun } from '../coordinator/memory-run.ts';
import { codesOf, draftOf, problemsOf, vocabularyWith } from '../definition/helpers.ts';

const nothing = () => Promise.reject(new Error('A tick asks nobody.'));
const never = () => {
  throw new Error('A tick asks nobody.');
};
const { steps = [] } = plugin.contribute(
  {
    db: { query: nothing },
    inbox: { tell: nothing },
    clock: { now: never, offset: never, after: never, sleep: nothing },
    lists: { asked: never, page: never },
  },
  {},
);

const digest = { ref: 'd', type: 'DIGEST', digest_key: '"k"', window: 'PT1H' };
const at = { ref: 'd', branch: [] };
const WINDOW = '019b7600-0000-7000-c000-000000000001';
const OTHER = '019b7600-0000-7000-b000-000000000002';

describe('The node of a DIGEST', () => {
  const parked = () => new MemoryRun({ steps: [digest] }, { input: { n: 1 }, steps });
  const arrivalOf = (run: MemoryRun) => `${run.state.header.chainId}/d/1`;
  let told = 0;
  const tell = (run: MemoryRun, topic: string, body: object) => {
    told += 1;
    const id = `019b7600-0000-7000-b000-${String(told).padStart(12, '0')}`;
    const message = { topic, body: { arrival: arrivalOf(run), ...body } as never };
    return run.tick({ arrivals: [{ kind: 'message', id, at, message }] });
  };
  const hour = '2026-01-01T01:00:00.000Z';
  const soon = '2026-01-01T00:00:01.000Z';
  const leads = (run: MemoryRun, until: string) =>
    tell(run, 'window', { window: WINDOW, at: until, leads: true, into: run.state.header.id });

  it('leaves its arrival when it parks, and says until when it waits', () => {
    const run = parked();
    expect(run.rows).to.have.length(1);
    expect(run.rows[0]).to.deep.include({ table: 'eec_workflow_digest_arrival' });
    expect(run.rows[0]?.row).to.deep.include({ id: arrivalOf(run), key: 'k', dedupe: null, windowMs: 3_600_000 });
    expect(run.why()[0]?.reason).to.deep.equal({ code: 'digest_window_until', at: hour, led_by: null });
  });

  it('that leads is woken at the end of the window, or when that is full; late word of it changes nothing', () => {
    const run = parked();
    leads(run, hour);
    expect(run.waits.map(({ dueAt }) => dueAt)).to.deep.equal([hour]);
    leads(run, soon);
    expect(run.waits.map(({ dueAt }) => dueAt)).to.deep.equal([soon]);
    const { version } = run.state;
    leads(run, hour);
    expect(run.waits.map(({ dueAt }) => dueAt)).to.deep.equal([soon]);
    expect(run.state.version, 'the word is taken').to.equal(version + 1);
  });

  it('that leads takes up what is in its window, and tells the others', () => {
    const run = parked();
    leads(run, soon);
    const arrivals = [
      { id: arrivalOf(run), chainId: run.state.header.chainId, ref: 'd', dedupe: 'a', item: { n: 1 } },
      { id: `${OTHER}/d/1`, chainId: OTHER, ref: 'd', dedupe: 'a', item: { n: 2 } },
    ];
    run.now = soon;
    const window = { id: WINDOW, revision: 2, arrivals };
    const facts = new Map([['d', new Map([['eec_workflow_digest', [window]]])]]);
    const payload = run.tick({ arrivals: run.due(), facts });
    expect(run.state.ending).to.deep.equal({ status: 'completed', output: { count: 1, items: [{ n: 1 }] } });
    expect(payload?.rows.map(({ table, expect: read }) => [table, read !== undefined])).to.deep.equal([
      ['eec_workflow_digest', true],
      ['eec_workflow_digest_arrival_end', true],
      ['eec_workflow_digest_arrival_end', true],
    ]);
    expect(run.letters).to.deep.equal([
      {
        ...{ kind: 'message', chainId: OTHER, at },
        message: { topic: 'merged', body: { arrival: `${OTHER}/d/1`, into: run.state.header.id } },
      },
    ]);
  });

  it('that is told so ends its run as merged; word for another execution is not for it', () => {
    const run = parked();
    tell(run, 'merged', { arrival: `${run.state.header.chainId}/d/2`, into: OTHER });
    expect(run.status('d')).to.equal('waiting');
    tell(run, 'merged', { into: OTHER });
    expect(run.state.ending).to.deep.equal({ status: 'merged', into: OTHER });
    expect(run.node('d')).to.include({ status: 'completed', output: null });
  });

  it('leaves its window when its run is given up or an operator resolves it', () => {
    const cancelled = parked();
    cancelled.control('cancel');
    const resolved = parked();
    resolved.signal('d', { verb: 'resolve', payload: 7 });
    for (const run of [cancelled, resolved]) {
      expect(run.rows.at(-1)).to.deep.include({ table: 'eec_workflow_digest_arrival_end' });
      expect(run.rows.at(-1)?.row).to.deep.include({ id: arrivalOf(run), outcome: 'left' });
    }
    expect(resolved.state.ending).to.deep.equal({ status: 'completed', output: 7 });
  });

  it('stands in no region', () => {
    const race = { ref: 'race', type: 'RACE', arms: ['d'] };
    const vocabulary = vocabularyWith({ types: steps });
    expect(codesOf(problemsOf(draftOf([race, digest]), { vocabulary }))).to.deep.equal([
      'graph.steps[1]: not_in_region',
    ]);
    expect(codesOf(problemsOf(draftOf([digest]), { vocabulary }))).to.deep.equal([]);
  });
});
