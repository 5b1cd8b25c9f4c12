-- compatible

-- A row per branch of a run, from the tick that makes it; `status` is null until it is over. Whether it has started
-- stands in the run's state alone, so that no statement touches more rows than branches are over.
create table eec_workflow_branch (
  tenant_id text not null,
  run_id uuid not null,
  -- the key of the node that it belongs to, and that node's generation
  node text not null,
  generation int not null,
  index int not null,
  variables json not null,
  status text,
  output json,
  -- where the output is too large for its row
  payload_id uuid,
  error json,
  ended_at timestamptz,
  primary key (run_id, node, generation, index)
) with (fillfactor = 70);
