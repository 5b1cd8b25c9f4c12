import { isDeepStrictEqual } from 'node:util';
import { DuctorApiError, type DuctorClient, type Problem, type Schemas } from '@ductor/client';
import type { JsonObject } from '@ductor/core';
import type { DefinitionFile } from './definition-file.ts';

type Definition = Schemas['WorkflowDefinition'];
type Client = Pick<DuctorClient, 'GET' | 'POST' | 'PATCH'>;

export interface Applied {
  readonly change: 'created' | 'updated' | 'unchanged';
  readonly draft: Definition;
  /** The version that is now the latest; `null` where publishing was not asked for. */
  readonly version: Definition | null;
  readonly isNewVersion: boolean;
  readonly warnings: readonly Problem[];
}

type Content = DefinitionFile['content'];

const at = (id: string) => ({ path: { id } });

/** Makes a family's draft what a file says, and publishes it if asked to and if that makes a difference. */
export async function applyDefinition({
  client,
  definition: { content, locate },
  publish,
}: {
  readonly client: Client;
  readonly definition: DefinitionFile;
  readonly publish: boolean;
}): Promise<Applied> {
  try {
    const { draft, change } = await applyDraft(client, content);
    const done = { draft, change, warnings: draft.warnings };
    if (!publish) return { ...done, version: null, isNewVersion: false };
    const latest = await latestVersion(client, draft.id);
    if (latest !== null && isSame(latest, content)) return { ...done, version: latest, isNewVersion: false };
    const { data: result } = await client.POST('/api/workflow-definitions/{id}/publish', {
      params: at(draft.id),
      body: { expected_draft_revision: revisionOf(draft) },
    });
    return {
      ...done,
      draft: result.draft,
      version: result.published,
      isNewVersion: true,
      warnings: [...done.warnings, ...result.warnings],
    };
  } catch (error) {
    throw locate(error);
  }
}

async function applyDraft(client: Client, content: Content): Promise<Pick<Applied, 'draft' | 'change'>> {
  const found = await find(client, content.family_slug);
  if (found?.status !== 'draft') {
    const { data } = await client.POST('/api/workflow-definitions', { body: content });
    return { draft: data, change: 'created' };
  }
  const { title, description, tags } = content;
  const fields = {
    ...(title !== found.title && { title }),
    ...(description !== found.description && { description }),
    ...(!isDeepStrictEqual(tags, found.tags) && { tags }),
  };
  const operations = [
    ...(isDeepStrictEqual(content.graph, found.graph) ? [] : [{ replace_graph: content.graph }]),
    ...(isDeepStrictEqual(content.settings, found.settings)
      ? []
      : [{ set_settings: replacing(found.settings, content.settings) }]),
  ];
  if (operations.length === 0 && Object.keys(fields).length === 0) return { draft: found, change: 'unchanged' };
  const { data: draft } = await client.PATCH('/api/workflow-definitions/{id}/draft', {
    params: at(found.id),
    body: {
      expected_draft_revision: revisionOf(found),
      ...fields,
      ...(operations.length > 0 && { operations }),
    },
  });
  return { draft, change: 'updated' };
}

/** A draft has one. */
const revisionOf = ({ draft_revision = 0 }: Definition): number => draft_revision;

/** The family's draft, else its latest version. */
async function find(client: Client, slug: string): Promise<Definition | null> {
  try {
    const { data } = await client.GET('/api/workflow-definitions/{id}', { params: at(slug) });
    return data;
  } catch (error) {
    if (error instanceof DuctorApiError && error.code === 'not_found') return null;
    throw error;
  }
}

/** Settings are merged by the host, and null takes one away. */
const replacing = (before: object, after: object): JsonObject => ({
  ...Object.fromEntries(Object.keys(before).map((name) => [name, null])),
  ...after,
});

async function latestVersion(client: Client, draftId: string): Promise<Definition | null> {
  const { data: page } = await client.GET('/api/workflow-definitions/{id}/versions', {
    params: { ...at(draftId), query: { page_size: 1 } },
  });
  const [latest] = page.items;
  if (latest === undefined) return null;
  const { data } = await client.GET('/api/workflow-definitions/{id}', { params: at(latest.id) });
  return data;
}

/** An archived version takes no runs: to publish the same again makes a difference. */
const isSame = ({ status, graph, settings }: Definition, content: Content): boolean =>
  status === 'published' && isDeepStrictEqual(graph, content.graph) && isDeepStrictEqual(settings, content.settings);
