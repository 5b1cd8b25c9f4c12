import type { Instant } from '../json.ts';

const hex = (value: number, digits: number) => (value >>> 0).toString(16).padStart(8, '0').slice(-digits);

/** Four 32-bit lanes of a mixing hash (cyrb128): spread, not secrecy. */
function lanes(text: string): [number, number, number, number] {
  let [a, b, c, d] = [1779033703, 3144134277, 1013904242, 2773480762];
  for (let i = 0; i < text.length; i++) {
    const k = text.charCodeAt(i);
    a = b ^ Math.imul(a ^ k, 597399067);
    b = c ^ Math.imul(b ^ k, 2869860233);
    c = d ^ Math.imul(c ^ k, 951274213);
    d = a ^ Math.imul(d ^ k, 2716044179);
  }
  a = Math.imul(c ^ (a >>> 18), 597399067);
  b = Math.imul(d ^ (b >>> 22), 2869860233);
  c = Math.imul(a ^ (c >>> 17), 951274213);
  d = Math.imul(b ^ (d >>> 19), 2716044179);
  return [a ^ b ^ c ^ d, b ^ a, c ^ a, d ^ a];
}

/** A UUIDv7 with the given time, whose other bits are a hash of `seed`: the same arguments, the same id. */
export function derivedUuid(at: Instant, seed: string): string {
  const ms = Date.parse(at);
  const [a, b, c] = lanes(seed);
  const time = Math.floor(ms / 2 ** 16)
    .toString(16)
    .padStart(8, '0')
    .slice(-8);
  return `${time}-${hex(ms & 0xffff, 4)}-7${hex(a, 3)}-${hex((b & 0x3fff) | 0x8000, 4)}-${hex(c, 8)}${hex(a >>> 12, 4)}`;
}

/** A fraction in [0, 1) that depends on `seed` alone; for jitter that a replay repeats. */
export const derivedFraction = (seed: string): number => (lanes(seed)[0] >>> 0) / 2 ** 32;
