import type pg from 'pg';
import { openSession } from './session.ts';

const COLUMNS = `
  select c.relname as table, a.attname as name, format_type(a.atttypid, a.atttypmod) as type, a.attnotnull as required,
    pg_get_expr(d.adbin, d.adrelid) as default
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
  order by c.relname, a.attnum`;
const TABLES = `
  select c.relname as table, pg_get_partkeydef(c.oid) as partition, array_to_string(c.reloptions, ', ') as options
  from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`;
const INDEXES = `
  select i.tablename as table, i.indexdef as text from pg_indexes i
  join pg_class c on c.relname = i.tablename and c.relnamespace = 'public'::regnamespace
  where i.schemaname = 'public' and not c.relispartition order by i.tablename, i.indexname`;
const CHECKS = `
  select c.relname as table, pg_get_constraintdef(k.oid) as text from pg_constraint k join pg_class c on c.oid = k.conrelid
  where k.connamespace = 'public'::regnamespace and k.contype in ('c', 'f') and not c.relispartition
  order by c.relname, k.conname`;

/** The schema as text, the same for the same schema: tables, columns, keys, indexes. Slices and histories are left out. */
export async function dumpSchema(url: string): Promise<string> {
  const client = await openSession(url);
  try {
    const read = async <Row extends pg.QueryResultRow>(text: string) => (await client.query<Row>(text)).rows;
    const tables = await read<{ table: string; partition: string | null; options: string | null }>(TABLES);
    const columns = await read<{
      table: string;
      name: string;
      type: string;
      required: boolean;
      default: string | null;
    }>(COLUMNS);
    const indexes = await read<{ table: string; text: string }>(INDEXES);
    const checks = await read<{ table: string; text: string }>(CHECKS);
    const texts = tables
      .filter(({ table }) => !table.startsWith('eec_migration_'))
      .sort((a, b) => (a.table < b.table ? -1 : 1))
      .map(({ table, partition, options }) => {
        const body = [
          ...columns
            .filter((column) => column.table === table)
            .map(({ name, type, required, default: value }) =>
              [name, type, ...(required ? ['not null'] : []), ...(value === null ? [] : [`default ${value}`])].join(
                ' ',
              ),
            ),
          ...checks.filter((check) => check.table === table).map(({ text }) => text),
        ];
        const tail = `${partition === null ? '' : ` partition by ${partition}`}${options === null ? '' : ` with (${options})`}`;
        const keys = indexes
          .filter((index) => index.table === table)
          .map(({ text }) => `${text.replaceAll('public.', '')};`);
        return [`create table ${table} (\n  ${body.join(',\n  ')}\n)${tail};`, ...keys].join('\n');
      });
    return `-- Made from the migrations; a test keeps it true.\n\n${texts.join('\n\n')}\n`;
  } finally {
    await client.end();
  }
}
