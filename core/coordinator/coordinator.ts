/** load → compute → commit → dispatch: the only writer of run state. */
import type { CompiledDefinition } from '../definition/compiled.ts';
import type { Failure } from '../errors.ts';
import type { DefinitionId, RunId } from '../json.ts';
import type { Control } from '../run/arrival.ts';
import type { Clock, Ids } from '../ports/clock.ts';
import type { InputQuery, LoadedInputs, RunStore } from '../ports/run-store.ts';
import type { TaskQueue } from '../ports/task-queue.ts';
import { nodeKey } from '../run/node.ts';
import { isFinal, type RunState, viewOf } from '../run/run.ts';
import { apply } from '../run/transition.ts';
import { dispatches } from './aftermath.ts';
import { BatchQueue, type CommitQueue } from './batch.ts';
import type { Registry } from './draft.ts';
import { RunFeed } from './feed.ts';
import { NO_INPUTS, type TickInputs } from './inputs.ts';
import type { Commit, CommitResult, TickPayload } from './payload.ts';
import { type OutcomeArrival, type Session, Sessions } from './sessions.ts';
import { compute } from './tick.ts';

/** A run's definition made ready, or why this host leaves its runs alone. */
export type Prepared =
  | { readonly ok: true; readonly compiled: CompiledDefinition }
  | { readonly ok: false; readonly missingStepTypes: readonly string[] };

export interface CoordinatorPorts {
  readonly registry: Registry;
  readonly store: RunStore;
  /** From a cache where it can; asynchronous only when it must read. */
  readonly prepare: (id: DefinitionId) => Prepared | Promise<Prepared>;
  readonly tasks: TaskQueue;
  readonly abort: (attempts: TickPayload['aborted'], graceMs: number) => void;
  /** After each commit: what plugins' rows and messages to other runs ask for. */
  readonly committed: (payload: TickPayload) => void;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly failed: (what: string, error: unknown) => void;
  readonly cacheBytes: number;
}

/** Conflicts in a row before a run is put back to its queue. */
const TRIES_IN_PROCESS = 5;
/** Requeues in a row before it is given up. */
const MOST_REQUEUES = 20;
const REQUEUE_MS = 250;
const STORE_AWAY_MS = 500;

export class Coordinator {
  readonly feed = new RunFeed();
  readonly commits: CommitQueue;
  private readonly ports: CoordinatorPorts;
  private readonly sessions: Sessions;
  private readonly states: BatchQueue<RunId, RunState | null>;
  private readonly inputs: BatchQueue<InputQuery, LoadedInputs | null>;
  private readonly underWay = new Set<Promise<unknown>>();
  private isStopped = false;

  constructor(ports: CoordinatorPorts) {
    this.ports = ports;
    this.sessions = new Sessions(ports.cacheBytes);
    this.commits = new BatchQueue<Commit, CommitResult>((commits) => ports.store.commit(commits));
    this.states = new BatchQueue((runIds) => ports.store.load(runIds));
    this.inputs = new BatchQueue((queries) => ports.store.inputs(queries));
  }

  /** A hint that something may have come for these runs. */
  wake(runIds: readonly RunId[]): void {
    for (const runId of runIds) {
      const session = this.sessions.open(runId);
      session.mustLook = true;
      this.schedule(session);
    }
  }

  /** An outcome from a worker of this host: its tick needs no look at the store. */
  deliver(runId: RunId, outcome: OutcomeArrival): void {
    if (this.isStopped) {
      void this.record(runId, [outcome]).catch((error: unknown) => this.ports.failed('recording an outcome', error));
      return;
    }
    const session = this.sessions.open(runId);
    session.mailbox.push(outcome);
    this.schedule(session);
  }

  /** Takes over a run whose first tick was committed here. */
  adopt(state: RunState, payload: TickPayload, compiled: CompiledDefinition, bytes: number): void {
    const session = this.sessions.open(payload.runId, state);
    this.follow(session, state, payload, compiled, bytes);
  }

  /** The state as this host has it in mind; read only. */
  stateOf(runId: RunId): RunState | null {
    return this.sessions.peek(runId)?.state ?? null;
  }

  /** No tick starts from here on; outcomes are kept for whoever comes next. Answers when those under way have ended. */
  async stop(): Promise<void> {
    this.isStopped = true;
    await Promise.allSettled(this.underWay);
  }

  /** After `stop`: answers when every outcome is kept. */
  async flush(): Promise<void> {
    await Promise.allSettled(this.underWay);
  }

  private schedule(session: Session): void {
    if (session.isTicking || this.isStopped) return;
    session.isTicking = true;
    void this.track(this.tickOn(session)).then(
      (isPutBack) => {
        session.isTicking = false;
        // What came between the last look and now.
        if (!isPutBack && hasWork(session)) this.schedule(session);
        else if (session.state && isFinal(session.state.status)) this.sessions.close(session);
      },
      (error: unknown) => {
        this.ports.failed('tick', error);
        session.isTicking = false;
        session.state = null;
        session.mustLook = true;
        this.ports.clock.after(STORE_AWAY_MS, () => this.schedule(session));
      },
    );
  }

  private track<T>(work: Promise<T>): Promise<T> {
    this.underWay.add(work);
    return work.finally(() => this.underWay.delete(work));
  }

  private record(runId: RunId, outcomes: readonly OutcomeArrival[]): Promise<void> {
    const said = outcomes.flatMap(({ attempt, outcome, report }) => (report ? [{ runId, attempt, outcome, report }] : []));
    return said.length === 0 ? Promise.resolve() : this.track(this.ports.store.record(said));
  }

  /** Ticks while there is something to do. `true`: the run was put back, and is looked at again later. */
  private async tickOn(session: Session): Promise<boolean> {
    while (!this.isStopped && hasWork(session)) if (!(await this.tick(session))) return true;
    return false;
  }

  /** One tick. `false`: leave the run for now. */
  private async tick(session: Session): Promise<boolean> {
    const state = session.state ?? (await this.states.add(session.runId));
    if (state === null) {
      this.sessions.close(session);
      return false;
    }
    session.state = state;
    const preparing = this.ports.prepare(state.header.definitionId);
    const prepared = preparing instanceof Promise ? await preparing : preparing;
    if (!prepared.ok) return this.leaveAlone(session);
    const looked = session.mustLook ? await this.look(session, state) : null;
    if (looked === 'stale') return true;
    const mailbox = session.mailbox;
    session.mailbox = [];
    const inputs = merge(looked?.inputs ?? NO_INPUTS, await this.current(state, mailbox), session);
    const now = looked?.now ?? this.ports.clock.now();
    const payload = compute({ registry: this.ports.registry, compiled: prepared.compiled, state, inputs, now, start: null });
    if (payload === null) return true;
    const result = await this.commit(payload).catch((error: unknown) => {
      session.mailbox.unshift(...mailbox);
      throw error;
    });
    if (result.result === 'committed') {
      this.follow(session, state, payload, prepared.compiled, result.bytes);
      if (inputs.control !== null) session.mustLook = true;
      return true;
    }
    session.state = null;
    session.mustLook = true;
    session.mailbox.unshift(...mailbox);
    if (result.result === 'refused') {
      session.refusals += 1;
      if (session.refusals > 1) session.verdict = result.failure;
      return true;
    }
    return this.afterConflict(session);
  }

  /** Reads what only the store knows. */
  private async look(session: Session, state: RunState): Promise<LoadedInputs | 'stale'> {
    session.mustLook = false;
    try {
      const query = inputQuery(state);
      const loaded = await this.inputs.add(query);
      const needs = loaded?.inputs.control ? this.controlNeeds(loaded.inputs.control, state) : [];
      const complete = needs.length === 0 ? loaded : await this.inputs.add({ ...query, needs: [...query.needs, ...needs] });
      if (complete !== null && complete.version === state.version) return complete;
    } catch (error) {
      session.mustLook = true;
      throw error;
    }
    session.state = null;
    session.mustLook = true;
    return 'stale';
  }

  /** Rows that plugins want to see before they agree to a control; handed over under the empty node. */
  private controlNeeds(control: Control, state: RunState): InputQuery['needs'] {
    const run = viewOf(state);
    const needs = this.ports.registry.hooks.flatMap((hooks) => hooks.control?.needs?.(control, run) ?? []);
    return needs.map((need) => ({ node: '', need }));
  }

  /** Outcomes that still fit; the others are recorded on their rows and move nothing. */
  private async current(state: RunState, outcomes: readonly OutcomeArrival[]): Promise<readonly OutcomeArrival[]> {
    const fits = ({ at, attempt }: OutcomeArrival) => {
      const node = state.open.get(nodeKey(at));
      return node?.status === 'running' && node.work.attempt.id === attempt.id;
    };
    if (outcomes.every(fits)) return outcomes;
    await this.record(
      state.header.id,
      outcomes.filter((outcome) => !fits(outcome)),
    );
    return outcomes.filter(fits);
  }

  /** Its step types are not known here: what its workers say is kept for a host that knows them. */
  private async leaveAlone(session: Session): Promise<false> {
    const { runId, mailbox } = session;
    session.mustLook = false;
    session.mailbox = [];
    await this.record(runId, mailbox);
    this.sessions.close(session);
    return false;
  }

  /** Commits, and finds out what became of it if the connection was lost meanwhile. */
  async commit(payload: TickPayload): Promise<Exclude<CommitResult, { result: 'unknown' }>> {
    const tickId = this.ports.ids.uuidv7();
    for (;;) {
      const result = await this.commits.add({ tickId, payload });
      if (result.result !== 'unknown') return result;
      const made = await this.madeBy(payload);
      if (made === tickId) return { result: 'committed', version: payload.transition.version, bytes: 0 };
      if (made !== null) return { result: 'conflict' };
    }
  }

  private async madeBy(payload: TickPayload): Promise<string | null> {
    for (;;) {
      try {
        return await this.ports.store.tickAt(payload.runId, payload.transition.version);
      } catch (error) {
        if (this.isStopped) throw error;
        this.ports.failed('reading back a commit', error);
        await this.ports.clock.sleep(STORE_AWAY_MS);
      }
    }
  }

  /** What follows a commit; all of it can be derived again from rows. */
  private follow(session: Session, state: RunState, payload: TickPayload, compiled: CompiledDefinition, bytes: number): void {
    apply(state, payload.transition);
    session.conflicts = 0;
    session.refusals = 0;
    session.verdict = null;
    this.sessions.grow(session, bytes);
    const tasks = dispatches(payload, compiled.definition);
    if (tasks.length > 0) this.ports.tasks.push(tasks);
    if (payload.aborted.length > 0) this.ports.abort(payload.aborted, compiled.cancelGraceMs);
    this.ports.committed(payload);
    this.feed.publish(payload.transition, state);
    if (isFinal(state.status) && !session.isTicking) this.sessions.close(session);
  }

  private async afterConflict(session: Session): Promise<boolean> {
    session.conflicts += 1;
    const { clock, ids } = this.ports;
    if (session.conflicts % TRIES_IN_PROCESS !== 0) {
      await clock.sleep(2 ** (session.conflicts % TRIES_IN_PROCESS) * (1 + ids.random()));
      return true;
    }
    if (session.conflicts / TRIES_IN_PROCESS >= MOST_REQUEUES) session.verdict = LIVELOCK;
    clock.after(REQUEUE_MS * (1 + ids.random()), () => this.schedule(session));
    return false;
  }
}

const LIVELOCK: Failure = {
  code: 'conflict_livelock',
  message: `Its state could not be committed: something else moved it each time, ${TRIES_IN_PROCESS * MOST_REQUEUES} times in a row.`,
  party: 'engine',
};

const hasWork = ({ mustLook, mailbox, verdict }: Session): boolean => mustLook || mailbox.length > 0 || verdict !== null;

function inputQuery(state: RunState): InputQuery {
  const attempts: string[] = [];
  const needs: InputQuery['needs'][number][] = [];
  for (const [node, open] of state.open) {
    if (open.status === 'running') attempts.push(open.work.attempt.id);
    if (open.status === 'waiting') for (const need of open.wait.needs ?? []) needs.push({ node, need });
  }
  return { runId: state.header.id, attempts, needs };
}

/** What the store has wins over what a worker here has said of the same attempt: the row is written already. */
function merge(stored: TickInputs, mailbox: readonly OutcomeArrival[], { refusals, verdict }: Session): TickInputs {
  if (verdict !== null) return { ...NO_INPUTS, verdict };
  const known = new Set(stored.arrivals.flatMap((arrival) => (arrival.kind === 'outcome' ? [arrival.attempt.id] : [])));
  const fresh = mailbox.filter(({ attempt }) => !known.has(attempt.id));
  const arrivals = fresh.length === 0 ? stored.arrivals : [...stored.arrivals, ...fresh];
  return { ...stored, arrivals: refusals === 0 ? arrivals : arrivals.map(withoutData) };
}

/** The database cannot store what the outcome holds: the node fails with `internal` instead. */
const withoutData = (arrival: TickInputs['arrivals'][number]): TickInputs['arrivals'][number] =>
  arrival.kind !== 'outcome'
    ? arrival
    : {
        ...arrival,
        outcome: {
          status: 'failed',
          error: { code: 'internal', message: 'Its result could not be stored.', party: 'engine', retryable: false },
        },
      };
