import type { Knex } from 'knex';

/** Bound by name; `null` for what is not there. Lists are arrays of the database. */
export type Bindings = { readonly [name: string]: string | number | boolean | Buffer | readonly string[] | null };

/** The rows of a constant statement. A cast of a binding is written `cast(:name as type)`: knex reads `:name::` otherwise. */
export async function rowsOf<Row>(knex: Knex, sql: string, bindings: Bindings): Promise<readonly Row[]> {
  const { rows } = await knex.raw<{ rows: Row[] }>(sql, bindings as Knex.ValueDict);
  return rows;
}
