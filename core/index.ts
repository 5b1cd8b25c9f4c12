/** @ductor/core: all that plugins, hosts and adapters may import; a line a room. */
export * from './errors.ts';
export * from './json.ts';
export type * from './ports/action-pool.ts';
export type * from './run/attempt.ts';
export * from './schema.ts';
