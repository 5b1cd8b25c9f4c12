import type { JsonObject, RouteExample } from '@ductor/core';

/** Calls that start and read runs, as the API's documents show them. */

const RUN_ID = '0198f2a4-7c1e-7d3a-9b1f-3f2d8a6c0e11';
const DEFINITION_ID = '0198f2a0-5d2f-7e10-9a44-8b7c6d5e4f30';
const ATTEMPT_ID = '0198f2a4-7c20-7000-8000-000000000001';
const PAYLOAD_ID = '0198f2a4-7c21-7000-8000-000000000002';
const STARTED_AT = '2026-11-29T08:00:00.000Z';
const ENDED_AT = '2026-11-29T08:00:00.420Z';

const head = {
  run_id: RUN_ID,
  definition_id: DEFINITION_ID,
  family_slug: 'site-check',
  workflow_type: 'site_check',
  version: 1,
  kind: 'workflow',
  status: 'completed',
  ending: null,
  current_step: 'up',
  record_version: 4,
  attributes: {
    'ductor.correlation_labels': [{ key: 'site', id: 'self' }],
    'ductor.correlation.site': 'self',
  },
  lineage: {
    root_run_id: RUN_ID,
    parent_run_id: null,
    continued_from_run_id: null,
    reset_from_run_id: null,
    nesting_depth: 0,
    journey_id: RUN_ID,
  },
  created_at: STARTED_AT,
  started_at: STARTED_AT,
  ended_at: ENDED_AT,
};
const trigger = {
  subject_type: null,
  subject_id: null,
  external_deployment_id: null,
  priority: 'normal',
  start_at: null,
};
const values = {
  input: { url: 'http://127.0.0.1:8080/healthz' },
  output: { status: 200 },
  error: null,
  run_context: {},
  labels: { site: 'self' },
};

const params = { run_id: RUN_ID };
const attempt = { step_ref: 'fetch', branch: [], generation: 1, attempt: 1 };

const one = (summary: string, call: Omit<RouteExample, 'summary'>): readonly RouteExample[] => [{ summary, ...call }];
const page = (...items: readonly JsonObject[]) => ({ items, next_page_token: null });

export const RUN_EXAMPLES = {
  trigger: one('Start it, and wait for its checkpoint', {
    params: { definition_id: 'site-check' },
    payload: {
      input: { url: 'http://127.0.0.1:8080/healthz' },
      idempotency_key: 'first-check',
      correlation_labels: [{ key: 'site', id: 'self' }],
      wait_for_checkpoint: true,
      checkpoint_timeout_seconds: 30,
    },
    answer: { run_id: RUN_ID, status: 'completed', response_group_output: { status: 200 } },
  }),
  list: one('Completed runs of a workflow', {
    query: { workflow_type: 'site-check', status: 'completed', 'label.site': 'self', page_size: '10' },
    answer: page({ ...head, ...trigger }),
  }),
  get: one('A completed run', { params, answer: { ...head, ...trigger, ...values } }),
  events: one('The first of them', {
    params,
    query: { page_size: '2' },
    answer: {
      items: [
        { seq: 1, index: 0, at: STARTED_AT, type: 'run', from: 'pending', to: 'running', cause: { kind: 'started' } },
        {
          seq: 1,
          index: 1,
          at: STARTED_AT,
          type: 'node',
          step_ref: 'fetch',
          branch: [],
          from: 'pending',
          to: 'running',
          generation: 1,
          cause: { kind: 'started' },
        },
      ],
      next_page_token: 'eyJzZXEiOjEsImluZGV4IjoxfQ.q0mVQm4yYb1oGx2z',
    },
  }),
  snapshot: one('A completed run with its nodes', {
    params,
    answer: {
      ...head,
      ...values,
      connectors: [{ id: 'http', package: '@ductor/connector-http', version: '1.0.0', integrity: null }],
      nodes: {
        fetch: {
          type: 'STEP_TYPE_ACTION',
          status: 'completed',
          generation: 1,
          attempt: 1,
          attempt_id: ATTEMPT_ID,
          started_at: STARTED_AT,
          ended_at: ENDED_AT,
          outcome: 'SUCCESS',
          output: { status: 200 },
        },
      },
      controls: [],
    },
  }),
  why: one('It waits for an attempt', {
    params,
    answer: {
      run_id: RUN_ID,
      status: 'running',
      reasons: [
        {
          step_ref: 'fetch',
          branch: [],
          code: 'attempt_running',
          attempt: 1,
          since: STARTED_AT,
          next_wake_at: '2026-11-29T08:01:00.000Z',
        },
      ],
    },
  }),
  branches: one('Those that failed', {
    params: { ...params, step_ref: 'each' },
    query: { status: 'failed' },
    answer: page({
      index: 3,
      status: 'failed',
      variables: { item: { id: 'inv-4' }, index: 3 },
      output: null,
      error: { code: 'not_found', message: 'There is no invoice inv-4.', party: 'connector' },
      run_id: null,
      ended_at: STARTED_AT,
    }),
  }),
  attempts: one('The only one', {
    params,
    answer: page({
      attempt_id: ATTEMPT_ID,
      ...attempt,
      status: 'completed',
      superseded: false,
      finished_anyway: false,
      outcome_unknown: false,
      action: 'http.request',
      host: '0198f29f-0000-7000-8000-000000000000',
      tier: null,
      input: { url: 'http://127.0.0.1:8080/healthz' },
      output: { status: 200 },
      error: null,
      heartbeat: null,
      heartbeat_at: null,
      scheduled_at: STARTED_AT,
      started_at: STARTED_AT,
      ended_at: ENDED_AT,
    }),
  }),
  resolve: one('It went through', {
    params: { run_id: RUN_ID, attempt_id: ATTEMPT_ID },
    payload: {
      request_id: 'op-1',
      reason: 'The payment is in the bank’s list',
      resolution: { outcome: 'completed', output: { payment_id: 'p-7' } },
    },
    answer: { status: 'accepted', run_id: RUN_ID },
  }),
  payload: one('A large output', {
    params: { id: PAYLOAD_ID },
    answer: { id: PAYLOAD_ID, run_id: RUN_ID, bytes: 70_002, value: 'a long text' },
  }),
} as const;
