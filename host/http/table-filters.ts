import type { AnyTable } from '@ductor/core';
import type { RunListFilter } from '../postgres/reads/run-list.ts';

type Bound = NonNullable<RunListFilter['plugins']>[number];

/** A query parameter of the list of runs that a plugin's rows answer. */
export interface TableFilter {
  /** `schedule_id`, or `label.<key>` where the plugin's statement has a `:key`. */
  readonly accepts: RegExp;
  bind(parameter: string, value: string): Bound;
}

export const tableFilters = (tables: readonly AnyTable[]): readonly TableFilter[] =>
  tables.flatMap(({ filters }) => Object.entries(filters ?? {}).map(([name, sql]) => filterOf(name, sql)));

function filterOf(name: string, sql: string): TableFilter {
  const hasKey = /(?<!:):key\b/.test(sql);
  const literal = name.replace(/[^\w]/g, '\\$&');
  return {
    accepts: new RegExp(hasKey ? `^${literal}\\..` : `^${literal}$`),
    bind: (parameter, value) => ({ sql, value, ...(hasKey && { key: parameter.slice(name.length + 1) }) }),
  };
}
