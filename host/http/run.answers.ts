import { FINAL_STATUSES } from '@ductor/core';
import Joi from '@hapi/joi';
import { answer, at, connectorPin, count, failure, id, json, jsonObject, text } from './answer.schemas.ts';

/** The answers of `run.view.ts` and `snapshot.view.ts`. */

const runStatus = Joi.string()
  .valid('pending', 'running', 'waiting', 'paused', 'cancelling', ...FINAL_STATUSES)
  .id('RunStatus');

const branch = Joi.array().items(count).description('Indexes of the branches it is in, outermost first');

const lineage = answer({
  root_run_id: id,
  parent_run_id: id.allow(null),
  continued_from_run_id: id.allow(null),
  reset_from_run_id: id.allow(null),
  nesting_depth: count,
  journey_id: text,
}).id('Lineage');

const runFields = {
  run_id: id,
  definition_id: id,
  family_slug: text.allow(null),
  workflow_type: text.allow(null).description('The slug as programs write it'),
  version: count.allow(null),
  kind: text.description('workflow, or what a plugin calls its own'),
  status: runStatus,
  ending: answer({ status: runStatus })
    .allow(null)
    .description('How it is about to end, while it waits for what is in flight'),
  current_step: text.allow(null),
  record_version: count.description('The number of its last transition'),
  attributes: jsonObject,
  lineage,
  created_at: at,
  started_at: at.allow(null),
  ended_at: at.allow(null),
};

const fieldsOfSome = { merged_into_run_id: id.description('Of a run that is merged: whose digest took it up') };

const triggerFields = {
  subject_type: text.allow(null),
  subject_id: text.allow(null),
  external_deployment_id: text.allow(null),
  priority: text,
  start_at: at.allow(null),
};

const payloadFields = { input: json, output: json, error: failure.allow(null), run_context: jsonObject };

export const runSummaryAnswer = answer({ ...runFields, ...triggerFields }, fieldsOfSome).id('RunSummary');

/** Plugins' fields stand beside the core's. */
export const runAnswer = answer({ ...runFields, ...triggerFields, ...payloadFields }, fieldsOfSome)
  .unknown()
  .id('Run');

const reason = Joi.object({ code: Joi.string().required() })
  .unknown()
  .description('Why it waits; what stands beside the code depends on it')
  .id('Reason');

const wakeAt = at.allow(null).description('When it will be looked at next');

const node = answer(
  {
    type: text.allow(null),
    status: Joi.string().valid(
      'pending',
      'running',
      'backoff',
      'waiting',
      'paused',
      'completed',
      'failed',
      'skipped',
      'cancelled',
    ),
    generation: count,
    attempt: count,
  },
  {
    attempt_id: id,
    started_at: at.allow(null),
    ended_at: at.allow(null),
    outcome: text,
    output: json,
    error: failure,
    unrouted: Joi.valid(true).description('Its edges are taken later, or never'),
    reason,
    next_wake_at: wakeAt,
    branches: answer({
      total: count,
      pending: count,
      in_flight: count,
      completed: count,
      failed: count,
      cancelled: count,
    })
      .description('How many of its branches stand where')
      .id('BranchCounts'),
  },
).id('Node');

export const branchAnswer = answer({
  index: count.description('Its place among the items'),
  status: Joi.string().valid('pending', 'in_flight', 'completed', 'failed', 'cancelled'),
  variables: Joi.object().unknown().description('What its expressions see of its own: item and index'),
  output: json,
  error: failure.allow(null),
  run_id: id.allow(null).description('The run that it is, or was: with the mode child_run, once it has started'),
  ended_at: at.allow(null),
}).id('Branch');

const control = answer(
  {
    request_id: text.allow(null),
    control: text,
    actor: text.allow(null),
    reason: text.allow(null),
    outcome: Joi.string().valid('accepted', 'applied', 'no_effect', 'refused'),
    at,
  },
  { why: text },
).id('Control');

export const snapshotAnswer = answer(
  {
    ...runFields,
    ...payloadFields,
    connectors: Joi.array().items(connectorPin),
    nodes: Joi.object().pattern(Joi.string(), node).description('By ref; of a step in a branch by ref and indexes'),
    controls: Joi.array().items(control),
  },
  fieldsOfSome,
)
  .unknown()
  .id('RunSnapshot');

export const whyAnswer = answer({
  run_id: id,
  status: runStatus,
  reasons: Joi.array().items(
    answer({ step_ref: text.allow(null), branch, code: text, since: at, next_wake_at: wakeAt })
      .unknown()
      .id('WaitReason'),
  ),
}).id('RunWhy');

export const eventAnswer = answer(
  {
    seq: count.description('Of its transition'),
    index: count.description('In its transition'),
    at,
    type: Joi.string().valid('run', 'node', 'attempt', 'control', 'signal', 'wait'),
    from: text.allow(null),
    to: text.allow(null),
    cause: Joi.object({ kind: Joi.string().required() }).unknown(),
  },
  {
    step_ref: text,
    branch,
    generation: count,
    attempt: count,
    attempt_id: id,
    error: failure,
    wait: text,
    due_at: at.allow(null),
    control: text,
    request_id: text.allow(null),
    actor: text.allow(null),
  },
).id('RunEvent');

export const attemptAnswer = answer({
  attempt_id: id,
  step_ref: text,
  branch,
  generation: count,
  attempt: count,
  status: text,
  superseded: Joi.boolean().description('Its result came too late to move anything'),
  finished_anyway: Joi.boolean(),
  outcome_unknown: Joi.boolean(),
  action: text,
  host: text.allow(null),
  tier: text.allow(null),
  input: json,
  output: json,
  error: failure
    .keys({ retryable: Joi.boolean(), retry_after_ms: count, deadline: text })
    .id('AttemptFailure')
    .allow(null),
  heartbeat: json,
  heartbeat_at: at.allow(null),
  scheduled_at: at,
  started_at: at.allow(null),
  ended_at: at.allow(null),
}).id('Attempt');

export const payloadAnswer = answer({ id, run_id: id, bytes: count, value: json }).id('Payload');

export const triggeredAnswer = answer(
  { run_id: id, status: runStatus },
  { response_group_output: json.description('What the awaited checkpoint replies; missing: it did not come in time') },
).id('TriggeredRun');
