import { isObject, type Json } from '@ductor/core';
import fc from 'fast-check';
import type { DocumentedOperation } from '../../api-docs/document.ts';

export interface Call {
  readonly method: string;
  /** With its query, encoded. */
  readonly path: string;
  readonly headers: { readonly [name: string]: string };
  readonly body: string | undefined;
}

/** A call that is right, for others to be made of. */
export interface Sound {
  readonly params: { readonly [name: string]: string };
  readonly query: { readonly [name: string]: unknown };
  readonly body: Json | undefined;
}

/** A request line and headers of more than 16 KiB never come as far as the API. */
const LONG = 'x'.repeat(1_500);

/** What code of all kinds trips over. */
const TEXTS = [
  '',
  ' ',
  '.',
  '..',
  '-1',
  '0',
  '1e999',
  'NaN',
  'null',
  '\0',
  '\uD800',
  'a\u0301\u202E',
  'ümläut-été',
  '\u{1F600}'.repeat(50),
  LONG,
  "' or 1=1 --",
  '%',
  '%00',
  '_%',
  '\\',
  '$1',
  '${input.x',
  "${steps['nobody'].output}",
  '${[1].map(x, x).map(y, y)}',
  '../../etc/passwd',
  '{{7*7}}',
  '__proto__',
  'constructor',
  'toString',
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  '0001-01-01T00:00:00Z',
  '9999-12-31T23:59:59.999Z',
  '+275760-09-13T00:00:00Z',
  '2026-02-30',
  'P999999999Y',
  'PT0S',
  'STEP_TYPE_ACTION',
  'http://[::1',
];

const NUMBERS = ['0', '-0', '-1', '0.1', '1e21', '1e999', '-1e999', '5e-324', '9007199254740993', '2147483648'];

const deep = (levels: number): Json => JSON.parse('['.repeat(levels) + ']'.repeat(levels)) as Json;

/** A number as it is written, which JSON.stringify would make another of. */
const written = (number: string): Json => ({ $number: number });

/** `ids`: of things there are, our own and theirs. */
const texts = (ids: readonly string[]): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...ids) },
    { weight: 4, arbitrary: fc.constantFrom(...TEXTS) },
    { weight: 1, arbitrary: fc.constantFrom(...ids).map((id) => id.toUpperCase()) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  );

const values = (ids: readonly string[]): fc.Arbitrary<Json> =>
  fc.oneof(
    { weight: 4, arbitrary: texts(ids) },
    { weight: 2, arbitrary: fc.constantFrom(...NUMBERS).map(written) },
    { weight: 2, arbitrary: fc.constantFrom<Json>(null, true, false, [], {}, [null], [[]], { '': '' }, deep(63)) },
    { weight: 1, arbitrary: fc.constantFrom(65, 1_000).map(deep) },
    {
      weight: 1,
      arbitrary: fc.constantFrom<Json>(
        'x'.repeat(100_000),
        Array.from({ length: 1_500 }, () => 'x'),
      ),
    },
    { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json> },
  );

interface Change {
  readonly at: number;
  readonly how: 'replace' | 'remove' | 'add' | 'repeat';
  readonly name: string;
  readonly value: Json;
}

const changes = (ids: readonly string[]): fc.Arbitrary<readonly Change[]> =>
  fc.array(
    fc.record({
      at: fc.nat(),
      how: fc.constantFrom('replace', 'replace', 'remove', 'add', 'repeat'),
      name: fc.oneof(fc.constantFrom('__proto__', 'constructor', 'x', '', 'tenant_id', 'id', LONG), texts(ids)),
      value: values(ids),
    }),
    { maxLength: 3 },
  );

/** The body with one place changed after the other. */
function changed(body: Json, [first, ...rest]: readonly Change[]): Json {
  return first === undefined ? body : changed(changedOnce(body, first), rest);
}

function changedOnce(body: Json, { at, how, name, value }: Change): Json {
  const count = placesIn(body);
  let left = at % count;
  const walk = (node: Json): Json | undefined => {
    if (left-- === 0) {
      if (how === 'remove') return undefined;
      if (how === 'repeat') return [node, node];
      if (how === 'add' && isObject(node)) return Object.fromEntries([...Object.entries(node), [name, value]]);
      return value;
    }
    if (Array.isArray(node)) return node.flatMap((item: Json) => walk(item) ?? []);
    if (!isObject(node)) return node;
    return Object.fromEntries(
      Object.entries(node).flatMap(([key, item]) => {
        const other = walk(item);
        return other === undefined ? [] : [[key, other]];
      }),
    );
  };
  return walk(body) ?? null;
}

const placesIn = (node: Json): number => childrenOf(node).reduce<number>((sum, child) => sum + placesIn(child), 1);

const childrenOf = (node: Json): readonly Json[] =>
  Array.isArray(node) ? node : isObject(node) ? Object.values(node) : [];

/** Deeper than a recursive reader can go. */
const DEEPEST = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;

const toText = (body: Json): string => JSON.stringify(body).replace(/\{"\$number":"([^"]+)"\}/g, '$1');

const bodies = (sound: Json | undefined, ids: readonly string[]): fc.Arbitrary<string | undefined> =>
  fc.oneof(
    { weight: 8, arbitrary: changes(ids).map((list) => toText(changed(sound ?? {}, list))) },
    { weight: 1, arbitrary: values(ids).map(toText) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        undefined,
        '',
        '{',
        '{"a":1,}',
        '[1',
        '"',
        '{"__proto__":{"x":1}}',
        DEEPEST,
        '\uFEFF{}',
      ),
    },
  );

/** Of header values no more than HTTP/1.1 can carry. */
const headerText = fc.oneof(
  fc.constantFrom(
    '',
    '00-0-0-0',
    '00-ffffffffffffffffffffffffffffffff-ffffffffffffffff-ff',
    '\u00e9\u00ff',
    '*/*;q=9',
    LONG,
  ),
  fc.string({ maxLength: 60 }).map((text) => text.replace(/[^\x20-\x7e]/g, '')),
);
const HEADERS = [
  'accept',
  'accept-encoding',
  'content-encoding',
  'cookie',
  'forwarded',
  'if-none-match',
  'last-event-id',
  'origin',
  'prefer',
  'range',
  'traceparent',
  'x-forwarded-for',
  'x-http-method-override',
  'x-request-id',
];

/** Most calls lack it: one that is refused for it goes no further. */
const rarely = (name: string, values: readonly string[]): fc.Arbitrary<Call['headers']> =>
  fc.oneof(
    { weight: 15, arbitrary: fc.constant({}) },
    { weight: 1, arbitrary: fc.constantFrom(...values).map((value) => ({ [name]: value })) },
  );

const headersOf = (theirTenant: string): fc.Arbitrary<Call['headers']> =>
  fc
    .tuple(
      fc.dictionary(fc.constantFrom(...HEADERS), headerText, { maxKeys: 2 }),
      rarely('content-type', ['text/plain', 'application/json; charset=latin1', 'multipart/form-data', '']),
      rarely('x-tenant-id', [theirTenant, '', '\u00e9', "' or 1=1 --"]),
      rarely('authorization', ['', 'Bearer', 'Bearer x', 'Basic YTpi', 'bearer \u00e9']),
    )
    .map((parts) => Object.assign({ 'content-type': 'application/json' }, ...parts));

const querying = (
  { operation: { parameters = [] } }: DocumentedOperation,
  sound: Sound['query'],
  ids: readonly string[],
): fc.Arbitrary<string> => {
  const known = parameters.flatMap((parameter) => (parameter.in === 'query' ? [parameter.name] : []));
  const name = fc.constantFrom(...known, ...known, ...known, 'x', '__proto__', 'label.x', 'attribute.x', '', '[]');
  const more = fc.array(fc.tuple(name, fc.oneof(texts(ids), fc.constantFrom('1', '500', 'true', 'asc'))), {
    maxLength: 3,
  });
  const own = Object.entries(sound).map(([key, value]) => [key, String(value)] as const);
  return fc
    .tuple(fc.boolean(), more)
    .map(([asItIs, list]) => [...(asItIs ? own : []), ...list].map((pair) => pair.map(encoded).join('=')).join('&'));
};

/** As `encodeURIComponent`, which a lone surrogate breaks: it becomes bytes that are no UTF-8. */
const encoded = (text: string): string =>
  [...text].map((each) => (/\p{Surrogate}/u.test(each) ? '%ED%A0%80' : encodeURIComponent(each))).join('');

/** Calls of one operation, from almost right to nonsense. */
export function callsOf(
  described: DocumentedOperation,
  { sound, ids, theirTenant }: { readonly sound: Sound; readonly ids: readonly string[]; readonly theirTenant: string },
): fc.Arbitrary<Call> {
  const names = [...described.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const place = (name: string) => {
    // Empty text and dots would be another path.
    const any = texts(ids).filter((text) => !/^\.{0,2}$/.test(text));
    const own = sound.params[name];
    return own === undefined
      ? any
      : fc.oneof({ weight: 3, arbitrary: fc.constant(own) }, { weight: 2, arbitrary: any });
  };
  const takesBody = described.operation.requestBody !== undefined || described.method !== 'get';
  return fc
    .record({
      params: fc.tuple(...names.map(place)),
      query: fc.option(querying(described, sound.query, ids), { nil: '', freq: 2 }),
      headers: headersOf(theirTenant),
      body: takesBody ? bodies(sound.body, ids) : fc.constant(undefined),
    })
    .map(({ params, query, headers, body }) => ({
      method: described.method.toUpperCase(),
      path:
        described.path.replace(/\{(\w+)\}/g, (_, name: string) => encoded(params[names.indexOf(name)] ?? '')) +
        (query === '' ? '' : `?${query}`),
      headers,
      body,
    }));
}
