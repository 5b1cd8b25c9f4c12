import type { Knex } from 'knex';
import type { Contributed } from '../boot/contributed.ts';
import type { Config } from '../config/config.ts';

/** `broken`: a host does not start, or does not do its work. `warning`: it does, and somebody should look. */
export type Status = 'ok' | 'warning' | 'broken' | 'skipped';

export interface Look {
  readonly status: Status;
  /** What was seen. */
  readonly found: string;
  /** What to do; `null`: nothing. */
  readonly remedy: string | null;
}

/** What one check has to say. */
export interface Finding extends Look {
  readonly check: string;
}

/** Looks at one thing and changes nothing. What it throws counts as broken. */
export interface Check<Subject> {
  readonly name: string;
  look(subject: Subject): Promise<Look> | Look;
}

/** What checks of a database are given. */
export interface Opened {
  readonly config: Config;
  readonly knex: Knex;
  /** `null`: the plugins cannot be loaded. */
  readonly contributed: Contributed | null;
}

export const ok = (found: string): Look => ({ status: 'ok', found, remedy: null });
export const warning = (found: string, remedy: string): Look => ({ status: 'warning', found, remedy });
export const broken = (found: string, remedy: string | null): Look => ({ status: 'broken', found, remedy });
export const skipped = (found: string, remedy: string | null = null): Look => ({ status: 'skipped', found, remedy });
