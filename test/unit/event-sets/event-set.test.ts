import { expect } from 'chai';
import { eventSetStep } from '#event-sets/event-set.step.js';
import { MemoryRun } from '../coordinator/memory-run.ts';
import { codesOf, draftOf, problemsOf, vocabularyWith } from '../definition/helpers.ts';

const requirements = [
  { name: 'statement', event_name: 'bank.statement', count: 2, match: 'event.payload.of == input.bank' },
  { name: 'ledger', event_name: 'ledger.closed', correlation_key: '"books of " + input.day' },
];
const settled = { ref: 'settled', type: 'EVENT_SET', correlation_key: 'input.day', requirements, timeout: 'P1D' };
const input = { day: 'today', bank: 'b-1' };

const started = (fields: object = {}) =>
  new MemoryRun({ steps: [{ ...settled, ...fields }] }, { input, steps: [eventSetStep] });

describe('EVENT_SET', () => {
  it('subscribes once a requirement, with what its expressions read of the run', () => {
    const run = started({ lookback: 'PT10M' });
    const [statement, ledger] = run.waits.map(({ subscription }) => subscription);
    expect(statement).to.deep.include({
      name: 'statement',
      correlationKey: 'today',
      count: 2,
      lookbackMs: 600_000,
      place: 0,
    });
    expect(statement?.match).to.deep.include({ given: { input }, awaits: ['event'] });
    expect(ledger).to.deep.include({
      name: 'ledger',
      correlationKey: 'books of today',
      count: 1,
      match: null,
      place: 1,
    });
  });

  it('is complete when all have their events, and tells of the first that lacks some until then', () => {
    const run = started();
    const why = () => run.why()[0]?.reason;
    run.event('settled', 'statement');
    expect(why()).to.deep.equal({ code: 'waiting_for_event', name: 'bank.statement', key: 'today', have: 1, need: 2 });
    run.event('settled', 'statement');
    expect(why()).to.include({ name: 'ledger.closed', key: 'books of today', have: 0, need: 1 });
    run.event('settled', 'ledger');
    const output = run.state.ending?.status === 'completed' ? run.state.ending.output : null;
    expect(output).to.have.nested.property('matched.statement').with.length(2);
    expect(output).to.have.nested.property('matched.ledger[0]').with.all.keys('event_id', 'payload');
    expect(run.waits).to.deep.equal([]);
  });

  it('fails at its timeout with what has come and what has not, for the steps behind its TIMEOUT edge', () => {
    const run = new MemoryRun(
      {
        steps: [
          settled,
          {
            ...{ ref: 'late', type: 'TRANSFORM' },
            value: {
              came: '${size(steps.settled.error.details.matched.statement)}',
              missing: '${steps.settled.error.details.missing.map(m, m.name)}',
            },
          },
        ],
        edges: [{ from: 'settled', to: 'late', type: 'TIMEOUT' }],
      },
      { input, steps: [eventSetStep] },
    );
    run.event('settled', 'statement');
    run.advance(86_400_000);
    expect(run.node('settled'))
      .to.have.nested.property('error.message')
      .that.includes('statement has 1 of 2, ledger has 0 of 1');
    expect(run.state.ending).to.deep.equal({
      status: 'completed',
      output: { came: 1, missing: ['statement', 'ledger'] },
    });
  });

  it('is checked when it is published', () => {
    const vocabulary = vocabularyWith({ types: [eventSetStep] });
    const codes = (given: readonly object[]) =>
      codesOf(problemsOf(draftOf([{ ...settled, requirements: given } as never]), { vocabulary }));
    const [one] = requirements;
    expect(codes(requirements)).to.deep.equal([]);
    expect(codes([one!, { ...one, event_name: 'other' }])).to.deep.equal([
      'graph.steps[0].requirements[1].name: duplicate',
    ]);
    expect(
      codes([
        { ...one, count: 600 },
        { ...one, name: 'b', count: 401 },
      ]),
    ).to.deep.equal(['graph.steps[0].requirements: out_of_range']);
    for (const wrong of [{ name: '__proto__' }, { count: 1_001 }, { match: 'input.bank +' }, { match: '1 + 1' }]) {
      expect(codes([{ ...one, ...wrong }]), JSON.stringify(wrong)).to.have.length(1);
    }
    expect(codes([])).to.have.length(1);
  });
});
