import {
  DuctorError,
  type Ids,
  type JsonObject,
  type Problem,
  type RunId,
  type SchemaValidator,
  type TenantId,
} from '@ductor/core';
import type { Knex } from 'knex';
import rcompare from 'semver/functions/rcompare.js';
import type { EnabledConnector } from '../definitions/action-catalogue.ts';
import { refusal } from '../definitions/refusals.ts';
import type { ManifestAuth } from '../pool/manifest.ts';
import { type Author, writeAudit } from '../postgres/audit-log.ts';
import {
  type CredentialRow,
  credentialUsers,
  deleteCredential,
  findCredential,
  insertCredential,
  runsWaitingFor,
  updateCredential,
} from '../postgres/credentials.ts';
import { contentProblems, kindOf, shortSecrets } from './check-credential.ts';
import type { KeyRing } from './key-ring.ts';
import type { CredentialResolver } from './resolver.ts';

export interface CredentialsDeps {
  readonly knex: Knex;
  readonly keys: KeyRing;
  readonly resolver: Pick<CredentialResolver, 'forget'>;
  /** Those that the tenant may use. */
  readonly connectors: (tenantId: TenantId) => Promise<readonly EnabledConnector[]>;
  readonly schemas: SchemaValidator;
  readonly wake: (runIds: readonly RunId[]) => void;
  readonly ids: Pick<Ids, 'uuidv7'>;
}

export interface NewCredentialBody {
  readonly name: string;
  readonly connector: string;
  readonly auth: string;
  readonly values: JsonObject;
  readonly config: JsonObject;
}

/** All of `values` anew, or none of them. */
export type CredentialEdit = Partial<Pick<NewCredentialBody, 'values' | 'config'>>;

export interface Saved {
  readonly row: CredentialRow;
  readonly warnings: readonly Problem[];
}

/** Credentials as their owners see them: written, never read. Throws `DuctorError`. */
export class Credentials {
  readonly #deps: CredentialsDeps;

  constructor(deps: CredentialsDeps) {
    this.#deps = deps;
  }

  async create(author: Author, body: NewCredentialBody): Promise<Saved> {
    const { knex, keys, ids } = this.#deps;
    const { tenantId } = author;
    const { name, connector, auth, values, config } = body;
    const { kind, warnings } = await this.#checked(tenantId, body);
    const id = ids.uuidv7();
    const { keyId, sealed } = keys.seal({ tenantId, id }, JSON.stringify(values));
    const row = await knex.transaction(async (transaction) => {
      const inserted = await insertCredential(transaction, {
        ...{ id, tenant_id: tenantId, name, connector, auth, config },
        ...{ fields: Object.keys(values), secret_fields: kind.secretFields, key_id: keyId, sealed },
      });
      if (inserted === null) throw new DuctorError('already_exists', `There is a credential '${name}' already.`);
      await this.#note(transaction, author, { verb: 'create', row: inserted });
      return inserted;
    });
    await this.#changed(row);
    return { row, warnings };
  }

  /** Attempts that begin from now on see the new values. */
  async update(author: Author, id: string, edit: CredentialEdit): Promise<Saved> {
    const { knex, keys } = this.#deps;
    const { tenantId } = author;
    const saved = await knex.transaction(async (transaction) => {
      const found = required(await findCredential(transaction, tenantId, { id }, { lock: true }));
      const config = edit.config ?? found.config;
      const { kind, warnings } = await this.#checked(tenantId, { ...found, ...edit, config });
      const { values } = edit;
      const { keyId, sealed } =
        values === undefined
          ? { keyId: found.key_id, sealed: found.sealed }
          : keys.seal({ tenantId, id }, JSON.stringify(values));
      const row = required(
        await updateCredential(
          transaction,
          { tenantId, id },
          {
            config,
            fields: values === undefined ? found.fields : Object.keys(values),
            secret_fields: values === undefined ? found.secret_fields : kind.secretFields,
            key_id: keyId,
            sealed,
          },
        ),
      );
      await this.#note(transaction, author, { verb: 'update', row, more: { changed: Object.keys(edit) } });
      return { row, warnings };
    });
    await this.#changed(saved.row);
    return saved;
  }

  /** Refused while published versions name it, unless it is forced: their steps then wait for another of that name. */
  async delete(author: Author, id: string, { force }: { readonly force: boolean }): Promise<CredentialRow> {
    const { knex } = this.#deps;
    const { tenantId } = author;
    const row = await knex.transaction(async (transaction) => {
      const found = required(await findCredential(transaction, tenantId, { id }, { lock: true }));
      const users = await credentialUsers(transaction, tenantId, found.name);
      if (users.length > 0 && !force) {
        const slugs = users.map(({ family_slug }) => family_slug);
        const message = `Published workflows use '${found.name}': ${slugs.join(', ')}. With force=true their steps wait for another of that name.`;
        throw new DuctorError('failed_precondition', message, {
          used_by: users.map(({ family_slug, versions }) => ({ family_slug, versions })),
        });
      }
      await deleteCredential(transaction, tenantId, id);
      await this.#note(transaction, author, { verb: 'delete', row: found, more: { forced: users.length > 0 } });
      return found;
    });
    this.#deps.resolver.forget(tenantId, row.name);
    return row;
  }

  async find(tenantId: TenantId, id: string): Promise<CredentialRow> {
    return required(await findCredential(this.#deps.knex, tenantId, { id }));
  }

  /** Whether this host has the key that it was sealed with. */
  isReadable({ key_id }: CredentialRow): boolean {
    return this.#deps.keys.keyIds.includes(key_id);
  }

  /** The newest version of a connector that the tenant may use. */
  async connectorOf(tenantId: TenantId, connector: string): Promise<EnabledConnector> {
    const enabled = await this.#deps.connectors(tenantId);
    const [newest] = enabled
      .filter(({ manifest }) => manifest.id === connector)
      .sort((one, other) => rcompare(one.manifest.version, other.manifest.version));
    if (newest) return newest;
    const message = `No connector '${connector}' is enabled here.`;
    const allowed = [...new Set(enabled.map(({ manifest }) => manifest.id))];
    throw refusal('The credential', [{ path: 'connector', code: 'unknown_connector', message, allowed }], UNCHANGED);
  }

  async #checked(
    tenantId: TenantId,
    content: {
      readonly connector: string;
      readonly auth: string;
      readonly values?: JsonObject;
      readonly config: JsonObject;
    },
  ): Promise<{ readonly kind: ManifestAuth; readonly warnings: readonly Problem[] }> {
    const { manifest } = await this.connectorOf(tenantId, content.connector);
    const kind = kindOf(manifest, content.auth);
    if ('path' in kind) throw refusal('The credential', [kind], UNCHANGED);
    const { schemas } = this.#deps;
    const problems = contentProblems(content, kind, { manifest, schemas });
    if (problems.length > 0) throw refusal('The credential', problems, UNCHANGED);
    return { kind, warnings: shortSecrets(content.values ?? {}, kind) };
  }

  async #note(
    transaction: Knex,
    author: Author,
    { verb, row, more }: { readonly verb: string; readonly row: CredentialRow; readonly more?: JsonObject },
  ): Promise<void> {
    const { id, name, connector, auth, fields } = row;
    const details = { name, connector, auth, fields, ...more };
    await writeAudit(transaction, { ...author, action: `credential.${verb}`, target: id, details });
  }

  /** Those who wait for it are woken here; whoever this does not reach is found by the sweep. */
  async #changed({ tenant_id, name }: CredentialRow): Promise<void> {
    const { knex, resolver, wake } = this.#deps;
    resolver.forget(tenant_id, name);
    wake(await runsWaitingFor(knex, tenant_id, name));
  }
}

const UNCHANGED = 'nothing was changed';

function required(row: CredentialRow | null): CredentialRow {
  if (row !== null) return row;
  throw new DuctorError('not_found', 'There is no such credential.');
}
