import { hash as digest, randomBytes } from 'node:crypto';
import { type Actor, DuctorError, type Ids, type Instant, type TenantId } from '@ductor/core';
import type { ApiKeyTable } from '../postgres/api-keys.ts';
import { type RateLimit, RateLimiter } from './rate-limiter.ts';
import { isScope, SCOPES, type Scope } from './scopes.ts';

/** A key as the host knows it; its text is known to its holder alone. */
export interface ApiKey {
  readonly id: string;
  /** `null`: an operator's key, of no tenant. */
  readonly tenantId: TenantId | null;
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** `null`: none. */
  readonly rateLimit: RateLimit | null;
}

export interface NewApiKey {
  readonly tenantId: TenantId | null;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly expiresAt?: Instant;
  readonly rateLimit?: RateLimit;
  /** Who makes it, for the audit log. Default: `system`, which is whoever has the database. */
  readonly actor?: Actor;
  /** Its text, where someone else has chosen it. */
  readonly key?: string;
}

export interface ApiKeys {
  /** `key` is its text: shown once, stored nowhere. Throws `invalid_argument`, or `not_found` for an unknown tenant. */
  create(seed: NewApiKey): Promise<{ readonly id: string; readonly key: string }>;
  /** The key with this text, unless it has expired or was revoked; other hosts notice a revocation within 5 s. */
  find(key: string): Promise<ApiKey | null>;
  /** Counts a request against the key's rate limit, if it has one. Throws `resource_exhausted`. */
  spend(key: ApiKey): void;
  /** `false`: there is no such key, or it was revoked before. `by`: another key, which is not revoked meanwhile. */
  revoke(id: string, by?: { readonly keyId: string; readonly actor: Actor }): Promise<boolean>;
  /** Expired and revoked ones too. */
  countAll(): Promise<number>;
  hasTenant(id: TenantId): Promise<boolean>;
}

/** Who acts where nobody has sent a key. */
export const SYSTEM: Actor = 'system';

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
  const limiter = new RateLimiter(monotonicMs);

  /** Requests that come together ask once; only keys that exist are remembered, so guesses fill no memory. */
  function lookUp(hash: Buffer, text: string): Promise<ApiKey | null> {
    const until = monotonicMs() + TRUSTED_FOR_MS;
    const key = table.find(hash).then((found) => {
      if (found === null) known.delete(text);
      else entry.until = Math.min(until, monotonicMs() + (found.expiresInMs ?? TRUSTED_FOR_MS));
      if (found === null) return null;
      const { expiresInMs: _, ...key } = found;
      return key;
    });
    const entry = { key, until };
    key.catch(() => known.delete(text));
    if (known.size >= MOST_REMEMBERED) known.delete(known.keys().next().value ?? '');
    known.set(text, entry);
    return key;
  }

  return {
    async create({ tenantId, name, scopes, expiresAt, rateLimit, actor = SYSTEM, key = newKeyText() }) {
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
      const limits = { expiresAt: expiresAt ?? null, rateLimit: rateLimit ?? null };
      if (!(await table.insert({ id, tenantId, name, hash: hashOf(key), scopes, ...limits }, actor)))
        throw new DuctorError('not_found', `There is no tenant ${tenantId}.`);
      return { id, key };
    },

    find(key) {
      const hash = hashOf(key);
      const text = hash.toString('base64');
      const entry = known.get(text);
      return entry !== undefined && monotonicMs() < entry.until ? entry.key : lookUp(hash, text);
    },

    spend({ id, rateLimit }) {
      if (rateLimit === null) return;
      const waitMs = limiter.take(id, rateLimit);
      if (waitMs === 0) return;
      const message = `The key's rate limit is ${rateLimit.requestsPerMinute} requests a minute, ${rateLimit.burst} at once.`;
      const details = [{ path: '', code: 'rate_limit', message }];
      throw new DuctorError('resource_exhausted', message, details, Math.ceil(waitMs / 1000));
    },

    async revoke(id, by) {
      const wasRevoked = await table.revoke(id, by ?? { keyId: null, actor: SYSTEM });
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
