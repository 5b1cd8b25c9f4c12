import type { StepTypes } from '@ductor/core';
import type { Knex } from 'knex';
import type { BaseLogger } from 'pino';

/** Versions first, which are few, then the open runs of those alone. */
const PARKED = `
  with lacking as materialized (
    select d.tenant_id, d.id, array_agg(distinct s ->> 'type') as types
    from eec_workflow_definition d, json_array_elements(d.graph -> 'steps') s
    where d.status <> 'draft' and not s ->> 'type' = any(:known) group by d.tenant_id, d.id)
  select types, count(*)::int as runs from lacking
  join eec_workflow_run r on r.tenant_id = lacking.tenant_id and r.definition_id = lacking.id and r.ended_at is null
  group by types`;

/** Open runs of definitions that have step types which a host lacks. */
export interface ParkedRuns {
  readonly step_types: readonly string[];
  readonly open_runs: number;
}

/** Which open runs a host leaves alone that knows these step types. */
export async function parkedRuns(knex: Knex, known: readonly string[]): Promise<readonly ParkedRuns[]> {
  const { rows } = await knex.raw<{ rows: { types: string[]; runs: number }[] }>(PARKED, { known: [...known] });
  return rows.map(({ types, runs }) => ({ step_types: types, open_runs: runs }));
}

/** Says at the start which open runs this host leaves alone, and for want of what. */
export async function announceParkedRuns(
  knex: Knex,
  {
    types,
    disabled,
    log,
  }: { readonly types: StepTypes; readonly disabled: ReadonlyMap<string, string>; readonly log: BaseLogger },
): Promise<void> {
  for (const { step_types, open_runs } of await parkedRuns(knex, [...types.keys()])) {
    const plugins = [...new Set(step_types.flatMap((type) => disabled.get(type) ?? []))];
    log.warn({ step_types, plugins, open_runs }, 'open runs are parked: no plugin that is on has their step types');
  }
}
