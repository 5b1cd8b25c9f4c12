import type { MessagePort } from 'node:worker_threads';
import type { Json } from '@ductor/core';

/** What a thread is started with. The claims array has one cell for each attempt it may hold at once. */
export interface ThreadStart {
  readonly port: MessagePort;
  readonly claims: Int32Array;
  /** The connector's module, as a file URL. */
  readonly entry: string;
  /** `permissions.network.hosts`, not yet filled in from a credential. */
  readonly hosts: readonly string[];
  /** CIDR ranges that may be reached beyond the public internet. */
  readonly privateNetworks: readonly string[];
  readonly maxOutputBytes: number;
}

/** Secrets shorter than this would be found everywhere: they are not hidden. */
export const SHORTEST_SECRET = 4;

/** One attempt, as the action sees it; crosses as JSON text. */
export interface Call {
  readonly action: string;
  readonly args: Json;
  readonly auth: Json;
  /** Texts that must not leave the thread. */
  readonly secrets: readonly string[];
  readonly config: Json;
  readonly idempotencyKey: string;
  readonly attempt: number;
  /** W3C trace context of this attempt. */
  readonly traceparent: string | null;
}

/** A failure on its way out of a thread, as JSON text. */
export interface ThreadFailure {
  readonly code: string;
  readonly message: string;
  readonly retryable: boolean;
  readonly retryAfterMs?: number;
  readonly details?: Json;
}

/** Sent in arrays, one message per turn of the event loop. */
export type ToThread =
  | { readonly kind: 'run'; readonly seq: number; readonly slot: number; readonly call: string }
  | { readonly kind: 'abort'; readonly seq: number };

export type FromThread =
  /** The connector is loaded: attempts may be offered. */
  | { readonly kind: 'ready' }
  | { readonly kind: 'unloadable'; readonly message: string }
  /** An offer that had been taken back was met, and left alone. */
  | { readonly kind: 'skipped' }
  | { readonly kind: 'started'; readonly seq: number }
  /** The abort has reached the action's signal: the thread's event loop turns. */
  | { readonly kind: 'heard'; readonly seq: number }
  | { readonly kind: 'heartbeat'; readonly seq: number; readonly progress: string }
  | { readonly kind: 'log'; readonly seq: number; readonly line: string }
  /** `dirty`: it left timers or globals behind. */
  | { readonly kind: 'completed'; readonly seq: number; readonly output: string; readonly dirty: boolean }
  | { readonly kind: 'failed'; readonly seq: number; readonly failure: string; readonly dirty: boolean }
  /** The thread can no longer be trusted with new attempts; those it has may end. */
  | { readonly kind: 'retire'; readonly reason: string };

/*
 * A cell of the claims array says who owns an offer: `seq` offered, `-seq` claimed by the thread, 0 taken back.
 * Both sides change it by compare-and-exchange only, so an offer that a blocked thread has not begun can be given
 * to another thread without ever running twice.
 */
export const offer = (claims: Int32Array, slot: number, seq: number): void => {
  Atomics.store(claims, slot, seq);
};
export const claim = (claims: Int32Array, slot: number, seq: number): boolean =>
  Atomics.compareExchange(claims, slot, seq, -seq) === seq;
export const revoke = (claims: Int32Array, slot: number, seq: number): boolean =>
  Atomics.compareExchange(claims, slot, seq, 0) === seq;
