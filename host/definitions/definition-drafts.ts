import {
  applyOperations,
  type Clock,
  DuctorError,
  graphOf,
  type Ids,
  isSlug,
  type JsonObject,
  limitProblems,
  type Operation,
  type Problem,
  SLUG_RULE,
  type TenantId,
  type Vocabulary,
  type WrittenGraph,
} from '@ductor/core';
import { type Author, writeAudit } from '../postgres/audit-log.ts';
import { type DefinitionRow, type DraftRow, isDraft } from '../postgres/definition-row.ts';
import type { DraftChanges, NewDraft, PostgresDefinitionStore } from '../postgres/definition-store.ts';
import { notFound, refusal, slugTaken, staleRevision } from './refusals.ts';

export interface NewDefinition {
  readonly family_slug: string;
  readonly title?: string;
  readonly description?: string | null;
  readonly tags?: readonly string[];
  readonly graph?: WrittenGraph;
  readonly settings?: JsonObject;
}

/** `null` clears. */
export interface DraftEdit {
  readonly expected_draft_revision: number;
  readonly title?: string;
  readonly description?: string | null;
  readonly tags?: readonly string[] | null;
  readonly operations?: readonly Operation[];
}

/** Drafts: made, edited and thrown away. Throws `DuctorError`; what is another tenant's is `not_found`. */
export class DefinitionDrafts {
  readonly #store: PostgresDefinitionStore;
  readonly #vocabulary: Vocabulary;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #ids: Pick<Ids, 'uuidv7'>;

  constructor(deps: {
    readonly store: PostgresDefinitionStore;
    readonly vocabulary: Vocabulary;
    readonly clock: Pick<Clock, 'now'>;
    readonly ids: Pick<Ids, 'uuidv7'>;
  }) {
    this.#store = deps.store;
    this.#vocabulary = deps.vocabulary;
    this.#clock = deps.clock;
    this.#ids = deps.ids;
  }

  /** By the id of a draft or version, or by a family's slug. */
  async find(tenantId: TenantId, idOrSlug: string): Promise<DefinitionRow> {
    const row = await this.#store.find(tenantId, idOrSlug);
    if (row) return row;
    throw notFound();
  }

  /** `failed_precondition` for a version: it never changes. */
  async draft(tenantId: TenantId, idOrSlug: string): Promise<DraftRow> {
    const row = await this.find(tenantId, idOrSlug);
    if (isDraft(row)) return row;
    const draft = await this.#store.ofFamily(tenantId, row.family_slug);
    throw new DuctorError(
      'failed_precondition',
      `This is version ${row.version} of '${row.family_slug}', which never changes.`,
      { draft_id: draft && isDraft(draft) ? draft.id : null },
    );
  }

  /** `already_exists` for a family that has a draft, or `invalid_argument`. */
  async create(author: Author, definition: NewDefinition): Promise<DraftRow> {
    const { family_slug, title = family_slug, description = null, tags = [], settings = {} } = definition;
    const draft = { graph: graphOf(definition.graph ?? {}), settings };
    const problems = [...slugProblems(family_slug), ...limitProblems(draft, this.#vocabulary.limits)];
    if (problems.length > 0) throw refusal('The definition', problems, 'nothing was created');
    return this.#insert(author, { ...draft, family_slug, title, description, tags });
  }

  /** A new family that begins where this one's draft is, or its latest version where it has no draft. */
  async duplicate(author: Author, idOrSlug: string, slug: string): Promise<DraftRow> {
    const { tenantId } = author;
    const problems = slugProblems(slug);
    if (problems.length > 0) throw refusal('The request', problems, 'nothing was created');
    const { family_slug } = await this.find(tenantId, idOrSlug);
    const source = await this.#store.ofFamily(tenantId, family_slug);
    if (!source) throw notFound();
    const { title, description, tags, graph, settings } = source;
    return this.#insert(author, { family_slug: slug, title, description, tags, graph, settings }, family_slug);
  }

  /** All or nothing. `conflict`, with the current revision, if the draft is no longer at the expected one. */
  async edit(
    author: Author,
    idOrSlug: string,
    { expected_draft_revision, operations = [], ...fields }: DraftEdit,
  ): Promise<{ readonly draft: DraftRow; readonly warnings: readonly Problem[] }> {
    const { tenantId } = author;
    const draft = await this.draft(tenantId, idOrSlug);
    if (draft.draft_revision !== expected_draft_revision) throw staleRevision(draft.draft_revision);
    const edited = applyOperations({ draft, operations, vocabulary: this.#vocabulary });
    if (!edited.ok) throw refusal('The edit', edited.problems, 'nothing was changed');
    const changes: DraftChanges = {
      updated_at: this.#clock.now(),
      ...(fields.title !== undefined && { title: fields.title }),
      ...(fields.description !== undefined && { description: fields.description }),
      ...(fields.tags !== undefined && { tags: fields.tags ?? [] }),
      ...(operations.length > 0 && edited.draft),
    };
    const saved = await this.#store.transaction(async (transaction) => {
      const row = await this.#store.in(transaction).saveDraft(draft, changes);
      if (row) {
        const { family_slug, draft_revision } = row;
        const details = { family_slug, draft_revision };
        await writeAudit(transaction, { ...author, action: 'workflow_definition.edit', target: draft.id, details });
      }
      return row;
    });
    if (saved) return { draft: saved, warnings: edited.warnings };
    const { draft_revision } = await this.draft(tenantId, draft.id);
    throw staleRevision(draft_revision);
  }

  /** Published versions stay. */
  async delete(author: Author, idOrSlug: string): Promise<DraftRow> {
    const draft = await this.draft(author.tenantId, idOrSlug);
    const { id, family_slug } = draft;
    return this.#store.transaction(async (transaction) => {
      if (!(await this.#store.in(transaction).deleteDraft(author.tenantId, id))) throw notFound();
      const details = { family_slug };
      await writeAudit(transaction, { ...author, action: 'workflow_definition.delete_draft', target: id, details });
      return draft;
    });
  }

  /** `source`: the slug of the family that it is a duplicate of. */
  #insert(author: Author, draft: Omit<NewDraft, 'id' | 'created_at'>, source?: string): Promise<DraftRow> {
    const seed = { ...draft, id: this.#ids.uuidv7(), created_at: this.#clock.now() };
    const { id, family_slug } = seed;
    return this.#store.transaction(async (transaction) => {
      const row = await this.#store.in(transaction).createDraft(author.tenantId, seed);
      if (!row) throw slugTaken(family_slug);
      const action = `workflow_definition.${source === undefined ? 'create' : 'duplicate'}`;
      const details = { family_slug, ...(source !== undefined && { source }) };
      await writeAudit(transaction, { ...author, action, target: id, details });
      return row;
    });
  }
}

const slugProblems = (slug: string): readonly Problem[] =>
  isSlug(slug) ? [] : [{ path: 'family_slug', code: 'invalid_slug', message: SLUG_RULE }];
