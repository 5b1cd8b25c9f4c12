import type { Checked, Clock, Definition, Hooks, Ids, Problem, TenantId, Write } from '@ductor/core';
import type { Knex } from 'knex';
import { type Author, writeAudit } from '../postgres/audit-log.ts';
import { type DefinitionRow, type DraftRow, definitionOf, isDraft } from '../postgres/definition-row.ts';
import type { PostgresDefinitionStore } from '../postgres/definition-store.ts';
import { otherFamilies } from '../postgres/entitlements.ts';
import { replaceTriggers } from '../postgres/events/triggers.ts';
import { type Entitlements, familyProblems, wordProblems } from '../tenants/entitlements.ts';
import type { DefinitionChecks } from './definition-checks.ts';
import type { DefinitionDrafts } from './definition-drafts.ts';
import { notFound, refusal, staleRevision } from './refusals.ts';

/** Writes plugins' rows by the statements of their tables, in the transaction of the moment. */
export type WriteRows = (transaction: Knex.Transaction, tenantId: TenantId, rows: readonly Write[]) => Promise<void>;

export interface Published {
  readonly published: DefinitionRow;
  readonly draft: DraftRow;
  readonly warnings: readonly Problem[];
}

export interface PublisherDeps {
  readonly store: PostgresDefinitionStore;
  readonly drafts: DefinitionDrafts;
  readonly checks: DefinitionChecks;
  readonly entitlements: (tenantId: TenantId) => Promise<Entitlements>;
  /** In the order of their plugins. */
  readonly hooks: readonly Hooks[];
  readonly writeRows: WriteRows;
  readonly clock: Pick<Clock, 'now'>;
  readonly ids: Pick<Ids, 'uuidv7'>;
}

/** Versions: made of drafts, and taken out of use. Throws `DuctorError`. */
export class DefinitionPublisher {
  readonly #deps: PublisherDeps;

  constructor(deps: PublisherDeps) {
    this.#deps = deps;
  }

  /** What publish would say: `invalid_argument` or `permission_denied` with every problem, or the warnings. */
  async validate(tenantId: TenantId, idOrSlug: string): Promise<readonly Problem[]> {
    const { store, drafts, checks, entitlements } = this.#deps;
    const [check, limits] = await Promise.all([checks.of(tenantId), entitlements(tenantId)]);
    const definition = await drafts.find(tenantId, idOrSlug);
    const { problems: faults, warnings, uses } = check(definition);
    const missing = await store.transaction((transaction) => notEntitled(transaction, { ...definition, uses }, limits));
    const problems = [...faults, ...missing];
    if (problems.length > 0) throw refusal('The definition', problems, 'it cannot be published');
    return warnings;
  }

  /**
   * Writes what the draft is now as the next version: one publish of a family after another, and no edit between
   * reading and writing. `conflict` if the draft is not at the expected revision.
   */
  async publish(author: Author, idOrSlug: string, expectedRevision?: number): Promise<Published> {
    const { tenantId } = author;
    const { store, drafts, checks, entitlements, writeRows, clock, ids } = this.#deps;
    const [check, limits] = await Promise.all([checks.of(tenantId), entitlements(tenantId)]);
    const { id } = await drafts.draft(tenantId, idOrSlug);
    return store.transaction(async (transaction) => {
      const locked = store.in(transaction);
      const draft = await locked.lockDraft(tenantId, id);
      if (!draft) throw notFound();
      if (expectedRevision !== undefined && expectedRevision !== draft.draft_revision) {
        throw staleRevision(draft.draft_revision);
      }
      const { problems: faults, warnings, connectors, actions, uses } = check(draft);
      const problems = [...faults, ...(await notEntitled(transaction, { ...draft, uses }, limits))];
      if (problems.length > 0) throw refusal('The draft', problems, 'nothing was published');
      const now = clock.now();
      const published: DefinitionRow = {
        ...draft,
        id: ids.uuidv7(),
        status: 'published',
        version: await locked.nextVersion(draft),
        draft_revision: null,
        connectors,
        actions,
        created_at: now,
        updated_at: now,
        published_at: now,
      };
      const previous = await locked.latest(tenantId, draft.family_slug);
      const next = await locked.publish(draft, published);
      await writeRows(transaction, tenantId, this.#publishRows(definitionOf(published), previous));
      await followTriggers(transaction, published.family_slug, { tenantId, latest: published });
      const { family_slug, version } = published;
      await writeAudit(transaction, {
        ...author,
        action: 'workflow_definition.publish',
        target: published.id,
        details: { family_slug, version },
      });
      return { published, draft: next, warnings };
    });
  }

  /**
   * A version's id archives it; a draft's id or a slug, all versions of the family. Those already archived stay as they
   * are. Answers with what was addressed, and what was archived now.
   */
  async archive(
    author: Author,
    idOrSlug: string,
  ): Promise<{ readonly definition: DefinitionRow; readonly archived: readonly DefinitionRow[] }> {
    const { tenantId } = author;
    const { store, drafts, writeRows, clock } = this.#deps;
    const found = await drafts.find(tenantId, idOrSlug);
    const isFamily = isDraft(found) || found.id !== idOrSlug;
    return store.transaction(async (transaction) => {
      const locked = store.in(transaction);
      const published = await locked.lockPublished(tenantId, found.family_slug);
      const chosen = isFamily ? published : published.filter((id) => id === found.id);
      const archived = await locked.archive(tenantId, chosen, clock.now());
      const latest = archived.find(({ id }) => id === published.at(-1));
      if (latest) {
        const successor = await locked.latest(tenantId, found.family_slug);
        await writeRows(transaction, tenantId, this.#rowsAfter(definitionOf(latest), successor));
        await followTriggers(transaction, latest.family_slug, { tenantId, latest: successor });
      }
      for (const { id, family_slug, version } of archived) {
        const details = { family_slug, version };
        await writeAudit(transaction, { ...author, action: 'workflow_definition.archive', target: id, details });
      }
      return { definition: archived.find(({ id }) => id === found.id) ?? found, archived };
    });
  }

  /** What follows a family's latest version follows the one before it, or ends with the last. */
  #rowsAfter(archived: Definition, successor: Definition | null): readonly Write[] {
    if (successor) return this.#publishRows(successor, archived);
    return this.#deps.hooks.flatMap((hooks) => hooks.archive?.({ definition: archived }) ?? []);
  }

  #publishRows(definition: Definition, previous: Definition | null): readonly Write[] {
    return this.#deps.hooks.flatMap((hooks) => hooks.publish?.({ definition, previous }) ?? []);
  }
}

/** Events start runs by what the latest published version says; `null`: there is none. */
const followTriggers = (
  transaction: Knex.Transaction,
  slug: string,
  { tenantId, latest }: { readonly tenantId: TenantId; readonly latest: Pick<Definition, 'settings'> | null },
): Promise<void> => replaceTriggers(transaction, { tenantId, slug, triggers: latest?.settings.triggers ?? [] });

/** What of it the tenant is not entitled to. */
async function notEntitled(
  transaction: Knex.Transaction,
  { tenant_id: tenantId, family_slug: slug, graph, uses }: DefinitionRow & Pick<Checked, 'uses'>,
  limits: Entitlements,
): Promise<readonly Problem[]> {
  const others = limits.max_definitions === null ? 0 : await otherFamilies(transaction, { tenantId, slug });
  return [...wordProblems(limits, { graph, uses }), ...familyProblems(limits, others)];
}
