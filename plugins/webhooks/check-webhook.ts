import { type CredentialReader, checkTemplate, type Json, type Problem, type Scope, type TenantId } from '@ductor/core';
import { secretOf } from './secret.ts';
import type { Settings } from './webhook.ts';

const scope: Scope = {
  variables: new Map([
    [
      'request',
      {
        type: 'object',
        additionalProperties: false,
        properties: {
          body: {},
          headers: { type: 'object', additionalProperties: { type: 'string' } },
          query: { type: 'object' },
        },
      },
    ],
  ]),
  steps: null,
};

/** Everything that is certain to fail in a webhook whose form is right. */
export async function webhookProblems(
  tenantId: TenantId,
  { verify, action, response }: Settings,
  { credentials, words }: { readonly credentials: CredentialReader; readonly words: readonly string[] },
): Promise<readonly Problem[]> {
  return [
    ...(verify.type === 'none' ? [] : await credentialProblems(credentials, tenantId, verify.credential)),
    ...('trigger' in action ? wordProblems(Object.keys(action.trigger), words) : []),
    // Copied: its type has fields that may be missing.
    ...checkTemplate({ template: { ...action } as Json, path: 'action', scope }),
    ...checkTemplate({ template: response.body, path: 'response.body', scope }),
  ];
}

async function credentialProblems(
  credentials: CredentialReader,
  tenantId: TenantId,
  name: string,
): Promise<readonly Problem[]> {
  const path = 'verify.credential';
  const found = await credentials.read(tenantId, name);
  if (found === null) return [{ path, code: 'unknown_credential', message: `There is no credential '${name}'.` }];
  if (secretOf(found) !== null) return [];
  const message = `The credential '${name}' has not exactly one secret value, which is what both sides have to know.`;
  return [{ path, code: 'unfit_credential', message }];
}

const OWN = ['workflow', 'input', 'idempotency_key'];

const wordProblems = (used: readonly string[], words: readonly string[]): readonly Problem[] =>
  used
    .filter((word) => !OWN.includes(word) && !words.includes(word))
    .map((word) => ({
      path: `action.trigger.${word}`,
      code: 'unknown_field',
      message: `A trigger has no ${word}.`,
      allowed: [...OWN, ...words],
    }));
