import type { AsyncLocalStorage } from 'node:async_hooks';
import type { Attempt } from './attempt.ts';

export interface StraysOptions {
  /** Whose code is running: follows promises and timers. */
  readonly owner: AsyncLocalStorage<Attempt>;
  /** The attempts in flight. */
  readonly running: () => Iterable<Attempt>;
  readonly retire: (reason: string) => void;
}

/** Thrown out of `process.exit`, so that the code after it does not run. */
class Exited extends Error {
  override readonly name = 'Exited';
}

/**
 * Catches what escapes an action: rejections nobody handles, throws from timers, `process.exit`, and prints.
 * Each is laid at the door of the attempt whose code did it, so that its neighbours in the thread go on.
 */
export const catchStrays = ({ owner, running, retire }: StraysOptions): void => {
  const blame = (): Attempt | undefined => {
    const known = owner.getStore();
    if (known !== undefined) return known;
    const [only, ...others] = running();
    return others.length === 0 ? only : undefined;
  };

  const escaped = (thrown: unknown): void => {
    if (thrown instanceof Exited) return;
    blame()?.fail(thrown);
    retire('an error escaped an action');
  };
  process.on('uncaughtException', escaped);
  process.on('unhandledRejection', escaped);

  const exit = process.exit.bind(process);
  process.exit = (code) => {
    const attempt = blame();
    if (attempt === undefined) return exit(code);
    attempt.exited(code);
    retire('an action called process.exit');
    throw new Exited('process.exit ends the action, not the thread');
  };

  // What is printed may hold secrets, and is worth more on its attempt than in the host's output.
  process.stdout.write = printer(owner, 'info');
  process.stderr.write = printer(owner, 'warn');
};

const printer =
  (owner: AsyncLocalStorage<Attempt>, level: 'info' | 'warn'): typeof process.stdout.write =>
  (chunk: string | Uint8Array, ...rest: unknown[]): boolean => {
    const text = typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
    owner.getStore()?.log(level, text.trimEnd());
    const done = rest.at(-1);
    if (typeof done === 'function') process.nextTick(done);
    return true;
  };
