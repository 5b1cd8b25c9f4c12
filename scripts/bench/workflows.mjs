import { randomUUID } from 'node:crypto';
import { catalogueOf } from '#host/definitions/action-catalogue.js';

const range = (n) => Array.from({ length: n }, (_, i) => i);
const step = (i, more = {}) => ({ ref: `s${i}`, type: 'STEP_TYPE_ACTION', action: 'noop.step', args: { i, ...more } });

/** Steps one after the other; each is given a part of what the one before it returned. */
export const chain = (n) => ({
  steps: range(n).map((i) => step(i, i === 0 ? {} : { previous: `\${steps.s${i - 1}.output.i}` })),
  edges: range(n - 1).map((i) => ({ from: `s${i}`, to: `s${i + 1}`, type: 'SUCCESS' })),
});

/** Steps side by side, and one that gathers what they return. */
export const fan = (n) => ({
  steps: [
    ...range(n).map((i) => step(i)),
    {
      ref: 'gather',
      type: 'STEP_TYPE_TRANSFORM',
      value: Object.fromEntries(range(n).map((i) => [`s${i}`, `\${steps.s${i}.output}`])),
    },
  ],
  edges: range(n).map((i) => ({ from: `s${i}`, to: 'gather', type: 'SUCCESS' })),
});

/**
 * Writes a graph as a published version, and compiles it as a host does once for each version. Not by the publisher:
 * it refuses more than a thousand steps.
 */
export async function publish({ definitions, connectors, engine }, slug, graph) {
  const { pin, actions } = catalogueOf(connectors.enabled).find('noop', null);
  const now = new Date().toISOString();
  const draft = await definitions.createDraft('default', {
    id: randomUUID(),
    family_slug: slug,
    title: slug,
    description: null,
    tags: [],
    graph,
    settings: {},
    created_at: now,
  });
  const id = randomUUID();
  await definitions.transaction((transaction) =>
    definitions.in(transaction).publish(draft, {
      ...draft,
      id,
      status: 'published',
      draft_revision: null,
      connectors: [pin],
      actions: { 'noop.step': actions.get('step').traits },
      published_at: now,
    }),
  );
  await engine.definitions.prepare(id);
}
