import type { Instant, Json, JsonObject, TenantId } from '@ductor/core';

/** How a delivery shows that it comes from whom it should. `credential`: its one secret value is what both sides know. */
export type Verify =
  | {
      readonly type: 'hmac_sha256';
      readonly header: string;
      readonly credential: string;
      /** What is signed: the body, or `<time>.<body>` with both in the header (`t=1700000000,v1=<signature>`). */
      readonly format: 'body' | 'timestamped';
    }
  | { readonly type: 'header'; readonly header: string; readonly credential: string }
  | { readonly type: 'none' };

/** Templates over `request`. */
export interface PublishAction {
  readonly event_name: string;
  readonly correlation_key: string;
  readonly payload: Json;
  readonly event_id?: string;
}

/** Templates over `request`, but for the workflow; further fields are the plugins' words of a trigger. */
export type TriggerAction = {
  readonly workflow: { readonly slug: string; readonly version: number | 'latest' };
  readonly input: Json;
  readonly idempotency_key?: string;
  readonly [word: string]: Json | undefined;
};

export type Action = { readonly publish: PublishAction } | { readonly trigger: TriggerAction };

export interface Answer {
  readonly status: number;
  /** A template over `request`. */
  readonly body: Json;
}

/** What its owner decides. */
export interface Settings {
  readonly name: string;
  readonly enabled: boolean;
  readonly verify: Verify;
  /** Holds what one delivery and its repetitions share. `null`: one of those that are common. */
  readonly delivery_header: string | null;
  readonly action: Action;
  readonly response: Answer;
}

/** A delivery that was refused, or of which nothing could be made. */
export interface DeliveryFailure {
  readonly at: Instant;
  readonly code: string;
  readonly message: string;
  readonly details?: Json;
}

export interface Webhook extends Settings {
  readonly id: string;
  readonly tenant_id: TenantId;
  readonly failures: readonly DeliveryFailure[];
  readonly created_at: Instant;
  readonly updated_at: Instant;
}

/** What templates see as `request`. */
export type RequestVariable = {
  readonly body: Json;
  /** By names in lower case. */
  readonly headers: JsonObject;
  readonly query: JsonObject;
};
