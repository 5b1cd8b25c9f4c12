import type { JsonObject } from '@ductor/core';
import type { ServerRoute } from '@hapi/hapi';
import type { Knex } from 'knex';
import { testCredential } from '../credentials/credential-test.ts';
import type { CredentialEdit, Credentials, NewCredentialBody, Saved } from '../credentials/credentials.ts';
import type { KeyRing } from '../credentials/key-ring.ts';
import { reseal } from '../credentials/rotation.ts';
import { problemsJson } from '../definitions/refusals.ts';
import type { ConnectorPools } from '../pool/connector-pools.ts';
import { type CredentialRow, listCredentials } from '../postgres/credentials.ts';
import { asked, callerOf } from './caller.ts';
import * as schemas from './credential.schemas.ts';
import { pageOf, pageRequest } from './paging.ts';

const READ = { scope: ['credential:read'] };
const WRITE = { scope: ['credential:write'] };
const BASE = '/api/credentials';
const params = schemas.credentialParams;
const tags = ['Credentials'];

/** `/api/credentials`: secrets go in and never come out. */
export const credentialRoutes = ({
  knex,
  pools,
  credentials,
  keys,
}: {
  readonly knex: Knex;
  readonly pools: Pick<ConnectorPools, 'run'>;
  readonly credentials: Credentials;
  readonly keys: KeyRing;
}): readonly ServerRoute[] => {
  const show = (row: CredentialRow): JsonObject => ({
    id: row.id,
    name: row.name,
    connector: row.connector,
    auth: row.auth,
    fields: row.fields,
    config: row.config,
    key_id: row.key_id,
    readable: credentials.isReadable(row),
    created_at: row.created_at,
    updated_at: row.updated_at,
  });
  const saved = ({ row, warnings }: Saved) => ({ ...show(row), warnings: problemsJson(warnings) });

  return [
    {
      method: 'POST',
      path: BASE,
      options: {
        description: 'Keep a credential under a name that steps can use',
        notes: 'Values are write-only: no answer, error or log shows them. Steps that wait for the name go on.',
        tags,
        auth: WRITE,
        validate: { payload: schemas.createPayload },
        response: { schema: schemas.savedCredential },
        plugins: { ductor: { examples: [schemas.CREATE_EXAMPLE] } },
      },
      async handler(request) {
        const { author, payload } = asked<NewCredentialBody>(request);
        return saved(await credentials.create(author, payload));
      },
    },
    {
      method: 'GET',
      path: BASE,
      options: {
        description: 'List credentials, without their values',
        tags,
        auth: READ,
        validate: { query: schemas.listQuery },
        response: { schema: schemas.credentialList },
      },
      async handler(request) {
        const page = pageRequest(request, 'desc');
        const { tenantId } = callerOf(request);
        const { connector } = request.query as { readonly connector?: string };
        const rows = await listCredentials(knex, tenantId, {
          ...(connector !== undefined && { connector }),
          order: page.order,
          after: page.after === null ? null : String(page.after),
          limit: page.size + 1,
        });
        return pageOf(page, rows, { keyOf: ({ id }) => id, show });
      },
    },
    {
      method: 'GET',
      path: `${BASE}/{id}`,
      options: {
        description: 'Show a credential, without its values',
        tags,
        auth: READ,
        validate: { params },
        response: { schema: schemas.credential },
      },
      async handler(request) {
        const { tenantId, id } = asked(request);
        return show(await credentials.find(tenantId, id));
      },
    },
    {
      method: 'PATCH',
      path: `${BASE}/{id}`,
      options: {
        description: 'Replace the values or the settings of a credential',
        notes: 'Attempts that begin from now on use them; hosts that share the database follow within 2 seconds.',
        tags,
        auth: WRITE,
        validate: { params, payload: schemas.editPayload },
        response: { schema: schemas.savedCredential },
      },
      async handler(request) {
        const { author, id, payload } = asked<CredentialEdit>(request);
        return saved(await credentials.update(author, id, payload));
      },
    },
    {
      method: 'DELETE',
      path: `${BASE}/{id}`,
      options: {
        description: 'Delete a credential',
        notes: 'Refused while published workflows name it, unless `force=true`: their steps then wait for another.',
        tags,
        auth: WRITE,
        validate: { params, query: schemas.deleteQuery },
        response: { schema: schemas.deletedCredential },
      },
      async handler(request) {
        const { author, id } = asked(request);
        const { force } = request.query as unknown as { readonly force: boolean };
        const { name } = await credentials.delete(author, id, { force });
        return { id, name, deleted: true };
      },
    },
    {
      method: 'POST',
      path: `${BASE}/{id}:test`,
      options: {
        description: 'Prove a credential by the action that its connector names for that',
        tags,
        auth: WRITE,
        validate: { params },
        response: { schema: schemas.testResult },
      },
      async handler(request) {
        const { tenantId, id } = asked(request);
        const row = await credentials.find(tenantId, id);
        const { manifest, integrity } = await credentials.connectorOf(tenantId, row.connector);
        const test = manifest.auth.find((kind) => kind.id === row.auth)?.test;
        if (test === undefined) return { status: 'untested' };
        const pin = { id: manifest.id, package: manifest.package, version: manifest.version, integrity };
        return { ...(await testCredential(pools, row, { pin, test })) };
      },
    },
    {
      method: 'POST',
      path: `${BASE}:reseal`,
      options: {
        description: 'Encrypt all credentials of all tenants with the current master key',
        notes: 'The last step of a rotation: after it the keys in DUCTOR_MASTER_KEY_PREVIOUS can go.',
        tags,
        auth: { scope: ['operator'] },
        response: { schema: schemas.resealed },
      },
      handler: async (request) => ({ ...(await reseal(knex, { keys, actor: callerOf(request).actor })) }),
    },
  ];
};
