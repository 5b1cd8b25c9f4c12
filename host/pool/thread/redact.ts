import { SHORTEST_SECRET } from '../protocol.ts';
import { storable } from './text.ts';

export type Redact = (text: string) => string;

const HIDDEN = '[redacted]';
const KEPT = 64;

const kept = new Map<string, Redact>();

/**
 * Hides the secrets of one credential in any text: raw, URL-encoded in part or whole, within base64 and base64url, and
 * each of these within JSON texts, also where they were encoded again. Secrets shorter than `SHORTEST_SECRET` are left.
 */
export const redactor = (secrets: readonly string[]): Redact => {
  if (secrets.length === 0) return (text) => text;
  const key = JSON.stringify(secrets);
  const known = kept.get(key);
  if (known !== undefined) return known;
  const made = compile(secrets);
  if (kept.size === KEPT) kept.clear();
  kept.set(key, made);
  return made;
};

const compile = (secrets: readonly string[]): Redact => {
  const forms = new Set(secrets.filter(({ length }) => length >= SHORTEST_SECRET).flatMap(formsOf));
  if (forms.size === 0) return (text) => text;
  const longestFirst = [...forms].sort((a, b) => b.length - a.length).map(spellings);
  const pattern = new RegExp(longestFirst.join('|'), 'g');
  return (text) => text.replace(pattern, HIDDEN);
};

/** What the database cannot hold is replaced in what leaves, and in URLs. */
const formsOf = (secret: string): string[] => {
  const base64 = [0, 1, 2].map((offset) => base64Core(secret, offset));
  return [secret, storable(secret), ...base64, ...base64.map(urlSafe)].filter(
    ({ length }) => length >= SHORTEST_SECRET,
  );
};

/**
 * The characters that base64 has for the secret whatever stands around it, if it begins `offset` bytes into a group
 * of three: this finds it in `Basic` headers too.
 */
const base64Core = (secret: string, offset: number): string => {
  const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(secret)]);
  const text = bytes.toString('base64').replaceAll('=', '');
  const sharedAtEnd = bytes.length % 3 === 0 ? 0 : 1;
  return text.slice(Math.ceil((offset * 8) / 6), text.length - sharedAtEnd);
};

const urlSafe = (base64: string): string => base64.replaceAll('+', '-').replaceAll('/', '_');

/** A pattern for the text however each of its characters is written. No encoder touches letters and digits. */
const spellings = (text: string): string =>
  [...text].map((char) => (/[A-Za-z0-9]/.test(char) ? char : `(?:${spellingsOf(char).join('|')})`)).join('');

/** JSON within JSON within JSON; bounded, so that long runs cost no more than others. */
const ESCAPE = '\\\\{1,7}';

const SHORT_ESCAPES: { readonly [char: string]: string } = {
  ...{ '"': '"', '\\': '\\', '/': '/' },
  ...{ '\b': 'b', '\f': 'f', '\n': 'n', '\r': 'r', '\t': 't' },
};

const spellingsOf = (char: string): readonly string[] => {
  const bytes = [...Buffer.from(char)];
  const units = char.split('').map((_, i) => char.charCodeAt(i));
  const short = SHORT_ESCAPES[char];
  return [
    bytes.map((byte) => `%(?:25){0,2}${anyCase(byte, 2)}`).join(''),
    units.map((unit) => `${ESCAPE}u${anyCase(unit, 4)}`).join(''),
    ...(short === undefined ? [] : [`${ESCAPE}${escapeRegExp(short)}`]),
    ...(char === ' ' ? ['\\+'] : []),
    escapeRegExp(char),
  ];
};

/** Hexadecimal, in either case. */
const anyCase = (value: number, digits: number): string =>
  value
    .toString(16)
    .padStart(digits, '0')
    .replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);

const escapeRegExp = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
