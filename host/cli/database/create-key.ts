import { DuctorError } from '@ductor/core';
import { coreMigrations } from '../../boot/core-migrations.ts';
import type { Config } from '../../config/config.ts';
import { randomIds } from '../../engine/random-ids.ts';
import { createApiKeys, type NewApiKey } from '../../keys/api-keys.ts';
import { apiKeyTable } from '../../postgres/api-keys.ts';
import { pendingMigrations } from '../../postgres/migrate.ts';
import { withDatabase } from './with-database.ts';

/** Throws DuctorError: `failed_precondition` for a database without our tables, else as `ApiKeys.create`. */
export function createKey(config: Config, key: NewApiKey): Promise<{ readonly id: string; readonly key: string }> {
  return withDatabase(config, async ({ knex }) => {
    if ((await pendingMigrations({ knex, ...coreMigrations })).length > 0) {
      throw new DuctorError('failed_precondition', 'The database is not migrated: run `ductor migrate` first.');
    }
    return createApiKeys({ table: apiKeyTable(knex), ids: randomIds }).create(key);
  });
}
