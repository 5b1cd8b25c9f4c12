import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { MigrationSet } from '../postgres/migrate.ts';

/** The tables of the core; each plugin brings its own. */
export const coreMigrations: MigrationSet = {
  folder: dirname(fileURLToPath(import.meta.resolve('@ductor/migrations/package.json'))),
  historyTable: 'eec_migration_core',
};
