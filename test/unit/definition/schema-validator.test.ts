import { expect } from 'chai';
import { createSchemaValidator } from '#host/json-schema/schema-validator.js';
import { codesOf } from './helpers.js';

describe('the schema validator', () => {
  const schemas = createSchemaValidator();
  const faults = (schema: unknown) => codesOf(schemas.check(schema, 's'));
  const validate = (schema: object, value: unknown) => codesOf(schemas.validate({ schema, value, path: 'v' }));

  it('refuses what is no schema, with the place', () => {
    expect(faults({ type: 'object', properties: { a: { type: 'strin' } } })).to.deep.equal([
      's.properties.a.type: invalid_schema',
    ]);
    expect(faults({ properties: 5 })).to.deep.equal(['s.properties: invalid_schema']);
    expect(faults({ pattern: '(' })).to.deep.equal(['s: invalid_schema']);
    expect(faults(true)).to.deep.equal(['s: invalid_schema']);
  });

  it('refers to nothing outside of a schema', () => {
    expect(faults({ $ref: 'https://example.test/schema.json' })).to.deep.equal(['s: invalid_schema']);
    expect(faults({ $ref: '#/$defs/a', $defs: { a: { type: 'string' } } })).to.deep.equal([]);
    expect(faults({ $ref: '#/$defs/b' })).to.deep.equal(['s: invalid_schema']);
  });

  it('refuses an asynchronous schema, which would accept everything', () => {
    expect(faults({ $async: true, type: 'string' })).to.deep.equal(['s: invalid_schema']);
    expect(faults({ $ref: '#/$defs/a', $defs: { a: { $async: true, type: 'string' } } })).to.deep.equal([
      's: invalid_schema',
    ]);
  });

  it('keeps schemas of the same $id apart', () => {
    const first = { $id: 'https://example.test/one', type: 'string' };
    const second = { $id: 'https://example.test/one', type: 'number' };
    expect([faults(first), faults(second)]).to.deep.equal([[], []]);
    expect(validate(first, 1)).to.deep.equal(['v: wrong_type']);
    expect(validate(second, 1)).to.deep.equal([]);
    expect(faults({ $ref: 'https://example.test/one' })).to.deep.equal(['s: invalid_schema']);
  });

  it('tells keys from indexes, and writes odd keys so that they can be read', () => {
    const schema = { type: 'object', additionalProperties: { type: 'array', items: { type: 'string' } } };
    expect(validate(schema, { '0': [1], 'a/b~c': [1] })).to.deep.equal([
      'v["0"][0]: wrong_type',
      'v["a/b~c"][0]: wrong_type',
    ]);
  });

  it('says nothing of what a value that is still to come decides', () => {
    const openness = (text: string) => (text === '?' ? ('value' as const) : null);
    const open = (schema: object, value: unknown) => codesOf(schemas.validate({ schema, value, path: 'v', openness }));
    const conditional = JSON.parse(
      '{"if": {"properties": {"a": {"const": 1}}}, "then": {"required": ["b"]}, "else": {"required": ["c"]}}',
    );
    expect(open(conditional, { a: '?' })).to.deep.equal([]);
    expect(open(conditional, { a: 2 })).to.deep.equal(['v.c: required', 'v: invalid_value']);
    const choice = {
      oneOf: [{ $ref: '#/$defs/a' }, { type: 'string' }],
      $defs: { a: { properties: { n: { minimum: 5 } } } },
    };
    expect(open(choice, { n: 1 })).to.deep.equal(['v.n: invalid_value']);
    expect(open(choice, '?')).to.deep.equal([]);
    expect(open({ enum: [[1], [2]] }, ['?'])).to.deep.equal([]);
    expect(open({ properties: { a: { type: 'integer' } } }, { a: '?', b: 1 })).to.deep.equal([]);
    expect(open({ maxProperties: 1 }, { a: '?', b: 1 })).to.deep.equal(['v: invalid_value']);
  });

  it('tells a value that fits two forms from one that fits none', () => {
    const schema = {
      oneOf: [{ type: 'number' }, { type: 'integer' }, { type: 'string', maxLength: 1 }, { minLength: 3 }],
    };
    const [both] = schemas.validate({ schema, value: 1, path: 'v' });
    expect(both?.message).to.contain('more than one');
    const [none] = schemas.validate({ schema, value: 'xx', path: 'v' });
    expect(none?.message).to.contain('none');
  });

  it('matches patterns in linear time, and refuses look-around', () => {
    const evil = { type: 'string', pattern: '^(a+)+$' };
    expect(validate(evil, `${'a'.repeat(5_000)}!`)).to.deep.equal(['v: invalid_value']);
    expect(validate(evil, 'aaa')).to.deep.equal([]);
    for (const [pattern, text] of [
      ['^\\u00e9$', 'é'],
      ['^\\u{1f680}$', '🚀'],
      ['^\\p{L}+$', 'äß'],
      ['^a\\\\u0062$', 'a\\u0062'],
    ]) {
      expect(validate({ type: 'string', pattern }, text), pattern).to.deep.equal([]);
    }
    const [problem] = schemas.check({ pattern: '(?=a)' }, 's');
    expect(problem?.message).to.contain('not supported');
  });

  it('reads durations as the engine does', () => {
    const schema = { type: 'string', format: 'duration' };
    expect(validate(schema, 'PT0.5S')).to.deep.equal([]);
    for (const text of ['P1Y', 'P1M', '5s', 'PT'])
      expect(validate(schema, text), text).to.deep.equal(['v: wrong_form']);
  });
});
