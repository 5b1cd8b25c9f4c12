/** Ductor's REST API for programs, in Node and in browsers. */
import type { components } from './api.generated.ts';

export type { paths } from './api.generated.ts';
export type { ClientOptions } from './calls.ts';
export { createClient, type DuctorClient } from './client.ts';
export { DuctorApiError, DuctorConnectionError, type ErrorCode, type Problem } from './errors.ts';
export type { ItemOf, ListPath } from './paged.ts';
export type { Run, WaitOptions } from './wait-for-run.ts';
export type { RunEvent, WatchOptions } from './watch-run.ts';

/** What the API takes and answers, by the names of its OpenAPI document: `Schemas['RunSnapshot']`. */
export type Schemas = components['schemas'];
