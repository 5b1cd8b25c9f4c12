import type { FromSchema, JsonSchema } from '../schema.ts';
import type { AnyStepType } from '../steps/step-type.ts';
import type { AnyField } from './field.ts';
import type { Hooks } from './hooks.ts';
import type { Route } from './route.ts';
import type { Resolved, ServiceRefs } from './service-ref.ts';
import type { AnyTable } from './table.ts';

/** Version of this contract; a plugin's manifest names the range it was written for. */
export const PLUGIN_API = '1.0.0';

/** Runs beside the requests: started after boot, stopped by its signal. */
export interface Service {
  readonly name: string;
  readonly where: 'every host' | 'one host';
  run(signal: AbortSignal): Promise<void>;
}

/** Six surfaces: words, steps, moments, rows, HTTP, background. */
export interface Contributions {
  readonly fields?: readonly AnyField[];
  readonly steps?: readonly AnyStepType[];
  readonly hooks?: Hooks;
  readonly tables?: readonly AnyTable[];
  readonly routes?: readonly Route[];
  readonly services?: readonly Service[];
}

export interface Plugin<R extends ServiceRefs, S extends JsonSchema> {
  readonly deps: R;
  /** The one source of the options' type; the manifest's JSON file is generated from it. */
  readonly options: S;
  /** Folder of SQL migrations beside the package's `package.json`, with a history table of its own. */
  readonly migrations?: string;
  /** Synchronous; does nothing but build data. */
  contribute(deps: Resolved<R>, options: FromSchema<S>): Contributions;
}

/** The entry of a plugin's package. Its name and version stand in the manifest, once. */
export const definePlugin = <const R extends ServiceRefs, const S extends JsonSchema>(
  plugin: Plugin<R, S>,
): Plugin<R, S> => plugin;
