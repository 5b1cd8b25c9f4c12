import { type Check, type Opened, ok, warning } from '../check.ts';

interface LivingHost {
  readonly name: string;
  readonly plugins: readonly { readonly id: string; readonly version: string }[];
}

/** Hosts that live on the database, and whether all have the same plugins: one leaves alone what it lacks. */
export const hosts: Check<Opened> = {
  name: 'hosts',
  async look({ knex }) {
    if (!(await knex.schema.hasTable('eec_host'))) return ok('none');
    const { rows } = await knex.raw<{ rows: LivingHost[] }>(
      'select name, plugins from eec_host where lease_until > clock_timestamp() order by started_at, id',
    );
    const sets = rows.map(({ plugins }) => new Set(plugins.map(({ id, version }) => `${id} ${version}`)));
    const all = new Set(sets.flatMap((set) => [...set]));
    const lacking = rows.flatMap(({ name }, at) => {
      const missing = [...all].filter((plugin) => sets[at]?.has(plugin) === false);
      return missing.length === 0 ? [] : [`${name} lacks ${missing.join(', ')}`];
    });
    return lacking.length === 0
      ? ok(rows.length === 0 ? 'none runs' : `${rows.map(({ name }) => name).join(', ')}`)
      : warning(`their plugins differ: ${lacking.join('; ')}`, 'give all hosts the same plugins and restart those');
  },
};
