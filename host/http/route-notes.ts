import type { Json, JsonObject } from '@ductor/core';

/** A call and its answer, as the API's documents show them; every one is sent by a test. */
export interface RouteExample {
  readonly summary: string;
  readonly params?: { readonly [name: string]: string };
  readonly query?: { readonly [name: string]: string };
  readonly payload?: Json;
  /** Default: 200. */
  readonly status?: number;
  /** Without `metadata`. Ids and times stand for any of their kind. */
  readonly answer: JsonObject;
}

/**
 * What a route says of itself beyond hapi's own words, which the documents take as they are: `description` (one line),
 * `notes` (more), `tags` (one: its group), `response.schema` (the answer, without `metadata`).
 */
export interface RouteNotes {
  /** A document of its own form (OpenAPI, a schema): its answer gets no `metadata`. */
  readonly isDocument?: true;
  readonly examples?: readonly RouteExample[];
}

declare module '@hapi/hapi' {
  interface PluginSpecificConfiguration {
    ductor?: RouteNotes;
  }
}
