import { DuctorError } from '@ductor/core';

export type BootProblemCode =
  | 'unknown_plugin'
  | 'invalid_manifest'
  | 'wrong_version'
  | 'wrong_plugin_api'
  | 'duplicate_plugin'
  | 'requires_missing'
  | 'requires_disabled'
  | 'requires_version'
  | 'requires_cycle'
  | 'second_core'
  | 'entry_failed'
  | 'invalid_entry'
  | 'no_migrations'
  | 'stale_options'
  | 'invalid_options'
  | 'unknown_ref'
  | 'contribute_failed'
  | 'invalid_contribution'
  | 'step_type_unlisted'
  | 'step_type_missing'
  | 'field_unlisted'
  | 'field_missing'
  | 'duplicate_step_type'
  | 'reserved_field'
  | 'duplicate_field'
  | 'duplicate_table'
  | 'duplicate_filter'
  | 'duplicate_route'
  | 'duplicate_service'
  | 'route_outside_prefix'
  | 'route_without_scope';

/** One reason why the host does not start, with the plugin it is about. */
export interface BootProblem {
  /** Its id; where that is not known, its name in `ductor.yaml` or its package's. */
  readonly plugin: string;
  readonly code: BootProblemCode;
  readonly message: string;
  /** Where `ductor.yaml` or the environment says what is wrong, or names the plugin. */
  readonly place?: string;
  /** What to do about it. */
  readonly advice: string;
  readonly allowed?: readonly string[];
}

/** A problem as one line. */
export function problemText({ plugin, place, message, advice, allowed }: BootProblem): string {
  const choice = allowed === undefined ? '' : ` (allowed: ${allowed.join(', ')})`;
  return `${place === undefined ? '' : `${place}  `}${plugin}: ${message}${choice}. ${advice}.`;
}

/** All problems as the one error that stops the boot: `failed_precondition`, with them as `details.problems`. */
export function bootRefused(problems: readonly BootProblem[]): DuctorError {
  const lines = problems.map((problem) => `  ${problemText(problem)}`);
  const details = problems.map(({ allowed, place, ...problem }) => ({
    ...problem,
    ...(place !== undefined && { place }),
    ...(allowed && { allowed }),
  }));
  return new DuctorError('failed_precondition', `The plugins cannot be loaded:\n${lines.join('\n')}`, {
    problems: details,
  });
}
