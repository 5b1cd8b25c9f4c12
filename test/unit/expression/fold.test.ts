// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are our templates, not JavaScript's

import { expect } from 'chai';
import { evaluateFolded, foldExpression } from '#core/expression/fold.js';
import { errorOf } from './helpers.ts';

describe('folding an expression', () => {
  const variables = {
    input: { day: '2026-11-29' },
    steps: { a: { output: { id: 3 } }, b: { output: 'large' } },
    context: { c: 1 },
    event: { from: 'now' },
  };

  it('keeps what it reads of all that is known, and of the steps only those', () => {
    const source = 'event.id == steps.a.output.id && input.day == event.day';
    const folded = foldExpression({ source, as: 'bare', awaits: ['event'], variables });
    expect(folded).to.deep.equal({
      source,
      as: 'bare',
      given: { input: variables.input, steps: { a: variables.steps.a } },
      awaits: ['event'],
    });
  });

  it('can be evaluated later, after a row held it', () => {
    const source = 'event.id == steps.a.output.id';
    const folded = foldExpression({ source, as: 'bare', awaits: ['event'], variables });
    const kept: typeof folded = JSON.parse(JSON.stringify(folded));
    expect(evaluateFolded(kept, { event: { id: 3 } })).to.equal(true);
    expect(evaluateFolded(kept, { event: { id: 4 } })).to.equal(false);
  });

  it('works for templates', () => {
    const source = { payment: '${output.payment_id}', day: 'on ${input.day}' };
    const folded = foldExpression({ source, as: 'template', awaits: ['output'], variables });
    expect(folded.given).to.deep.equal({ input: variables.input });
    expect(evaluateFolded(folded, { output: { payment_id: 'p1' } })).to.deep.equal({
      payment: 'p1',
      day: 'on 2026-11-29',
    });
  });

  it('may ask for the variables by what is read', () => {
    const asked: string[] = [];
    const folded = foldExpression({
      source: 'input.day + steps.b.output',
      as: 'bare',
      awaits: [],
      variables: ({ roots, steps }) => {
        asked.push(...roots, ...(steps === 'all' ? [] : steps));
        return variables;
      },
    });
    expect(asked).to.deep.equal(['input', 'steps', 'b']);
    expect(evaluateFolded(folded, {})).to.equal('2026-11-29large');
  });

  it('keeps all steps where they are used whole', () => {
    const folded = foldExpression({ source: 'size(steps)', as: 'bare', awaits: [], variables });
    expect(folded.given).to.deep.equal({ steps: variables.steps });
  });

  it('fails later for what was neither known nor awaited, and at once for what is no expression', () => {
    const folded = foldExpression({ source: 'other + 1', as: 'bare', awaits: ['event'], variables });
    expect(errorOf(() => evaluateFolded(folded, { event: {} })).message).to.contain("'other'");
    expect(errorOf(() => foldExpression({ source: 7, as: 'bare', awaits: [], variables })).code).to.equal(
      'syntax_error',
    );
    expect(errorOf(() => foldExpression({ source: '1 +', as: 'bare', awaits: [], variables })).code).to.equal(
      'syntax_error',
    );
  });
});
