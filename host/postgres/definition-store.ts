import type { Definition, DefinitionId, DefinitionStore, Instant, TenantId, UnlistedWorkflow } from '@ductor/core';
import type { Knex } from 'knex';
import {
  type DefinitionRow,
  type DraftRow,
  definitionOf,
  isDraft,
  TABLE,
  VERSIONS,
  written,
} from './definition-row.ts';
import { isUuid } from './resolve-definition.ts';
import { unlistedId } from './unlisted.ts';

export interface DefinitionFilter {
  readonly status?: DefinitionRow['status'];
  /** Found in title, slug or description, as it is written; case does not count. */
  readonly q?: string;
  /** All of them. */
  readonly tags?: readonly string[];
}

export interface PageOfRows<Key> {
  readonly order: 'asc' | 'desc';
  readonly after: Key | null;
  readonly limit: number;
}

export type NewDraft = Pick<
  DraftRow,
  'id' | 'family_slug' | 'title' | 'description' | 'tags' | 'graph' | 'settings' | 'created_at'
>;

export type DraftChanges = Partial<Pick<DraftRow, 'title' | 'description' | 'tags' | 'graph' | 'settings'>> &
  Pick<DraftRow, 'updated_at'>;

/** Versions in mind; the least recently used goes first. */
const MOST_VERSIONS = 1_000;

/**
 * Definitions in PostgreSQL. Every method but `version` sees one tenant only: another's ids are not there.
 * `in` gives the same store inside a transaction.
 */
export class PostgresDefinitionStore implements DefinitionStore {
  readonly #knex: Knex;
  readonly #versions = new Map<DefinitionId, Definition>();

  constructor(knex: Knex) {
    this.#knex = knex;
  }

  in(transaction: Knex.Transaction): PostgresDefinitionStore {
    return new PostgresDefinitionStore(transaction);
  }

  transaction<T>(work: (transaction: Knex.Transaction) => Promise<T>): Promise<T> {
    return this.#knex.transaction(work);
  }

  async version(id: DefinitionId): Promise<Definition | null> {
    const known = this.#versions.get(id) ?? (await this.#read(id));
    if (!known) return null;
    this.#versions.delete(id);
    this.#versions.set(id, known);
    if (this.#versions.size > MOST_VERSIONS) this.#versions.delete(this.#versions.keys().next().value ?? '');
    return known;
  }

  /** By a version's id, a draft's id, or a family's slug: its draft, else its latest version. */
  async find(tenantId: TenantId, idOrSlug: string): Promise<DefinitionRow | null> {
    if (isUuid(idOrSlug)) {
      const row = await this.#rows()
        .where({ tenant_id: tenantId, id: idOrSlug })
        .whereNot({ status: 'unlisted' })
        .first();
      if (row) return row;
    }
    return this.ofFamily(tenantId, idOrSlug);
  }

  /** A family's draft, else its latest version. */
  async ofFamily(tenantId: TenantId, slug: string): Promise<DefinitionRow | null> {
    const family = this.#rows().where({ tenant_id: tenantId, family_slug: slug }).whereNot({ status: 'unlisted' });
    return (await family.orderByRaw("status = 'draft' desc, version desc").first()) ?? null;
  }

  async versionId(
    tenantId: TenantId,
    { slug, version }: { readonly slug: string; readonly version: number },
  ): Promise<string | null> {
    const family = this.#rows().where({ tenant_id: tenantId, family_slug: slug, version }).whereIn('status', VERSIONS);
    return (await family.first('id'))?.id ?? null;
  }

  /** The latest version that is published, not archived. */
  async latest(tenantId: TenantId, slug: string): Promise<Definition | null> {
    const published = this.#rows().where({ tenant_id: tenantId, family_slug: slug, status: 'published' });
    const row = await published.orderBy('version', 'desc').first();
    return row ? definitionOf(row) : null;
  }

  list(
    tenantId: TenantId,
    { status, q, tags }: DefinitionFilter,
    page: PageOfRows<string>,
  ): Promise<readonly DefinitionRow[]> {
    const query = this.#rows().where({ tenant_id: tenantId }).whereNot({ status: 'unlisted' });
    if (status !== undefined) query.where({ status });
    // Not LIKE: what the caller writes has no wildcards.
    if (q !== undefined)
      query.whereRaw("strpos(lower(concat_ws(e'\\n', title, family_slug, description)), lower(?)) > 0", [q]);
    if (tags !== undefined) query.whereRaw('tags @> ?', [[...tags]]);
    if (page.after !== null) query.where('id', page.order === 'asc' ? '>' : '<', page.after);
    return query.orderBy('id', page.order).limit(page.limit);
  }

  /** All versions of a family, archived ones too. */
  versions(tenantId: TenantId, slug: string, page: PageOfRows<number>): Promise<readonly DefinitionRow[]> {
    const query = this.#rows().where({ tenant_id: tenantId, family_slug: slug }).whereIn('status', VERSIONS);
    if (page.after !== null) query.where('version', page.order === 'asc' ? '>' : '<', page.after);
    return query.orderBy('version', page.order).limit(page.limit);
  }

  /** A family's draft, or `null` if it has one already. A family whose draft was deleted goes on counting its versions. */
  async createDraft(tenantId: TenantId, draft: NewDraft): Promise<DraftRow | null> {
    const family = { tenant_id: tenantId, family_slug: draft.family_slug };
    const [row] = await this.#rows()
      .insert({
        ...written(draft),
        tenant_id: tenantId,
        family_id: this.#knex.raw('coalesce((?), ?)', [
          this.#rows().select('family_id').where(family).limit(1),
          draft.id,
        ]),
        status: 'draft',
        version: this.#knex.raw('coalesce((?), 0) + 1', [this.#rows().max('version').where(family)]),
        draft_revision: 1,
        updated_at: draft.created_at,
      })
      .onConflict(this.#knex.raw("(tenant_id, family_slug) where status = 'draft'"))
      .ignore()
      .returning('*');
    return row && isDraft(row) ? row : null;
  }

  /** In one statement, so that of two who read the same revision one is refused: `null`. */
  async saveDraft(draft: DraftRow, changes: DraftChanges): Promise<DraftRow | null> {
    const { id, tenant_id, draft_revision } = draft;
    const [row] = await this.#rows()
      .where({ id, tenant_id, status: 'draft', draft_revision })
      .update({ ...written(changes), draft_revision: draft_revision + 1 })
      .returning('*');
    return row && isDraft(row) ? row : null;
  }

  /** The draft as it is now; nobody else changes it before the transaction ends. */
  async lockDraft(tenantId: TenantId, id: string): Promise<DraftRow | null> {
    const row = await this.#rows().where({ tenant_id: tenantId, id, status: 'draft' }).forUpdate().first();
    return row && isDraft(row) ? row : null;
  }

  /** The number that the family's next version gets. The draft must be locked. */
  async nextVersion({ tenant_id, family_slug }: DraftRow): Promise<number> {
    const query = this.#rows().where({ tenant_id, family_slug }).whereIn('status', VERSIONS);
    const latest = await query.orderBy('version', 'desc').first('version');
    return (latest?.version ?? 0) + 1;
  }

  /** Writes a version and moves the draft on to the next number; its revision stays. */
  async publish(draft: DraftRow, version: DefinitionRow): Promise<DraftRow> {
    await this.#rows().insert(written(version));
    const [row] = await this.#rows()
      .where({ id: draft.id, tenant_id: draft.tenant_id })
      .update({ version: version.version + 1 })
      .returning('*');
    if (!row || !isDraft(row)) throw new Error(`Draft ${draft.id} was not locked.`);
    return row;
  }

  /** The ids of a family's published versions, oldest first; no other transaction archives them meanwhile. */
  async lockPublished(tenantId: TenantId, slug: string): Promise<readonly string[]> {
    const published = this.#rows().where({ tenant_id: tenantId, family_slug: slug, status: 'published' });
    const rows = await published.orderBy('version').forUpdate().select('id');
    return rows.map(({ id }) => id);
  }

  /** Answers with those that it archived. */
  archive(tenantId: TenantId, ids: readonly string[], archivedAt: Instant): Promise<readonly DefinitionRow[]> {
    return this.#rows()
      .where({ tenant_id: tenantId, status: 'published' })
      .whereIn('id', [...ids])
      .update({ status: 'archived', archived_at: archivedAt, updated_at: archivedAt })
      .returning('*');
  }

  async deleteDraft(tenantId: TenantId, id: string): Promise<boolean> {
    return (await this.#rows().where({ tenant_id: tenantId, id, status: 'draft' }).delete()) > 0;
  }

  /** Inserts what is not there yet; a graph runs on what `of` was published with. */
  async define(workflow: UnlistedWorkflow, of: Definition): Promise<DefinitionId> {
    const id = unlistedId(workflow, of);
    if (this.#versions.has(id)) return id;
    const copied = 'tenant_id, family_id, family_slug, version, title, connectors, actions';
    await this.#knex.raw(
      `insert into eec_workflow_definition (id, status, graph, settings, ${copied}, published_at)
       select cast(:id as uuid), 'unlisted', cast(:graph as json), cast(:settings as json), ${copied}, clock_timestamp()
       from eec_workflow_definition where id = :of on conflict (id) do nothing`,
      { id, graph: JSON.stringify(workflow.graph), settings: JSON.stringify(workflow.settings ?? {}), of: of.id },
    );
    return id;
  }

  async #read(id: DefinitionId): Promise<Definition | null> {
    const row = await this.#rows().where({ id }).whereNot({ status: 'draft' }).first();
    return row ? definitionOf(row) : null;
  }

  #rows() {
    return this.#knex(TABLE);
  }
}
