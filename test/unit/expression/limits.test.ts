import { expect } from 'chai';
import { compileExpression } from '#core/expression/compile.js';
import { errorOf } from './helpers.ts';

const refusal = (source: string) => {
  const { code, message, position } = errorOf(() => compileExpression(source));
  return { code, message, position };
};

describe('compiling an expression', () => {
  it('says where the syntax is wrong', () => {
    expect(refusal('input.\namount >')).to.include({ code: 'syntax_error' });
    expect(refusal('1 + 2 )').position).to.deep.equal({ line: 1, column: 7 });
    expect(refusal('').code).to.equal('syntax_error');
    expect(refusal('google.protobuf.Timestamp{seconds: 1}').message).to.contain('write a map');
    expect(refusal('has(input[x])').message).to.contain('named');
  });

  it('takes 4 KB, in bytes', () => {
    compileExpression(`"${'a'.repeat(4094)}"`);
    expect(refusal(`"${'a'.repeat(4095)}"`).code).to.equal('too_large');
    expect(refusal(`"${'é'.repeat(2048)}"`).code).to.equal('too_large');
  });

  it('takes 500 nodes', () => {
    compileExpression(`[${Array(499).fill('1').join(',')}]`);
    expect(refusal(`[${Array(500).fill('1').join(',')}]`)).to.include({ code: 'too_large' });
  });

  it('takes a depth of 50', () => {
    compileExpression(Array(50).fill('a').join('+'));
    expect(refusal(Array(51).fill('a').join('+')).code).to.equal('too_large');
    compileExpression(Array(200).fill('a').join('&&'));
  });

  it('survives nesting that overflows the parser', () => {
    for (const open of ['(', '[', '{1:', 'f(', '-', '!(', 'a?']) {
      const source = open.repeat(Math.floor(4096 / open.length));
      expect(refusal(source).code, open).to.be.oneOf(['too_large', 'syntax_error']);
    }
  });

  it('keeps the sources in use and lets go of the others', () => {
    const kept = compileExpression('kept + 1');
    const dropped = compileExpression('dropped + 1');
    const filler = 'x'.repeat(4000);
    for (let index = 0; index < 200; index++) {
      compileExpression(`"${filler}${index}"`);
      expect(compileExpression('kept + 1')).to.equal(kept);
    }
    expect(compileExpression('dropped + 1')).not.to.equal(dropped);
  });
});
