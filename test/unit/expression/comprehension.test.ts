import { expect } from 'chai';
import { errorOf, evaluate } from './helpers.ts';

const rows = (count: number) => Array.from({ length: count }, (_, id) => ({ id, ok: id % 2 === 0 }));

describe('macros over lists and maps', () => {
  for (const count of [1_000, 10_000, 100_000]) {
    it(`filter and map ${count} elements into a plain array`, () => {
      const results = evaluate(
        'results.filter(r, r.ok).map(r, r.id)',
        { results: rows(count) },
        { maxListLength: 100_000 },
      );
      expect(results).to.have.length(count / 2);
      expect(results)
        .to.be.an('array')
        .that.includes(count - 2);
      expect(evaluate('results.map(r, r)', { results: rows(count) }, { maxListLength: 100_000 })).to.deep.equal(
        rows(count),
      );
    });
  }

  it('take time in proportion to the list', () => {
    const duration = (count: number) => {
      const results = rows(count);
      const times = [0, 1, 2].map(() => {
        const start = performance.now();
        evaluate('results.filter(r, r.ok).map(r, r.id)', { results }, { maxListLength: 100_000 });
        return performance.now() - start;
      });
      return Math.min(...times);
    };
    duration(10_000);
    // Quadratic growth would be a factor of 100.
    expect(duration(100_000) / duration(10_000)).to.be.below(40);
  });

  const l = [1, 2, 3];
  const cases: readonly (readonly [string, unknown])[] = [
    ['size(l.filter(x, x > 1)) > 1', true],
    ['l.map(x, x * 2)[0]', 2],
    ['l.map(x, x > 1, x * 10)', [20, 30]],
    ['[3, 1].map(x, x)[0] / 2', 1],
    [
      'l.map(x, l.map(y, x * y))',
      [
        [1, 2, 3],
        [2, 4, 6],
        [3, 6, 9],
      ],
    ],
    ['l.filter(x, l.exists(y, y > x))', [1, 2]],
    ['l.map(x, x).map(x, x + n).filter(x, x > 11)', [12, 13]],
    ['l.map(n, n)', [1, 2, 3]],
    ['{"b": 1, "a": 2}.map(k, k)', ['b', 'a']],
    ['o.filter(k, o[k] > 1)', ['y']],
    ['[].map(x, x.nothing)', []],
    ['l.exists(x, x > 2) && !l.exists(x, x > 3)', true],
    ['l.all(x, x > 0) && !l.all(x, x > 1)', true],
    ['l.exists_one(x, x == 2) && !l.exists_one(x, x > 1)', true],
    ['l.exists(x, x == 3 || x.field)', true],
    ['l.all(x, x < 2 && x.field || x == 7)', false],
    ['[1, "a"].exists(x, x > 0)', true],
    ['{"r": l.filter(x, x > 2)}.r[0] + size(l.map(x, x))', 6],
    ['l.map(x, {"id": x}).map(r, has(r.id) ? r.id : 0)', [1, 2, 3]],
  ];
  for (const [source, expected] of cases) {
    it(`${source} yields ${JSON.stringify(expected)}`, () => {
      expect(evaluate(source, { l, n: 10, o: { x: 1, y: 2 } })).to.deep.equal(expected);
    });
  }

  it('are not evaluated in a branch that is not taken', () => {
    expect(evaluate('false ? l.map(x, x.nothing)[0] : 1', { l })).to.equal(1);
    expect(evaluate('true || l.map(x, x.nothing) == []', { l })).to.equal(true);
    expect(errorOf(() => evaluate('true ? l.map(x, x.nothing)[0] : 1', { l })).message).to.contain('nothing');
  });

  it('may fail inside || where the other side decides', () => {
    expect(evaluate('l.map(x, x.nothing) == [] || true', { l })).to.equal(true);
  });

  it('fail for a condition that is no boolean and for what is no list', () => {
    expect(errorOf(() => evaluate('l.filter(x, x)', { l })).message).to.contain('true or false');
    expect(errorOf(() => evaluate('n.map(x, x)', { n: 1 })).message).to.contain('needs a list');
  });

  it('take 10,000 elements unless told otherwise', () => {
    const long = rows(10_001);
    const error = errorOf(() => evaluate('long.exists(r, r.ok)', { long }));
    expect(error.message).to.contain('10001').and.to.contain('10000');
    expect(evaluate('long.exists(r, r.ok)', { long }, { maxListLength: 100_000 })).to.equal(true);
    expect(errorOf(() => evaluate('o.map(k, k)', { o: { a: 1, b: 2 } }, { maxListLength: 1 })).message).to.contain(
      'at most 1',
    );
  });

  it('nest twice at most', () => {
    expect(errorOf(() => evaluate('l.map(a, l.map(b, l.map(c, c)))', { l })).code).to.equal('too_large');
    expect(evaluate('l.map(a, a).map(b, b).map(c, c)', { l })).to.deep.equal(l);
  });
});

describe('the evaluation budget', () => {
  const exceeded = 'evaluation budget exceeded';
  const long = Array.from({ length: 10_000 }, (_, index) => index);
  const text = 'a'.repeat(1_000_000);
  const names = Array(100_000).fill('');
  const fields = Object.fromEntries(names.map((_, index) => [`k${index}`, 0]));
  const greedy = [
    'long.map(x, long.map(y, 1))',
    'long.filter(x, -1 in long)',
    'long.filter(x, long == long.map(y, y))',
    'long.filter(x, copy == long)',
    'long.filter(x, text.contains("b"))',
    'long.filter(x, text.matches("b$"))',
    'long.map(x, text.upperAscii())',
    'long.map(x, text.replace("a", "b"))',
    'long.map(x, text.split(""))',
    'long.map(x, strings.quote(text))',
    'long.map(x, names.join(""))',
    'long.map(x, size(fields))',
    'long.filter(x, fields == {})',
    'long.all(x, fields.exists(k, true) || true)',
    'long.all(x, long.all(y, y >= 0)) || true',
  ];
  for (const source of greedy) {
    it(`ends ${source}`, () => {
      const variables = { long, text, copy: [...long], names, fields };
      expect(errorOf(() => evaluate(source, variables, { maxSteps: 100_000 })).message).to.equal(exceeded);
    });
  }

  it('is a million steps unless the caller says otherwise', () => {
    const l = long.slice(0, 1_000);
    expect(evaluate('size(l.map(x, l.all(y, y >= 0)))', { l: l.slice(0, 990) })).to.equal(990);
    expect(errorOf(() => evaluate('l.all(x, l.all(y, y >= 0)) || true', { l })).message).to.equal(exceeded);
    expect(errorOf(() => evaluate('l.map(x, x)', { l: [1, 2, 3] }, { maxSteps: 2 })).message).to.equal(exceeded);
  });

  it('ends lists and texts that double', () => {
    const doubled = (start: string) => `${start}${'.map(x, x + x)'.repeat(40)}`;
    expect(errorOf(() => evaluate(doubled('[[1]]'))).message).to.contain('budget');
    expect(errorOf(() => evaluate(doubled('["ab"]'))).message).to.contain('characters');
  });

  it('ends results that would be large only once written out', () => {
    const error = errorOf(() => evaluate('long.map(x, big)', { long, big: { text } }));
    expect(error.message).to.contain('repeats');
    expect(evaluate('long.map(x, small)', { long, small: { a: 1 } })).to.have.length(10_000);
  });

  it('takes a regular expression that would explode elsewhere', () => {
    expect(evaluate('text.matches("^(a+)+$")', { text: `${'a'.repeat(5000)}b` })).to.equal(false);
  });
});
