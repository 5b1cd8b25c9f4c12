import { expect } from 'chai';
import { BinaryArray } from '#host/postgres/binary-arrays.js';

const HEADER_BYTES = 20;

describe('Array parameters', () => {
  it('hold long texts of any script as they are', () => {
    const texts = ['é'.repeat(5_000), '日本'.repeat(5_000), '😀'.repeat(5_000), 'x'.repeat(100_000)];
    const array = new BinaryArray('text');
    for (const text of texts) array.push(text);
    const bytes = array.bytes();
    let at = HEADER_BYTES;
    for (const text of texts) {
      const length = bytes.readInt32BE(at);
      expect(bytes.toString('utf8', at + 4, at + 4 + length)).to.equal(text);
      at += 4 + length;
    }
    expect(bytes.length).to.equal(at);
  });

  it('keep no large buffer once they are emptied', () => {
    const array = new BinaryArray('json');
    array.push('x'.repeat(5_000_000));
    expect(array.bytes().buffer.byteLength).to.be.at.least(5_000_000);
    array.clear();
    array.push('1');
    expect(array.bytes().buffer.byteLength).to.be.below(1_000_000);
  });
});
