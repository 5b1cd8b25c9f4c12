import { type AnyStepType, defineStep, type Json, type JsonObject } from '@ductor/core';
import fc from 'fast-check';
import type { TestWorkflow } from './workflow.ts';

type Step = TestWorkflow['steps'][number];
type Edge = NonNullable<TestWorkflow['edges']>[number];

const NOTHING_HEARD: number = 0;

/** Step types that park, as plugins have them: on a timer that may be moved on once, and on two events at a time. */
export const PARKING_STEPS: readonly AnyStepType[] = [
  defineStep({
    type: 'STEP_TYPE_TEST_TIMER',
    schema: {
      type: 'object',
      required: ['ms', 'snoozes'],
      properties: { ms: { type: 'integer' }, snoozes: { type: 'integer' } },
    },
    start: ({ config: { ms, snoozes }, after }) => ({
      to: 'waiting',
      memo: { ms, snoozes },
      wait: { kind: 'timer', wakeAt: after(ms) },
    }),
    on: {
      wake: ({ memo: { ms, snoozes }, after }) =>
        snoozes > 0
          ? { to: 'waiting', memo: { ms, snoozes: snoozes - 1 }, wait: { kind: 'timer', wakeAt: after(ms) } }
          : { to: 'completed', outcome: 'SUCCESS', output: ms },
    },
  }),
  defineStep({
    type: 'STEP_TYPE_TEST_EVENTS',
    schema: { type: 'object' },
    start: () => ({
      to: 'waiting',
      memo: NOTHING_HEARD,
      wait: {
        kind: 'event',
        subscriptions: ['a', 'b'].map((name) => ({ name, eventName: name, correlationKey: 'k', match: null })),
      },
    }),
    on: {
      event: ({ memo }) =>
        memo === NOTHING_HEARD ? { to: 'same', memo: 1 } : { to: 'completed', outcome: 'SUCCESS', output: memo },
    },
  }),
];

/** What expressions of arbitrary workflows read. */
export const ARBITRARY_INPUT: JsonObject = { yes: true, no: false, word: 'a', n: 3 };

/** Conditions, and what they yield whatever the run does; `null`: they fail to evaluate. */
export const CONDITIONS: ReadonlyMap<string, boolean | null> = new Map([
  ['input.yes', true],
  ['input.no', false],
  ['input.n > 2', true],
  ['input.missing == 1', null],
  ['1 / 0 == 1', null],
]);

/** The edge types that may leave a step, each as `TYPE` or `CASE:value`. */
const LEAVING: { readonly [type: string]: readonly string[] } = {
  ACTION: ['SUCCESS', 'SUCCESS', 'ERROR', 'ALWAYS', 'TIMEOUT'],
  RULE: ['SUCCESS', 'SUCCESS', 'ERROR', 'ALWAYS'],
  TRANSFORM: ['SUCCESS', 'SUCCESS', 'ERROR', 'ALWAYS'],
  CHECKPOINT: ['SUCCESS', 'SUCCESS', 'ERROR', 'ALWAYS'],
  CONDITION: ['TRUE', 'FALSE', 'ERROR', 'ALWAYS'],
  SWITCH: ['CASE:a', 'CASE:b', 'DEFAULT', 'ERROR', 'ALWAYS'],
  TEST_TIMER: ['SUCCESS', 'ERROR', 'ALWAYS', 'TIMEOUT'],
  TEST_EVENTS: ['SUCCESS', 'ERROR', 'ALWAYS', 'TIMEOUT'],
  WAIT: ['SUCCESS', 'ERROR', 'ALWAYS', 'TIMEOUT'],
  APPROVAL: ['APPROVED', 'REJECTED', 'ERROR', 'ALWAYS', 'TIMEOUT'],
  SUBWORKFLOW: ['SUCCESS', 'ERROR', 'ALWAYS', 'TIMEOUT'],
  RACE: ['SUCCESS', 'ERROR', 'ALWAYS', 'TIMEOUT'],
  // Its branches begin and end among steps of its own; what follows them follows its GATHER, and is left out here.
  SCATTER: ['ERROR', 'ALWAYS', 'TIMEOUT'],
  EMIT: ['SUCCESS', 'ERROR', 'ALWAYS'],
  DEFER: ['SUCCESS', 'ERROR', 'ALWAYS'],
  STOP: [],
  FAIL: [],
};

const value = fc.constantFrom<Json>(
  1,
  'text',
  null,
  { a: [1, 2] },
  '${input.n + 1}',
  { word: '${input.word}' },
  '${input.missing}',
);

const retry = fc.record(
  {
    max_attempts: fc.integer({ min: 1, max: 4 }),
    initial_interval_ms: fc.integer({ min: 1, max: 5_000 }),
    backoff_coefficient: fc.constantFrom(1, 2, 10),
    max_interval_ms: fc.integer({ min: 1, max: 60_000 }),
    jitter: fc.constantFrom(0, 0.2, 1),
    non_retryable: fc.constantFrom([], ['boom']),
  },
  { requiredKeys: [] },
);

const timeout = fc.constantFrom<Json>(
  'PT5S',
  { start_to_close: 'PT1S', schedule_to_close: 'PT3S' },
  { schedule_to_start: 'PT1S', heartbeat: 'PT1S' },
);

const effects = fc.constantFrom<JsonObject>(
  { context: { seen: '${output}' } },
  { attributes: { n: '${input.n}' }, context: { last: 1 } },
  { context: { never: '${input.missing}' } },
);

const action = fc
  .record(
    {
      action: fc.constantFrom('test.read', 'test.keyed', 'test.write'),
      args: value,
      credential: fc.constantFrom('c1', 'c2'),
      on_unknown: fc.constantFrom('retry', 'park'),
      retry,
      timeout,
    },
    { requiredKeys: ['action'] },
  )
  .map((fields) => ({ type: 'ACTION', ...fields }));

const rule = fc.constantFrom<JsonObject>(
  {
    type: 'RULE',
    rules: [
      { when: 'input.no', value: 1 },
      { when: 'input.yes', value: '${input.word}' },
    ],
  },
  { type: 'RULE', hit_policy: 'collect', rules: [{ when: 'input.yes', value: 1 }] },
);

const workflow = { slug: 'other' };

const deadline = fc.constantFrom('PT5S', 'PT1H');

/** What parks, each type that is the engine's own. */
const waiting = fc.oneof(
  fc.constantFrom<JsonObject>(
    { type: 'WAIT', duration: 'PT2S' },
    { type: 'WAIT', until: 'input.word' },
    { type: 'WAIT', signal: 'go' },
    { type: 'WAIT', event: { event_name: 'paid', correlation_key: 'input.word' }, timeout: 'PT5S' },
    { type: 'EMIT', event_name: 'seen', correlation_key: 'input.word', payload: { n: '${input.n}' } },
    { type: 'DEFER', workflow, delay: 'PT1H' },
  ),
  fc
    .record({ min_approvals: fc.constantFrom(1, 2), timeout: deadline })
    .map((fields) => ({ type: 'APPROVAL', ...fields })),
  fc
    .record({
      parent_close: fc.constantFrom('cancel', 'terminate', 'abandon'),
      wait_for: fc.constantFrom<Json>('terminal', { checkpoint: 'half' }),
      timeout: deadline,
    })
    .map((fields): JsonObject => ({ type: 'SUBWORKFLOW', workflow, ...fields })),
);

const parking = fc.oneof(
  waiting,
  fc
    .record({ ms: fc.integer({ min: 0, max: 6_000 }), snoozes: fc.nat(2), timeout: fc.constantFrom('PT1S', 'PT1H') })
    .map((fields): JsonObject => ({ type: 'TEST_TIMER', ...fields })),
  fc.constantFrom<JsonObject>({ type: 'TEST_EVENTS', timeout: 'PT5S' }),
);

/** Its arms stand in it as steps; they get their refs with the graph. */
const race = fc
  .record({ arms: fc.array(fc.oneof(action, rule, parking), { minLength: 1, maxLength: 3 }), timeout: deadline })
  .map((fields): JsonObject => ({ type: 'RACE', ...fields }));

const inner = fc.oneof(action, rule, waiting);

/** Its steps stand in it as a region: a chain of one or two, from the second of which failures are handled, or again branches. */
const branches = fc
  .record({
    items: fc.constantFrom('[]', '[1]', '[1, 2, 3, 4, 5]', 'input.word'),
    mode: fc.constantFrom('inline', 'inline', 'child_run'),
    max_in_flight: fc.constantFrom(1, 2, 100),
    on_branch_failure: fc.constantFrom<Json>(
      'fail_fast',
      'collect',
      { tolerate: { count: 1 } },
      { tolerate: { percent: 50 } },
    ),
    batch: fc.constantFrom<JsonObject | null>(null, { size: 2, interval: 'PT1S' }),
    body: fc.array(inner, { minLength: 1, maxLength: 2 }),
    again: fc.boolean(),
    timeout: deadline,
  })
  .map(({ batch, ...fields }): JsonObject => ({ type: 'SCATTER', ...fields, ...(batch && { batch }) }));

const builtIn = fc.oneof(
  { weight: 6, arbitrary: action },
  { weight: 2, arbitrary: rule },
  { weight: 3, arbitrary: value.map((written) => ({ type: 'TRANSFORM', value: written })) },
  {
    weight: 3,
    arbitrary: fc.constantFrom(...CONDITIONS.keys()).map((expression) => ({ type: 'CONDITION', expression })),
  },
  {
    weight: 3,
    arbitrary: fc
      .constantFrom('input.word', '"b"', '"other"', 'input.n', 'input.missing')
      .map((expression) => ({ type: 'SWITCH', expression })),
  },
  { weight: 1, arbitrary: value.map((reply) => ({ type: 'CHECKPOINT', name: 'here', reply })) },
  { weight: 1, arbitrary: fc.constantFrom<JsonObject>({ type: 'STOP', output: '${input.n}' }, { type: 'STOP' }) },
  { weight: 1, arbitrary: fc.constant<JsonObject>({ type: 'FAIL', code: 'authors_own', message: 'no ${input.word}' }) },
);

const stepOf = (typed: fc.Arbitrary<JsonObject>) =>
  fc
    .record({
      typed,
      join: fc.constantFrom('all', 'all', 'any'),
      effects: fc.option(effects, { freq: 4, nil: undefined }),
    })
    .map(
      ({ typed: fields, join, effects: written }): JsonObject => ({
        ...fields,
        ...(join === 'any' && { join }),
        ...(written && { effects: written }),
      }),
    );

const link = fc.record({
  from: fc.nat(11),
  type: fc.nat(11),
  condition: fc.option(fc.constantFrom(...CONDITIONS.keys()), { freq: 4, nil: undefined }),
});

const settings = fc.record(
  { failure_policy: fc.constantFrom('fail_fast', 'drain'), run_timeout: fc.constantFrom('PT10S', 'PT2M') },
  { requiredKeys: [] },
);

/** Directed acyclic graphs of up to twelve steps and their arms: of those that park, `PARKING_STEPS` too, only if wanted. */
export const arbitraryWorkflow = ({ parks }: { parks: boolean }): fc.Arbitrary<TestWorkflow> =>
  fc
    .record({
      parts: fc.array(
        fc.record({
          step: stepOf(
            parks
              ? fc.oneof(
                  { weight: 7, arbitrary: builtIn },
                  { weight: 2, arbitrary: parking },
                  { weight: 1, arbitrary: race },
                  { weight: 1, arbitrary: branches },
                )
              : builtIn,
          ),
          links: fc.array(link, { maxLength: 3 }),
        }),
        { minLength: 1, maxLength: 12 },
      ),
      settings,
      output: fc.option(fc.constantFrom<Json>('${input.n}', { s0: '${steps.s0.output}' }, '${input.missing}'), {
        freq: 4,
        nil: undefined,
      }),
    })
    .map(({ parts, settings: written, output }) => ({
      steps: parts.flatMap(({ step }, i) => withOwned(`s${i}`, step)),
      edges: [
        ...parts.flatMap(({ links }, to) => edgesTo(to, links, parts)),
        ...parts.flatMap(({ step }, i) => (step.type === 'SCATTER' ? regionOf(`s${i}`, step).edges : [])),
      ],
      settings: written,
      ...(output !== undefined && { output }),
      actions: {
        'test.read': { effect: 'read', idempotency: 'none' },
        'test.keyed': { effect: 'write', idempotency: 'key' },
        'test.write': { effect: 'write', idempotency: 'none' },
      },
    }));

const withOwned = (ref: string, step: JsonObject): readonly Step[] =>
  step.type === 'SCATTER' ? regionOf(ref, step).steps : withArms(ref, step);

/** The steps of a region and what gathers them, beside the one that owns them. */
function regionOf(
  ref: string,
  { body, again, ...own }: JsonObject,
): { steps: readonly Step[]; edges: readonly Edge[] } {
  const inside = (body as readonly JsonObject[]).map((step, i): Step => ({ ref: `${ref}_${i}`, ...step }) as Step);
  const refs = inside.map((step) => step.ref);
  const around = [ref, ...(again ? [`${ref}_each`] : [])];
  const back = [...(again ? [`${ref}_row`] : []), `${ref}_all`];
  const chain = [...around, ...refs, ...back];
  return {
    steps: [
      { ref, ...own } as Step,
      ...(again
        ? ([
            { ref: `${ref}_each`, type: 'SCATTER', items: '[item, index]', max_in_flight: 1 },
            { ref: `${ref}_row`, type: 'GATHER', scatter: `${ref}_each` },
          ] as Step[])
        : []),
      ...inside,
      { ref: `${ref}_all`, type: 'GATHER', scatter: ref, reduce: 'results.size()' } as Step,
    ],
    edges: [
      ...chain.slice(1).map((to, i) => ({ from: chain[i]!, to, type: typeBetween(inside, chain[i]!) })),
      ...(refs.length > 1 ? [{ from: refs[0]!, to: back[0]!, type: 'ERROR' }] : []),
    ],
  };
}

const typeBetween = (inside: readonly Step[], from: string): string =>
  inside.some(({ ref, type }) => ref === from && type === 'APPROVAL') ? 'APPROVED' : 'SUCCESS';

/** A race's arms are steps of the graph beside it. */
function withArms(ref: string, fields: JsonObject): readonly Step[] {
  const arms = (fields.arms ?? []) as readonly JsonObject[];
  const refs = arms.map((_, i) => `${ref}_${i}`);
  const step = { ref, ...fields, ...(fields.arms !== undefined && { arms: refs }) } as Step;
  return [step, ...arms.map((arm, i): Step => ({ ref: refs[i], ...arm }) as Step)];
}

type Link = { readonly from: number; readonly type: number; readonly condition?: string | undefined };

/** Links as edges from earlier steps; those that no such step can have are left out. */
function edgesTo(to: number, links: readonly Link[], parts: readonly { readonly step: JsonObject }[]): readonly Edge[] {
  const edges = new Map<string, Edge>();
  for (const { from: picked, type: pickedType, condition } of to === 0 ? [] : links) {
    const from = picked % to;
    const types = LEAVING[String(parts[from]?.step.type)] ?? [];
    const written = types[pickedType % Math.max(1, types.length)];
    if (written === undefined) continue;
    const [type = '', value] = written.split(':');
    edges.set(`${from} ${written}`, {
      ...{ from: `s${from}`, to: `s${to}`, type },
      ...(value !== undefined && { case: value }),
      ...(condition !== undefined && { condition }),
    });
  }
  return [...edges.values()];
}
