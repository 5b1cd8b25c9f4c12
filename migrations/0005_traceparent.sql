-- compatible
-- W3C trace context of what asked for the run: 55 characters.
alter table eec_workflow_run add column traceparent text;
