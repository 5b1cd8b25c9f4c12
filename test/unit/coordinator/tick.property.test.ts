import {
  type AttemptOutcome,
  type ChildEnd,
  effectOf,
  isEnded,
  type JsonObject,
  type NodeState,
  type NodeStatus,
  nodeKey,
  RUN_CONTROLS,
  type RunControl,
} from '@ductor/core';
import { expect } from 'chai';
import fc from 'fast-check';
import { plan, workflowOf } from '../../support/arbitrary-regions.ts';
import { ARBITRARY_INPUT, arbitraryWorkflow, CONDITIONS } from '../../support/arbitrary-workflow.ts';
import type { TestWorkflow } from '../../support/workflow.ts';
import { arrivalOf, MemoryRun, nodeChanges } from './memory-run.ts';

const CASES = process.env.FULL === '1' ? 20_000 : 1_000;

/** What a test does to a run next: picks are taken modulo what there is. */
interface Move {
  readonly kind:
    | 'outcome'
    | 'several'
    | 'stale'
    | 'due'
    | 'event'
    | 'resolve'
    | 'credential'
    | 'child'
    | 'signal'
    | RunControl;
  readonly pick: number;
  readonly outcome: AttemptOutcome;
  readonly passMs: number;
}

const failed = (code: string, retryable: boolean, retryAfterMs?: number): AttemptOutcome => ({
  status: 'failed',
  error: { code, message: code, party: 'connector', retryable, ...(retryAfterMs !== undefined && { retryAfterMs }) },
});

const outcome = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.jsonValue({ maxDepth: 1 }).map((output) => ({ status: 'completed', output }) as AttemptOutcome),
  },
  {
    weight: 8,
    arbitrary: fc.constantFrom<AttemptOutcome>(
      failed('boom', true),
      failed('boom', false),
      failed('busy', true, 700),
      failed('worker_exited', true),
      { status: 'timed_out', deadline: 'startToCloseMs' },
      { status: 'timed_out', deadline: 'scheduleToStartMs' },
      { status: 'timed_out', deadline: 'scheduleToCloseMs' },
      { status: 'lost' },
      { status: 'lost', neverStarted: true },
      { status: 'stopped' },
    ),
  },
);

const move: fc.Arbitrary<Move> = fc.record({
  kind: fc.oneof(
    {
      weight: 4,
      arbitrary: fc.constantFrom(
        'outcome',
        'outcome',
        'outcome',
        'several',
        'stale',
        'due',
        'due',
        'event',
        'resolve',
        'credential',
        'child',
        'signal',
      ),
    },
    { weight: 1, arbitrary: fc.constantFrom(...RUN_CONTROLS, 'pause', 'resume') },
  ),
  pick: fc.nat(20),
  outcome,
  passMs: fc.nat(4_000),
});

const CHILD_ENDS: readonly ChildEnd[] = [
  { status: 'completed', output: 1 },
  { status: 'failed', error: { code: 'boom', message: 'boom', party: 'user' } },
  { status: 'cancelled' },
  { status: 'checkpoint', name: 'half', output: 2 },
  { status: 'refused', error: { code: 'workflow_not_found', message: 'gone', party: 'user' } },
  { status: 'started' },
];

function parked(run: MemoryRun, pick: number): NodeState | undefined {
  const nodes = [...run.state.open.values()].filter((node) => node.status === 'waiting');
  return nodes[pick % Math.max(1, nodes.length)];
}

function make(run: MemoryRun, { kind, pick, outcome: told, passMs }: Move): void {
  const all = [...run.attempts.values()];
  const { open } = run;
  switch (kind) {
    case 'outcome': {
      const attempt = open[pick % Math.max(1, open.length)];
      if (attempt) run.tick({ arrivals: [arrivalOf(attempt, told)] });
      return;
    }
    case 'several': {
      // Some of them twice, and between them what is due.
      const few = open
        .slice(pick % 3)
        .flatMap((attempt) => [arrivalOf(attempt, told), arrivalOf(attempt, { status: 'lost' })]);
      run.tick({ arrivals: [...few, ...run.due()] });
      return;
    }
    case 'stale': {
      const over = all.filter(({ folded }) => folded !== null);
      const attempt = over[pick % Math.max(1, over.length)];
      if (attempt)
        expect(run.tick({ arrivals: [arrivalOf(attempt, told)] }), 'a stale outcome moves nothing').to.equal(null);
      return;
    }
    case 'due':
      run.advance(passMs);
      return;
    case 'event': {
      const node = parked(run, pick);
      if (node && run.state.status !== 'paused') run.event(nodeKey(node.at), pick % 2 === 0 ? 'a' : 'b');
      return;
    }
    case 'child': {
      const child = run.spawned[pick % Math.max(1, run.spawned.length)];
      // Also of one whose end has been heard.
      if (child && run.state.status !== 'paused') run.child(child.runId, CHILD_ENDS[pick % CHILD_ENDS.length]!);
      return;
    }
    case 'signal': {
      const refs = [...run.compiled.steps.keys()];
      const waiting = parked(run, pick);
      const ref = waiting ? nodeKey(waiting.at) : refs[pick % refs.length]!;
      run.signal(ref, { verb: (['approve', 'reject', 'resolve'] as const)[pick % 3]!, approverId: `a${pick % 2}` });
      return;
    }
    case 'credential':
      run.credential(pick % 2 === 0 ? 'c1' : 'c2', pick % 3 === 0);
      return;
    case 'resolve': {
      const attempt = all[pick % Math.max(1, all.length)];
      if (!attempt || run.isOver) return;
      const as = ['completed', 'failed', 'retry'][pick % 3] as 'retry';
      run.resolve(attempt.id, { as, output: pick, message: 'gone' } as { as: 'retry' });
      return;
    }
    default: {
      const { status } = run.state;
      const expected = effectOf(kind, status) ?? (run.isOver ? 'no_effect' : 'refused');
      // What has come in the same tick is looked at after the control.
      expect(run.control(kind, { arrivals: run.due() }).outcome, `${kind} of a ${status} run`).to.equal(expected);
    }
  }
}

/** Answers whatever is still open, until the run has ended. */
function finish(run: MemoryRun): void {
  for (let i = 0; !run.isOver; i++) {
    expect(i, 'ticks until the run ends').to.be.lessThan(500);
    if (run.state.status === 'paused') run.control('resume');
    for (const name of run.missing) run.credential(name, true);
    const [attempt] = run.open;
    if (attempt) {
      run.tick({ arrivals: [arrivalOf(attempt, { status: 'completed', output: i })] });
      continue;
    }
    const waiting = [...run.state.open.values()].filter((node) => node.status === 'waiting');
    const asked = waiting.find(({ work }) => work);
    const signalled = waiting.find(({ wait }) => wait.kind === 'signal');
    const [child] = run.state.children.keys();
    if (asked?.work) run.resolve(asked.work.attempt.id, { as: 'completed', output: i });
    else if (signalled) run.signal(nodeKey(signalled.at), { verb: 'resolve' });
    else if (child) run.child(child, { status: 'completed', output: i });
    else run.advance(60_000);
  }
}

/** Of each node's start: whether its edges let it. */
function checkStarts(run: MemoryRun): void {
  const { steps } = run.compiled;
  for (const { ref, join, incoming } of steps.values()) {
    const node = run.state.ended.get(ref);
    if (!node || node.startedAt === null || incoming === 0) continue;
    const into = [...steps.values()].flatMap(({ outgoing }) =>
      outgoing.filter(({ to, leaves }) => to === ref && !leaves),
    );
    const sources = into.map(({ from }) => run.state.ended.get(from));
    const isTaken = into.some(({ from, index }) => run.state.ended.get(from)?.taken.includes(index));
    expect(isTaken, `an edge into ${ref} was taken`).to.equal(true);
    if (join === 'all') {
      for (const source of sources)
        expect(source?.status, `a source of ${ref}`).to.be.oneOf(['completed', 'failed', 'skipped']);
    }
  }
}

/** A node that ended while its run was held is written once more, when its edges are taken. */
const ENDED: readonly (NodeStatus | null)[] = ['completed', 'failed', 'skipped', 'cancelled'];

function checkEnds(run: MemoryRun): void {
  const ends = nodeChanges(run.transitions)
    .filter(({ node, from }) => isEnded(node) && !ENDED.includes(from))
    .map(({ node }) => `${nodeKey(node.at)}/${node.generation}`);
  expect(new Set(ends).size, 'each node ends once').to.equal(ends.length);
  const completions = [...run.state.ended.values()].filter(({ status }) => status === 'completed');
  for (const { at, generation } of completions) {
    const done = run
      .attemptsOf(at.ref)
      .filter((attempt) => attempt.generation === generation && attempt.folded?.status === 'completed');
    expect(done.length, `completed attempts of ${at.ref}`).to.be.lessThan(2);
  }
  expect(run.open, 'attempts of an ended run').to.deep.equal([]);
}

/** With an input for it; one of five has regions within regions. */
const anyWorkflow: fc.Arbitrary<readonly [TestWorkflow, JsonObject]> = fc.oneof(
  {
    weight: 4,
    arbitrary: arbitraryWorkflow({ parks: true }).map((workflow) => [workflow, ARBITRARY_INPUT] as const),
  },
  {
    weight: 1,
    arbitrary: plan.map((made) => [workflowOf(made), { ...ARBITRARY_INPUT, items: made.items }] as const),
  },
);

describe('The tick, over arbitrary definitions and arrivals', () => {
  it('is pure, replays, never strands a run, and ends every node once', function () {
    this.timeout(CASES * 100);
    fc.assert(
      fc.property(anyWorkflow, fc.array(move, { maxLength: 30 }), ([workflow, input], moves) => {
        const run = new MemoryRun(workflow, { input });
        for (const next of moves) if (!run.isOver || next.kind === 'redrive') make(run, next);
        finish(run);
        checkStarts(run);
        checkEnds(run);
        for (const next of moves.slice(0, 3)) if (next.kind !== 'due' && next.kind !== 'redrive') make(run, next);
        const version = run.state.version;
        run.resolve('019b7600-0000-7000-8000-0000000000ff', { as: 'retry' });
        expect(run.state.version, 'a terminal run records the control').to.equal(version + 1);
        expect(run.isOver).to.equal(true);
      }),
      { numRuns: CASES },
    );
  });
});

/** What a step comes to, decided beforehand. */
type Fate = 'completed' | 'failed' | 'timeout';

describe('Dead-path elimination', () => {
  it('starts the steps that a naive model of routing starts, and skips the others', function () {
    this.timeout(CASES * 100);
    fc.assert(
      fc.property(
        arbitraryWorkflow({ parks: false }),
        fc.array(fc.constantFrom<Fate>('completed', 'failed', 'timeout'), { minLength: 12, maxLength: 12 }),
        (workflow, fates) => {
          const once = {
            ...workflow,
            settings: {},
            steps: workflow.steps.map((step) => ({ ...step, retry: { max_attempts: 1 }, on_unknown: 'retry' })),
          };
          const run = new MemoryRun(once, { input: ARBITRARY_INPUT });
          for (let [attempt] = run.open; attempt; [attempt] = run.open) {
            run.tick({ arrivals: [arrivalOf(attempt, outcomeOf(fates[Number(attempt.ref.slice(1))]!))] });
          }
          const model = routed(once, fates);
          const ended = [...run.state.ended.values()];
          if (model.isCut) {
            for (const node of ended)
              if (fateOf(node) !== 'cut') expect(fateOf(node), node.at.ref).to.equal(model.fates.get(node.at.ref));
            return;
          }
          expect(new Map(ended.map((node) => [node.at.ref, fateOf(node)]))).to.deep.equal(model.fates);
        },
      ),
      { numRuns: CASES },
    );
  });
});

const outcomeOf = (fate: Fate): AttemptOutcome =>
  fate === 'completed'
    ? { status: 'completed', output: 'a' }
    : fate === 'failed'
      ? failed('boom', false)
      : { status: 'timed_out', deadline: 'startToCloseMs' };

type Came = 'completed' | 'failed' | 'timeout' | 'skipped';

const fateOf = (node: NodeState): Came | 'cut' => {
  if (node.status === 'failed' && !node.unrouted) return node.outcome === 'TIMEOUT' ? 'timeout' : 'failed';
  return node.status === 'completed' && !node.unrouted ? 'completed' : node.status === 'skipped' ? 'skipped' : 'cut';
};

/** The routing table, walked in the order of the graph. `isCut`: the run ends before all of it is walked. */
function routed(
  { steps, edges = [] }: TestWorkflow,
  fates: readonly Fate[],
): { fates: Map<string, Came>; isCut: boolean } {
  const came = new Map<string, Came>();
  const takenInto = new Map<string, number>();
  let isCut = false;
  for (const [i, step] of steps.entries()) {
    const incoming = edges.filter(({ to }) => to === step.ref);
    if (incoming.length > 0 && !takenInto.get(step.ref)) {
      came.set(step.ref, 'skipped');
      continue;
    }
    const outgoing = edges.filter(({ from }) => from === step.ref);
    const { fate, taken } = walk(step, outgoing, fates[i]!);
    came.set(step.ref, fate);
    for (const { to } of taken) takenInto.set(to, (takenInto.get(to) ?? 0) + 1);
    if ((fate !== 'completed' && taken.length === 0) || step.type === 'STOP') isCut = true;
  }
  return { fates: came, isCut };
}

type WrittenStep = TestWorkflow['steps'][number];
type WrittenEdge = NonNullable<TestWorkflow['edges']>[number];

/** How a step comes out, and which of its edges are taken. */
function walk(
  step: WrittenStep,
  outgoing: readonly WrittenEdge[],
  fate: Fate,
): { fate: Came; taken: readonly WrittenEdge[] } {
  const outcome = outcomeOfStep(step, fate);
  if (outcome !== 'failed' && outcome !== 'timeout' && !hasBrokenEffects(step)) {
    const fitting = outgoing.filter(({ type, ...edge }) => {
      if (type === 'ALWAYS') return true;
      if (outcome.type !== 'CASE') return type === outcome.type;
      const isMatched = outgoing.some((other) => other.type === 'CASE' && other.case === outcome.case);
      return isMatched ? type === 'CASE' && edge.case === outcome.case : type === 'DEFAULT';
    });
    const taken = fitting.filter(holds);
    const isBroken = fitting.some(({ condition }) => condition !== undefined && CONDITIONS.get(condition) === null);
    const lacksCase = outcome.type === 'CASE' && taken.every(({ type }) => type === 'ALWAYS');
    if (!isBroken && !lacksCase) return { fate: 'completed', taken };
  }
  const isTimeout = outcome === 'timeout' && outgoing.some(({ type }) => type === 'TIMEOUT');
  const taken = outgoing.filter(
    (edge) => (edge.type === 'ALWAYS' || edge.type === (isTimeout ? 'TIMEOUT' : 'ERROR')) && holds(edge),
  );
  return { fate: outcome === 'timeout' ? 'timeout' : 'failed', taken };
}

const holds = ({ condition }: WrittenEdge) => condition === undefined || CONDITIONS.get(condition) === true;

const hasBrokenEffects = ({ effects }: WrittenStep) => JSON.stringify(effects ?? null).includes('missing');

function outcomeOfStep(
  step: WrittenStep,
  fate: Fate,
): 'failed' | 'timeout' | { readonly type: string; readonly case?: string } {
  const { type, expression, effects: _, ...rest } = step;
  if (type === 'CONDITION') {
    const yields = CONDITIONS.get(String(expression)) ?? null;
    return yields === null ? 'failed' : { type: yields ? 'TRUE' : 'FALSE' };
  }
  if (type === 'SWITCH') {
    const found = new Map([
      ['input.word', 'a'],
      ['"b"', 'b'],
      ['"other"', 'other'],
      ['input.n', '3'],
    ]).get(String(expression));
    return found === undefined ? 'failed' : { type: 'CASE', case: found };
  }
  if (type === 'FAIL' || JSON.stringify(rest).includes('missing')) return 'failed';
  if ((type === 'ACTION' || type === 'RULE') && fate !== 'completed') return fate;
  return { type: 'SUCCESS' };
}
