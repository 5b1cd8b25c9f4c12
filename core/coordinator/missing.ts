import { DuctorError } from '../errors.ts';
import type { Missing } from './coordinator-ports.ts';

/** Why runs of a workflow cannot start here, and what to do. */
export function missingText(workflow: string, { plugins, words }: Missing): string {
  const what = words.join(', ');
  return plugins.length === 0
    ? `${workflow} has ${what}, which no plugin here knows: install the one that does.`
    : `${workflow} has ${what} of the plugin ${plugins.join(', ')}, which is off: turn it on in ductor.yaml.`;
}

/** The same as an answer: `failed_precondition`. */
export function refusedFor(missing: Missing): DuctorError {
  const message = missingText('The workflow', missing);
  return new DuctorError('failed_precondition', message, [{ path: '', code: 'plugin_missing', message }]);
}
