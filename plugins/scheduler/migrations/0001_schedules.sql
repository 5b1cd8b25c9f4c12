-- compatible
-- One schedule a family. after_at: what was due up to then has been dealt with; next_at: when it is looked at again,
-- null while it is paused, has ended or cannot be evaluated. revision guards whoever deals with it against changes.
create table eec_workflow_schedule (
  id uuid primary key,
  tenant_id text not null,
  family_slug text not null,
  spec json not null,
  timetable jsonb not null,
  paused boolean not null,
  after_at timestamptz not null,
  next_due_at timestamptz,
  next_at timestamptz,
  missed_count bigint not null default 0,
  error json,
  ended_at timestamptz,
  revision integer not null default 1,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp()
);
create unique index eec_workflow_schedule_family on eec_workflow_schedule (tenant_id, family_slug);
create index eec_workflow_schedule_list on eec_workflow_schedule (tenant_id, id);
create index eec_workflow_schedule_due on eec_workflow_schedule (next_at, id) where next_at is not null;

-- What became of occurrences. One row tells of all that were missed in a stretch: from due_at to until_at, `count` of them.
create table eec_workflow_schedule_occurrence (
  tenant_id text not null,
  schedule_id uuid not null,
  due_at timestamptz not null,
  outcome text not null,
  by text not null,
  until_at timestamptz,
  count integer not null default 1,
  run_id uuid,
  reason json,
  recorded_at timestamptz not null default clock_timestamp(),
  primary key (schedule_id, due_at, outcome)
);
create index eec_workflow_schedule_occurrence_recorded on eec_workflow_schedule_occurrence (recorded_at);

-- is_open goes when somebody finds the run ended or gone, not when it ends: a run that is deleted holds nothing back.
create table eec_workflow_schedule_run (
  tenant_id text not null,
  schedule_id uuid not null,
  run_id uuid not null,
  due_at timestamptz not null,
  is_open boolean not null default true,
  opened integer not null default 1,
  primary key (schedule_id, run_id)
);
create index eec_workflow_schedule_run_open on eec_workflow_schedule_run (schedule_id) where is_open;
create index eec_workflow_schedule_run_due on eec_workflow_schedule_run (due_at);
