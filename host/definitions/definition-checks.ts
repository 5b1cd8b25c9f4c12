import {
  type ActionCatalogue,
  type CatalogueCredential,
  type Checked,
  checkDefinition,
  type DefinitionDraft,
  type SchemaValidator,
  type TenantId,
  type Vocabulary,
} from '@ductor/core';

/** What a tenant has that its definitions may use. */
export interface TenantResources {
  actions(tenantId: TenantId): Promise<ActionCatalogue>;
  credentials(tenantId: TenantId): Promise<ReadonlyMap<string, CatalogueCredential>>;
}

/** Holds a tenant's drafts against all that a definition must be to run here. */
export class DefinitionChecks {
  readonly #vocabulary: Vocabulary;
  readonly #schemas: SchemaValidator;
  readonly #resources: TenantResources;

  constructor({
    vocabulary,
    schemas,
    resources,
  }: {
    readonly vocabulary: Vocabulary;
    readonly schemas: SchemaValidator;
    readonly resources: TenantResources;
  }) {
    this.#vocabulary = vocabulary;
    this.#schemas = schemas;
    this.#resources = resources;
  }

  /** Reads what the tenant has now; the answer then checks drafts without waiting. */
  async of(tenantId: TenantId): Promise<(draft: DefinitionDraft) => Checked> {
    const [actions, credentials] = await Promise.all([
      this.#resources.actions(tenantId),
      this.#resources.credentials(tenantId),
    ]);
    const context = { vocabulary: this.#vocabulary, schemas: this.#schemas, actions, credentials };
    return (draft) => checkDefinition(draft, context);
  }
}
