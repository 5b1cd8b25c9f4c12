import type { Problem } from '@ductor/core';
import { problemsJson } from '../definitions/refusals.ts';
import type { DefinitionRow } from '../postgres/definition-row.ts';

/** A definition in a list: all but the graph and what belongs to it. */
export const definitionSummary = (row: DefinitionRow) => ({
  id: row.id,
  family_slug: row.family_slug,
  title: row.title,
  description: row.description,
  tags: row.tags,
  status: row.status,
  version: row.version,
  ...(row.draft_revision !== null && { draft_revision: row.draft_revision }),
  created_at: row.created_at,
  updated_at: row.updated_at,
  published_at: row.published_at,
  archived_at: row.archived_at,
});

export const definitionDetail = (row: DefinitionRow, warnings: readonly Problem[] = []) => ({
  ...definitionSummary(row),
  graph: row.graph,
  settings: row.settings,
  ...(row.connectors !== null && { connectors: row.connectors }),
  warnings: problemsJson(warnings),
});
