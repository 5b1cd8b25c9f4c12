import { coreMigrations } from '../../boot/core-migrations.ts';
import { type Migration, pendingMigrations } from '../../postgres/migrate.ts';
import { type Check, type Opened, ok, warning } from '../check.ts';

export const migrations: Check<Opened> = {
  name: 'migrations',
  async look({ knex, contributed }) {
    const pending: Migration[] = [];
    for (const set of [coreMigrations, ...(contributed?.migrations ?? [])]) {
      pending.push(...(await pendingMigrations({ knex, ...set })));
    }
    if (pending.length === 0) return ok('the database is up to date');
    const breaking = pending.filter(({ mark }) => mark === 'breaking').map(({ name }) => name);
    return breaking.length === 0
      ? warning(`${pending.length} pending, all compatible`, 'run `ductor migrate`; the next start does so too')
      : warning(
          `${pending.length} pending, of which hosts of the version before do not survive ${breaking.join(', ')}`,
          'back up, stop all hosts, then run `ductor migrate`',
        );
  },
};
