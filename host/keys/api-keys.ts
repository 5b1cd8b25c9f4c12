import { hash as digest, randomBytes } from 'node:crypto';
import { DuctorError, type Ids, type Instant, type TenantId } from '@ductor/core';
import type { ApiKeyTable } from '../postgres/api-keys.ts';
import { isScope, SCOPES, type Scope } from './scopes.ts';

/** A key as the host knows it; its text is known to its holder alone. */
export interface ApiKey {
  readonly id: string;
  /** `null`: an operator's key, of no tenant. */
  readonly tenantId: TenantId | null;
  readonly name: string;
  readonly scopes: readonly Scope[];
}

export interface NewApiKey {
  readonly tenantId: TenantId | null;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly expiresAt?: Instant;
  /** Its text, where someone else has chosen it. */
  readonly key?: string;
}

export interface ApiKeys {
  /** `key` is its text: shown once, stored nowhere. Throws `invalid_argument`, or `not_found` for an unknown tenant. */
  create(seed: NewApiKey): Promise<{ readonly id: string; readonly key: string }>;
  /** The key with this text, unless it has expired or was revoked; other hosts notice a revocation within 5 s. */
  find(key: string): Promise<ApiKey | null>;
  /** `false`: there is no such key, or it was revoked before. */
  revoke(id: string): Promise<boolean>;
  /** Expired and revoked ones too. */
  countAll(): Promise<number>;
  hasTenant(id: TenantId): Promise<boolean>;
}

const TRUSTED_FOR_MS = 5_000;
const MOST_REMEMBERED = 1_000;

/** 256 random bits: nobody guesses it, so one round of sha256 keeps it. */
export const newKeyText = (): string => `dk_${randomBytes(32).toString('base64url')}`;

export const hashOf = (key: string): Buffer => digest('sha256', key, 'buffer');

/** `monotonicMs` is only measured against itself. */
export function createApiKeys({
  table,
  ids,
  monotonicMs = () => performance.now(),
}: {
  readonly table: ApiKeyTable;
  readonly ids: Pick<Ids, 'uuidv7'>;
  readonly monotonicMs?: () => number;
}): ApiKeys {
  const known = new Map<string, { readonly key: Promise<ApiKey | null>; until: number }>();
  const tenants = new Set<TenantId>();

  /** Requests that come together ask once; only keys that exist are remembered, so guesses fill no memory. */
  function lookUp(hash: Buffer, text: string): Promise<ApiKey | null> {
    const until = monotonicMs() + TRUSTED_FOR_MS;
    const key = table.find(hash).then((found) => {
      if (found === null) known.delete(text);
      else entry.until = Math.min(until, monotonicMs() + (found.expiresInMs ?? TRUSTED_FOR_MS));
      return found && { id: found.id, tenantId: found.tenantId, name: found.name, scopes: found.scopes };
    });
    const entry = { key, until };
    key.catch(() => known.delete(text));
    if (known.size >= MOST_REMEMBERED) known.delete(known.keys().next().value ?? '');
    known.set(text, entry);
    return key;
  }

  return {
    async create({ tenantId, name, scopes, expiresAt, key = newKeyText() }) {
      const unknown = scopes.filter((scope) => !isScope(scope));
      if (unknown.length > 0 || scopes.length === 0) {
        const message =
          unknown.length > 0 ? `There is no scope ${unknown.join(', ')}.` : 'A key without scopes opens nothing.';
        throw new DuctorError('invalid_argument', message, [
          { path: 'scopes', code: 'unknown_scope', message, allowed: [...SCOPES] },
        ]);
      }
      if (tenantId === null && !scopes.includes('operator')) {
        throw new DuctorError('invalid_argument', 'A key of no tenant is an operator’s: it needs the scope operator.');
      }
      const id = ids.uuidv7();
      const row = { id, tenantId, name, hash: hashOf(key), scopes, expiresAt: expiresAt ?? null };
      if (!(await table.insert(row))) throw new DuctorError('not_found', `There is no tenant ${tenantId}.`);
      return { id, key };
    },

    find(key) {
      const hash = hashOf(key);
      const text = hash.toString('base64');
      const entry = known.get(text);
      return entry !== undefined && monotonicMs() < entry.until ? entry.key : lookUp(hash, text);
    },

    async revoke(id) {
      const wasRevoked = await table.revoke(id);
      known.clear();
      return wasRevoked;
    },

    countAll: () => table.count(),

    async hasTenant(id) {
      if (tenants.has(id)) return true;
      const exists = await table.hasTenant(id);
      if (exists) tenants.add(id);
      return exists;
    },
  };
}
