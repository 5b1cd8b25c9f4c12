/** What a commit hands to its statement: relations, each a list of rows over all ticks of the batch. */

/** New runs. */
export const starts = {
  id: 'uuid',
  tenant_id: 'text',
  chain_id: 'uuid',
  definition_id: 'uuid',
  kind: 'text',
  partition: 'int4',
  status: 'text',
  current_step: 'text',
  node_states: 'json',
  run_context: 'json',
  attributes: 'json',
  fields: 'json',
  input: 'json',
  output: 'json',
  error: 'json',
  ending: 'json',
  replies: 'json',
  lineage: 'json',
  root_run_id: 'uuid',
  subject_type: 'text',
  subject_id: 'text',
  external_deployment_id: 'text',
  priority: 'text',
  idempotency_scope: 'text',
  idempotency_key: 'text',
  request_hash: 'text',
  start_at: 'text',
  traceparent: 'text',
  created_at: 'text',
  started_at: 'text',
  ended_at: 'text',
  final_status: 'text',
} as const;

/** New runs that are inserted only with the tick of the run that starts them. */
export const children = { ...starts, parent_id: 'uuid' } as const;

/** Runs that move: what was read of them, and what they become. `null` in a json column leaves it as it is. */
export const ticks = {
  run_id: 'uuid',
  expected_version: 'int8',
  /** How many of the rows below must be found as they were read. */
  folds: 'int4',
  waits: 'int4',
  wait_arrivals: 'int4',
  waits_moved: 'int4',
  inbox: 'int4',
  plugin_rows: 'int4',
  status: 'text',
  current_step: 'text',
  node_states: 'json',
  run_context: 'json',
  attributes: 'json',
  fields: 'json',
  output: 'json',
  error: 'json',
  ending: 'json',
  replies: 'json',
  started_at: 'text',
  ended_at: 'text',
  final_status: 'text',
} as const;

/** One row per tick: its transition. */
export const transitions = {
  run_id: 'uuid',
  tenant_id: 'text',
  version: 'int8',
  tick_id: 'uuid',
  at: 'text',
  changes: 'json',
} as const;

/** Attempts that are over. `recorded`: the row says so already. */
export const folds = {
  run_id: 'uuid',
  id: 'uuid',
  token: 'uuid',
  recorded: 'bool',
  status: 'text',
  output: 'json',
  error: 'json',
  started_at: 'text',
  ended_at: 'text',
  tier: 'text',
  superseded: 'bool',
  finished_anyway: 'bool',
  outcome_unknown: 'bool',
} as const;

export const attempts = {
  run_id: 'uuid',
  tenant_id: 'text',
  id: 'uuid',
  token: 'uuid',
  step_ref: 'text',
  branch: 'text',
  generation: 'int4',
  attempt: 'int4',
  action: 'text',
  input: 'json',
  task: 'json',
  scheduled_at: 'text',
} as const;

/** How a branch came out. */
const branchEnd = {
  status: 'text',
  output: 'json',
  payload_id: 'uuid',
  error: 'json',
  branch_run_id: 'uuid',
  ended_at: 'text',
} as const;

/** Branches that a tick makes; those that are over by then already with how they came out. */
export const branches = {
  run_id: 'uuid',
  tenant_id: 'text',
  node: 'text',
  generation: 'int4',
  index: 'int4',
  variables: 'json',
  ...branchEnd,
} as const;

/** Branches of earlier ticks that are over. */
export const branchEnds = {
  run_id: 'uuid',
  node: 'text',
  generation: 'int4',
  index: 'int4',
  ...branchEnd,
} as const;

/** Values kept beside their rows. An attempt's stays with its outcome, a transition's only with the transition. */
export const payloads = {
  run_id: 'uuid',
  tenant_id: 'text',
  id: 'uuid',
  bytes: 'int4',
  value: 'json',
  of_transition: 'bool',
} as const;

export const waitsOpened = {
  run_id: 'uuid',
  tenant_id: 'text',
  chain_id: 'uuid',
  version: 'int8',
  node: 'text',
  name: 'text',
  kind: 'text',
  partition: 'int4',
  due_at: 'text',
  event_name: 'text',
  correlation_key: 'text',
  subscription: 'json',
  look_back_from: 'text',
} as const;

export const waitsClosed = { run_id: 'uuid', node: 'text' } as const;

export const waitsMoved = { run_id: 'uuid', node: 'text', name: 'text', due_at: 'text' } as const;

/** Inbox rows that a tick has taken. A control's row stays, with what came of it. */
export const consumed = { run_id: 'uuid', id: 'uuid', outcome: 'json' } as const;

/** Letters to other runs, and to itself: `is_own`. */
export const told = {
  run_id: 'uuid',
  is_own: 'bool',
  id: 'uuid',
  tenant_id: 'text',
  chain_id: 'uuid',
  kind: 'text',
  node: 'text',
  request_id: 'text',
  actor: 'text',
  reason: 'text',
  body: 'json',
} as const;

/** Events that runs publish. */
export const events = {
  run_id: 'uuid',
  id: 'uuid',
  tenant_id: 'text',
  event_name: 'text',
  correlation_key: 'text',
  payload: 'json',
} as const;

/** Rows of a plugin's table. */
export const written = { run_id: 'uuid', tenant_id: 'text', row: 'json' } as const;
export const expected = { run_id: 'uuid', ord: 'int4', row: 'json', expect: 'json' } as const;
