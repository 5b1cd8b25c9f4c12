import type { ActionContext, LogLevel } from '@ductor/connector-sdk';
import type { Json } from '@ductor/core';
import type { Call, ThreadFailure } from '../protocol.ts';
import type { Outbox } from './outbox.ts';
import { NotPlain, type PlainOptions, toPlain, toPlainText } from './plain.ts';
import { redactor } from './redact.ts';
import { cleanText, toFailure } from './thrown.ts';

const MAX_LOG_LINES = 1000;
const MAX_DETAILS_BYTES = 16 * 1024;

export interface AttemptOptions {
  readonly seq: number;
  readonly call: Call;
  readonly outbox: Outbox;
  readonly maxOutputBytes: number;
  readonly fetch: (call: { readonly signal: AbortSignal; readonly traceparent: string | null }) => typeof fetch;
  /** Called once, at the end; answers whether the attempt left the thread dirty. */
  readonly ended: () => boolean;
}

/** One attempt within the thread: makes the action's context, and answers once, whatever the action does. */
export class Attempt {
  readonly #options: AttemptOptions;
  readonly #controller = new AbortController();
  readonly #redact: (text: string) => string;
  #settled = false;
  #logLines = 0;

  constructor(options: AttemptOptions) {
    this.#options = options;
    this.#redact = redactor(options.call.secrets);
  }

  abort(): void {
    this.#controller.abort();
  }

  complete(value: unknown): void {
    if (this.#settled) return;
    const { seq, outbox, maxOutputBytes } = this.#options;
    try {
      const output = toPlainText(value, { root: 'output', maxBytes: maxOutputBytes, redact: this.#redact });
      this.#settled = true;
      outbox.push({ kind: 'completed', seq, output, dirty: this.#options.ended() });
    } catch (error) {
      this.#fail(
        error instanceof NotPlain
          ? { code: error.code, message: cleanText(error.message, this.#redact), retryable: false }
          : { ...toFailure(error, this.#redact), code: 'invalid_output', retryable: false },
      );
    }
  }

  /** What the action threw, or what was thrown on its behalf later. */
  fail(thrown: unknown): void {
    if (!this.#settled) this.#fail(toFailure(thrown, this.#redact));
  }

  /** The action tried to end the thread. */
  exited(code: unknown): void {
    if (this.#settled) return;
    this.#fail({
      code: 'worker_exited',
      message: cleanText(`the action called process.exit(${String(code ?? '')})`, this.#redact),
      retryable: true,
    });
  }

  #fail(failure: ThreadFailure): void {
    this.#settled = true;
    const { seq, outbox, ended } = this.#options;
    outbox.push({ kind: 'failed', seq, failure: stringify(failure), dirty: ended() });
  }

  context(): ActionContext<Json> {
    const { call, fetch } = this.#options;
    const { signal } = this.#controller;
    const { traceparent } = call;
    return {
      input: call.args,
      auth: call.auth,
      config: call.config,
      idempotencyKey: call.idempotencyKey,
      attempt: call.attempt,
      traceparent,
      signal,
      log: {
        debug: (message, details) => this.log('debug', message, details),
        info: (message, details) => this.log('info', message, details),
        warn: (message, details) => this.log('warn', message, details),
        error: (message, details) => this.log('error', message, details),
      },
      heartbeat: (progress) => this.#heartbeat(progress),
      fetch: fetch({ signal, traceparent }),
    };
  }

  log(level: LogLevel, message: unknown, details?: unknown): void {
    if (this.#settled || this.#logLines > MAX_LOG_LINES) return;
    this.#logLines += 1;
    const line =
      this.#logLines > MAX_LOG_LINES
        ? { level: 'warn', message: `more than ${MAX_LOG_LINES} log lines: the rest is dropped` }
        : {
            level,
            message: cleanText(String(message), this.#redact),
            ...(details === undefined ? {} : { details: toPlain(details, this.#details('details')) }),
          };
    this.#options.outbox.push({ kind: 'log', seq: this.#options.seq, line: stringify(line) });
  }

  #heartbeat(progress: unknown): void {
    if (this.#settled) return;
    const text = toPlainText(progress, this.#details('progress'));
    // At once: the action may go on without giving the event loop a turn.
    this.#options.outbox.pushNow({ kind: 'heartbeat', seq: this.#options.seq, progress: text });
  }

  #details(root: string): PlainOptions {
    return { root, maxBytes: MAX_DETAILS_BYTES, redact: this.#redact };
  }
}

const { stringify } = JSON;
