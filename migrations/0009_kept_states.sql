-- compatible

-- A run's state as its transitions up to this version fold to it, so that what loads it folds only those after. It can
-- be made again from them: a run has at most one, and most have none.
create table eec_workflow_kept_state (
  run_id uuid primary key,
  tenant_id text not null,
  version bigint not null,
  state json not null
);
