import type { Json, JsonObject, TenantId } from '../json.ts';
import type { Actor } from '../run/arrival.ts';

/** As much of hapi's `ServerRoute` as core needs to know. */
export interface Route {
  readonly method: string;
  readonly path: string;
  readonly options: {
    /** Who may call it; `false`: everybody, without a key. */
    readonly auth: { readonly scope: readonly string[] } | false;
    readonly plugins?: { readonly ductor?: RouteNotes };
    readonly [option: string]: unknown;
  };
  handler(request: never, toolkit: never): unknown;
}

/** On whose behalf a request is served: its key's tenant, or the one that an operator's key has named. */
export interface RouteCaller {
  readonly tenantId: TenantId;
  readonly actor: Actor;
}

/** As much of hapi's request as tells of its caller. */
export interface RouteRequest {
  readonly auth: { readonly credentials: { readonly user?: unknown } };
}

/** On a route that asks for a scope and does not stand above tenants: any other has no caller. */
export const callerOf = (request: RouteRequest): RouteCaller => request.auth.credentials.user as RouteCaller;

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
 * What a route says of itself beyond hapi's own words, which the documents take as they are: `id` (the name of the call
 * in a client), `description` (one line), `notes` (more), `tags` (one: its group), `response.schema` (the answer, without
 * `metadata`), `response.status` (answers of other statuses).
 */
export interface RouteNotes {
  /** A document of its own form (OpenAPI, a schema): its answer gets no `metadata`. */
  readonly isDocument?: true;
  /** It stands above tenants: for the scope `operator` alone, and an operator's key need not name a tenant. */
  readonly isAboveTenants?: true;
  /** Its body may be of any type, and is handed over as a `RawBody`. */
  readonly hasRawBody?: true;
  /** Of an answer that is not JSON of the API, such as `text/event-stream`. */
  readonly mediaType?: string;
  /** JSON Schemas of named parts of it, where they say more than its own schemas do. */
  readonly components?: { readonly [name: string]: JsonObject };
  readonly examples?: readonly RouteExample[];
}

/** The body of a route with `hasRawBody`: its bytes can be looked at before anything is made of them. */
export interface RawBody {
  readonly bytes: Uint8Array;
  /**
   * By its content type: JSON; the fields of a form, a list where one comes more than once; else text. `null`: it is
   * empty. Throws `DuctorError` (`invalid_argument`).
   */
  read(): Json;
}
