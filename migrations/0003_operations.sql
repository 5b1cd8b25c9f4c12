-- compatible
-- Long work that goes on page by page, and roll-ups of what ran.

-- A row per operation. Nobody owns it: a page of it is one transaction that holds the row's lock, whichever host it is on.
create table eec_operation (
  id uuid primary key,
  tenant_id text not null references eec_tenant (id),
  kind text not null,
  -- what was asked for, in the words of its kind
  params json not null,
  actor text not null,
  status text not null check (status in ('pending', 'running', 'done', 'failed', 'cancelled')),
  -- where the next page begins, as its kind wrote it
  cursor json,
  total bigint,
  done bigint not null default 0,
  failed bigint not null default 0,
  -- the first of them
  failures json not null default '[]',
  -- why it failed as a whole
  error json,
  -- pages that have failed since the last that did not
  faults int not null default 0,
  next_at timestamptz not null default clock_timestamp(),
  created_at timestamptz not null default clock_timestamp(),
  started_at timestamptz,
  ended_at timestamptz
);
create index eec_operation_list on eec_operation (tenant_id, id);
create index eec_operation_due on eec_operation (next_at) where ended_at is null;

-- What was created and what ended in a minute. Made anew from the rows of runs while late ones may come, and then kept.
create table eec_stats_minute (
  tenant_id text not null,
  minute timestamptz not null,
  -- created: runs by their id. ended: runs by their end. attempts: those of the runs that ended.
  what text not null check (what in ('created', 'ended', 'attempts')),
  run_kind text not null,
  family_slug text not null,
  -- of attempts only
  action text not null,
  -- how a run ended, what became of an attempt
  outcome text not null,
  count bigint not null,
  total_ms bigint not null,
  -- how many took up to each of a fixed row of durations, the last being any; all zero where none was measured
  durations bigint[] not null,
  primary key (tenant_id, minute, what, run_kind, family_slug, action, outcome)
);
create index eec_stats_minute_minute on eec_stats_minute (minute);

-- `ended_at` changes at a run's end alone, where other indexes change too: updates before it stay heap-only.
create index eec_workflow_run_ended on eec_workflow_run (ended_at) where ended_at is not null;

-- The instant in a UUIDv7.
create function eec_uuid_time(id uuid) returns timestamptz language sql immutable as $$
  select to_timestamp(('x' || substr(id::text, 1, 8) || substr(id::text, 10, 4))::bit(48)::bigint / 1000.0)
$$;
