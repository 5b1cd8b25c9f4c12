import type { RunStatus } from '@ductor/core';

/** A run as it is drawn, wherever it is known from. */
export interface RunView {
  /** `lead-router v3`. */
  readonly title: string;
  readonly runId: string;
  readonly status: string;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  readonly nodes: readonly NodeView[];
}

export interface NodeView {
  /** The step's ref, with how many branches of it there are. */
  readonly label: string;
  readonly type: string | null;
  readonly status: string;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  /** Shown where there is more than one, or one has failed. */
  readonly attempts: readonly AttemptView[];
  /** What went wrong, or what is waited for. */
  readonly note: string;
}

export interface AttemptView {
  readonly number: number;
  readonly status: 'running' | 'completed' | 'failed';
  readonly startedAt: string;
  readonly endedAt: string | null;
  readonly note: string;
}

/** The core has this list too, but loading it would make each command wait. */
const FINAL: ReadonlySet<string> = new Set<RunStatus>([
  'completed',
  'failed',
  'cancelled',
  'terminated',
  'continued_as_new',
  'merged',
]);

export const isFinalStatus = (status: string): boolean => FINAL.has(status);

/** How a program that has waited for a run ends: 0 where it came to what it was meant for. */
export const exitCodeOfRun = (status: string): number =>
  ['failed', 'cancelled', 'terminated'].includes(status) ? 1 : 0;
