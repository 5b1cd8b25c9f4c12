import type { Json } from './json.ts';

/** Who has to act on a failure. */
export type Party = 'user' | 'connector' | 'operator' | 'engine';

/** Why a node, run or attempt failed: data, never a thrown value. */
export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly party: Party;
  readonly details?: Json;
}

/** A failure of one attempt; retry arithmetic reads the rest. */
export interface AttemptFailure extends Failure {
  readonly retryable: boolean;
  readonly retryAfterMs?: number;
}

/** One finding at publish. All findings are reported together. */
export interface Problem {
  readonly path: string;
  readonly code: string;
  readonly message: string;
  readonly position?: Position;
  readonly allowed?: readonly string[];
}

/** Where in an expression's source; both count from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** The codes that a caller can meet; `host/http` maps each to its status. */
export type ErrorCode =
  | 'invalid_argument'
  | 'unauthenticated'
  | 'permission_denied'
  | 'not_found'
  | 'already_exists'
  | 'failed_precondition'
  | 'conflict'
  | 'payload_too_large'
  | 'resource_exhausted'
  | 'internal'
  | 'unavailable';

/** A no, said to the caller. */
export interface Refusal {
  readonly code: ErrorCode;
  readonly message: string;
  readonly details?: Json;
}

/** The one error that is thrown on purpose: a refusal on its way to whoever asked. */
export class DuctorError extends Error {
  override readonly name = 'DuctorError';
  readonly code: ErrorCode;
  readonly details: Json | undefined;
  /** Seconds after which a retry makes sense; only with `resource_exhausted` and `unavailable`. */
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ErrorCode, message: string, details?: Json, retryAfterSeconds?: number) {
    super(message);
    this.code = code;
    this.details = details;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
