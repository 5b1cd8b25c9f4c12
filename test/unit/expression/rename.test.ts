// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are our templates, not JavaScript's

import { expect } from 'chai';
import fc from 'fast-check';
import { checkExpression } from '#core/expression/check.js';
import { renameStepInExpression, renameStepInTemplate } from '#core/expression/rename.js';

describe('renaming a step', () => {
  const cases: readonly (readonly [source: string, from: string, to: string, renamed: string])[] = [
    ['steps.a.output', 'a', 'b', 'steps.b.output'],
    ['steps.a.output', 'a', 'b-c', 'steps["b-c"].output'],
    ['steps["a"].output', 'a', 'b', 'steps["b"].output'],
    ["steps['b-c'].output", 'b-c', 'a', 'steps["a"].output'],
    ['steps . a . output + (steps).a', 'a', 'b-c', 'steps ["b-c"] . output + (steps)["b-c"]'],
    ['has(steps.a) && has(steps["a"])', 'a', 'b-c', 'has(steps["b-c"]) && has(steps["b-c"])'],
    ['has(steps.a.output)', 'a', 'b', 'has(steps.b.output)'],
    ['steps.ab + steps.b.a + a.steps.a', 'a', 'x', 'steps.ab + steps.b.a + a.steps.a'],
    ['"steps.a" + steps.a // steps.a\n', 'a', 'x', '"steps.a" + steps.x // steps.a\n'],
    ['l.map(steps, steps.a) == steps.a', 'a', 'x', 'l.map(steps, steps.a) == steps.x'],
    ['steps.a.l.map(x, x + steps.a.n)', 'a', 'in', 'steps["in"].l.map(x, x + steps["in"].n)'],
    ['steps.a +', 'a', 'x', 'steps.a +'],
  ];
  for (const [source, from, to, renamed] of cases) {
    it(`${from} to ${to} makes ${JSON.stringify(source)} ${JSON.stringify(renamed)}`, () => {
      expect(renameStepInExpression(source, from, to)).to.equal(renamed);
    });
  }

  it('reaches the expressions of a template and nothing else of it', () => {
    const template = {
      'steps.a': ['${steps.a.output} $${steps.a} steps.a ${ [steps.a] }', 1, null],
      open: '${ steps.a',
    };
    expect(renameStepInTemplate(template, 'a', 'b')).to.deep.equal({
      'steps.a': ['${steps.b.output} $${steps.a} steps.a ${ [steps.b] }', 1, null],
      open: '${ steps.a',
    });
  });

  it('leaves no unknown step behind, whatever the names', () => {
    const ref = fc.stringMatching(/^[a-z][a-z0-9_-]{0,8}$/);
    const form = fc.constantFrom(
      (name: string) => `steps[${JSON.stringify(name)}].output`,
      (name: string) => `has(steps[${JSON.stringify(name)}].output) ? steps[${JSON.stringify(name)}].status : "x"`,
      (name: string) => `[1].map(i, steps[${JSON.stringify(name)}].output)`,
    );
    fc.assert(
      fc.property(ref, ref, ref, form, (from, between, to, write) => {
        const renamed = renameStepInExpression(renameStepInExpression(write(from), from, between), between, to);
        const scope = { variables: new Map(), steps: new Map([[to, null]]) };
        expect(checkExpression({ source: renamed, path: '', scope, expects: 'any' })).to.deep.equal([]);
      }),
    );
  });
});
