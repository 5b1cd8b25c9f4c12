import { defineTable, type Json } from '@ductor/core';

/** Of all outputs and errors together, and of what is put together from them. */
export const MOST_BYTES = 64 * 1024 * 1024;

/** A branch as its row says it came out; `status` is null of one that was never over. */
export type BranchResult = {
  readonly index: number;
  readonly status: 'completed' | 'failed' | 'cancelled' | null;
  readonly output: Json;
  readonly error: Json;
};

/** Instead of them all, where they are too large to be read. */
type TooLarge = { readonly bytes: number };

export const isTooLarge = (row: BranchResult | TooLarge): row is TooLarge => 'bytes' in row;

/**
 * The engine's own rows, in the order of the items; `values`: with outputs and errors, which are measured before they are
 * read.
 */
export const branchTable = defineTable<BranchResult | TooLarge>({
  name: 'eec_workflow_branch',
  load: `
    select needed.run_id, needed.node, case when needed.bytes > ${MOST_BYTES} then json_build_object('bytes', needed.bytes)
      else json_build_object('index', b.index, 'status', b.status,
        'output', case when needed.bytes is not null then
          coalesce((select p.value from eec_payload p where p.run_id = b.run_id and p.id = b.payload_id), b.output) end,
        'error', case when needed.bytes is not null then b.error end) end as row
    from (
      select n.run_id, n.node, n.key, case when (n.key ->> 'values')::boolean then (
        select coalesce(sum(coalesce((select p.bytes from eec_payload p where p.run_id = m.run_id and p.id = m.payload_id),
          octet_length(m.output::text), octet_length(m.error::text))), 0)::float8
        from eec_workflow_branch m where m.run_id = n.run_id and m.node = n.key ->> 'node'
          and m.generation = (n.key ->> 'generation')::int) end as bytes
      -- measured once, not for each of them
      from needed n offset 0) needed
    join eec_workflow_branch b on b.run_id = needed.run_id and b.node = needed.key ->> 'node'
      and b.generation = (needed.key ->> 'generation')::int
    where b.index = 0 or coalesce(needed.bytes, 0) <= ${MOST_BYTES}
    order by b.run_id, b.node, b.index`,
});
