import type { StepTypes } from '@ductor/core';
import type { Knex } from 'knex';
import type { BaseLogger } from 'pino';
import { type DisabledWords, pluginsOf } from './contributed.ts';

/** Versions first, which are few, then the open runs of those alone. */
const PARKED = `
  with lacking as materialized (
    select d.tenant_id, d.id, array_agg(distinct said.word) as words
    from eec_workflow_definition d cross join lateral (
      select s ->> 'type' as word from json_array_elements(d.graph -> 'steps') s where not s ->> 'type' = any(:known)
      union all select 'step.' || name from json_array_elements(d.graph -> 'steps') s, json_object_keys(s) name
      where 'step.' || name = any(:off)
      union all select 'graph.' || name from json_object_keys(d.graph) name where 'graph.' || name = any(:off)
    ) said
    where d.status <> 'draft' group by d.tenant_id, d.id)
  select words, count(*)::int as runs from lacking
  join eec_workflow_run r on r.tenant_id = lacking.tenant_id and r.definition_id = lacking.id and r.ended_at is null
  group by words`;

/** Open runs of definitions that have step types or words which a host lacks. */
export interface ParkedRuns {
  readonly words: readonly string[];
  readonly open_runs: number;
}

/** Which open runs a host leaves alone that knows these step types, and has plugins with these words off. */
export async function parkedRuns(
  knex: Knex,
  { known, off }: { readonly known: readonly string[]; readonly off: readonly string[] },
): Promise<readonly ParkedRuns[]> {
  const { rows } = await knex.raw<{ rows: { words: string[]; runs: number }[] }>(PARKED, {
    known: [...known],
    off: [...off],
  });
  return rows.map(({ words, runs }) => ({ words, open_runs: runs }));
}

/** Says at the start which open runs this host leaves alone, and for want of what. */
export async function announceParkedRuns(
  knex: Knex,
  { types, disabled, log }: { readonly types: StepTypes; readonly disabled: DisabledWords; readonly log: BaseLogger },
): Promise<void> {
  const parked = await parkedRuns(knex, { known: [...types.keys()], off: [...disabled.disabledFields.keys()] });
  for (const { words, open_runs } of parked) {
    const plugins = pluginsOf(words, disabled);
    log.warn({ words, plugins, open_runs }, 'open runs are parked: no plugin that is on has what they need');
  }
}
