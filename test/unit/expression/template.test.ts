// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are our templates, not JavaScript's

import type { Json } from '@ductor/core';
import { expect } from 'chai';
import fc from 'fast-check';
import { compileTemplate, evaluateTemplate } from '#core/expression/template.js';
import { errorOf } from './helpers.ts';

const render = (template: Json, variables: { readonly [name: string]: unknown } = {}) =>
  evaluateTemplate(compileTemplate(template), variables);

describe('a template', () => {
  const input = { n: 1, s: 'text', nul: null, o: { a: [1] }, tricky: '${input.n} $${' };
  const cases: readonly (readonly [Json, Json])[] = [
    ['${input.n}', 1],
    ['${ input.o }', { a: [1] }],
    ['${input.nul}', null],
    ['No. ${input.n}', 'No. 1'],
    ['${input.s}${input.s}', 'texttext'],
    ['${input.s}, ${true}, ${input.nul}, ${input.o}, ${1.5}', 'text, true, null, {"a":[1]}, 1.5'],
    ['$${input.n}', '${input.n}'],
    ['$${ ${input.n} $${', '${ 1 ${'],
    ['$ { } $$ 5$', '$ { } $$ 5$'],
    ['${"$"}${input.n}', '$1'],
    ['${input.tricky}', '${input.n} $${'],
    ['a ${input.tricky}', 'a ${input.n} $${'],
    ['${ {"a": "}"}["a"] }', '}'],
    ["${ '}' + \"}\" + '''}''' + r'\\' }", '}}}\\'],
    ['${ "\\"}" }', '"}'],
    ['${ 1 // }\n }', 1],
    [
      { a: ['${input.n}', { b: 'x' }], '${k}': true, n: null },
      { a: [1, { b: 'x' }], '${k}': true, n: null },
    ],
    ['', ''],
    [7, 7],
  ];
  for (const [template, expected] of cases) {
    it(`${JSON.stringify(template)} becomes ${JSON.stringify(expected)}`, () => {
      expect(render(template, { input })).to.deep.equal(expected);
    });
  }

  it('is constant when nothing in it is an expression', () => {
    const constant = { a: ['x', 1, null] };
    expect(compileTemplate(constant).constant).to.equal(true);
    expect(render(constant)).to.equal(constant);
    expect(compileTemplate({ a: '$${x}' }).constant).to.equal(true);
    expect(compileTemplate({ a: '${1}' }).constant).to.equal(false);
  });

  it('tells what its expressions read', () => {
    const { roots, steps } = compileTemplate({
      a: '${input.x}',
      b: ['${steps.c.output}', 'at ${steps["d-e"].output}'],
    });
    expect([...roots].sort()).to.deep.equal(['input', 'steps']);
    expect(steps).to.deep.equal(new Set(['c', 'd-e']));
    expect(compileTemplate(['${steps.a}', '${size(steps)}']).steps).to.equal('all');
  });

  it('names the string and the place in it when an expression fails', () => {
    const error = errorOf(() => render({ items: [0, { 'full name': 'ab\ncd ${ input.x }' }] }, { input: {} }));
    expect(error.path).to.equal('items[1]["full name"]');
    expect(error.position).to.deep.equal({ line: 2, column: 12 });
    expect(error.source).to.equal('ab\ncd ${ input.x }');
    expect(error.code).to.equal('expression_error');
  });

  it('names them when an expression does not end or does not parse', () => {
    const open = errorOf(() => compileTemplate({ args: ['ab ${ "}" '] }));
    expect([open.code, open.path, open.position]).to.deep.equal(['syntax_error', 'args[0]', { line: 1, column: 4 }]);
    const empty = errorOf(() => compileTemplate('a ${}'));
    expect([empty.code, empty.position]).to.deep.equal(['syntax_error', { line: 1, column: 5 }]);
    expect(errorOf(() => compileTemplate(`\${ ${'a'.repeat(5000)} }`)).code).to.equal('too_large');
    expect(errorOf(() => compileTemplate('${ "a" + """ }')).code).to.equal('syntax_error');
  });

  it('has one budget for all its expressions', () => {
    const compiled = compileTemplate(['${l.map(x, x)}', '${l.map(x, x)}']);
    const l = [1, 2, 3];
    expect(evaluateTemplate(compiled, { l }, { maxSteps: 8 })).to.deep.equal([l, l]);
    expect(errorOf(() => evaluateTemplate(compiled, { l }, { maxSteps: 5 })).path).to.equal('[1]');
  });

  it('without an expression is itself', () => {
    const plain = fc.jsonValue().filter((value) => !JSON.stringify(value).includes('${'));
    fc.assert(
      fc.property(plain, (template) => {
        expect(render(JSON.parse(JSON.stringify(template)))).to.deep.equal(JSON.parse(JSON.stringify(template)));
      }),
    );
  });

  it('gives back any JSON value through one expression', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const v: Json = JSON.parse(JSON.stringify(value));
        expect(JSON.stringify(render('${input.v}', { input: { v } }))).to.equal(JSON.stringify(v));
      }),
    );
  });

  it('gives back any text that is escaped', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('${', '}', '"', 'a', '\n', '{', ' '), { maxLength: 12 }), (parts) => {
        const text = parts.join('');
        expect(render(text.replaceAll('${', () => '$${'))).to.equal(text);
      }),
    );
  });
});
