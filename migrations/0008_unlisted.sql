-- compatible

-- Graphs that were never published: found by their id alone, which is a hash of what they are. Kept as long as their runs.
alter table eec_workflow_definition drop constraint eec_workflow_definition_status_check;
alter table eec_workflow_definition add constraint eec_workflow_definition_status_check
  check (status in ('draft', 'published', 'archived', 'unlisted'));
drop index eec_workflow_definition_version;
create unique index eec_workflow_definition_version on eec_workflow_definition (tenant_id, family_slug, version)
  where status in ('published', 'archived');
create index eec_workflow_definition_unlisted on eec_workflow_definition (tenant_id, family_slug) where status = 'unlisted';
