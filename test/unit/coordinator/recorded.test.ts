import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type AttemptOutcome, BUILT_IN_STEPS, longForm } from '@ductor/core';
import { expect } from 'chai';
import type { TestWorkflow } from '../../support/workflow.ts';
import { failureOf, MemoryRun } from './memory-run.ts';

interface Recording {
  readonly workflow: TestWorkflow;
  /** By step, in order: what its attempts come to. */
  readonly outcomes: readonly (readonly [string, AttemptOutcome])[];
}

const input = { lead: 'l-1', score: 71 };
const done: AttemptOutcome = { status: 'completed', output: { ok: true } };

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
};

describe('A recorded history', () => {
  for (const [name, { workflow, outcomes }] of Object.entries(recordings)) {
    const file = fileURLToPath(new URL(`../../../recorded/${name}.json`, import.meta.url));

    it(`is what its run still does: ${name} (UPDATE=1 ./scripts/test unit/coordinator/recorded records anew)`, async () => {
      const run = new MemoryRun(workflow, { input });
      for (const [ref, outcome] of outcomes) {
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
