import { fileURLToPath } from 'node:url';
import type { MigrationSet } from '../postgres/migrate.ts';

/** The tables of the core; each plugin brings its own. */
export const coreMigrations: MigrationSet = {
  folder: fileURLToPath(new URL('../../../migrations', import.meta.url)),
  historyTable: 'eec_migration_core',
};
