import {
  type AnyStepType,
  type Arrival,
  type AttemptId,
  type AttemptOutcome,
  apply,
  type BranchPage,
  BUILT_IN_STEPS,
  type Change,
  type ChildEnd,
  type CompiledDefinition,
  type ControlOutcome,
  compileDefinition,
  compute,
  type EndedBranch,
  type FactsByNode,
  fanOf,
  type Hooks,
  type Instant,
  initialState,
  isFinal,
  type Json,
  type JsonObject,
  type Letter,
  type NewAttempt,
  type NewEvent,
  NO_INPUTS,
  type NodeState,
  nodeAddress,
  nodeKey,
  plus,
  type Registry,
  type Resolution,
  type RunControl,
  type RunHeader,
  type RunId,
  type RunState,
  type Signal,
  type Spawned,
  stepTypes,
  type TickInputs,
  type TickPayload,
  type Transition,
  type WaitRow,
  type Write,
} from '@ductor/core';
import { expect } from 'chai';
import { waitRows } from '#core/coordinator/waits.js';
import { type AttemptFacts, type RunWhy, why } from '#core/run/why.js';
import { gatherStep } from '#scatter-gather/gather.step.js';
import { scatterStep } from '#scatter-gather/scatter.step.js';
import { PARKING_STEPS } from '../../support/arbitrary-workflow.ts';
import { definitionOf, type TestWorkflow } from '../../support/workflow.ts';
import { deepFrozen } from './frozen.ts';

const BEGIN: Instant = '2026-01-01T00:00:00.000Z';
export const RUN_ID = '019b7600-0000-7000-8000-000000000001';

/** An attempt as its row stands, before and after its outcome is folded. */
export interface AttemptRow extends NewAttempt {
  folded: AttemptOutcome | null;
}

/** A branch as its row stands. */
export interface BranchRow {
  readonly variables: JsonObject;
  end: EndedBranch['end'] | null;
}

/** As few as a look brings, so that tests meet the end of what is at hand. */
const PAGE = 3;

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
  readonly letters: Letter[] = [];
  readonly spawned: Spawned[] = [];
  readonly published: NewEvent[] = [];
  readonly waits: WaitRow[] = [];
  /** Of plugins' tables. */
  readonly rows: Write[] = [];
  /** By owner and generation. */
  readonly branches = new Map<string, BranchRow[]>();
  /** Credentials that do not exist. */
  readonly missing: Set<string>;
  now: Instant = BEGIN;
  /** The state as a store has it: folded from transitions that were written and read again. */
  private readonly folded: RunState;
  private readonly registry: Registry;
  private readonly header: RunHeader;
  private requests = 0;

  constructor(
    workflow: TestWorkflow,
    options: {
      readonly input?: Json;
      readonly startAt?: Instant;
      readonly hooks?: readonly Hooks[];
      /** Beside those that are built in. */
      readonly steps?: readonly AnyStepType[];
      readonly missing?: readonly string[];
    } = {},
  ) {
    this.missing = new Set(options.missing);
    const types = stepTypes(BUILT_IN_STEPS, PARKING_STEPS, [scatterStep, gatherStep], options.steps ?? []);
    this.registry = { steps: types, hooks: options.hooks ?? [], fields: [] };
    this.compiled = compileDefinition(deepFrozen(definitionOf(workflow)), types);
    this.header = deepFrozen({
      id: RUN_ID,
      chainId: RUN_ID,
      tenantId: 'default',
      definitionId: this.compiled.definition.id,
      kind: 'workflow',
      input: options.input ?? {},
      lineage: {
        rootRunId: RUN_ID,
        journeyId: RUN_ID,
        parent: null,
        above: [],
        continuedFrom: null,
        resetFrom: null,
        depth: 0,
      },
      createdAt: BEGIN,
      startAt: options.startAt ?? null,
      priority: 'normal',
      traceparent: null,
    });
    this.state = initialState(this.header);
    this.folded = initialState(this.header);
    this.tick({});
  }

  /** Computes and commits one tick; `null` if there was nothing to write. */
  tick(inputs: Partial<TickInputs>): TickPayload | null {
    const given = deepFrozen({ ...NO_INPUTS, missingCredentials: new Set(this.missing), ...this.looked(), ...inputs });
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

  /** What a look brings of rows. */
  private looked(): Pick<TickInputs, 'branches' | 'facts'> {
    const branches = new Map<string, BranchPage>();
    const facts = new Map<string, Map<string, Json[]>>();
    for (const [key, node] of this.state.open) {
      if (node.status !== 'waiting') continue;
      const fan = fanOf(this.state, node);
      if (fan && fan.started < fan.total) {
        const { generation, started: from } = fan;
        const rows = this.branches.get(`${key} ${generation}`)?.slice(from, from + PAGE) ?? [];
        branches.set(key, { generation, from, variables: rows.map(({ variables }) => variables) });
      }
      for (const { table, key: asked } of node.wait.needs ?? []) {
        const { node: owner, generation } = asked as { node: string; generation: number };
        const rows = this.branches.get(`${owner} ${generation}`) ?? [];
        facts.set(key, new Map([[table, rows.map(({ end }, index) => resultOf(index, end))]]));
      }
    }
    return { branches, facts: facts satisfies FactsByNode };
  }

  /** A credential is made or deleted, and the run hears of it. */
  credential(name: string, exists: boolean): TickPayload | null {
    if (exists) this.missing.delete(name);
    else this.missing.add(name);
    return this.tick({});
  }

  /** Takes up what is due, until nothing is. */
  settle(): void {
    for (let due = this.due(); due.length > 0; due = this.due()) {
      if (this.tick({ arrivals: due }) === null) throw new Error('What is due moves nothing.');
    }
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

  /** A child run's word to the step that waits for it. */
  child(runId: RunId, end: ChildEnd): TickPayload | null {
    const id = this.inboxId();
    const payload = this.tick({ arrivals: [{ kind: 'child', id, runId, end }] });
    expect(payload?.consumed, 'a child is heard once').to.deep.equal([{ id, outcome: null }]);
    return payload;
  }

  /** A signal for a step, parked or not. */
  signal(ref: string, signal: Partial<Signal> & Pick<Signal, 'verb'>): TickPayload | null {
    const id = this.inboxId();
    const whole = { requestId: id, actor: 'key:ops', payload: null, ...signal };
    return this.tick({ arrivals: [{ kind: 'signal', id, at: nodeAddress(ref), signal: whole }] });
  }

  private inboxId(): string {
    this.requests += 1;
    return `019b7600-0000-7000-a000-${String(this.requests).padStart(12, '0')}`;
  }

  /** An event for one subscription of a parked step. */
  event(ref: string, subscription: string): TickPayload | null {
    const id = this.inboxId();
    const event = { subscription, eventId: id, payload: this.requests };
    const payload = this.tick({ arrivals: [{ kind: 'event', id, at: nodeAddress(ref), event }] });
    expect(payload?.consumed, 'an event is for those who listen now').to.deep.equal([{ id, outcome: null }]);
    return payload;
  }

  resolve(attemptId: AttemptId, resolution: Resolution): TickPayload | null {
    return this.tick({ control: { ...this.asked(), control: 'resolveAttempt', attemptId, resolution } });
  }

  /** Tells the run something, and answers what the tick has made of it. */
  control(control: RunControl, inputs: Partial<TickInputs> = {}): ControlOutcome {
    const payload = this.tick({ ...inputs, control: { ...this.asked(), control } });
    const change = payload?.transition.changes.find(({ type }) => type === 'control');
    if (change?.type !== 'control') throw new Error('The control left no trace.');
    return change.outcome;
  }

  private asked() {
    this.requests += 1;
    return {
      id: `019b7600-0000-7000-9000-${String(this.requests).padStart(12, '0')}`,
      requestId: `r${this.requests}`,
      actor: 'key:ops',
      reason: null,
      receivedAt: this.now,
    };
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
            ...{ subjectType: null, subjectId: null, externalDeploymentId: null, isHeldBack: false },
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
    for (const { node, name, dueAt } of waits.moved) {
      const i = this.waits.findIndex((row) => row.node === node && row.name === name);
      expect(i, `a wait row ${name} of "${node}" to move`).to.be.greaterThan(-1);
      this.waits[i] = { ...this.waits[i]!, dueAt };
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
    this.letters.push(...payload.outbox);
    for (const spawned of payload.spawned) {
      const isNew = this.spawned.every(({ runId }) => runId !== spawned.runId);
      expect(isNew, `run ${spawned.runId} is new`).to.equal(true);
      this.spawned.push(spawned);
    }
    this.published.push(...payload.published);
    this.rows.push(...payload.rows);
    for (const { node, generation, of } of payload.branches.opened) {
      expect(this.branches.has(`${node} ${generation}`), `branches of ${node} are new`).to.equal(false);
      this.branches.set(
        `${node} ${generation}`,
        of.map((variables) => ({ variables, end: null })),
      );
    }
    for (const { node, generation, index, end } of payload.branches.ended) {
      const row = this.branches.get(`${node} ${generation}`)?.[index];
      expect(row?.end, `branch ${index} of ${node} ends once`).to.equal(null);
      row!.end = end;
    }
    this.transitions.push(transition);
    apply(this.state, transition);
    apply(this.folded, JSON.parse(JSON.stringify(transition)) as Transition);
    expect(payload.after.status).to.equal(this.state.status);
  }

  /** Counts, rows and what is in flight agree, and no more is in flight than may be. */
  private checkBranches(): void {
    const { fans, branches, open } = this.state;
    for (const [key, fan] of fans) {
      const rows = this.branches.get(`${key} ${fan.generation}`) ?? [];
      expect(rows.length, `rows of ${key}`).to.equal(fan.total);
      for (const status of ['completed', 'failed', 'cancelled'] as const) {
        expect(rows.filter(({ end }) => end?.status === status).length, `${status} of ${key}`).to.equal(fan[status]);
      }
      expect(fan.started - fan.completed - fan.failed - fan.cancelled, `open of ${key}`).to.equal(fan.open);
      const node = open.get(key);
      const most = node?.status === 'waiting' && node.wait.kind === 'children' ? node.wait.maxInFlight : undefined;
      if (most !== undefined) expect(fan.open, `in flight of ${key}`).to.be.most(most);
    }
    if (this.state.status !== 'paused') this.checkBusy();
    const counted = [...fans.values()].reduce((sum, fan) => sum + fan.open, 0);
    expect(branches.size, 'branches in flight').to.equal(counted);
    if (this.isOver) expect(branches.size, 'branches of an ended run').to.equal(0);
    for (const node of [...open.values(), ...this.state.ended.values()]) {
      const around = this.compiled.steps.get(node.at.ref)?.around ?? [];
      for (const [depth, ref] of around.entries()) {
        const key = nodeKey({ ref, branch: node.at.branch.slice(0, depth + 1) });
        expect(branches.has(key), `${nodeKey(node.at)} is in a branch in flight`).to.equal(true);
      }
    }
  }

  /** A branch in which nothing is open is over, unless the run is held. */
  private checkBusy(): void {
    const busy = new Set<string>();
    for (const { at } of this.state.open.values()) {
      const around = this.compiled.steps.get(at.ref)?.around ?? [];
      for (const depth of around.keys())
        busy.add(nodeKey({ ref: around[depth]!, branch: at.branch.slice(0, depth + 1) }));
    }
    expect([...busy], 'branches in flight').to.have.members([...this.state.branches.keys()]);
  }

  /** What holds at every version of every run. */
  private check(): void {
    const { state } = this;
    expect(textOf(this.folded), 'the state as its transitions fold to it').to.equal(textOf(state));
    const inFlight = [...state.open.values()].flatMap((node) =>
      node.status === 'running' ? [node.work.attempt.id] : [],
    );
    expect(
      this.open.map(({ id }) => id),
      'open attempts',
    ).to.have.members(inFlight);
    expect(this.waits.map(rowName), 'wait rows').to.have.members(expectedWaits(state).map(rowName));
    expect(new Set(this.waits.map(({ node, name }) => `${node} ${name}`)).size).to.equal(this.waits.length);
    if (this.isOver) {
      expect([...state.open.keys()], 'open nodes of an ended run').to.deep.equal([]);
    } else if (state.status !== 'paused') {
      expect(this.open.length + this.waits.length, 'something wakes an open run').to.be.greaterThan(0);
    }
    this.checkBranches();
    const reasons = this.why();
    const explained = reasons.map(({ at }) => at?.ref);
    for (const node of state.open.values()) if (node.status !== 'pending') expect(explained).to.include(node.at.ref);
    expect(reasons.length > 0, 'an open run has a reason').to.equal(!this.isOver);
    for (const { nextWakeAt } of reasons) expect(nextWakeAt > this.now, 'the next wake lies ahead').to.equal(true);
  }
}

/** As the table of branches answers. */
function resultOf(index: number, end: BranchRow['end']): Json {
  return {
    index,
    status: end?.status ?? null,
    output: end?.status === 'completed' ? end.output : null,
    error: end?.status === 'failed' ? { ...end.error } : null,
  };
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

function expectedWaits(state: RunState): readonly WaitRow[] {
  const { status, startedAt, deadlineAt, header } = state;
  if (isFinal(status)) return [];
  const own: WaitRow[] = [];
  if (startedAt === null) own.push({ node: '', name: 'start', kind: 'start', dueAt: header.startAt });
  else if (deadlineAt !== null) own.push({ node: '', name: 'run_timeout', kind: 'run_timeout', dueAt: deadlineAt });
  const rows = [...own, ...[...state.open.values()].flatMap(waitRows)];
  return status === 'paused' ? rows.map((row) => ({ ...row, dueAt: null })) : rows;
}

/** The run that a branch is, as its parent asks for it. */
export function branchRun({ workflow, input }: Spawned['seed']): MemoryRun {
  if (!('graph' in workflow)) throw new Error('A branch has a graph of its own.');
  return new MemoryRun(workflow.graph as TestWorkflow, { input });
}

const rowName = ({ node, name, kind, dueAt }: WaitRow) => `${node}/${name}/${kind}/${dueAt}`;

const textOf = (state: RunState): string =>
  JSON.stringify(state, (_, value: unknown) => (value instanceof Map ? [...value] : value));
