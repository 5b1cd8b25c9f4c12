import type { ActionControl, ActionLog, AttemptOutcome, Json, TenantId } from '@ductor/core';

export interface JobOptions {
  readonly seq: number;
  readonly tenantId: TenantId;
  readonly action: string;
  /** The thread's `Call`, as JSON text. */
  readonly call: string;
  readonly control: ActionControl;
  /** Called once, before anybody hears of the outcome. */
  readonly ended: () => void;
}

/** One attempt in the pool's hands, from the queue to its outcome. Everything it is told after that is ignored. */
export class Job {
  readonly seq: number;
  readonly tenantId: TenantId;
  readonly action: string;
  readonly call: string;
  readonly control: ActionControl;
  readonly outcome: Promise<AttemptOutcome>;
  started = false;
  /** The abort has reached the action. */
  heard = false;
  /** Cell of the thread's claims, while a thread has it. */
  slot = -1;
  offeredAt = 0;
  readonly #onEnded: () => void;
  #settle!: (outcome: AttemptOutcome) => void;
  #ended = false;

  constructor({ seq, tenantId, action, call, control, ended }: JobOptions) {
    this.seq = seq;
    this.tenantId = tenantId;
    this.action = action;
    this.call = call;
    this.control = control;
    this.#onEnded = ended;
    this.outcome = new Promise((resolve) => {
      this.#settle = resolve;
    });
  }

  get ended(): boolean {
    return this.#ended;
  }

  get aborted(): boolean {
    return this.control.abort.aborted;
  }

  start(): void {
    if (this.started || this.#ended) return;
    this.started = true;
    this.control.started('thread');
  }

  heartbeat(progress: Json): void {
    if (!this.#ended) this.control.heartbeat(progress);
  }

  log(line: ActionLog): void {
    if (!this.#ended) this.control.log(line);
  }

  /** After an abort, a failure only says that the action obeyed. */
  settle(outcome: AttemptOutcome): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#onEnded();
    this.#settle(this.aborted && outcome.status !== 'completed' ? { status: 'stopped' } : outcome);
  }
}
