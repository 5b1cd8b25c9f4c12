import {
  type Arrival,
  type AttemptId,
  type AttemptOutcome,
  apply,
  BUILT_IN_STEPS,
  type Change,
  type CompiledDefinition,
  type Control,
  compileDefinition,
  compute,
  type Hooks,
  type Instant,
  initialState,
  isFinal,
  type Json,
  type NewAttempt,
  NO_INPUTS,
  type NodeState,
  plus,
  type Registry,
  type Resolution,
  type RunHeader,
  type RunState,
  stepTypes,
  type TickInputs,
  type TickPayload,
  type Transition,
  type WaitRow,
} from '@ductor/core';
import { expect } from 'chai';
import { waitRows } from '#core/coordinator/waits.js';
import { type AttemptFacts, type RunWhy, why } from '#core/run/why.js';
import { PARKING_STEPS } from '../../support/arbitrary-workflow.ts';
import { definitionOf, type TestWorkflow } from '../../support/workflow.ts';
import { deepFrozen } from './frozen.ts';

const BEGIN: Instant = '2026-01-01T00:00:00.000Z';
const RUN_ID = '019b7600-0000-7000-8000-000000000001';

/** An attempt as its row stands, before and after its outcome is folded. */
export interface AttemptRow extends NewAttempt {
  folded: AttemptOutcome | null;
}

/**
 * A run whose ticks are computed and committed in memory. Each tick is checked for what must hold of all: it is pure,
 * its rows fit those before it, and the state is what all transitions fold to.
 */
export class MemoryRun {
  readonly compiled: CompiledDefinition;
  readonly state: RunState;
  readonly transitions: Transition[] = [];
  readonly attempts = new Map<AttemptId, AttemptRow>();
  readonly aborted: AttemptId[] = [];
  readonly waits: WaitRow[] = [];
  now: Instant = BEGIN;
  /** The state as a store has it: folded from transitions that were written and read again. */
  private readonly folded: RunState;
  private readonly registry: Registry;
  private readonly header: RunHeader;
  private requests = 0;

  constructor(
    workflow: TestWorkflow,
    options: { readonly input?: Json; readonly startAt?: Instant; readonly hooks?: readonly Hooks[] } = {},
  ) {
    const types = stepTypes(BUILT_IN_STEPS, PARKING_STEPS);
    this.registry = { steps: types, hooks: options.hooks ?? [], stepFields: [] };
    this.compiled = compileDefinition(deepFrozen(definitionOf(workflow)), types);
    this.header = deepFrozen({
      id: RUN_ID,
      chainId: RUN_ID,
      tenantId: 'default',
      definitionId: this.compiled.definition.id,
      kind: 'workflow',
      input: options.input ?? {},
      lineage: { rootRunId: RUN_ID, journeyId: RUN_ID, parent: null, continuedFrom: null, resetFrom: null, depth: 0 },
      createdAt: BEGIN,
      startAt: options.startAt ?? null,
    });
    this.state = initialState(this.header);
    this.folded = initialState(this.header);
    this.tick({});
  }

  /** Computes and commits one tick; `null` if there was nothing to write. */
  tick(inputs: Partial<TickInputs>): TickPayload | null {
    const given = deepFrozen({ ...NO_INPUTS, ...inputs });
    const isFirst = this.state.version === 0;
    const payload = this.compute(structuredClone(this.state), given);
    // The same again, from the state as a store would fold it.
    const again = this.compute(structuredClone(this.folded), given);
    expect(JSON.stringify(again), 'the same arguments, the same payload').to.equal(JSON.stringify(payload));
    if (payload === null) return null;
    this.commit(deepFrozen(payload));
    this.check();
    if (isFirst) expect(payload.start, 'the first tick inserts the run').not.to.equal(null);
    return payload;
  }

  /** Hands the current attempt of a step its outcome. */
  outcome(ref: string, outcome: AttemptOutcome): TickPayload | null {
    return this.tick({ arrivals: [arrivalOf(this.running(ref), outcome)] });
  }

  complete(ref: string, output: Json = null): TickPayload | null {
    return this.outcome(ref, { status: 'completed', output });
  }

  fail(ref: string, error: { code?: string; retryable?: boolean; retryAfterMs?: number } = {}): TickPayload | null {
    return this.outcome(ref, failureOf(error));
  }

  /** Moves time on, and wakes what is due by then. */
  advance(ms: number): TickPayload | null {
    this.now = plus(this.now, ms);
    const arrivals = this.due();
    return arrivals.length === 0 ? null : this.tick({ arrivals });
  }

  due(): readonly Arrival[] {
    return this.waits
      .filter(({ dueAt }) => dueAt !== null && dueAt <= this.now)
      .sort((a, b) => ((a.dueAt ?? '') < (b.dueAt ?? '') ? -1 : 1))
      .map(({ node, name }) => ({ kind: 'due', node, name }));
  }

  /** An event for one subscription of a parked step. */
  event(ref: string, subscription: string): TickPayload | null {
    this.requests += 1;
    const id = `019b7600-0000-7000-a000-${String(this.requests).padStart(12, '0')}`;
    const event = { subscription, eventId: id, payload: this.requests };
    const payload = this.tick({ arrivals: [{ kind: 'event', id, at: { ref, branch: [] }, event }] });
    expect(payload?.consumed, 'an event is for those who listen now').to.deep.equal([{ id, outcome: null }]);
    return payload;
  }

  resolve(attemptId: AttemptId, resolution: Resolution): TickPayload | null {
    this.requests += 1;
    const control: Control = {
      id: `019b7600-0000-7000-9000-${String(this.requests).padStart(12, '0')}`,
      requestId: `r${this.requests}`,
      actor: 'key:ops',
      reason: null,
      receivedAt: this.now,
      control: 'resolveAttempt',
      attemptId,
      resolution,
    };
    return this.tick({ control });
  }

  node(ref: string): NodeState | undefined {
    return this.state.open.get(ref) ?? this.state.ended.get(ref);
  }

  status(ref: string): NodeState['status'] | undefined {
    return this.node(ref)?.status;
  }

  /** The attempt of a step that is in flight. */
  running(ref: string): AttemptRow {
    const node = this.state.open.get(ref);
    if (node?.status !== 'running') throw new Error(`${ref} is ${node?.status ?? 'not open'}`);
    return this.attempts.get(node.work.attempt.id)!;
  }

  /** All attempts of a step, in order. */
  attemptsOf(ref: string): readonly AttemptRow[] {
    return [...this.attempts.values()].filter((attempt) => attempt.ref === ref);
  }

  get open(): readonly AttemptRow[] {
    return [...this.attempts.values()].filter(({ folded }) => folded === null);
  }

  get isOver(): boolean {
    return isFinal(this.state.status);
  }

  why(): readonly RunWhy[] {
    const attempts = new Map<AttemptId, AttemptFacts>(
      [...this.attempts].map(([id, { scheduledAt }]) => [
        id,
        { scheduledAt, startedAt: scheduledAt, heartbeatAt: null, endedAt: null },
      ]),
    );
    return why({
      state: this.state,
      prepared: { ok: true, compiled: this.compiled },
      attempts,
      unavailable: new Map(),
      now: this.now,
      sweepMs: 1_000,
    });
  }

  private compute(state: RunState, inputs: TickInputs): TickPayload | null {
    const { registry, compiled, now } = this;
    const start =
      state.version > 0
        ? null
        : {
            ...{ header: this.header, fields: {}, attributes: {}, rows: [], idempotency: null },
            ...{ subjectType: null, subjectId: null, externalDeploymentId: null, priority: 'normal' as const },
          };
    return compute({ registry, compiled, state: deepFrozen(state), inputs, now, start });
  }

  /** What the statement would do, and refuse. */
  private commit(payload: TickPayload): void {
    const { transition, attempts, waits } = payload;
    expect(payload.expectedVersion).to.equal(this.state.version);
    for (const { attempt, outcome } of attempts.folded) {
      const row = this.attempts.get(attempt.id);
      expect(row?.folded, `attempt ${attempt.id} is open when it is folded`).to.equal(null);
      expect(row?.token).to.equal(attempt.token);
      row!.folded = outcome ?? { status: 'lost' };
    }
    for (const { node, rows } of waits.closed) {
      const found = this.waits.filter((row) => row.node === node);
      expect(found.length, `wait rows of "${node}" to close`).to.equal(rows);
      for (const row of found) this.waits.splice(this.waits.indexOf(row), 1);
    }
    for (const attempt of attempts.opened) {
      expect(this.attempts.has(attempt.id), `attempt ${attempt.id} is new`).to.equal(false);
      this.attempts.set(attempt.id, { ...attempt, folded: null });
    }
    for (const { node } of nodeChanges([transition])) {
      const id = 'work' in node ? node.work?.attempt.id : 'attempt' in node ? node.attempt?.id : undefined;
      if (id !== undefined) expect(this.attempts.has(id), `attempt ${id} of ${node.at.ref} has a row`).to.equal(true);
    }
    this.waits.push(...waits.opened);
    this.aborted.push(...payload.aborted);
    this.transitions.push(transition);
    apply(this.state, transition);
    apply(this.folded, JSON.parse(JSON.stringify(transition)) as Transition);
    expect(payload.after.status).to.equal(this.state.status);
  }

  /** What holds at every version of every run. */
  private check(): void {
    const { state, compiled } = this;
    expect(textOf(this.folded), 'the state as its transitions fold to it').to.equal(textOf(state));
    const inFlight = [...state.open.values()].flatMap((node) =>
      node.status === 'running' ? [node.work.attempt.id] : [],
    );
    expect(
      this.open.map(({ id }) => id),
      'open attempts',
    ).to.have.members(inFlight);
    expect(this.waits.map(rowName), 'wait rows').to.have.members(expectedWaits(state, compiled).map(rowName));
    expect(new Set(this.waits.map(({ node, name }) => `${node} ${name}`)).size).to.equal(this.waits.length);
    if (this.isOver) {
      expect([...state.open.keys()], 'open nodes of an ended run').to.deep.equal([]);
    } else {
      expect(this.open.length + this.waits.length, 'something wakes an open run').to.be.greaterThan(0);
    }
    const reasons = this.why();
    const explained = reasons.map(({ at }) => at?.ref);
    for (const node of state.open.values()) if (node.status !== 'pending') expect(explained).to.include(node.at.ref);
    expect(reasons.length > 0, 'an open run has a reason').to.equal(!this.isOver);
    for (const { nextWakeAt } of reasons) expect(nextWakeAt > this.now, 'the next wake lies ahead').to.equal(true);
  }
}

export const arrivalOf = ({ ref, branch, id, token, number }: NewAttempt, outcome: AttemptOutcome): Arrival => ({
  kind: 'outcome',
  at: { ref, branch },
  attempt: { id, token, number },
  outcome,
  report: null,
  recorded: false,
});

export const failureOf = ({
  code = 'boom',
  retryable = false,
  retryAfterMs,
}: {
  code?: string;
  retryable?: boolean;
  retryAfterMs?: number;
}): AttemptOutcome => ({
  status: 'failed',
  error: { code, message: code, party: 'connector', retryable, ...(retryAfterMs !== undefined && { retryAfterMs }) },
});

/** The changes of nodes, in order. */
export const nodeChanges = (transitions: readonly Transition[]): readonly Extract<Change, { type: 'node' }>[] =>
  transitions.flatMap(({ changes }) => changes.flatMap((change) => (change.type === 'node' ? [change] : [])));

function expectedWaits(state: RunState, { runTimeoutMs }: CompiledDefinition): readonly WaitRow[] {
  if (isFinal(state.status)) return [];
  const { startAt } = state.header;
  const own: WaitRow[] = [];
  if (state.startedAt === null) own.push({ node: '', name: 'start', kind: 'start', dueAt: startAt });
  else if (runTimeoutMs !== null) {
    own.push({ node: '', name: 'run_timeout', kind: 'run_timeout', dueAt: plus(state.startedAt, runTimeoutMs) });
  }
  return [...own, ...[...state.open.values()].flatMap(waitRows)];
}

const rowName = ({ node, name, kind, dueAt }: WaitRow) => `${node}/${name}/${kind}/${dueAt}`;

const textOf = (state: RunState): string =>
  JSON.stringify(state, (_, value: unknown) => (value instanceof Map ? [...value] : value));
