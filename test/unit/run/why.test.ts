import {
  BUILT_IN_STEPS,
  compileDefinition,
  type Definition,
  defineStep,
  initialState,
  nodeKey,
  type OpenNode,
  plus,
  type RunState,
  type Step,
  stepTypes,
  type Wait,
} from '@ductor/core';
import { expect } from 'chai';
import fc from 'fast-check';
import { type WhyGiven, why } from '#core/run/why.js';

const NOW = '2026-11-29T08:00:00.000Z';
const BEFORE = '2026-11-29T07:59:30.000Z';
const LATER = '2026-11-29T09:00:00.000Z';
const SWEEP = plus(NOW, 1_000);

const asks = defineStep({
  type: 'STEP_TYPE_ASKS',
  schema: { type: 'object' },
  start: () => ({ to: 'waiting', wait: { kind: 'signal' }, memo: { name: 'memo' } }),
  why: (_wait, { name }) => ({ code: 'waiting_for_signal', name }),
});

const definition: Definition = {
  id: 'd',
  tenantId: 't',
  familySlug: 'f',
  version: 1,
  graph: {
    steps: [
      { ref: 'act', type: 'STEP_TYPE_ACTION', action: 'shop.pay', timeout: 'PT1M' } as Step,
      { ref: 'ask', type: 'STEP_TYPE_ASKS' } as Step,
    ],
    edges: [],
  },
  settings: {},
  connectors: [{ id: 'shop', package: '@acme/shop', version: '1.0.0', integrity: null }],
  actions: {},
  publishedAt: BEFORE,
};
const compiled = compileDefinition(definition, stepTypes(BUILT_IN_STEPS, [asks]));

const header = {
  id: 'r',
  chainId: 'r',
  tenantId: 't',
  definitionId: 'd',
  kind: 'workflow',
  input: null,
  lineage: { rootRunId: 'r', journeyId: 'r', parent: null, above: [], continuedFrom: null, resetFrom: null, depth: 0 },
  createdAt: BEFORE,
  priority: 'normal',
  startAt: null,
  traceparent: null,
} as const;

function stateWith(nodes: readonly OpenNode[], more: Partial<RunState> = {}): RunState {
  return {
    ...initialState(header),
    status: 'running',
    startedAt: BEFORE,
    tickedAt: BEFORE,
    open: new Map(nodes.map((node) => [nodeKey(node.at), node])),
    ...more,
  };
}

const given = (state: RunState, more: Partial<WhyGiven> = {}): WhyGiven => ({
  state,
  prepared: { ok: true, compiled },
  attempts: new Map(),
  unavailable: new Map(),
  now: NOW,
  sweepMs: 1_000,
  ...more,
});

const started = (ref: string) => ({
  at: { ref, branch: [] },
  generation: 1,
  startedAt: BEFORE,
  deadlineAt: null,
  memo: { name: 'memo' },
});
const work = {
  task: { action: 'shop.pay', args: {}, idempotencyKey: 'k' },
  attempt: { id: 'a1', token: 't1', number: 2 },
  firstScheduledAt: BEFORE,
  losses: 0,
};
const running: OpenNode = { ...started('act'), status: 'running', work };
const waiting = (wait: Wait, more: { deadlineAt?: string } = {}): OpenNode => ({
  ...started('act'),
  status: 'waiting',
  parkedAt: BEFORE,
  wait,
  ...more,
});
const facts = { scheduledAt: BEFORE, startedAt: null, heartbeatAt: null, endedAt: null };
const ofAttempt = (more: Partial<typeof facts> | { startedAt: string }) => new Map([['a1', { ...facts, ...more }]]);
const inFlight = { kind: 'signal' } as const;

const only = (reasons: ReturnType<typeof why>) => {
  expect(reasons).to.have.length(1);
  return reasons[0]!;
};

describe('why a run waits', () => {
  it('is its attempt, until the nearest deadline of that', () => {
    const answer = only(why(given(stateWith([running]), { attempts: ofAttempt({ startedAt: BEFORE }) })));
    expect(answer).to.eql({
      at: { ref: 'act', branch: [] },
      reason: { code: 'attempt_running', attempt: 2 },
      since: BEFORE,
      nextWakeAt: '2026-11-29T08:00:30.000Z',
    });
  });

  it('is a connector that is missing or busy, while the attempt has not started', () => {
    const missing = { code: 'connector_missing', package: '@acme/shop', version: '1.0.0' } as const;
    const full = { code: 'pool_full', package: '@acme/shop' } as const;
    const reasonOf = (reason: typeof missing | typeof full, startedAt: string | null) =>
      only(
        why(
          given(stateWith([running]), {
            attempts: ofAttempt({ startedAt: startedAt! }),
            unavailable: new Map([['shop', reason]]),
          }),
        ),
      ).reason;
    expect(reasonOf(missing, null)).to.eql(missing);
    expect(reasonOf(full, null)).to.eql(full);
    expect(reasonOf(full, BEFORE)).to.include({ code: 'attempt_running' });
  });

  it('is that the attempt is being stopped, when the run ends and does not drain', () => {
    const ending = { status: 'cancelled' } as const;
    expect(only(why(given(stateWith([running], { ending })))).reason).to.eql({ code: 'stopping', attempt: 2 });
    const drains = { ...compiled, failurePolicy: 'drain' } as const;
    const failed = { status: 'failed', error: { code: 'x', message: 'x', party: 'user' } } as const;
    const draining = given(stateWith([running], { ending: failed }), { prepared: { ok: true, compiled: drains } });
    expect(only(why(draining)).reason).to.include({ code: 'attempt_running' });
  });

  it('is the instant of a retry, or the pause of the run that holds it back', () => {
    const error = { code: 'x', message: 'x', party: 'connector', retryable: true } as const;
    const backoff: OpenNode = { ...started('act'), status: 'backoff', work, retryAt: LATER, error };
    expect(only(why(given(stateWith([backoff]))))).to.deep.include({
      reason: { code: 'retry_at', at: LATER },
      nextWakeAt: LATER,
    });
    const paused = only(why(given(stateWith([backoff], { status: 'paused' }))));
    expect(paused).to.deep.include({ reason: { code: 'held_back', by: 'run_paused' }, nextWakeAt: SWEEP });
  });

  it('is what its wait says, for each kind', () => {
    const subscription = { name: 's', eventName: 'paid', correlationKey: '7', match: null };
    const cases: [Wait, object, string][] = [
      [{ kind: 'timer', wakeAt: LATER }, { code: 'timer_due_at', at: LATER }, LATER],
      [{ kind: 'signal', name: 'go' }, { code: 'waiting_for_signal', name: 'go' }, SWEEP],
      [
        { kind: 'event', subscriptions: [subscription] },
        { code: 'waiting_for_event', name: 'paid', key: '7', have: 0, need: 1 },
        SWEEP,
      ],
      [{ kind: 'children' }, { code: 'waiting_for_child', run_id: null }, SWEEP],
      [{ kind: 'facts' }, { code: 'held_back', by: 'facts' }, SWEEP],
      [
        { kind: 'message', reason: { code: 'lease_held_by', run_id: 'q' } },
        { code: 'lease_held_by', run_id: 'q' },
        SWEEP,
      ],
    ];
    for (const [wait, reason, nextWakeAt] of cases) {
      expect(only(why(given(stateWith([waiting(wait)]))))).to.deep.include({ reason, nextWakeAt, since: BEFORE });
    }
  });

  it('is looked at by the step’s deadline where its wait has no instant', () => {
    expect(only(why(given(stateWith([waiting(inFlight, { deadlineAt: LATER })])))).nextWakeAt).to.equal(LATER);
    // A deadline that has passed is noticed by the next sweep.
    expect(only(why(given(stateWith([waiting(inFlight, { deadlineAt: BEFORE })])))).nextWakeAt).to.equal(SWEEP);
  });

  it('is an operator’s word, where nobody knows what came of the attempt', () => {
    const parkedAt = '2026-11-29T07:59:50.000Z';
    const wait: Wait = { kind: 'operator', unknown: { status: 'lost' } };
    const asked: OpenNode = { ...started('ask'), status: 'waiting', parkedAt, work, wait };
    const answer = only(why(given(stateWith([asked]))));
    expect(answer).to.deep.include({ reason: { code: 'outcome_unknown', attempt: 2 }, since: parkedAt });
  });

  it('is the step type’s own explanation, where it has one', () => {
    const node: OpenNode = {
      ...started('ask'),
      status: 'waiting',
      parkedAt: BEFORE,
      wait: { kind: 'signal', name: 'wait' },
    };
    expect(only(why(given(stateWith([node])))).reason).to.eql({ code: 'waiting_for_signal', name: 'memo' });
  });

  it('is whoever paused the node, a step type that is not there, or the time at which the run shall start', () => {
    const paused: OpenNode = {
      at: { ref: 'act', branch: [] },
      generation: 1,
      status: 'paused',
      by: 'key:ops',
      was: running,
    };
    expect(only(why(given(stateWith([paused])))).reason).to.eql({ code: 'paused_by', actor: 'key:ops' });
    const missing = given(stateWith([running]), {
      prepared: { ok: false, words: ['STEP_TYPE_X'], plugins: ['x'] },
    });
    expect(only(why(missing)).reason).to.eql({ code: 'plugin_missing', plugin: 'x' });
    const state = stateWith([], {
      status: 'pending',
      startedAt: null,
      tickedAt: null,
      header: { ...header, startAt: LATER },
    });
    expect(only(why(given(state)))).to.eql({
      at: null,
      reason: { code: 'held_back', by: 'start_at' },
      since: BEFORE,
      nextWakeAt: LATER,
    });
  });

  it('is nothing once the run has ended', () => {
    expect(why(given(stateWith([], { status: 'completed' })))).to.eql([]);
  });

  it('is never unknown: no open run is without a reason and a next look', () => {
    const instant = fc.integer({ min: -100_000, max: 100_000 }).map((ms) => plus(NOW, ms));
    const wait: fc.Arbitrary<Wait> = fc.oneof(
      instant.map((wakeAt): Wait => ({ kind: 'timer', wakeAt })),
      fc.constantFrom<Wait>(
        { kind: 'signal' },
        { kind: 'children' },
        { kind: 'facts' },
        { kind: 'event', subscriptions: [] },
      ),
      fc.constant<Wait>({ kind: 'operator', unknown: { status: 'lost' } }),
    );
    const error = { code: 'x', message: 'x', party: 'connector', retryable: true } as const;
    const active: fc.Arbitrary<OpenNode> = fc.oneof(
      fc.constant(running),
      instant.map((retryAt): OpenNode => ({ ...started('act'), status: 'backoff', work, retryAt, error })),
      fc.tuple(wait, fc.option(instant)).map(
        ([wait, deadlineAt]): OpenNode => ({
          ...started('act'),
          status: 'waiting',
          parkedAt: BEFORE,
          wait,
          deadlineAt,
        }),
      ),
      fc.constant<OpenNode>({
        at: { ref: 'act', branch: [] },
        generation: 1,
        status: 'pending',
        resolved: 0,
        taken: 0,
      }),
    );
    const node = fc.oneof(
      active,
      active.map(
        (was): OpenNode => ({ at: was.at, generation: 1, status: 'paused', by: 'key:ops', was: was as never }),
      ),
    );
    const state = fc
      .record({
        nodes: fc.array(node, { maxLength: 4 }),
        status: fc.constantFrom('pending', 'running', 'waiting', 'paused', 'cancelling'),
        ending: fc.option(fc.constant({ status: 'cancelled' } as const)),
        startAt: fc.option(instant),
      })
      .map(({ nodes, status, ending, startAt }) => {
        const placed = nodes.map((each, i): OpenNode => ({ ...each, at: { ref: 'act', branch: [i] } }));
        return stateWith(placed, { status: status as 'running', ending, header: { ...header, startAt } });
      });
    const prepared = fc.constantFrom<WhyGiven['prepared']>(
      { ok: true, compiled },
      { ok: false, words: ['STEP_TYPE_X'], plugins: ['x'] },
    );
    fc.assert(
      fc.property(state, prepared, fc.option(instant), (run, prepared, startedAt) => {
        const reasons = why(given(run, { prepared, attempts: ofAttempt({ startedAt: startedAt! }) }));
        const explained = [...run.open.values()].filter(({ status }) => status !== 'pending').length;
        expect(reasons).to.have.length(Math.max(1, explained));
        for (const { reason, since, nextWakeAt } of reasons) {
          expect(reason.code).to.be.a('string').and.not.equal('');
          expect(since).to.be.a('string');
          expect(nextWakeAt > NOW, `${nextWakeAt} is not ahead`).to.equal(true);
        }
      }),
      { numRuns: process.env.FULL === '1' ? 5_000 : 500 },
    );
  });
});
