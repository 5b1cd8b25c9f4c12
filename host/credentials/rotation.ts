import type { Actor } from '@ductor/core';
import type { Knex } from 'knex';
import type { BaseLogger } from 'pino';
import { writeAudit } from '../postgres/audit-log.ts';
import { countByOtherKeys, lockSealedByOthers, resealCredential } from '../postgres/credentials.ts';
import { type KeyRing, Unreadable } from './key-ring.ts';

const PAGE = 200;
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

/**
 * Seals with the current master key, page by page, what previous ones have sealed, for all tenants. What no key of this
 * host opens is counted, and left as it is.
 */
export async function reseal(
  knex: Knex,
  { keys, actor }: { readonly keys: KeyRing; readonly actor: Actor },
): Promise<{ readonly resealed: number; readonly unreadable: number }> {
  let resealed = 0;
  let unreadable = 0;
  for (let after: string | undefined = BEFORE_ALL; after !== undefined; ) {
    const from: string = after;
    after = await knex.transaction(async (transaction) => {
      const rows = await lockSealedByOthers(transaction, { keyId: keys.keyId, after: from, limit: PAGE });
      for (const { id, tenant_id: tenantId, key_id: keyId, sealed } of rows) {
        const owner = { tenantId, id };
        try {
          const next = keys.seal(owner, keys.open(owner, { keyId, sealed }));
          await resealCredential(transaction, id, { key_id: next.keyId, sealed: next.sealed });
          resealed += 1;
        } catch (error) {
          if (!(error instanceof Unreadable)) throw error;
          unreadable += 1;
        }
      }
      return rows.at(-1)?.id;
    });
  }
  await writeAudit(knex, {
    ...{ tenantId: null, actor, action: 'credential.reseal', target: keys.keyId },
    details: { resealed, unreadable },
  });
  return { resealed, unreadable };
}

/** How many credentials no key of this host opens, and the ids of the keys that would. */
export async function unreadableBy(
  knex: Knex,
  keys: KeyRing,
): Promise<{ readonly credentials: number; readonly keyIds: readonly string[] }> {
  const counts = await countByOtherKeys(knex, keys.keyIds);
  const credentials = counts.reduce((sum, { count }) => sum + count, 0);
  return { credentials, keyIds: counts.map(({ key_id }) => key_id) };
}

/** Says at the start if the master key is another than the one that credentials were sealed with. They stay as they are. */
export async function announceUnreadable(
  knex: Knex,
  { keys, log }: { readonly keys: KeyRing; readonly log: BaseLogger },
): Promise<void> {
  const { credentials, keyIds } = await unreadableBy(knex, keys);
  if (credentials === 0) return;
  log.error(
    { credentials, missing_key_ids: keyIds, key_id: keys.keyId },
    'credentials cannot be read: they were sealed with another master key; set DUCTOR_MASTER_KEY to that, or name it in DUCTOR_MASTER_KEY_PREVIOUS',
  );
}
