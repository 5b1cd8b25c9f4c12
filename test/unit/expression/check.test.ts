// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are our templates, not JavaScript's

import { expect } from 'chai';
import { checkExpression, checkTemplate, type Expected, type Scope } from '#core/expression/check.js';

const row = { type: 'object', additionalProperties: false, properties: { id: { type: 'string' } } };
const scope: Scope = {
  variables: new Map<string, object | null>([
    [
      'input',
      {
        type: 'object',
        additionalProperties: false,
        properties: {
          day: { type: 'string' },
          amount: { type: 'number' },
          flag: { type: 'boolean' },
          maybe: { type: ['boolean', 'null'] },
          rows: { type: 'array', items: row },
          either: { oneOf: [{ type: 'string' }, { type: 'boolean' }] },
          mode: { enum: ['a', 'b'] },
          open: { type: 'object', properties: { a: { type: 'string' } } },
          tags: { type: 'object', additionalProperties: { type: 'number' } },
        },
      },
    ],
    ['item', null],
  ]),
  steps: new Map<string, object | null>([
    ['fetch', { type: 'object', additionalProperties: false, properties: { total: { type: 'integer' } } }],
    ['manager-approval', null],
  ]),
};
const problems = (source: string, expects: Expected = 'any') => checkExpression({ source, path: 'at', scope, expects });

describe('checking an expression at publish', () => {
  const fine: readonly (readonly [string, Expected?])[] = [
    ['input.amount + 1 > 100 && input.flag', 'boolean'],
    ['steps.fetch.output.total > 100000', 'boolean'],
    ['steps["manager-approval"].output.anything.goes', 'boolean'],
    ['steps.fetch.status == "completed" && steps.fetch.error == null', 'boolean'],
    ['item.anything[0].goes', 'string'],
    ['input.maybe', 'boolean'],
    ['input.either', 'boolean'],
    ['input.mode', 'string'],
    ['input.open.b.c', 'array'],
    ['input.tags.x + 1'],
    ['input.tags["x-y"] > 1', 'boolean'],
    ['input.rows.filter(r, r.id != "").map(r, r.id)', 'array'],
    ['input.rows.map(r, {"x": r.id})[0].x', 'string'],
    ['has(input.day) ? input.day : "x"', 'string'],
    ['input.flag ? 1 : "x"', 'string'],
    ['get(input, "a.b", true)', 'boolean'],
    ['type(input) == map', 'boolean'],
    ['timestamp(input.day).getHours("UTC") == 3', 'boolean'],
    ['strings.quote(input.day)', 'string'],
    ['size(steps) > 0', 'boolean'],
    ['input.tags.map(k, k.size())', 'array'],
    ['duration("1h") + duration("2h") > duration("3h")', 'boolean'],
  ];
  for (const [source, expects] of fine) {
    it(`accepts ${source}${expects ? ` as ${expects}` : ''}`, () => {
      expect(problems(source, expects)).to.deep.equal([]);
    });
  }

  const wrong: readonly (readonly [source: string, code: string, column: number, says: string, expects?: Expected])[] =
    [
      ['input.amount >', 'syntax_error', 14, 'end of input'],
      ['${input.amount}', 'syntax_error', 1, 'write it without ${ }'],
      ['nope > 1', 'unknown_variable', 1, 'input, item, steps'],
      ['input.rows.map(r, s.id)', 'unknown_variable', 19, "'s'"],
      ['steps.other.output', 'unknown_step', 7, "'other'"],
      ['steps["x y"].output', 'unknown_step', 7, "'x y'"],
      ['has(steps.other)', 'unknown_step', 11, "'other'"],
      ['steps.fetch.outptu', 'unknown_field', 13, 'output, status, error'],
      ['steps.fetch.output.totl', 'unknown_field', 20, 'total'],
      ['input.dya', 'unknown_field', 7, 'day, amount'],
      ['input["dya"]', 'unknown_field', 7, 'day, amount'],
      ['input .\n dya', 'unknown_field', 2, 'day, amount'],
      ['input.day.length', 'unknown_field', 11, 'A string has no field'],
      ['input.rows.map(x, x.nme)', 'unknown_field', 21, 'id'],
      ['input.rows[0].nme', 'unknown_field', 15, 'id'],
      ['foo(1)', 'unknown_function', 1, "'foo'"],
      ['input.day.foo()', 'unknown_function', 10, "'foo'"],
      ['contains(input.day, "x")', 'unknown_function', 1, 'value.contains()'],
      ['input.day.int()', 'unknown_function', 10, 'int(value)'],
      ['has(item)', 'unknown_function', 1, 'has(input.day)'],
      ['input.rows.map(1, 2)', 'unknown_function', 11, 'list.map'],
      ['size(1, 2)', 'unknown_function', 1, '1 argument'],
      ['get(input)', 'unknown_function', 1, '3 arguments'],
      ['input.day + 1', 'wrong_type', 11, 'a string, a number'],
      ['!input.amount', 'wrong_type', 1, 'a number'],
      ['input.day && true', 'wrong_type', 6, 'A boolean is needed'],
      ['input.amount ? 1 : 2', 'wrong_type', 6, 'A boolean is needed'],
      ['input.rows.filter(r, r.id)', 'wrong_type', 23, 'A boolean is needed'],
      ['input.day.map(c, c)', 'wrong_type', 6, 'an array or an object'],
      ['{1: 2}', 'wrong_type', 2, 'string'],
      ['input.day.matches("(")', 'invalid_regex', 19, 'missing closing'],
      ['input.day.matches("(a)\\\\1")', 'invalid_regex', 19, 'regexp'],
      ['"x"', 'wrong_type', 1, 'A boolean is needed; this is a string', 'boolean'],
      ['1 + 2', 'wrong_type', 3, 'number', 'boolean'],
      ['input.amount', 'wrong_type', 6, 'number', 'string'],
      ['steps.fetch.output.total', 'wrong_type', 19, 'number', 'boolean'],
      ['steps.fetch.output', 'wrong_type', 12, 'an object or null', 'array'],
      ['input.rows.map(r, r.id)', 'wrong_type', 11, 'array', 'string'],
      ['input.flag ? 1 : "x"', 'wrong_type', 1, 'a number or a string', 'boolean'],
    ];
  for (const [source, code, column, says, expects] of wrong) {
    it(`finds ${code} at ${column} in ${JSON.stringify(source)}${expects ? ` as ${expects}` : ''}`, () => {
      const found = problems(source, expects);
      expect(found).to.have.length(1);
      expect(found[0]).to.include({ path: 'at', code });
      expect(found[0]?.position?.column).to.equal(column);
      expect(found[0]?.message).to.contain(says);
    });
  }

  it('tells a step with a minus from a subtraction, once', () => {
    expect(problems('steps.manager-approval.output.ok', 'boolean')).to.deep.equal([
      {
        path: 'at',
        code: 'unknown_step',
        message: `No step 'manager'. For the step 'manager-approval' write steps["manager-approval"].`,
        position: { line: 1, column: 7 },
      },
    ]);
  });

  it('reports all problems of an expression together', () => {
    expect(problems('nope + input.dya + foo()').map(({ code }) => code)).to.deep.equal([
      'unknown_variable',
      'unknown_field',
      'unknown_function',
    ]);
  });

  it('reports what is too large', () => {
    expect(problems('a'.repeat(5000))[0]?.code).to.equal('too_large');
    expect(problems('('.repeat(2000))[0]?.code).to.equal('too_large');
  });

  it('knows no steps where there are none', () => {
    const bare = checkExpression({ source: 'steps.a', path: 'at', scope: { ...scope, steps: null }, expects: 'any' });
    expect(bare.map(({ code }) => code)).to.deep.equal(['unknown_variable']);
  });

  it('names the string of a template and the place in it', () => {
    const template = { a: ['x ${input.dya}', 'no ${', { 'b c': 'a\n ${ steps.foo }' }], ok: '$${no} ${input.day}' };
    const found = checkTemplate({ template, path: 'args', scope });
    expect(found.map(({ path, code, position }) => ({ path, code, ...position }))).to.deep.equal([
      { path: 'args.a[0]', code: 'unknown_field', line: 1, column: 11 },
      { path: 'args.a[1]', code: 'syntax_error', line: 1, column: 4 },
      { path: 'args.a[2]["b c"]', code: 'unknown_step', line: 2, column: 11 },
    ]);
  });
});
