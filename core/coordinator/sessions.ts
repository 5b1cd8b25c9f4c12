import type { Failure } from '../errors.ts';
import type { RunId } from '../json.ts';
import type { Arrival } from '../run/arrival.ts';
import type { RunState } from '../run/run.ts';

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
  conflicts: number;
  /** How far a payload that cannot be stored has been cut down. */
  refusals: number;
  /** The engine's own judgement, carried out by the next tick. */
  verdict: Failure | null;
  bytes: number;
}

/** The sessions by run, least recently used first; idle ones are forgotten when they take too much memory. */
export class Sessions {
  private readonly sessions = new Map<RunId, Session>();
  private readonly mostBytes: number;
  private bytes = 0;

  constructor(mostBytes: number) {
    this.mostBytes = mostBytes;
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
      refusals: 0,
      verdict: null,
      bytes: 0,
    };
    this.sessions.set(runId, session);
    return session;
  }

  grow(session: Session, bytes: number): void {
    session.bytes += bytes;
    this.bytes += bytes;
    if (this.bytes <= this.mostBytes) return;
    for (const idle of this.sessions.values()) {
      if (this.bytes <= this.mostBytes) return;
      if (!idle.isTicking) this.close(idle);
    }
  }

  close(session: Session): void {
    if (this.sessions.delete(session.runId)) this.bytes -= session.bytes;
  }
}
