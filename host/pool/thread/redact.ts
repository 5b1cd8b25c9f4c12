import { storable } from './text.ts';

export type Redact = (text: string) => string;

const HIDDEN = '[redacted]';
/** Shorter texts would be found everywhere. */
const SHORTEST = 4;
const KEPT = 64;

const kept = new Map<string, Redact>();

/** Hides the secrets of one credential in any text, also where they stand URL-encoded or within base64. */
export const redactor = (secrets: readonly string[]): Redact => {
  if (secrets.length === 0) return (text) => text;
  const key = secrets.join('\0');
  const known = kept.get(key);
  if (known !== undefined) return known;
  const made = compile(secrets);
  if (kept.size === KEPT) kept.clear();
  kept.set(key, made);
  return made;
};

const compile = (secrets: readonly string[]): Redact => {
  const forms = new Set(secrets.filter((secret) => secret.length >= SHORTEST).flatMap(encodings));
  if (forms.size === 0) return (text) => text;
  const longestFirst = [...forms].sort((a, b) => b.length - a.length).map(escapeRegExp);
  const pattern = new RegExp(longestFirst.join('|'), 'g');
  return (text) => text.replace(pattern, HIDDEN);
};

const encodings = (secret: string): string[] => {
  const url = encodeURIComponent(storable(secret));
  const form = url.replaceAll('%20', '+');
  const base64 = [0, 1, 2].map((offset) => base64Core(secret, offset));
  return [secret, url, form, url.toLowerCase(), ...base64, ...base64.map(urlSafe)].filter(
    (text) => text.length >= SHORTEST,
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

const escapeRegExp = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
