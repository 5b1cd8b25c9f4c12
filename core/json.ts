/** Plain data: everything that crosses a thread, a row or a tick. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export type JsonObject = { readonly [key: string]: Json };

/** A flavoured string: plain strings fit, but one kind of id never passes for another. */
type Flavor<Kind extends string> = string & { readonly __kind?: Kind };

export type RunId = Flavor<'run'>;
/** The first run's id of a continued chain; keys inbox, waits, leases and idempotency. */
export type ChainId = Flavor<'chain'>;
export type DefinitionId = Flavor<'definition'>;
export type TenantId = Flavor<'tenant'>;
export type AttemptId = Flavor<'attempt'>;
export type TickId = Flavor<'tick'>;
export type RowId = Flavor<'row'>;
/** A step's name in its definition. */
export type Ref = Flavor<'ref'>;
/** A family's name. */
export type Slug = Flavor<'slug'>;
/** RFC 3339 in UTC with milliseconds, by the database's clock. */
export type Instant = Flavor<'instant'>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
