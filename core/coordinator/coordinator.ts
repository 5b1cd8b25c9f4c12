/** load → compute → commit → dispatch: the only writer of run state. */
import type { CompiledDefinition } from '../definition/compiled.ts';
import type { RunId } from '../json.ts';
import { isFinal, isToBeKept, type RunState } from '../run/run.ts';
import { apply } from '../run/transition.ts';
import { dispatches } from './aftermath.ts';
import { BatchQueue } from './batch.ts';
import { pagesAfter, wantsBranches } from './branch-pages.ts';
import { type CommitEnd, Commits } from './commits.ts';
import { companyOf } from './companions.ts';
import type { CoordinatorPorts } from './coordinator-ports.ts';
import { missingCredentials } from './credentials.ts';
import type { Given } from './draft.ts';
import { RunFeed } from './feed.ts';
import { NO_INPUTS } from './inputs.ts';
import { Looks } from './looks.ts';
import { merge, parks, sorted, takeMailbox } from './mailbox.ts';
import { ALONE, type Company, type TickPayload } from './payload.ts';
import { hasWork, type OutcomeArrival, type Session, Sessions } from './sessions.ts';
import { compute } from './tick.ts';
import { faultOf, livelock } from './verdicts.ts';

/** A tick that was committed on a state, which it has not been applied to yet. */
export interface Committed {
  readonly state: RunState;
  readonly payload: TickPayload;
  readonly company: Company;
  readonly compiled: CompiledDefinition;
  readonly bytes: number;
}

/** Conflicts in a row before a run is put back to its queue. */
const TRIES_IN_PROCESS = 5;
/** Requeues in a row before it is given up. */
const MOST_REQUEUES = 20;
const REQUEUE_MS = 250;
const STORE_AWAY_MS = 500;

export class Coordinator {
  readonly feed = new RunFeed();
  readonly commits: Commits;
  private readonly ports: CoordinatorPorts;
  private readonly sessions: Sessions;
  private readonly states: BatchQueue<RunId, RunState | null>;
  private readonly looks: Looks;
  private readonly underWay = new Set<Promise<unknown>>();
  private isStopped = false;

  constructor(ports: CoordinatorPorts) {
    this.ports = ports;
    this.sessions = new Sessions(ports.cacheBytes);
    this.commits = new Commits(ports);
    this.states = new BatchQueue((runIds) => ports.store.load(runIds));
    this.looks = new Looks(ports);
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
  adopt(committed: Committed): void {
    const session = this.sessions.open(committed.payload.runId, committed.state);
    this.follow(session, committed);
    if (hasWork(session)) this.schedule(session);
  }

  /** The state as this host has it in mind; read only. */
  stateOf(runId: RunId): RunState | null {
    return this.sessions.peek(runId)?.state ?? null;
  }

  /** How many runs wait for each of the store's answers. */
  get waiting() {
    return { states: this.states.size, inputs: this.looks.size, commits: this.commits.size };
  }

  /** No tick starts from here on; outcomes are kept for whoever comes next. Answers when those under way have ended. */
  async stop(): Promise<void> {
    this.isStopped = true;
    this.commits.stop();
    await Promise.allSettled(this.underWay);
    for (const session of this.sessions.undelivered()) {
      for (const outcome of session.mailbox.splice(0)) this.deliver(session.runId, outcome);
    }
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
        this.ports.failed('tick', error, session.runId);
        session.isTicking = false;
        this.sessions.forget(session);
        session.mustLook = true;
        // Not all at once: what was read together would fail together again.
        this.ports.clock.after(STORE_AWAY_MS * (1 + this.ports.ids.random()), () => this.schedule(session));
      },
    );
  }

  private track<T>(work: Promise<T>): Promise<T> {
    this.underWay.add(work);
    return work.finally(() => this.underWay.delete(work));
  }

  private record(runId: RunId, outcomes: readonly OutcomeArrival[]): Promise<void> {
    const said = outcomes.flatMap(({ attempt, outcome, report }) =>
      report ? [{ runId, attempt, outcome, report }] : [],
    );
    return said.length === 0 ? Promise.resolve() : this.track(this.ports.store.record(said));
  }

  /** Ticks while there is something to do. `true`: the run was put back, and is looked at again later. */
  private async tickOn(session: Session): Promise<boolean> {
    while (!this.isStopped && hasWork(session)) if (!(await this.tick(session))) return true;
    return false;
  }

  /** One tick. `false`: leave the run for now. */
  private async tick(session: Session): Promise<boolean> {
    const state = session.state ?? (await this.load(session));
    if (state === null) {
      this.sessions.close(session);
      return false;
    }
    const preparing = this.ports.prepare(state.header.definitionId);
    const prepared = preparing instanceof Promise ? await preparing : preparing;
    if (!prepared.ok) return this.leaveAlone(session);
    const looked = session.mustLook ? await this.looks.look(session, state) : null;
    if (looked === 'stale') {
      this.sessions.forget(session);
      session.mustLook = true;
      return true;
    }
    if (looked) session.branches = new Map([...session.branches, ...looked.inputs.branches]);
    const mailbox = takeMailbox(session);
    try {
      const stored = { ...(looked?.inputs ?? NO_INPUTS), branches: session.branches };
      const { compiled } = prepared;
      const asked = missingCredentials(this.ports, state.header.tenantId, compiled);
      const missing = asked instanceof Promise ? await asked : asked;
      const { current, stale } = sorted(state, mailbox, stored);
      if (stale.length > 0) {
        await this.record(session.runId, stale);
        // What has completed all the same comes back as an input.
        session.mustLook = true;
      }
      const told = merge(stored, current, session);
      const inputs = compiled.credentials.length === 0 ? told : { ...told, missingCredentials: missing };
      const now = looked?.now ?? this.ports.clock.now();
      const { registry } = this.ports;
      const payload = this.computed(session, { registry, compiled, state, inputs, now, start: null });
      if (payload === 'fault') {
        // The run is given up; what its attempts came to is not.
        await this.record(session.runId, mailbox);
        session.mustLook = true;
        return true;
      }
      if (payload === null) {
        session.verdict = null;
        return true;
      }
      const { definition } = compiled;
      const company =
        payload.spawned.length === 0 ? ALONE : await companyOf(this.ports, payload, { state, definition });
      const result = await this.commits.commit(payload, company);
      if (result.result === 'committed') {
        this.follow(session, { state, payload, company, compiled, bytes: result.bytes });
        if (inputs.control !== null || parks(payload)) session.mustLook = true;
        return true;
      }
      session.mailbox.unshift(...mailbox);
      return this.notCommitted(session, state.version, result);
    } catch (error) {
      session.mailbox.unshift(...mailbox);
      throw error;
    }
  }

  /** What throws here would throw again: the run is given up, visibly, instead of being tried for ever. */
  private computed(session: Session, given: Given): TickPayload | null | 'fault' {
    try {
      return compute(given);
    } catch (error) {
      this.ports.failed('computing a tick', error, session.runId);
      if (session.verdict === null) {
        session.verdict = faultOf(error);
        return 'fault';
      }
      // What throws even now is a plugin's word on the end.
      return compute({ ...given, registry: { ...given.registry, hooks: [] } });
    }
  }

  private async load(session: Session): Promise<RunState | null> {
    const state = await this.states.add(session.runId);
    session.state = state;
    if (state !== null) this.sessions.grow(session, sizeOf(state));
    return state;
  }

  private async notCommitted(session: Session, version: number, result: NotCommitted): Promise<boolean> {
    this.sessions.forget(session);
    session.mustLook = true;
    if (result.result !== 'refused') return this.afterConflict(session, version);
    this.ports.failed('storing a tick', result.failure, session.runId);
    session.refusals += 1;
    if (session.refusals > 1) session.verdict = result.failure;
    return true;
  }

  /** Its step types are not known here: what its workers say is kept for a host that knows them. */
  private async leaveAlone(session: Session): Promise<false> {
    session.mustLook = false;
    while (session.mailbox.length > 0) {
      const said = [...session.mailbox];
      await this.record(session.runId, said);
      session.mailbox.splice(0, said.length);
    }
    this.sessions.close(session);
    return false;
  }

  /** What follows a commit; all of it can be derived again from rows. */
  private follow(session: Session, { state, payload, company, compiled, bytes }: Committed): void {
    apply(state, payload.transition);
    session.conflicts = 0;
    session.refusals = 0;
    session.verdict = null;
    if (company.letters.length > 0) session.mustLook = true;
    session.branches = pagesAfter(state, session.branches, payload);
    if (wantsBranches(state, session.branches)) session.mustLook = true;
    // A tick that ends branches forgets about as much as it adds.
    this.sessions.grow(session, payload.branches.ended.length > 0 ? 0 : bytes);
    const tasks = dispatches({ payload, header: state.header, definition: compiled.definition });
    if (tasks.length > 0) this.ports.tasks.push(tasks);
    if (payload.aborted.length > 0) this.ports.abort(payload.aborted, compiled.cancelGraceMs);
    this.ports.committed(payload, state.header);
    for (const first of company.starts) if (first.start) this.ports.committed(first, first.start.header);
    this.feed.publish(payload.transition, state);
    if (isToBeKept(state)) this.keep(state);
    if (isFinal(state.status) && !session.isTicking) this.sessions.close(session);
  }

  /** Nothing depends on it but how long a load takes. */
  private keep(state: RunState): void {
    const keeping = this.track(this.ports.store.keep(state));
    state.unkept = 0;
    keeping.catch((error: unknown) => this.ports.failed('keeping a state', error, state.header.id));
  }

  private async afterConflict(session: Session, version: number): Promise<boolean> {
    session.conflicts = session.conflictsAt === version ? session.conflicts + 1 : 1;
    session.conflictsAt = version;
    const { clock, ids } = this.ports;
    if (session.conflicts % TRIES_IN_PROCESS !== 0) {
      await clock.sleep(2 ** (session.conflicts % TRIES_IN_PROCESS) * (1 + ids.random()));
      return true;
    }
    if (session.conflicts / TRIES_IN_PROCESS >= MOST_REQUEUES) session.verdict = livelock(session.conflicts);
    clock.after(REQUEUE_MS * (1 + ids.random()), () => this.schedule(session));
    return false;
  }
}

type NotCommitted = Exclude<CommitEnd, { result: 'committed' }>;

/** About what a state takes in memory that was not built up here. */
const sizeOf = ({ header, context, open, ended }: RunState): number =>
  JSON.stringify([header, context, [...open.values()], [...ended.values()]]).length;
