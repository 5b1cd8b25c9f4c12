import { ExpressionError, type Json } from '@ductor/core';
import { expect } from 'chai';
import { decideRules } from '#core/worker/rule.action.js';
import { MemoryRun } from '../coordinator/memory-run.ts';

/** A rule table as its step folds it for a worker. */
function folded(rules: readonly { when: string; value: Json }[], hit_policy?: 'collect', input: Json = { n: 5 }): Json {
  const step = { ref: 'r', type: 'RULE', rules, ...(hit_policy && { hit_policy }) };
  return new MemoryRun({ steps: [step] }, { input }).running('r').task.args;
}

const table = [
  { when: 'input.n > 9', value: 'many' },
  { when: 'input.n > 1', value: { some: '${input.n}' } },
  { when: 'input.n > 0', value: 'one' },
];

describe('A RULE', () => {
  it("yields the first match's value, or null", () => {
    expect(decideRules(folded(table))).to.deep.equal({ some: 5 });
    expect(decideRules(folded(table.slice(0, 1)))).to.equal(null);
  });

  it("yields all matches' values where it collects, in order", () => {
    expect(decideRules(folded(table, 'collect'))).to.deep.equal([{ some: 5 }, 'one']);
    expect(decideRules(folded(table.slice(0, 1), 'collect'))).to.deep.equal([]);
  });

  it('evaluates no further than it must', () => {
    const broken = { when: 'input.missing', value: 1 };
    expect(decideRules(folded([...table, broken]))).to.deep.equal({ some: 5 });
    const args = folded([broken, ...table]);
    expect(() => decideRules(args)).to.throw(ExpressionError);
  });

  it('is decided by a worker: an attempt that may be repeated', () => {
    const run = new MemoryRun({ steps: [{ ref: 'r', type: 'RULE', rules: table }] }, { input: { n: 5 } });
    run.outcome('r', { status: 'lost' });
    run.complete('r', 'done');
    expect(run.state.ending).to.deep.equal({ status: 'completed', output: 'done' });
  });
});

describe('A CHECKPOINT', () => {
  it('keeps its reply on the run, and has it as its output', () => {
    const run = new MemoryRun(
      {
        steps: [
          { ref: 'c', type: 'CHECKPOINT', name: 'ready', reply: { n: '${input.n}' } },
          { ref: 'silent', type: 'CHECKPOINT', name: 'silent' },
        ],
      },
      { input: { n: 1 } },
    );
    expect(run.state.replies).to.deep.equal([{ name: 'ready', output: { n: 1 } }, { name: 'silent' }]);
    expect(run.state.ending).to.deep.equal({ status: 'completed', output: { c: { n: 1 }, silent: null } });
  });
});

describe('A FAIL', () => {
  it('has a message of its own where its author gave none', () => {
    const run = new MemoryRun({ steps: [{ ref: 'f', type: 'FAIL', code: 'no_stock' }] });
    expect(run.state.ending).to.have.nested.property('error.code', 'no_stock');
    expect(run.state.ending).to.have.nested.property('error.message').that.includes('no_stock');
  });
});
