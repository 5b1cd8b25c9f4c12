/** One workflow for each thing that a run can wait for; every one of them has a step `w` that waits. */
import type { TestWorkflow } from '../support/workflow.ts';

export const KINDS = [
  'duration',
  'until',
  'event',
  'set',
  'signal',
  'early',
  'approval',
  'race',
  'child',
  'retry',
  'start_at',
  'digest',
] as const;
export type Kind = (typeof KINDS)[number];

export const EVENT = 'thing';
export const APPROVERS = ['ann', 'ben', 'cy'];

type Step = TestWorkflow['steps'][number];

const event = (ref: string): Step => ({
  ref,
  type: 'WAIT',
  event: { event_name: EVENT, correlation_key: 'input.key', match: 'event.payload.fits' },
});

/** `soon`: its deadline, or what it waits for, comes while everything else happens. */
function stepsOf(kind: Kind, soon: boolean): readonly Step[] {
  const timeout = soon ? 'PT0.08S' : 'PT1H';
  switch (kind) {
    case 'duration':
      return [{ ref: 'w', type: 'WAIT', duration: timeout }];
    case 'until':
      return [{ ref: 'w', type: 'WAIT', until: 'input.at' }];
    case 'event':
      return [{ ...event('w'), timeout }];
    case 'set':
      return [
        {
          ...{ ref: 'w', type: 'EVENT_SET', correlation_key: 'input.key', timeout, lookback: 'PT1M' },
          requirements: [
            { name: 'two', event_name: EVENT, count: 2 },
            { name: 'one', event_name: EVENT },
          ],
        },
      ];
    case 'digest':
      return [{ ref: 'w', type: 'DIGEST', digest_key: "'all'", window: 'PT0.1S', max_count: 5 }];
    case 'signal':
      return [{ ref: 'w', type: 'WAIT', signal: 'go', timeout }];
    case 'early':
      return [
        { ref: 'first', type: 'WAIT', duration: 'PT0.05S' },
        { ref: 'w', type: 'APPROVAL', approvers: APPROVERS, min_approvals: 2, timeout },
      ];
    case 'approval':
      return [{ ref: 'w', type: 'APPROVAL', approvers: APPROVERS, min_approvals: 2, timeout }];
    case 'race':
      return [
        { ref: 'w', type: 'RACE', arms: ['arm_event', 'arm_timer'] },
        event('arm_event'),
        { ref: 'arm_timer', type: 'WAIT', duration: timeout },
      ];
    case 'child':
      return [{ ref: 'w', type: 'SUBWORKFLOW', workflow: { slug: 'child' }, input: '${input}', timeout }];
    case 'retry':
      return [
        {
          ...{ ref: 'w', type: 'ACTION', action: 'test.once' },
          retry: { initial_interval_ms: soon ? 60 : 150, jitter: 0 },
        },
      ];
    case 'start_at':
      return [{ ref: 'w', type: 'TRANSFORM', value: 1 }];
  }
}

/** `handled`: whatever becomes of `w`, a step after it runs; otherwise its failure is the run's. */
export function workflowOf(kind: Kind, { soon, handled }: { soon: boolean; handled: boolean }): TestWorkflow {
  const steps = stepsOf(kind, soon);
  return {
    slug: kind,
    actions: { 'test.once': { effect: 'read', idempotency: 'none' } },
    steps: [...steps, { ref: 'done', type: 'TRANSFORM', value: 'done' }],
    edges: [
      ...(kind === 'early' ? [{ from: 'first', to: 'w' }] : []),
      { from: 'w', to: 'done', type: handled ? 'ALWAYS' : steps.at(-1)?.type === 'APPROVAL' ? 'APPROVED' : 'SUCCESS' },
    ],
  };
}

export const CHILD: TestWorkflow = { slug: 'child', steps: [event('c')], output: '${steps.c.output}' };
