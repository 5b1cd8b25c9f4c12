import type { Clock } from '../ports/clock.ts';
import type { Deadlines } from '../run/attempt.ts';

/** The deadlines of one attempt; starting one again pushes it back. */
export class Timers {
  private readonly running = new Map<keyof Deadlines, () => void>();
  private readonly clock: Clock;
  private readonly passed: (deadline: keyof Deadlines) => void;

  constructor(clock: Clock, passed: (deadline: keyof Deadlines) => void) {
    this.clock = clock;
    this.passed = passed;
  }

  start(deadline: keyof Deadlines, ms: number | undefined): void {
    if (ms === undefined) return;
    this.stop(deadline);
    this.running.set(
      deadline,
      this.clock.after(ms, () => this.passed(deadline)),
    );
  }

  stop(deadline: keyof Deadlines): void {
    this.running.get(deadline)?.();
    this.running.delete(deadline);
  }

  stopAll(): void {
    for (const stop of this.running.values()) stop();
    this.running.clear();
  }
}
