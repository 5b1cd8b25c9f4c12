import { expect } from 'chai';
import fc from 'fast-check';
import { orderByRequires } from '#host/boot/order.js';

const ids = ['a', 'b', 'c', 'd', 'e', 'f'];
const graphs = fc.uniqueArray(
  fc.constantFrom(...ids).chain((id) => fc.uniqueArray(fc.constantFrom(...ids)).map((requires) => ({ id, requires }))),
  { selector: ({ id }) => id },
);
const runs = process.env.FULL === '1' ? 10_000 : 1_000;

describe('the order of plugins', () => {
  it('has each after all that it requires, whatever the order they were found in', () => {
    fc.assert(
      fc.property(graphs, fc.array(fc.constantFrom(0, 1, 2)), (items, shuffle) => {
        const sorted = orderByRequires(items).ids;
        for (const { id, requires } of items) {
          if (!sorted.includes(id)) continue;
          for (const other of requires.filter((each) => items.some((item) => item.id === each))) {
            expect(sorted.indexOf(other)).to.be.within(0, sorted.indexOf(id) - 1);
          }
        }
        const other = [...items].sort((a, b) => (shuffle[ids.indexOf(a.id)] ?? 0) - (shuffle[ids.indexOf(b.id)] ?? 0));
        expect(orderByRequires(other).ids).to.eql(sorted);
      }),
      { numRuns: runs },
    );
  });

  it('leaves nothing out without naming a cycle, and names only real ones', () => {
    fc.assert(
      fc.property(graphs, (items) => {
        const { ids: sorted, cycles } = orderByRequires(items);
        expect(cycles.length > 0).to.equal(sorted.length < items.length);
        for (const cycle of cycles) {
          expect(cycle[0]).to.equal(cycle.at(-1));
          for (const [index, id] of cycle.slice(0, -1).entries()) {
            expect(items.find((item) => item.id === id)?.requires).to.include(cycle[index + 1]);
          }
        }
      }),
      { numRuns: runs },
    );
  });
});
