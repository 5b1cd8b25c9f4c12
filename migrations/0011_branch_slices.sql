-- compatible

-- A run's branches lie in slices as its attempts do: many of them are forgotten at once.
alter table eec_workflow_branch rename to eec_workflow_branch_before;
alter index eec_workflow_branch_pkey rename to eec_workflow_branch_before_pkey;
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
  -- the run that it was, where it was one
  branch_run_id uuid,
  primary key (run_id, node, generation, index)
) partition by range (run_id);
create table eec_workflow_branch_other partition of eec_workflow_branch default with (fillfactor = 70);

create or replace function eec_ensure_slices(months_ahead int) returns void language plpgsql as $$
declare
  month timestamptz;
  low uuid;
  high uuid;
  slice text;
  parent text;
begin
  for i in 0..months_ahead loop
    month := date_trunc('month', clock_timestamp() at time zone 'utc') at time zone 'utc' + make_interval(months => i);
    low := eec_uuid_floor(month);
    high := eec_uuid_floor(month + interval '1 month');
    foreach parent in array array['eec_workflow_step_attempt', 'eec_workflow_transition', 'eec_payload', 'eec_workflow_branch'] loop
      slice := parent || '_' || to_char(month at time zone 'utc', 'YYYYMM');
      if to_regclass(slice) is null then
        execute format('create table if not exists %I partition of %I for values from (%L) to (%L)', slice, parent, low, high);
        if parent = 'eec_workflow_step_attempt' then
          -- an attempt is updated in place once or twice: room for that keeps it heap-only
          execute format('alter table %I set (fillfactor = 50)', slice);
        elsif parent = 'eec_workflow_branch' then
          -- once
          execute format('alter table %I set (fillfactor = 70)', slice);
        end if;
      end if;
    end loop;
  end loop;
end
$$;
select eec_ensure_slices(2);
insert into eec_workflow_branch select * from eec_workflow_branch_before;
drop table eec_workflow_branch_before;
