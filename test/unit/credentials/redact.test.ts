import { expect } from 'chai';
import fc from 'fast-check';
import { secretsOf } from '#host/pool/secrets.js';
import { toPlainText } from '#host/pool/thread/plain.js';
import { redactor } from '#host/pool/thread/redact.js';
import { toFailure } from '#host/pool/thread/thrown.js';

const secret = fc
  .string({
    unit: fc.oneof(fc.constantFrom(...'aZ09"\\/+=&%?# \n\té€😀<'), fc.string({ minLength: 1, maxLength: 1 })),
    minLength: 8,
    maxLength: 60,
  })
  .filter((text) => text.trim().length >= 8 && !'[redacted]'.includes(text));

const around = fc.string({ unit: fc.constantFrom(...'xy:-.'), maxLength: 7 });

const inBase64 = (text: string) => Buffer.from(text).toString('base64');

/** How a server, a library or a log may write a secret that it was given. */
const FORMS: { readonly [name: string]: (secret: string, before: string, after: string) => string } = {
  raw: (text, before, after) => before + text + after,
  'URL-encoded': (text, before, after) => before + encodeURIComponent(text) + after,
  'URL-encoded in lower case': (text) => encodeURIComponent(text).replace(/%[0-9A-F]{2}/g, (hex) => hex.toLowerCase()),
  'in a form': (text, before, after) => new URLSearchParams({ [`k${before}`]: text, z: after }).toString(),
  'in a query': (text) => {
    const url = new URL('https://a.test/');
    url.searchParams.set('q', text);
    return url.href;
  },
  'by encodeURI': (text) => encodeURI(text),
  'URL-encoded twice': (text) => encodeURIComponent(encodeURIComponent(text)),
  'in base64': (text, before, after) => inBase64(before + text + after),
  'in base64url': (text, before, after) => Buffer.from(before + text + after).toString('base64url'),
  'in base64 in a URL': (text, before, after) => encodeURIComponent(inBase64(before + text + after)),
  'in a JSON text': (text, before, after) => JSON.stringify({ [before]: text, after }),
  'in a JSON text in a JSON text': (text, before) => JSON.stringify(JSON.stringify([before, text])),
  'in a JSON text of ASCII': (text) =>
    JSON.stringify(text).replace(/[^ -~]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`),
};

/** The text without what encodings add at its ends. */
const inside = (form: string, text: string, before: string, after: string): boolean =>
  form.includes(text) && !(before + after).includes(text);

describe('redaction', () => {
  for (const [name, write] of Object.entries(FORMS)) {
    it(`hides a secret ${name}`, () => {
      fc.assert(
        fc.property(secret, around, around, (text, before, after) => {
          const written = write(text, before, after);
          const hidden = redactor([text])(written);
          expect(hidden, written).to.include('[redacted]');
          expect(inside(hidden, text, before, after), hidden).to.equal(false);
          // Nothing that is left gives it back.
          expect(safely(() => decodeURIComponent(hidden.replaceAll('+', ' ')))).not.to.include(text);
          const decoded = Buffer.from(hidden.replace('[redacted]', ''), 'base64').toString();
          expect(decoded).not.to.include(text);
        }),
        { numRuns: process.env.FULL === '1' ? 2_000 : 200 },
      );
    });
  }

  const leaf = (text: string) =>
    fc.oneof(
      fc.constantFrom(...Object.values(FORMS)).map((write) => write(text, 'x', 'y')),
      fc.jsonValue({ maxDepth: 1 }),
    );
  const nested = secret.chain((text) =>
    fc.tuple(
      fc.constant(text),
      fc.letrec((tie) => ({
        value: fc.oneof(
          { depthSize: 'small' },
          leaf(text),
          fc.array(tie('value'), { maxLength: 3 }),
          fc.dictionary(fc.oneof(fc.constant(text), fc.string({ maxLength: 3 })), tie('value'), { maxKeys: 3 }),
        ),
      })).value,
    ),
  );

  it('leaves no form of it anywhere in an output or a failure', () => {
    const encode = (text: string) => [
      text,
      encodeURIComponent(text),
      JSON.stringify(text).slice(1, -1),
      JSON.stringify(JSON.stringify(text).slice(1, -1)).slice(1, -1),
      inBase64(`x${text}y`),
    ];
    fc.assert(
      fc.property(nested, ([text, value]) => {
        const redact = redactor([text]);
        const error = Object.assign(new Error(safely(() => JSON.stringify(value))), {
          name: 'ActionError',
          code: 'refused',
          options: { details: value },
        });
        const failure = JSON.stringify(toFailure(error, redact));
        // What cannot leave at all does not leave a secret either.
        const output = safely(() => toPlainText(value, { root: 'output', maxBytes: 1e6, redact }));
        for (const left of [failure, output]) {
          for (const form of encode(text)) expect(left).not.to.include(form);
        }
      }),
      { numRuns: process.env.FULL === '1' ? 2_000 : 150 },
    );
  });

  it('hides a number that is secret, and a code that spells a secret', () => {
    const redact = redactor(['12345678', 'abcdefgh']);
    const plain = toPlainText({ pin: 12345678, n: 7 }, { root: 'output', maxBytes: 100, redact });
    expect(JSON.parse(plain)).to.deep.equal({ pin: '[redacted]', n: 7 });
    const error = Object.assign(new Error('no'), { name: 'ActionError', code: 'abcdefgh' });
    expect(toFailure(error, redact).code).to.equal('connector_error');
  });

  it('leaves what is shorter than four characters, which would be found everywhere', () => {
    expect(redactor(['a', 'abc'])('an abc a')).to.equal('an abc a');
    expect(redactor(['abcd'])('an abcd a')).to.equal('an [redacted] a');
  });

  it('leaves texts alone that only look like a secret, over and over, and comes to an end with them', () => {
    const redact = redactor(['\\\\"a\\"b c%']);
    const text = '\\'.repeat(40_000) + '%25'.repeat(10_000);
    expect(redact(text)).to.equal(text);
  });

  it('knows every text within the secret fields, at any depth', () => {
    const values = { user: 'ann', key: { parts: ['one1', { two: 'two2' }, 33333] } };
    expect(secretsOf(values, ['key', 'none'])).to.have.members(['one1', 'two2', '33333']);
  });
});

const safely = (read: () => string): string => {
  try {
    return read();
  } catch {
    return '';
  }
};
