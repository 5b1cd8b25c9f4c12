import { DuctorError, type Json, type Problem } from '@ductor/core';
import { isOfEntitlements } from '../tenants/entitlements.ts';

/** All problems in one refusal; 403 where entitlements are all that is missing. `consequence`: what did not happen. */
export function refusal(subject: string, problems: readonly Problem[], consequence: string): DuctorError {
  const count = problems.length === 1 ? 'a problem' : `${problems.length} problems`;
  const code = problems.every(isOfEntitlements) ? 'permission_denied' : 'invalid_argument';
  return new DuctorError(code, `${subject} has ${count}; ${consequence}.`, problemsJson(problems));
}

export const problemsJson = (problems: readonly Problem[]): readonly Json[] =>
  problems.map(({ path, code, message, position, allowed }) => ({
    path,
    code,
    message,
    ...(position && { position: { ...position } }),
    ...(allowed && { allowed }),
  }));

export const notFound = (): DuctorError => new DuctorError('not_found', 'There is no such workflow definition.');

export const staleRevision = (current: number): DuctorError =>
  new DuctorError('conflict', `The draft has been edited since: it is at revision ${current}.`, {
    current_draft_revision: current,
  });

export const slugTaken = (slug: string): DuctorError =>
  new DuctorError('already_exists', `There is a workflow '${slug}' with a draft already.`);
