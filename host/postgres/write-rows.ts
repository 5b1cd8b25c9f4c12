import { type AnyTable, DuctorError, type TenantId, type Write } from '@ductor/core';
import type { Knex } from 'knex';
import { groupBy } from './runs/group-by.ts';

/** Writes plugins' rows in a transaction of a definition's moment; a commit has a statement of its own for runs'. */
export const rowWriter =
  (tables: readonly AnyTable[]) =>
  async (transaction: Knex.Transaction, tenantId: TenantId, rows: readonly Write[]): Promise<void> => {
    for (const [name, writes] of groupBy(rows, ({ table }) => table)) {
      const table = tables.find((each) => each.name === name);
      if (table?.write === undefined) throw new DuctorError('internal', `No plugin writes rows of ${name}.`);
      await transaction.raw(
        `with written as (
           select cast(:tenantId as text) as tenant_id, cast(null as uuid) as run_id, value as row
           from json_array_elements(cast(:rows as json))) ${table.write}`,
        { tenantId, rows: JSON.stringify(writes.map(({ row }) => row)) },
      );
    }
  };
