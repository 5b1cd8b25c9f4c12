import {
  compileDefinition,
  type DefinitionId,
  type DefinitionStore,
  missingStepTypes,
  type Prepared,
  type Registry,
} from '@ductor/core';

/** Definitions in mind; the first to have come goes first. */
const MOST = 1_000;

/** Published versions, compiled once and kept. */
export class PreparedDefinitions {
  private readonly store: DefinitionStore;
  private readonly registry: Pick<Registry, 'steps' | 'fields'>;
  private readonly disabled: ReadonlyMap<string, string>;
  private readonly kept = new Map<DefinitionId, Prepared>();

  /** `disabled`: step types of plugins that are here and off, with the plugin's id. */
  constructor(
    store: DefinitionStore,
    registry: Pick<Registry, 'steps' | 'fields'>,
    disabled: ReadonlyMap<string, string>,
  ) {
    this.store = store;
    this.registry = registry;
    this.disabled = disabled;
  }

  readonly prepare = (id: DefinitionId): Prepared | Promise<Prepared> => this.kept.get(id) ?? this.read(id);

  private async read(id: DefinitionId): Promise<Prepared> {
    const definition = await this.store.version(id);
    if (!definition) throw new Error(`There is no definition ${id}.`);
    const missing = missingStepTypes(definition, this.registry.steps);
    const prepared: Prepared =
      missing.length > 0
        ? { ok: false, missingStepTypes: missing, missingPlugins: this.pluginsOf(missing) }
        : { ok: true, compiled: compileDefinition(definition, this.registry.steps, this.registry.fields) };
    if (this.kept.size >= MOST) this.kept.delete(this.kept.keys().next().value ?? '');
    this.kept.set(id, prepared);
    return prepared;
  }

  private pluginsOf(stepTypes: readonly string[]): readonly string[] {
    return [...new Set(stepTypes.flatMap((type) => this.disabled.get(type) ?? []))];
  }
}
