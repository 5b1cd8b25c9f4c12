/** The static part of a plugin, `package.json#ductor.plugin`: known before any of its code runs. */
export interface PluginManifest {
  readonly id: string;
  readonly version: string;
  readonly entry: string;
  /** Range of `PLUGIN_API` that it was written for. */
  readonly pluginApi: string;
  /** Other plugins it needs, by id, with their ranges. */
  readonly requires: { readonly [id: string]: string };
  /** Path of the JSON Schema of its options. */
  readonly options?: string;
  readonly stepTypes: readonly string[];
  /** Its words in definitions, with where they stand: `step.audit`, `graph.audit`, `settings.audit`. */
  readonly fields: readonly string[];
  /** Prefixes of its routes; a third party's is `/api/plugins/<id>`. */
  readonly routes: readonly string[];
}
