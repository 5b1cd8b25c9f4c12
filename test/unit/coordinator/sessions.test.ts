import type { Arrival, Failure, TickInputs } from '@ductor/core';
import { NO_INPUTS } from '@ductor/core';
import { expect } from 'chai';
import { merge, takeMailbox } from '#core/coordinator/mailbox.js';
import { type OutcomeArrival, type Session, Sessions } from '#core/coordinator/sessions.js';

const outcome = (id: string, output: string, recorded = false): OutcomeArrival => ({
  kind: 'outcome',
  at: { ref: id, branch: [] },
  attempt: { id, token: `token of ${id}`, number: 1 },
  outcome: { status: 'completed', output },
  report: null,
  recorded,
});
const lost = (id: string): OutcomeArrival => ({ ...outcome(id, ''), outcome: { status: 'lost' } });
const due: Arrival = { kind: 'due', node: 'x', name: 'retry' };
const verdict: Failure = { code: 'internal', message: 'no', party: 'engine' };

describe('The sessions', () => {
  it('that are idle are forgotten when they take too much, least recently used first', () => {
    const sessions = new Sessions(100, 0);
    const [a, b] = [sessions.open('a'), sessions.open('b')];
    sessions.grow(a, 60);
    sessions.grow(b, 40);
    sessions.open('a');
    sessions.grow(sessions.open('c'), 30);
    expect(sessions.peek('b')).to.equal(undefined);
    expect(sessions.peek('a')).to.equal(a);
  });

  it('that have something to do, or are being ticked, are kept whatever they take', () => {
    const busy: readonly ((session: Session) => void)[] = [
      (session) => session.mailbox.push(outcome('x', '')),
      (session) => Object.assign(session, { mustLook: true }),
      (session) => Object.assign(session, { verdict }),
      (session) => Object.assign(session, { isTicking: true }),
    ];
    for (const make of busy) {
      const sessions = new Sessions(1, 0);
      const session = sessions.open('a');
      make(session);
      sessions.grow(session, 10);
      expect(sessions.peek('a')).to.equal(session);
    }
  });

  it('count what is in mind, not what was', () => {
    const sessions = new Sessions(100, 0);
    const a = sessions.open('a');
    sessions.grow(a, 90);
    sessions.forget(a);
    sessions.grow(sessions.open('b'), 90);
    expect(sessions.size).to.equal(2);
    sessions.close(a);
    sessions.close(a);
    sessions.grow(sessions.open('c'), 11);
    expect(sessions.peek('b'), 'it had to go').to.equal(undefined);
  });

  it('count themselves, whatever they hold', () => {
    const sessions = new Sessions(100, 40);
    const names = ['a', 'b', 'c'];
    for (const name of names) sessions.grow(sessions.open(name), 1);
    sessions.forget(sessions.open('c'));
    expect(names.filter((name) => sessions.peek(name))).to.deep.equal(['b', 'c']);
    sessions.grow(sessions.open('c'), 18);
    expect(sessions.size).to.equal(2);
    sessions.grow(sessions.open('c'), 2);
    expect(sessions.size).to.equal(1);
  });

  it('are closed by themselves only, not by one of the same run before', () => {
    const sessions = new Sessions(100, 0);
    const before = sessions.open('a');
    sessions.close(before);
    const after = sessions.open('a');
    sessions.close(before);
    expect(sessions.peek('a')).to.equal(after);
  });
});

describe('A mailbox', () => {
  it('gives the first word on each attempt, and keeps what was said of it later', () => {
    const session = new Sessions(1).open('a');
    const [first, other, late] = [outcome('x', 'first'), outcome('y', 'other'), outcome('x', 'late')];
    session.mailbox.push(first, other, late);
    expect(takeMailbox(session)).to.deep.equal([first, other]);
    expect(takeMailbox(session)).to.deep.equal([late]);
    expect(takeMailbox(session)).to.deep.equal([]);
  });
});

describe('What a tick is given', () => {
  const stored: TickInputs = { ...NO_INPUTS, arrivals: [lost('x'), due], waits: new Map([['x', 3]]) };
  const session = (more: Partial<Session> = {}): Session => ({ ...new Sessions(1).open('a'), ...more });

  it('takes the word of a worker here over its host being taken for lost', () => {
    const said = outcome('x', 'alive');
    expect(merge(stored, [said], session()).arrivals).to.deep.equal([due, said]);
  });

  it('has no data in it after some could not be stored', () => {
    const { arrivals } = merge(stored, [outcome('y', 'bad')], session({ refusals: 1 }));
    expect(
      arrivals.map((arrival) => (arrival.kind === 'outcome' ? arrival.outcome.status : arrival.kind)),
    ).to.deep.equal(['failed', 'due', 'failed']);
  });

  it('has nothing but outcomes in it once the run is given up, so that it can end', () => {
    const given = merge(stored, [outcome('y', 'bad')], session({ refusals: 2, verdict }));
    expect(given.verdict).to.equal(verdict);
    expect(given.arrivals.map(({ kind }) => kind)).to.deep.equal(['outcome', 'outcome']);
    expect(given.waits.get('x'), 'a wait that is closed has seen what it has seen').to.equal(3);
  });
});
