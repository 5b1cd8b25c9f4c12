import type { ActionTraits, ConnectorPin, Definition, Graph, Instant, JsonObject, TenantId } from '@ductor/core';
import type { Knex } from 'knex';

/** A row of eec_workflow_definition: a family's draft, one of its versions, or a graph that only its runs know. */
export interface DefinitionRow {
  readonly id: string;
  readonly tenant_id: TenantId;
  /** The id of the family's first draft; it stays when that draft is deleted. */
  readonly family_id: string;
  readonly family_slug: string;
  readonly status: 'draft' | 'published' | 'archived' | 'unlisted';
  /** Of a draft: the number that it will get. */
  readonly version: number;
  readonly draft_revision: number | null;
  readonly title: string;
  readonly description: string | null;
  readonly tags: readonly string[];
  readonly graph: Graph;
  readonly settings: JsonObject;
  readonly connectors: readonly ConnectorPin[] | null;
  readonly actions: { readonly [action: string]: ActionTraits } | null;
  readonly created_at: Instant;
  readonly updated_at: Instant;
  readonly published_at: Instant | null;
  readonly archived_at: Instant | null;
}

export type DraftRow = DefinitionRow & { readonly status: 'draft'; readonly draft_revision: number };

export const isDraft = (row: DefinitionRow): row is DraftRow => row.status === 'draft';

/** Of versions. */
export const VERSIONS = ['published', 'archived'] as const;

export const TABLE = 'eec_workflow_definition';

/** Columns as they are sent: values, or SQL that makes them. */
export type WrittenRow = { readonly [Column in keyof DefinitionRow]?: unknown };

declare module 'knex/types/tables.js' {
  interface Tables {
    [TABLE]: Knex.CompositeTableType<DefinitionRow, WrittenRow, WrittenRow>;
  }
}

/** JSON columns are sent as text: an array would become one of PostgreSQL's. */
export const written = ({
  graph,
  settings,
  connectors,
  actions,
  tags,
  ...row
}: Partial<DefinitionRow>): WrittenRow => ({
  ...row,
  ...(tags && { tags: [...tags] }),
  ...(graph && { graph: JSON.stringify(graph) }),
  ...(settings && { settings: JSON.stringify(settings) }),
  ...(connectors && { connectors: JSON.stringify(connectors) }),
  ...(actions && { actions: JSON.stringify(actions) }),
});

/** A version as the engine knows it. */
export function definitionOf(row: DefinitionRow): Definition {
  return {
    id: row.id,
    tenantId: row.tenant_id,
    familySlug: row.family_slug,
    version: row.version,
    graph: row.graph,
    settings: row.settings,
    connectors: row.connectors ?? [],
    actions: row.actions ?? {},
    publishedAt: row.published_at ?? row.created_at,
  };
}
