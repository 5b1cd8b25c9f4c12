import { refs } from '@ductor/core';
import { coreMigrations } from '../../boot/core-migrations.ts';
import { loadPlugins } from '../../boot/load-plugins.ts';
import type { Config } from '../../config/config.ts';
import type { MigrationSet } from '../../postgres/migrate.ts';

/** The migrations that a boot would apply, in its order. Throws as a boot does if a plugin cannot be loaded. */
export async function migrationSets(config: Config): Promise<readonly MigrationSet[]> {
  // Plugins are loaded and not started: what stands behind their refs is never called.
  const services = new Map<string, unknown>(Object.values(refs).map(({ id }) => [id, null]));
  const { migrations } = await loadPlugins({ config, services });
  return [coreMigrations, ...migrations];
}
