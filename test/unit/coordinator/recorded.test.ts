import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type AttemptOutcome, BUILT_IN_STEPS, type ChildEnd, longForm } from '@ductor/core';
import { expect } from 'chai';
import type { TestWorkflow } from '../../support/workflow.ts';
import { failureOf, MemoryRun } from './memory-run.ts';

interface Recording {
  readonly workflow: TestWorkflow;
  /** In order: what a step's attempt comes to, or another word. */
  readonly outcomes: readonly (readonly [string, AttemptOutcome] | Word)[];
}

const input = { lead: 'l-1', score: 71 };
const done: AttemptOutcome = { status: 'completed', output: { ok: true } };

/** A word from outside. */
type Word = (run: MemoryRun) => unknown;

const child =
  (end: ChildEnd): Word =>
  (run) =>
    run.child(run.spawned.at(-1)!.runId, end);

/** One history a file; together they have every built-in step type. */
const recordings: { readonly [name: string]: Recording } = {
  'routed-lead': {
    workflow: {
      steps: [
        { ref: 'enrich', type: 'ACTION', action: 'test.enrich', args: { lead: '${input.lead}' }, retry: { jitter: 0 } },
        { ref: 'tier', type: 'RULE', rules: [{ when: 'input.score > 50', value: 'gold' }] },
        { ref: 'route', type: 'SWITCH', expression: 'steps.tier.output' },
        { ref: 'note', type: 'TRANSFORM', value: 'for ${input.lead}', effects: { context: { noted: true } } },
        { ref: 'accepted', type: 'CHECKPOINT', name: 'accepted', reply: { note: '${steps.note.output}' } },
        { ref: 'other', type: 'TRANSFORM', value: null },
        { ref: 'end', type: 'STOP', output: { tier: '${steps.tier.output}' } },
      ],
      edges: [
        { from: 'enrich', to: 'tier' },
        { from: 'tier', to: 'route' },
        { from: 'route', to: 'note', type: 'CASE', case: 'gold' },
        { from: 'route', to: 'other', type: 'DEFAULT' },
        { from: 'note', to: 'accepted' },
        { from: 'accepted', to: 'end' },
      ],
    },
    outcomes: [
      ['enrich', failureOf({ code: 'http_503', retryable: true, retryAfterMs: 2_000 })],
      ['enrich', done],
      ['tier', { status: 'completed', output: 'gold' }],
    ],
  },
  'refused-lead': {
    workflow: {
      steps: [
        { ref: 'check', type: 'ACTION', action: 'test.check', retry: { max_attempts: 1 } },
        { ref: 'is_known', type: 'CONDITION', expression: 'steps.check.error == null' },
        { ref: 'refused', type: 'FAIL', code: 'refused', message: '${input.lead} is not known' },
        { ref: 'kept', type: 'TRANSFORM', value: 1 },
      ],
      edges: [
        { from: 'check', to: 'is_known', type: 'ALWAYS' },
        { from: 'is_known', to: 'refused', type: 'FALSE' },
        { from: 'is_known', to: 'kept', type: 'TRUE' },
      ],
    },
    outcomes: [['check', failureOf({ code: 'unknown_lead' })]],
  },
  'waiting-order': {
    workflow: {
      steps: [
        {
          ref: 'paid',
          type: 'WAIT',
          event: { event_name: 'order.paid', correlation_key: 'input.lead' },
          timeout: 'P7D',
        },
        { ref: 'ask', type: 'APPROVAL', min_approvals: 2, timeout: 'P1D' },
        { ref: 'race', type: 'RACE', arms: ['shipped', 'three_days'] },
        { ref: 'shipped', type: 'WAIT', event: { event_name: 'order.shipped', correlation_key: 'input.lead' } },
        { ref: 'three_days', type: 'WAIT', duration: 'P3D' },
        { ref: 'invoice', type: 'SUBWORKFLOW', workflow: { slug: 'invoice' }, input: { lead: '${input.lead}' } },
        { ref: 'told', type: 'EMIT', event_name: 'order.invoiced', correlation_key: 'input.lead' },
        { ref: 'remind', type: 'DEFER', workflow: { slug: 'remind' }, delay: 'P30D' },
      ],
      edges: [
        { from: 'paid', to: 'ask' },
        { from: 'ask', to: 'race', type: 'APPROVED' },
        { from: 'race', to: 'invoice' },
        { from: 'invoice', to: 'told' },
        { from: 'told', to: 'remind' },
      ],
    },
    outcomes: [
      (run) => run.event('paid', 'event'),
      (run) => run.control('pause'),
      (run) => run.control('resume'),
      (run) => run.signal('ask', { verb: 'approve', approverId: 'ann' }),
      (run) => run.signal('ask', { verb: 'approve', approverId: 'bob' }),
      (run) => run.advance(3 * 86_400_000),
      child({ status: 'failed', error: { code: 'boom', message: 'No.', party: 'user' } }),
      (run) => run.control('redrive'),
      child({ status: 'completed', output: { invoice: 7 } }),
      child({ status: 'started' }),
    ],
  },
};

describe('A recorded history', () => {
  for (const [name, { workflow, outcomes }] of Object.entries(recordings)) {
    const file = fileURLToPath(new URL(`../../../recorded/${name}.json`, import.meta.url));

    it(`is what its run still does: ${name} (UPDATE=1 ./scripts/test unit/coordinator/recorded records anew)`, async () => {
      const run = new MemoryRun(workflow, { input });
      for (const next of outcomes) {
        if (typeof next === 'function') {
          next(run);
          continue;
        }
        const [ref, outcome] = next;
        if (run.status(ref) === 'backoff') run.advance(2_000);
        run.outcome(ref, outcome);
      }
      const transitions = JSON.parse(JSON.stringify(run.transitions));
      if (process.env.UPDATE === '1') await writeFile(file, `${JSON.stringify(transitions, null, 2)}\n`);
      expect(transitions).to.deep.equal(JSON.parse(await readFile(file, 'utf8')));
    });
  }

  it('is there for every step type', () => {
    const recorded = Object.values(recordings).flatMap(({ workflow }) =>
      workflow.steps.map(({ type }) => longForm(type)),
    );
    expect(recorded).to.include.members(BUILT_IN_STEPS.map(({ type }) => type));
  });
});
