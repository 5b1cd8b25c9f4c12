import type { JsonObject } from '@ductor/core';

export type Mode = 'production' | 'development';
export type LogLevel = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';

/** What the operator says of a plugin. */
export type PluginSetting =
  | { readonly enabled: false }
  | {
      readonly enabled: true;
      /** Not checked yet: that takes the plugin's schema. */
      readonly options: JsonObject;
      /** A range that the installed package has to fit. */
      readonly version: string | null;
    };

/** What the host is told from outside, complete: file, environment and defaults. */
export interface Config {
  /** The file that was read; null: there was none. */
  readonly file: string | null;
  /** Relative paths in the file start here. */
  readonly baseDir: string;
  readonly mode: Mode;
  readonly server: { readonly host: string; readonly port: number; readonly publicUrl: string | null };
  /** Without a URL the host runs its own PostgreSQL. */
  readonly database: { readonly url: string | null; readonly pool: number };
  readonly redis: { readonly url: string | null };
  /** By id (ours), package name or path (others). */
  readonly plugins: ReadonlyMap<string, PluginSetting>;
  readonly connectors: { readonly privateNetworks: readonly string[] };
  readonly log: { readonly level: LogLevel };
  /** Absolute. */
  readonly dataDir: string;
  readonly limits: {
    readonly requestBodyBytes: number;
    readonly stepOutputBytes: number;
    readonly stepsPerDefinition: number;
    readonly nestingDepth: number;
  };
  /** How long published events are kept. */
  readonly retention: { readonly eventsMs: number };
  /** Keys that were set and have no effect in this version, such as `redis.url`. */
  readonly notActedOn: readonly string[];
  /** Known to the environment alone. */
  readonly secrets: {
    readonly masterKey: Buffer | null;
    /** They still open what they sealed before a rotation. */
    readonly previousMasterKeys: readonly Buffer[];
    readonly bootstrapApiKey: string | null;
  };
  /** Where a key was set, as an error names it: `ductor.yaml:3:5`, `PORT`. */
  locate(keys: readonly string[]): string;
}
