-- compatible
-- What is owed at an end of a run. Its undo and a redrive both claim it: the first wins.
create table eec_workflow_end (
  tenant_id text not null,
  run_id uuid not null,
  number int not null,
  claim text check (claim in ('undo', 'redrive')),
  primary key (run_id, number)
);

-- Each completed execution of a step that can be undone, and each whose outcome nobody knows.
create table eec_workflow_duty (
  id uuid primary key default gen_random_uuid(),
  -- its execution key
  execution text not null unique,
  tenant_id text not null,
  run_id uuid not null,
  chain_id uuid not null,
  step_ref text not null,
  branch int[] not null,
  generation int not null,
  -- what undoes it
  action text not null,
  credential text,
  args json,
  endings text[] not null,
  retry json,
  failure_policy text not null,
  -- the output is that attempt's, or stands here where there was none
  attempt_id uuid,
  output json,
  -- executions are undone from the last to the first by these three
  completed_at timestamptz not null,
  version bigint not null,
  ordinal int not null,
  state text not null check (state in ('owed', 'undoing', 'undone', 'unknown', 'repair', 'ignored', 'resolved')),
  -- the run that undoes it, or tried last
  undo_run_id uuid,
  error json,
  settled_at timestamptz,
  -- since when somebody has to see to it, or had to
  opened_at timestamptz,
  resolution json
) with (fillfactor = 70);
create index eec_workflow_duty_chain on eec_workflow_duty (chain_id, completed_at, version, ordinal);
create index eec_workflow_duty_run on eec_workflow_duty (run_id, completed_at);
create index eec_workflow_duty_repair on eec_workflow_duty (tenant_id, opened_at, id) where opened_at is not null;
