import { defineTable, type Json } from '@ductor/core';

/** A branch as its row says it came out; `status` is null of one that was never over. */
export type BranchResult = {
  readonly index: number;
  readonly status: 'completed' | 'failed' | 'cancelled' | null;
  readonly output: Json;
  readonly error: Json;
};

/** The engine's own rows, in the order of the items; `values`: with outputs and errors. */
export const branchTable = defineTable<BranchResult>({
  name: 'eec_workflow_branch',
  load: `
    select needed.run_id, needed.node, json_build_object('index', b.index, 'status', b.status,
      'output', case when (needed.key ->> 'values')::boolean then
        coalesce((select p.value from eec_payload p where p.run_id = b.run_id and p.id = b.payload_id), b.output) end,
      'error', case when (needed.key ->> 'values')::boolean then b.error end) as row
    from needed join eec_workflow_branch b on b.run_id = needed.run_id and b.node = needed.key ->> 'node'
      and b.generation = (needed.key ->> 'generation')::int
    order by b.run_id, b.node, b.index`,
});
