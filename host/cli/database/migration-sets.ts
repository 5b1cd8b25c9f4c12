import { contributionsOf } from '../../boot/contributions-of.ts';
import { coreMigrations } from '../../boot/core-migrations.ts';
import type { Config } from '../../config/config.ts';
import type { MigrationSet } from '../../postgres/migrate.ts';

/** The migrations that a boot would apply, in its order. Throws as a boot does if a plugin cannot be loaded. */
export async function migrationSets(config: Config): Promise<readonly MigrationSet[]> {
  const { migrations } = await contributionsOf(config);
  return [coreMigrations, ...migrations];
}
