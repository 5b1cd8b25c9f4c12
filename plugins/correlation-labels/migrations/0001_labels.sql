-- compatible
-- The labels of runs. Written with the run's row and never changed.
create table eec_workflow_label (
  tenant_id text not null,
  run_id uuid not null,
  key text not null,
  id text not null,
  primary key (tenant_id, key, id, run_id)
);
