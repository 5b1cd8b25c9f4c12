import {
  compileDefinition,
  type DefinitionId,
  type DefinitionStore,
  missingWords,
  type Prepared,
  type Registry,
} from '@ductor/core';

import { type DisabledWords, pluginsOf } from '../boot/contributed.ts';

/** Definitions in mind; the first to have come goes first. */
const MOST = 1_000;

/** Published versions, compiled once and kept. */
export class PreparedDefinitions {
  private readonly store: DefinitionStore;
  private readonly registry: Pick<Registry, 'steps' | 'fields'>;
  private readonly disabled: DisabledWords;
  private readonly kept = new Map<DefinitionId, Prepared>();

  constructor(store: DefinitionStore, registry: Pick<Registry, 'steps' | 'fields'>, disabled: DisabledWords) {
    this.store = store;
    this.registry = registry;
    this.disabled = disabled;
  }

  readonly prepare = (id: DefinitionId): Prepared | Promise<Prepared> => this.kept.get(id) ?? this.read(id);

  private async read(id: DefinitionId): Promise<Prepared> {
    const definition = await this.store.version(id);
    if (!definition) throw new Error(`There is no definition ${id}.`);
    const { disabledFields } = this.disabled;
    const words = missingWords(definition, { types: this.registry.steps, disabledFields });
    const prepared: Prepared =
      words.length > 0
        ? { ok: false, words, plugins: pluginsOf(words, this.disabled) }
        : { ok: true, compiled: compileDefinition(definition, this.registry.steps, this.registry.fields) };
    if (this.kept.size >= MOST) this.kept.delete(this.kept.keys().next().value ?? '');
    this.kept.set(id, prepared);
    return prepared;
  }
}
