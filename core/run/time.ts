import type { Instant } from '../json.ts';

/** The last instant that PostgreSQL's and RFC 3339's four-digit years share. */
const LATEST_MS = Date.parse('9999-12-31T23:59:59.999Z');

/** `at` plus a duration; exact for any length, and never past the year 9999. */
export const plus = (at: Instant, durationMs: number): Instant =>
  new Date(Math.min(Date.parse(at) + durationMs, LATEST_MS)).toISOString();

/** Instants all have one form, so text order is time order. */
export const earlier = (a: Instant, b: Instant): Instant => (a <= b ? a : b);
export const later = (a: Instant, b: Instant): Instant => (a >= b ? a : b);
