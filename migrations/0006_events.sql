-- compatible

-- Events as they were published, each with what took it. `event_id` is the publisher's own, and removes doubles.
create table eec_workflow_event (
  id uuid primary key,
  tenant_id text not null,
  event_name text not null,
  correlation_key text not null,
  event_id text not null,
  payload json not null,
  -- the run that published it
  run_id uuid,
  published_at timestamptz not null default clock_timestamp(),
  -- null: not everybody has been told yet
  matched_at timestamptz,
  -- of the runs that wait for it, those up to this one have been told
  told_to uuid not null default '00000000-0000-0000-0000-000000000000',
  -- a limit kept a run from starting: then it is tried again
  start_again_at timestamptz,
  -- counts the deliveries' statements: one that was made on an older reading does nothing
  revision int not null default 0,
  -- deliveries to waits, all of them
  matched int not null default 0,
  -- the waits and runs that took it, about the first thousand: {run_id, step_ref, branch, subscription} or
  -- {trigger, run_id}, with an `error` where one could not
  matches jsonb not null default '[]'
);
create unique index eec_workflow_event_id on eec_workflow_event (tenant_id, event_name, event_id);
create index eec_workflow_event_list on eec_workflow_event (tenant_id, id);
create index eec_workflow_event_key on eec_workflow_event (tenant_id, event_name, correlation_key, published_at, id);
create index eec_workflow_event_unmatched on eec_workflow_event (id) where matched_at is null;
create index eec_workflow_event_start_again on eec_workflow_event (start_again_at) where start_again_at is not null;
create index eec_workflow_event_age on eec_workflow_event (published_at);

-- The `settings.triggers` of each family's latest published version.
create table eec_workflow_trigger (
  tenant_id text not null,
  event_name text not null,
  family_slug text not null,
  -- its place in the list
  place int not null,
  trigger json not null,
  primary key (tenant_id, event_name, family_slug, place)
);
create index eec_workflow_trigger_family on eec_workflow_trigger (tenant_id, family_slug);

-- The events that a subscription has taken: no event is taken twice by one wait.
alter table eec_workflow_wait add column taken uuid[] not null default '{}';
-- Events published since then are still to be looked for; null: it has been done, or was not asked for.
alter table eec_workflow_wait add column look_back_from timestamptz;
create index eec_workflow_wait_look_back on eec_workflow_wait (run_id) where look_back_from is not null;
drop index eec_workflow_wait_event;
create index eec_workflow_wait_event on eec_workflow_wait (tenant_id, event_name, correlation_key, run_id)
  where event_name is not null;

-- A signal for a node that waits is wanted: the sweep finds it. One that is early is kept for its node.
alter table eec_workflow_inbox add column is_wanted boolean not null default true;
drop index eec_workflow_inbox_overdue;
create index eec_workflow_inbox_overdue on eec_workflow_inbox (received_at) where applied_at is null and is_wanted;
create index eec_workflow_inbox_kept on eec_workflow_inbox (run_id, node) where applied_at is null and not is_wanted;
