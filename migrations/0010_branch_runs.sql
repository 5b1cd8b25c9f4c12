-- compatible

-- The run that a branch was, where it was one; written when it is over.
alter table eec_workflow_branch add column branch_run_id uuid;
