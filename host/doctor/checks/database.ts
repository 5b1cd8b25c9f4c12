import { broken, type Check, type Opened, ok } from '../check.ts';

const least = 15;

export const databaseVersion: Check<Opened> = {
  name: 'PostgreSQL version',
  async look({ knex }) {
    const { rows } = await knex.raw<{ rows: { number: number }[] }>(
      "select current_setting('server_version_num')::int as number",
    );
    const number = rows[0]?.number ?? 0;
    const version = `${Math.trunc(number / 10_000)}.${number % 10_000}`;
    return number >= least * 10_000
      ? ok(version)
      : broken(`${version}, and Ductor needs ${least} or newer`, 'upgrade the server');
  },
};
