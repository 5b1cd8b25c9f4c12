import type { Failure } from '../errors.ts';
import type { RunId } from '../json.ts';
import type { Arrival } from '../run/arrival.ts';
import type { RunState } from '../run/run.ts';
import type { BranchPages } from './branch-pages.ts';

export type OutcomeArrival = Extract<Arrival, { kind: 'outcome' }>;

/** What this host has in mind of one run. */
export interface Session {
  readonly runId: RunId;
  /** `null`: to be loaded. Owned by the coordinator, advanced by each commit. */
  state: RunState | null;
  /** Outcomes that workers here have handed over, in order. */
  mailbox: OutcomeArrival[];
  /** Something may have come that only the store knows. */
  mustLook: boolean;
  /** A run has one tick outstanding. */
  isTicking: boolean;
  /** In a row, and while the run stood at this version. */
  conflicts: number;
  conflictsAt: number;
  /** Branches that may start next, by owner. */
  branches: BranchPages;
  /** How far a payload that cannot be stored has been cut down. */
  refusals: number;
  /** The engine's own judgement, carried out by the next tick. */
  verdict: Failure | null;
  bytes: number;
}

/** What a session and the state of a small run take beside their texts; about, and measured. */
const EACH_BYTES = 2_000;

/** Whether a tick has something to do. */
export const hasWork = ({ mustLook, mailbox, verdict }: Session): boolean =>
  mustLook || mailbox.length > 0 || verdict !== null;

/** The sessions by run, least recently used first; idle ones are forgotten when they take too much memory. */
export class Sessions {
  private readonly sessions = new Map<RunId, Session>();
  private readonly mostBytes: number;
  private readonly eachBytes: number;
  private bytes = 0;

  constructor(mostBytes: number, eachBytes = EACH_BYTES) {
    this.mostBytes = mostBytes;
    this.eachBytes = eachBytes;
  }

  get size(): number {
    return this.sessions.size;
  }

  peek(runId: RunId): Session | undefined {
    return this.sessions.get(runId);
  }

  open(runId: RunId, state: RunState | null = null): Session {
    const known = this.sessions.get(runId);
    if (known) {
      this.sessions.delete(runId);
      this.sessions.set(runId, known);
      return known;
    }
    const session: Session = {
      runId,
      state,
      mailbox: [],
      mustLook: false,
      isTicking: false,
      conflicts: 0,
      conflictsAt: 0,
      branches: new Map(),
      refusals: 0,
      verdict: null,
      bytes: 0,
    };
    this.sessions.set(runId, session);
    this.bytes += this.eachBytes;
    return session;
  }

  /** Of all runs: what workers have handed over and no tick has taken. */
  *undelivered(): Iterable<Session> {
    for (const session of this.sessions.values()) if (session.mailbox.length > 0) yield session;
  }

  grow(session: Session, bytes: number): void {
    session.bytes += bytes;
    this.bytes += bytes;
    if (this.bytes <= this.mostBytes) return;
    for (const idle of this.sessions.values()) {
      if (this.bytes <= this.mostBytes) return;
      // One that was put back still holds what it was handed.
      if (!idle.isTicking && !hasWork(idle)) this.close(idle);
    }
  }

  /** The state is out of date, or may be: the next tick loads it. */
  forget(session: Session): void {
    this.bytes -= session.bytes;
    session.bytes = 0;
    session.state = null;
    session.branches = new Map();
  }

  close(session: Session): void {
    if (this.sessions.get(session.runId) !== session) return;
    this.sessions.delete(session.runId);
    this.bytes -= session.bytes + this.eachBytes;
    session.bytes = 0;
  }
}
