import { setTimeout as delay } from 'node:timers/promises';

/** Waits for a condition: answers with what it yields once that is something. */
export async function until<T>(
  condition: () => Promise<T | null | false> | T | null | false,
  what: string,
  withinMs = 20_000,
): Promise<T> {
  const end = performance.now() + withinMs;
  for (;;) {
    const value = await condition();
    if (value !== null && value !== false) return value;
    if (performance.now() > end) throw new Error(`waited ${withinMs} ms in vain for ${what}`);
    await delay(10);
  }
}
