import type { Queue } from '@ductor/core';
import { expect } from 'chai';

/** What every queue promises, whatever carries it. */
export function queueSuite(name: string, make: () => Queue<string>): void {
  describe(`A queue: ${name}`, () => {
    it('hands over what is pushed, in order', () => {
      const queue = make();
      const taken: string[] = [];
      queue.listen((items) => taken.push(...items));
      queue.push(['a', 'b']);
      queue.push(['c']);
      expect(taken).to.deep.equal(['a', 'b', 'c']);
    });

    it('loses what is pushed while nobody listens, and says nothing of it', () => {
      const queue = make();
      queue.push(['lost']);
      const taken: string[] = [];
      const stop = queue.listen((items) => taken.push(...items));
      queue.push(['heard']);
      stop();
      queue.push(['lost too']);
      expect(taken).to.deep.equal(['heard']);
    });

    it('does not call for nothing', () => {
      const queue = make();
      let calls = 0;
      queue.listen(() => {
        calls += 1;
      });
      queue.push([]);
      expect(calls).to.equal(0);
    });
  });
}
