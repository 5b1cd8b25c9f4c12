import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { publishGraph, type TestHost } from '../../support/host.ts';
import { until } from '../../support/until.ts';
import type { Example } from './document.ts';

/** What an example is sent with instead of its sample values. */
export interface Sent {
  readonly params?: Example['params'];
  readonly query?: Example['query'];
  readonly body?: unknown;
}

type Prepare = (host: TestHost, example: Example) => Promise<Sent> | Sent;

/**
 * What an example needs to be there: by `operationId/name`, else by `operationId`, or by the names of its parameters.
 * A call that needs nothing but itself has no entry.
 */
const WORLD: { readonly [what: string]: Prepare } = {
  // By parameter.
  run_id: async (host) => ({ params: { run_id: await completedRun(host) } }),
  // By call.
  updateWorkflowDraft: freshDraft,
  deleteWorkflowDraft: freshDraft,
  validateWorkflowDraft: freshDraft,
  publishWorkflowDefinition: freshDraft,
  getWorkflowDefinition: freshDraft,
  listWorkflowDefinitionVersions: published,
  archiveWorkflowDefinition: published,
  duplicateWorkflowDefinition: async (host, example) => ({
    ...(await freshDraft(host)),
    body: { ...(example.body as object), family_slug: nextSlug() },
  }),
  triggerWorkflow: async (host, example) => {
    const slug = await publishedSlug(host);
    const body = { ...(example.body as object), input: { url: `${host.url}/healthz` }, idempotency_key: slug };
    return { params: { definition_id: slug }, body };
  },
  listRuns: async (host, { query }) => {
    await completedRun(host);
    return { query: { ...query, workflow_type: undefined } };
  },
  listBranches: async (host) => ({ params: { run_id: await runWithBranches(host), step_ref: 'each' } }),
  explainRun: async (host) => ({ params: { run_id: await runThatHangs(host) } }),
  resolveAttempt: async (host) => ({ params: await attemptOfUnknownOutcome(host) }),
  pauseRun: async (host) => ({ params: { run_id: await runThatHangs(host) } }),
  cancelRun: async (host) => ({ params: { run_id: await runThatHangs(host) } }),
  terminateRun: async (host) => ({ params: { run_id: await runThatHangs(host) } }),
  resumeRun: async (host) => ({ params: { run_id: await pausedRun(host) } }),
  approveStep: async (host) => ({ params: { run_id: await runThatWaits(host), step_ref: 'agreed' } }),
  rejectStep: async (host) => ({ params: { run_id: await runThatWaits(host), step_ref: 'agreed' } }),
  resolveStep: async (host) => ({ params: { run_id: await runThatWaits(host), step_ref: 'paid' } }),
  redriveRun: async (host) => ({ params: { run_id: await failedRun(host) } }),
  createWebhook: async (host) => {
    const values = { token: 'whsec_of_the_provider' };
    await host.call('POST', '/api/credentials', { name: 'stripe-signing', connector: 'http', auth: 'bearer', values });
    return {};
  },
  getWebhook: webhook,
  updateWebhook: webhook,
  deleteWebhook: webhook,
  deliverToWebhook: webhook,
  retryCompensation: async (host) => ({ params: await compensationLeft(host) }),
  resolveCompensation: async (host) => ({ params: await compensationLeft(host) }),
  getOperation: async (host) => ({ params: { id: await finishedOperation(host) } }),
  getSchedule: scheduled,
  listSchedules: async (host, { query }) => {
    const { slug } = await scheduled(host);
    return { query: { ...query, family: slug } };
  },
  listScheduleOccurrences: scheduled,
  pauseSchedule: scheduled,
  resumeSchedule: async (host) => {
    const { params } = await scheduled(host);
    await host.call('POST', `/api/workflow-schedules/${params.id}:pause`);
    return { params };
  },
  triggerScheduleNow: scheduled,
  backfillSchedule: scheduled,
  getPayload: async (host) => ({ params: { id: await largePayload(host) } }),
};

/** @throws where the example names something that nobody prepares. */
export async function prepare(host: TestHost, example: Example): Promise<Sent> {
  const { key, params } = example;
  const [operationId = ''] = key.split('/');
  const names = Object.keys(params);
  const entry = WORLD[key] ?? WORLD[operationId] ?? WORLD[names.join('+')];
  if (entry === undefined && names.length > 0) throw new Error(`${key} needs ${names.join(', ')}: see world.ts`);
  return (await entry?.(host, example)) ?? {};
}

let made = 0;
const nextSlug = (): string => {
  made += 1;
  return `world-${made}`;
};

const site = {
  steps: [
    { ref: 'fetch', type: 'STEP_TYPE_ACTION', action: 'http.request', args: { url: '${input.url}', fail_on: [] } },
    { ref: 'is_up', type: 'STEP_TYPE_CONDITION', expression: 'steps.fetch.output.status < 400' },
    { ref: 'up', type: 'STEP_TYPE_CHECKPOINT', name: 'up', reply: { status: '${steps.fetch.output.status}' } },
  ],
  edges: [
    { from: 'fetch', to: 'is_up', type: 'SUCCESS' },
    { from: 'is_up', to: 'up', type: 'TRUE' },
  ],
};

async function freshDraft(host: TestHost): Promise<Sent> {
  const slug = nextSlug();
  const graph = { steps: site.steps.slice(0, 2), edges: site.edges.slice(0, 1) };
  await host.call('POST', '/api/workflow-definitions', { family_slug: slug, title: slug, graph });
  return { params: { id: slug } };
}

async function published(host: TestHost): Promise<Sent> {
  return { params: { id: await publishedSlug(host) } };
}

async function publishedSlug(host: TestHost, graph: object = site): Promise<string> {
  const slug = nextSlug();
  await publishGraph(host, slug, { graph });
  return slug;
}

async function triggered(host: TestHost, slug: string, input: object = {}): Promise<string> {
  const { body } = await host.call<{ run_id: string }>('POST', `/api/v2/workflow-definitions/${slug}:trigger`, {
    input,
    correlation_labels: [{ key: 'site', id: 'self' }],
  });
  return body.run_id;
}

async function ended(host: TestHost, runId: string): Promise<string> {
  await until(async () => {
    const { body } = await host.call('GET', `/api/workflows/runs/${runId}`);
    return body.ended_at !== null;
  }, 'the run to end');
  return runId;
}

const completedRun = async (host: TestHost): Promise<string> =>
  ended(host, await triggered(host, await publishedSlug(host), { url: `${host.url}/healthz` }));

/** Nobody answers at its address, and the next attempt is far away. */
const unanswered = { ref: 'fetch', type: 'ACTION', action: 'http.request', args: { url: 'http://127.0.0.1:9/' } };

const runThatHangs = async (host: TestHost): Promise<string> => {
  const step = { ...unanswered, retry: { max_attempts: 5, initial_interval_ms: 600_000 } };
  return triggered(host, await publishedSlug(host, { steps: [step], edges: [] }));
};

const runThatWaits = async (host: TestHost): Promise<string> => {
  const steps = [
    { ref: 'agreed', type: 'APPROVAL' },
    { ref: 'paid', type: 'WAIT', signal: 'paid' },
  ];
  return triggered(host, await publishedSlug(host, { steps, edges: [] }));
};

const failedRun = async (host: TestHost): Promise<string> => {
  const step = { ref: 'no', type: 'FAIL', code: 'no' };
  return ended(host, await triggered(host, await publishedSlug(host, { steps: [step], edges: [] })));
};

/** Of four items the last has failed. */
async function runWithBranches(host: TestHost): Promise<string> {
  const steps = [
    { ref: 'each', type: 'SCATTER', items: '[1, 2, 3, 4]', on_branch_failure: 'collect' },
    { ref: 'is_known', type: 'CONDITION', expression: 'item < 4' },
    { ref: 'no', type: 'FAIL', code: 'not_found' },
    { ref: 'all', type: 'GATHER', scatter: 'each', reduce: 'results.size()' },
  ];
  const edges = [
    { from: 'each', to: 'is_known', type: 'SUCCESS' },
    { from: 'is_known', to: 'all', type: 'TRUE' },
    { from: 'is_known', to: 'no', type: 'FALSE' },
  ];
  return ended(host, await triggered(host, await publishedSlug(host, { steps, edges })));
}

async function pausedRun(host: TestHost): Promise<string> {
  const runId = await runThatHangs(host);
  await host.call('POST', `/api/v2/workflow-runs/${runId}:pause`, { request_id: 'pause' });
  await until(async () => {
    const { body } = await host.call('GET', `/api/workflows/runs/${runId}`);
    return body.status === 'paused';
  }, 'the run to be paused');
  return runId;
}

/** Its undo has failed, and is left for repair. */
async function compensationLeft(host: TestHost): Promise<{ run_id: string; id: string }> {
  const { action, args } = unanswered;
  const undo = { action, args, retry: { max_attempts: 1 } };
  const steps = [
    { ref: 'pay', type: 'TRANSFORM', value: 1, compensation: undo },
    { ref: 'no', type: 'FAIL', code: 'no' },
  ];
  const edges = [{ from: 'pay', to: 'no', type: 'SUCCESS' }];
  const run_id = await triggered(host, await publishedSlug(host, { steps, edges }));
  const id = await until(async () => {
    const { body } = await host.call<{ items: { id: string; state: string }[] }>(
      'GET',
      `/api/v2/workflow-runs/${run_id}/compensations`,
    );
    return body.items.find(({ state }) => state === 'repair')?.id ?? null;
  }, 'the undo to fail');
  return { run_id, id };
}

/** A write whose answer never comes, and which may not be done twice. */
async function attemptOfUnknownOutcome(host: TestHost): Promise<{ run_id: string; attempt_id: string }> {
  const silent = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  const step = {
    ...unanswered,
    args: { method: 'POST', url: `http://127.0.0.1:${port}/`, body: {} },
    timeout: 'PT0.5S',
    on_unknown: 'park',
  };
  try {
    const run_id = await triggered(host, await publishedSlug(host, { steps: [step], edges: [] }));
    const attempt_id = await until(async () => {
      const { body } = await host.call<{ nodes: Record<string, { attempt_id: string; reason?: { code: string } }> }>(
        'GET',
        `/api/v2/workflow-runs/${run_id}/snapshot`,
      );
      const { fetch: node } = body.nodes;
      return node?.reason?.code === 'outcome_unknown' && node.attempt_id;
    }, 'the outcome to be unknown');
    return { run_id, attempt_id };
  } finally {
    silent.closeAllConnections();
    silent.close();
  }
}

async function webhook(host: TestHost): Promise<Sent> {
  const hook = { name: nextSlug(), verify: { type: 'none' }, action: { publish: { event_name: 'world' } } };
  const { body } = await host.call<{ id: string }>('POST', '/api/webhooks', hook);
  return { params: { id: body.id } };
}

async function largePayload(host: TestHost): Promise<string> {
  const value = 'x'.repeat(70_000);
  const slug = await publishedSlug(host, { steps: [{ ref: 'large', type: 'TRANSFORM', value }], edges: [] });
  const runId = await ended(host, await triggered(host, slug));
  const { body } = await host.call('GET', `/api/v2/workflow-runs/${runId}/snapshot`);
  const [, id = ''] = /"\$payload":\{"id":"([^"]+)"/.exec(JSON.stringify(body)) ?? [];
  return id;
}

async function scheduled(host: TestHost): Promise<{ slug: string; params: { id: string } }> {
  const slug = nextSlug();
  const schedule = { cron: '30 2 * * *', timezone: 'Europe/Berlin', input: { day: '${schedule.due_at}' } };
  const graph = { steps: [{ ref: 'report', type: 'TRANSFORM', value: 1 }], edges: [] };
  await publishGraph(host, slug, { graph, settings: { schedule } });
  const { body } = await host.call<{ items: { id: string }[] }>('GET', `/api/workflow-schedules?family=${slug}`);
  return { slug, params: { id: body.items[0]?.id ?? '' } };
}

async function finishedOperation(host: TestHost): Promise<string> {
  const asked = { filter: { subject_id: 'nobody' }, control: 'pause' };
  const { body } = await host.call<{ operation_id: string }>('POST', '/api/v2/workflow-runs:batch', asked);
  await until(async () => {
    const operation = await host.call('GET', `/api/operations/${body.operation_id}`);
    return operation.body.status === 'done';
  }, 'the operation to be over');
  return body.operation_id;
}
