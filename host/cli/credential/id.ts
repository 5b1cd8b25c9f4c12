import type { DuctorClient } from '@ductor/client';
import { UsageError } from '../errors.ts';

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Steps name credentials by their names, the API by their ids. Throws `UsageError` where there is none. */
export async function credentialId(client: Pick<DuctorClient, 'paged'>, address: string): Promise<string> {
  if (UUID.test(address)) return address;
  for await (const { name, id } of client.paged('/api/credentials', { params: { query: { page_size: 500 } } })) {
    if (name === address) return id;
  }
  throw new UsageError(`There is no credential ${address}: \`ductor credential list\` names those there are.`);
}
