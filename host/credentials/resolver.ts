import { type AttemptFailure, DuctorError, type JsonObject, type TenantId } from '@ductor/core';
import type { ResolvedCredential, WantedCredential } from '../pool/connector-pools.ts';
import type { CredentialRow } from '../postgres/credentials.ts';
import { type KeyRing, Unreadable } from './key-ring.ts';

export interface ResolverDeps {
  readonly find: (tenantId: TenantId, name: string) => Promise<CredentialRow | null>;
  readonly keys: KeyRing;
  readonly monotonicMs?: () => number;
}

/** What was changed on another host is used for so long. Rows are kept sealed. */
const TRUSTED_FOR_MS = 2_000;
const MOST_REMEMBERED = 1_000;

interface Known {
  readonly asked: Promise<CredentialRow | null>;
  /** Once it is there. */
  row?: CredentialRow | null;
  readonly until: number;
}

/** What ticks and pools ask of credentials: whether there is one, and what is in it. */
export class CredentialResolver {
  readonly #deps: ResolverDeps;
  readonly #monotonicMs: () => number;
  readonly #known = new Map<string, Known>();

  constructor(deps: ResolverDeps) {
    this.#deps = deps;
    this.#monotonicMs = deps.monotonicMs ?? (() => performance.now());
  }

  /** Something about this name was changed here. */
  forget(tenantId: TenantId, name: string): void {
    this.#known.delete(keyOf(tenantId, name));
  }

  /** Those of the names that no credential has; at once if all of them were asked for a moment ago. */
  readonly missing = (
    tenantId: TenantId,
    names: readonly string[],
  ): ReadonlySet<string> | Promise<ReadonlySet<string>> => {
    const known = names.map((name) => this.#look(tenantId, name));
    if (known.every(({ row }) => row !== undefined)) return new Set(names.filter((_, i) => known[i]?.row === null));
    return Promise.all(known.map(({ asked }) => asked)).then(
      (rows) => new Set(names.filter((_, i) => rows[i] === null)),
    );
  };

  /** Decrypted for one attempt. `null`: there is none; a failure: it is not for this action, or cannot be opened. */
  readonly resolve = async ({
    tenantId,
    name,
    connector,
    auth,
  }: WantedCredential): Promise<ResolvedCredential | AttemptFailure | null> => {
    const row = await this.#look(tenantId, name).asked;
    if (row === null) return null;
    if (row.connector !== connector || !auth.includes(row.auth)) {
      const message = `the credential ${name} is of ${row.connector}, kind ${row.auth}: not one that this action takes`;
      return { code: 'credential_mismatch', party: 'user', message, retryable: false };
    }
    try {
      return this.#open(row);
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      const message = `the credential ${name} cannot be read: ${error.message}`;
      return { code: 'credential_unreadable', party: 'operator', message, retryable: true };
    }
  };

  /** Decrypted for a plugin, of whatever connector and kind. Throws `DuctorError` (`failed_precondition`) if it cannot be opened. */
  readonly read = async (tenantId: TenantId, name: string): Promise<ResolvedCredential | null> => {
    const row = await this.#look(tenantId, name).asked;
    try {
      return row && this.#open(row);
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      throw new DuctorError('failed_precondition', `The credential ${name} cannot be read: ${error.message}`);
    }
  };

  #open({ id, tenant_id: tenantId, key_id: keyId, sealed, secret_fields, config }: CredentialRow): ResolvedCredential {
    const text = this.#deps.keys.open({ tenantId, id }, { keyId, sealed });
    return { values: JSON.parse(text) as JsonObject, secretFields: secret_fields, config };
  }

  #look(tenantId: TenantId, name: string): Known {
    const key = keyOf(tenantId, name);
    const now = this.#monotonicMs();
    const found = this.#known.get(key);
    if (found !== undefined && now < found.until) return found;
    const asked = this.#deps.find(tenantId, name);
    const known: Known = { asked, until: now + TRUSTED_FOR_MS };
    asked.then(
      (row) => {
        known.row = row;
      },
      () => {
        if (this.#known.get(key) === known) this.#known.delete(key);
      },
    );
    if (this.#known.size >= MOST_REMEMBERED) this.#known.delete(this.#known.keys().next().value ?? '');
    this.#known.delete(key);
    this.#known.set(key, known);
    return known;
  }
}

const keyOf = (tenantId: TenantId, name: string): string => `${tenantId}\0${name}`;
