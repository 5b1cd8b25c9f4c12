import { defineTable } from '@ductor/core';
import type { Label } from './label.ts';

/** The labels of all runs, by their values: what the run list's `label.<key>` is answered from. */
export const labelTable = defineTable<Label>({
  name: 'eec_workflow_label',
  write: `
    insert into eec_workflow_label (tenant_id, run_id, key, id)
    select written.tenant_id, written.run_id, written.row ->> 'key', written.row ->> 'id' from written`,
  filters: {
    // One range of the primary key.
    label: 'select run_id from eec_workflow_label where tenant_id = :tenant_id and key = :key and id = :value',
  },
});
