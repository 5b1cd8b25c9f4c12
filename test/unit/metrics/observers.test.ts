import type { Observer } from '@ductor/core';
import { expect } from 'chai';
import { Observers } from '#host/telemetry/observers.js';

const request = { method: 'GET', path: '/', traceparent: null };
const answer = { route: '/', status: 200, durationMs: 1 };

describe('Observers', () => {
  const withThose = (...observers: Observer[]) => {
    const failures: string[] = [];
    const all = new Observers((what) => failures.push(what));
    for (const observer of observers) all.add(observer);
    return { tell: all.tell, failures };
  };

  it('are all told, also after one that throws, which is reported', () => {
    const heard: unknown[] = [];
    const broken: Observer = {
      requestEnded() {
        throw new Error('broken');
      },
    };
    const { tell, failures } = withThose(broken, { requestEnded: (...told) => void heard.push(told) });
    tell('requestEnded', request, answer);
    expect(heard).to.eql([[request, answer]]);
    expect(failures).to.eql(['observing requestEnded']);
  });

  it('answer a beginning with one traceparent, the first', () => {
    const asked: string[] = [];
    const named = (name: string, said?: string): Observer => ({
      requestBegan() {
        asked.push(name);
        return said;
      },
    });
    const { tell } = withThose(named('silent'), named('first', 'a'), named('second', 'b'));
    expect(tell('requestBegan', request)).to.equal('a');
    expect(asked).to.eql(['silent', 'first', 'second']);
  });

  it('are none in a host where nobody asked', () => {
    expect(withThose().tell('requestBegan', request)).to.equal(undefined);
  });
});
