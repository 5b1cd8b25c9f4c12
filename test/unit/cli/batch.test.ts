import { expect } from 'chai';
import { chunksOf } from '#host/cli/trigger/batch.js';

const sizes = (bytes: readonly number[]): readonly number[] =>
  [...chunksOf(bytes.map((each) => ({ bytes: each })))].map((chunk) => chunk.length);

describe('a batch of triggers', () => {
  it('is sent in parts of up to 1,000 lines and 500 kB; a line that is larger goes alone', () => {
    expect(sizes(Array.from({ length: 2_500 }, () => 10))).to.deep.equal([1_000, 1_000, 500]);
    expect(sizes([300_000, 200_000, 1, 900_000, 1])).to.deep.equal([2, 1, 1, 1]);
    expect(sizes([1])).to.deep.equal([1]);
  });
});
