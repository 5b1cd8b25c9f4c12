/** What a connector is written with. What an action may touch is in its context; nothing else is. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

export interface ActionContext<Input, Auth = Json, Config = Json> {
  /** Valid by the action's `input` schema. */
  readonly input: Input;
  /** The credential's values, decrypted for this call and redacted from everything that leaves; `null` without one. */
  readonly auth: Auth;
  /** The tenant's settings for this connector; never secret. */
  readonly config: Config;
  /** The same over all retries of this execution. */
  readonly idempotencyKey: string;
  /** Counts from 1. */
  readonly attempt: number;
  /** W3C trace context of this attempt, for protocols other than HTTP: `fetch` sends it by itself. `null`: none. */
  readonly traceparent: string | null;
  /** Aborted by a cancel or a deadline; after a grace period the thread is ended. */
  readonly signal: AbortSignal;
  readonly log: { readonly [Level in LogLevel]: (message: string, details?: Json) => void };
  /** Restarts the heartbeat deadline; `progress` is shown on the attempt. */
  heartbeat(progress?: Json): void;
  /** The standard `fetch`, held to `permissions.network.hosts` and public addresses, ended with `signal`. */
  readonly fetch: typeof fetch;
}

export type Action<Input, Output, Auth = Json, Config = Json> = (
  context: ActionContext<Input, Auth, Config>,
) => Promise<Output>;

export const defineAction = <Input, Output, Auth = Json, Config = Json>(
  action: Action<Input, Output, Auth, Config>,
): Action<Input, Output, Auth, Config> => action;

/** The manifest as types: the code must cover its actions exactly. */
export interface ManifestTypes {
  readonly auth: unknown;
  readonly config: unknown;
  readonly actions: { readonly [name: string]: { readonly input: unknown; readonly output: unknown } };
}

export interface Connector<M extends ManifestTypes> {
  readonly actions: {
    readonly [Name in keyof M['actions']]: Action<
      M['actions'][Name]['input'],
      M['actions'][Name]['output'],
      M['auth'],
      M['config']
    >;
  };
}

/** A connector's default export. */
export const defineConnector = <M extends ManifestTypes>(connector: Connector<M>): Connector<M> => connector;

export interface ActionErrorOptions {
  readonly message?: string;
  /** Default `false`. */
  readonly retryable?: boolean;
  /** The earliest next try, counted from now. */
  readonly retryAfterMs?: number;
  readonly details?: Json;
  readonly cause?: unknown;
}

/**
 * A failure that the action understands: final unless it says otherwise.
 * Anything else that is thrown becomes `connector_error`, which is retried.
 */
export class ActionError extends Error {
  /** Hosts recognise the error by this name: a connector may carry its own copy of this package. */
  override readonly name = 'ActionError';
  readonly code: string;
  readonly options: ActionErrorOptions;

  constructor(code: string, options: ActionErrorOptions = {}) {
    super(options.message ?? code, { cause: options.cause });
    this.code = code;
    this.options = options;
  }
}
