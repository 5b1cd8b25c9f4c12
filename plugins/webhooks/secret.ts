import type { CredentialReader } from '@ductor/core';

type Found = NonNullable<Awaited<ReturnType<CredentialReader['read']>>>;

/** The one secret value of a credential; `null`: it has none, or several. */
export function secretOf({ values, secretFields }: Found): string | null {
  const [only, ...others] = secretFields.map((field) => values[field]).filter((value) => value !== undefined);
  return typeof only === 'string' && others.length === 0 ? only : null;
}
