import { randomUUID } from 'node:crypto';
import { type Definition, type Graph, type Json, type JsonObject, longForm, type Step } from '@ductor/core';

/** As little of a definition as a test wants to say. */
export interface TestWorkflow {
  readonly steps: readonly (JsonObject & { readonly ref: string; readonly type: string })[];
  readonly edges?: readonly { from: string; to: string; type?: string; case?: string; condition?: string }[];
  readonly output?: Json;
  /** The graph's, if it was cut out of another one. */
  readonly part?: Graph['part'];
  /** The graph's `finally`. */
  readonly finalizers?: readonly JsonObject[];
  readonly settings?: JsonObject;
  readonly actions?: Definition['actions'];
  /** Default: `test`. */
  readonly slug?: string;
}

export function definitionOf({
  steps,
  edges = [],
  output,
  part,
  finalizers,
  settings = {},
  actions = {},
  slug = 'test',
}: TestWorkflow): Definition {
  const graph: Graph = {
    steps: steps.map((step) => ({ ...step, type: longForm(step.type) }) as Step),
    edges: edges.map((edge) => ({ type: 'SUCCESS', ...edge })) as Graph['edges'],
    ...(output !== undefined && { output }),
    ...(part !== undefined && { part }),
    ...(finalizers !== undefined && { finally: finalizers }),
  };
  return {
    id: randomUUID(),
    tenantId: 'default',
    familySlug: slug,
    version: 1,
    graph,
    settings,
    connectors: [{ id: 'test', package: '@test/connector', version: '1.0.0', integrity: null }],
    actions,
    publishedAt: '2026-01-01T00:00:00.000Z',
  };
}

/** A chain of steps, each leading to the next. */
export const chainOf = (steps: TestWorkflow['steps']): TestWorkflow => ({
  steps,
  edges: steps.slice(1).map(({ ref }, i) => ({ from: steps[i]!.ref, to: ref })),
});

/** A step that runs an action once. */
export const act = (ref: string, more: object = {}): TestWorkflow['steps'][number] => ({
  ref,
  type: 'ACTION',
  action: 'test.do',
  retry: { max_attempts: 1 },
  ...more,
});
