import { expect } from 'chai';
import fc from 'fast-check';
import { compileExpression } from '#core/expression/compile.js';
import { COUNT, EACH, pathsOf } from '#core/expression/paths.js';
import { errorOf, evaluate } from './helpers.ts';

const input = { amount: 150, count: 2, name: 'abc', nul: null, o: { a: 1 }, list: [1, 2, 3] };

describe('evaluating an expression', () => {
  describe('over JSON', () => {
    const cases: readonly (readonly [string, unknown])[] = [
      ['input.amount + 1', 151],
      ['1 + input.amount', 151],
      ['input.amount * 2 - 50 / 2', 275],
      ['input.count % 2 == 0', true],
      ['5 % input.count', 1],
      ['5 / 2', 2],
      ['input.amount > 100 && input.amount <= 150', true],
      ['input.amount in [150, 200]', true],
      ['input.list[input.count]', 3],
      ['input.list + [4]', [1, 2, 3, 4]],
      ['input.list == [1, 2, 3]', true],
      ['input.list.sum() + 0.5', 6.5],
      ['[].sum() == 0 && [1, 2].sum() == 3', true],
      ['input.o == {"a": 1}', true],
      ['{"o": input.o, "l": [1, input.list]}', { o: { a: 1 }, l: [1, [1, 2, 3]] }],
      ['(input.count > 1 ? input : input.o).o.a', 1],
      ['type(input.amount) == double', true],
      ['size("😀")', 1],
      ['"a,b".split(",")', ['a', 'b']],
      ['"aaa".replace("a", "bb", 2)', 'bbbba'],
      ['"aaa".replace("a", "b")', 'bbb'],
      ['"aÄB-c".lowerAscii() + "aä1".upperAscii()', 'aÄb-cAä1'],
      ['strings.quote("a")', '"a"'],
      ['"2026-11-29T08:00:00Z".substring(0, 10)', '2026-11-29'],
      ['input.name.matches("^a.c$")', true],
      ['duration("90s")', '90s'],
      ['timestamp("2026-07-01T12:00:00Z") + duration("1h")', '2026-07-01T13:00:00Z'],
      ['timestamp("2026-07-01T12:00:00Z") < timestamp("2026-07-01T12:00:01Z")', true],
      ['b"abc"', 'YWJj'],
      ['7u', 7],
    ];
    for (const [source, expected] of cases) {
      it(`${source} yields ${JSON.stringify(expected)}`, () => {
        expect(evaluate(source, { input })).to.deep.equal(expected);
      });
    }

    it('takes a field that is there and null as present', () => {
      expect(evaluate('has(input.nul)', { input })).to.equal(true);
      expect(evaluate('"nul" in input', { input })).to.equal(true);
      expect(evaluate('has({"nul": input.nul}.nul)', { input })).to.equal(true);
      expect(evaluate('has(input.other) || has(input["other"])', { input })).to.equal(false);
      expect(evaluate('has(input["nul"])', { input })).to.equal(true);
    });

    it('adds up numbers with sum(), and nothing else', () => {
      for (const numbers of [[1, 'a'], [null], [[1]]]) {
        expect(errorOf(() => evaluate('numbers.sum()', { numbers })).message).to.include('adds numbers only');
      }
      expect(errorOf(() => evaluate('input.name.sum()', { input })).message).to.include("'sum' does not take (string)");
    });

    it('follows a path with get() and falls back where it ends', () => {
      const event = { payload: { items: [{ id: 7, none: null }] } };
      expect(evaluate('get(event, "payload.items.0.id", 0)', { event })).to.equal(7);
      expect(evaluate('get(event, "payload.items.1.id", "x")', { event })).to.equal('x');
      expect(evaluate('get(event, "payload.items.0.none", 1)', { event })).to.equal(null);
      expect(evaluate('get(event, "payload.items.0.none.deep", 1)', { event })).to.equal(1);
    });

    it('sees own fields only', () => {
      for (const field of ['constructor', '__proto__', 'toString']) {
        expect(evaluate(`has(input.${field})`, { input })).to.equal(false);
        expect(errorOf(() => evaluate(field, {})).message).to.contain('not known');
      }
    });

    it('shares with a variable what it takes whole from it', () => {
      expect(evaluate('input.o', { input })).to.equal(input.o);
    });

    it('reads the fields of a timestamp in the zone that is named, whatever the zone of the host', () => {
      const at = (call: string) => evaluate(`timestamp("2026-03-29T02:30:15.250Z").${call}`);
      expect(at('getHours()')).to.equal(2);
      expect(at('getHours("Europe/Zurich")')).to.equal(4);
      expect(at('getHours("-02:30")')).to.equal(0);
      expect(at('getMilliseconds("Europe/Zurich")')).to.equal(250);
      expect([at('getFullYear()'), at('getMonth()'), at('getDate()'), at('getDayOfYear()')]).to.deep.equal([
        2026, 2, 29, 87,
      ]);
    });
  });

  describe('when it fails', () => {
    const cases: readonly (readonly [source: string, message: string, line: number, column: number])[] = [
      ['input.other', 'field not found: other', 1, 6],
      ['input.list[7]', 'no element 7', 1, 1],
      ['1 +\n  "a"', "'+' does not take (int, string)", 1, 3],
      ['true &&\n  nope', "'nope' is not known here", 2, 3],
      ['foo(1)', "no function 'foo'", 1, 1],
      ['1 / 0', 'divide by zero', 1, 3],
      ['1.0 / 0', 'no JSON number', 1, 5],
      ['9007199254740993', 'beyond ±2^53', 1, 1],
      ['{1: 2}', 'no string', 1, 1],
      ['{"__proto__": 2}', '__proto__', 1, 1],
      ['["\\u0000"]', 'U+0000', 1, 1],
      ['"😀".substring(1)', 'surrogate', 1, 5],
      ['int', 'type', 1, 1],
      ['input.name.matches("(")', 'regexp', 1, 11],
      ['input.list.map(x, x.y)', 'field not found', 1, 20],
    ];
    for (const [source, message, line, column] of cases) {
      it(`${JSON.stringify(source)} says "${message}" at ${line}:${column}`, () => {
        const error = errorOf(() => evaluate(source, { input }));
        expect(error.code).to.equal('expression_error');
        expect(error.message).to.contain(message);
        expect(error.source).to.equal(source);
        expect(error.position).to.deep.equal({ line, column });
      });
    }

    it('refuses a variable that is no JSON', () => {
      expect(errorOf(() => evaluate('f', { f: () => 1 })).message).to.contain('function');
    });
  });

  it('tells which variables and steps it reads', () => {
    const reads = (source: string) => {
      const { roots, steps } = compileExpression(source);
      return [[...roots].sort(), steps === 'all' ? steps : [...steps].sort()];
    };
    expect(reads('input.a > 1 && steps.b.output.x == steps["c-d"].status')).to.deep.equal([
      ['input', 'steps'],
      ['b', 'c-d'],
    ]);
    expect(reads('has(steps.e) || has(steps["f"])')).to.deep.equal([['steps'], ['e', 'f']]);
    expect(reads('input.l.map(x, x.y + z)')).to.deep.equal([['input', 'z'], []]);
    expect(reads('l.map(steps, steps.a)')).to.deep.equal([['l'], []]);
    expect(reads('steps[input.k]')).to.deep.equal([['input', 'steps'], 'all']);
    expect(reads('size(steps) + steps.a.output')).to.deep.equal([['steps'], 'all']);
    expect(reads('type(1) == int && strings.quote("a") == "b"')).to.deep.equal([[], []]);
  });

  it('tells how far it reads into each variable', () => {
    const shown = new Map<unknown, string>([
      [EACH, '*'],
      [COUNT, '#'],
    ]);
    const paths = (source: string) =>
      pathsOf(compileExpression(source).syntax.root).map((path) => path.map((leg) => shown.get(leg) ?? leg).join('/'));
    expect(paths('input.a.b > item && has(steps["c-d"].output)')).to.deep.equal([
      'input/a/b',
      'item',
      'steps/c-d/output',
    ]);
    expect(paths('input.rows[index].x + input.l[0].y')).to.deep.equal(['input/rows', 'index', 'input/l']);
    expect(paths('input.l.map(x, x.y + z.a)')).to.deep.equal(['input/l/#', 'input/l/*/y', 'z/a']);
    expect(paths('size(input) + input.l.size()')).to.deep.equal(['input/#', 'input/l/#']);
    expect(paths('l.all(x, x.of.exists(y, y > x.z)) && l.exists(x, true)')).to.deep.equal([
      'l/#',
      'l/*/of/#',
      'l/*/of/*',
      'l/*/z',
      'l/#',
    ]);
    expect(paths('l.filter(x, x.y).filter(x, x.z == q).map(x, x.a)')).to.deep.equal([
      'l/*/y',
      'l/*/z',
      'q',
      'l/#',
      'l/*/a',
    ]);
    expect(paths('l.filter(x, x.y)')).to.deep.equal(['l/*/y', 'l']);
    expect(paths('(l + m).map(x, x.y)')).to.deep.equal(['l', 'm']);
    expect(paths('l.map(x, [x, k].map(l, l.a)) == 1 in l')).to.deep.equal(['l/#', 'l/*', 'k', 'l']);
    expect(paths('l.map(x, l[x].y)')).to.deep.equal(['l/#', 'l', 'l/*']);
    expect(paths('type(input.a) == int')).to.deep.equal(['input/a']);
  });

  it('compiles a source once', () => {
    expect(compileExpression('input.a + 1')).to.equal(compileExpression('input.a + 1'));
  });

  it('yields the same again and leaves its variables as they were, whatever they are', () => {
    const sources = [
      'v',
      '[v, {"a": v}]',
      'size([v].filter(x, x == v))',
      'has(v.a) ? v.a : [v][0]',
      '[v].map(x, x).map(y, [y])',
    ];
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(...sources), (v, source) => {
        const before = JSON.stringify(v);
        const once = outcome(() => evaluate(source, { v }));
        expect(outcome(() => evaluate(source, { v }))).to.deep.equal(once);
        expect(JSON.stringify(v)).to.equal(before);
      }),
    );
  });
});

const outcome = (work: () => unknown): unknown => {
  try {
    return { value: work() };
  } catch (error) {
    return { error: String(error) };
  }
};
