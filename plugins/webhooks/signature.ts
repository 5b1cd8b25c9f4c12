import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { Verify } from './webhook.ts';

/** How old a timestamped signature may be, and how far ahead its clock. */
const TOLERANCE_MS = 5 * 60_000;

export interface Signed {
  readonly bytes: Uint8Array;
  /** The header that `verify` names. */
  readonly header: string | undefined;
  readonly secret: string;
  readonly nowMs: number;
}

/** Why a delivery is not from whom it should be, for its owner alone; `null`: it is. Takes the same time for any wrong value. */
export function fault(
  verify: Exclude<Verify, { type: 'none' }>,
  { bytes, header, secret, nowMs }: Signed,
): string | null {
  if (header === undefined) return `The header ${verify.header} is missing.`;
  if (verify.type === 'header') {
    return isSame(sha256(header), sha256(secret)) ? null : `The header ${verify.header} has another value.`;
  }
  if (verify.format === 'body') {
    const signature = decoded(header.replace(/^sha256=/i, ''));
    return isSame(signature, hmac(secret, bytes)) ? null : 'The signature is not of this body by this secret.';
  }
  const { time, signatures } = timestamped(header);
  if (time === undefined) return `The header ${verify.header} is not of the form t=<seconds>,v1=<signature>.`;
  const expected = hmac(secret, `${time}.`, bytes);
  if (!signatures.some((signature) => isSame(signature, expected))) {
    return 'No signature is of this time and body by this secret.';
  }
  return Math.abs(nowMs - Number(time) * 1000) <= TOLERANCE_MS ? null : 'The signature is too old, or from the future.';
}

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

function hmac(secret: string, ...parts: readonly (string | Uint8Array)[]): Buffer {
  const made = createHmac('sha256', secret);
  for (const part of parts) made.update(part);
  return made.digest();
}

/** 64 hexadecimal digits, else base64. */
const decoded = (text: string): Buffer => Buffer.from(text, /^[\da-f]{64}$/i.test(text) ? 'hex' : 'base64');

const isSame = (given: Buffer, expected: Buffer): boolean =>
  given.length === expected.length && timingSafeEqual(given, expected);

/** There are several signatures while a secret is replaced. */
function timestamped(header: string): { readonly time: string | undefined; readonly signatures: readonly Buffer[] } {
  const parts = header.split(',').map((part) => part.trim());
  const valuesOf = (name: string) =>
    parts.filter((part) => part.startsWith(`${name}=`)).map((part) => part.slice(name.length + 1));
  const [time] = valuesOf('t');
  return {
    time: time !== undefined && /^\d{1,12}$/.test(time) ? time : undefined,
    signatures: valuesOf('v1').map(decoded),
  };
}
