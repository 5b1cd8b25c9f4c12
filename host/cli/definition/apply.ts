import { isDeepStrictEqual } from 'node:util';
import type { JsonObject } from '@ductor/core';
import type { Api } from '../api.ts';
import { ApiError } from '../errors.ts';
import type { DefinitionDetail, DefinitionItem, Page, Published, Warning } from '../wire.ts';
import type { DefinitionFile } from './definition-file.ts';

export interface Applied {
  readonly change: 'created' | 'updated' | 'unchanged';
  readonly draft: DefinitionDetail;
  /** The version that is now the latest; `null` where publishing was not asked for. */
  readonly version: DefinitionItem | null;
  readonly isNewVersion: boolean;
  readonly warnings: readonly Warning[];
}

type Content = DefinitionFile['content'];

const PATH = '/api/workflow-definitions';
const pathOf = (idOrSlug: string): string => `${PATH}/${encodeURIComponent(idOrSlug)}`;

/** Makes a family's draft what a file says, and publishes it if asked to and if that makes a difference. */
export async function applyDefinition({
  api,
  definition: { content, locate },
  publish,
}: {
  readonly api: Api;
  readonly definition: DefinitionFile;
  readonly publish: boolean;
}): Promise<Applied> {
  try {
    const { draft, change } = await applyDraft(api, content);
    const done = { draft, change, warnings: draft.warnings };
    if (!publish) return { ...done, version: null, isNewVersion: false };
    const latest = await latestVersion(api, draft.id);
    if (latest !== null && isSame(latest, content)) return { ...done, version: latest, isNewVersion: false };
    const result = await api.post<Published>(`${pathOf(draft.id)}/publish`, {
      expected_draft_revision: draft.draft_revision,
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

async function applyDraft(api: Api, content: Content): Promise<Pick<Applied, 'draft' | 'change'>> {
  const found = await find(api, content.family_slug);
  if (found?.status !== 'draft') return { draft: await api.post(PATH, content), change: 'created' };
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
  const draft = await api.patch<DefinitionDetail>(`${pathOf(found.id)}/draft`, {
    expected_draft_revision: found.draft_revision,
    ...fields,
    ...(operations.length > 0 && { operations }),
  });
  return { draft, change: 'updated' };
}

/** The family's draft, else its latest version. */
async function find(api: Api, slug: string): Promise<DefinitionDetail | null> {
  try {
    return await api.get<DefinitionDetail>(pathOf(slug));
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') return null;
    throw error;
  }
}

/** Settings are merged by the host, and null takes one away. */
const replacing = (before: JsonObject, after: JsonObject): JsonObject => ({
  ...Object.fromEntries(Object.keys(before).map((name) => [name, null])),
  ...after,
});

async function latestVersion(api: Api, draftId: string): Promise<DefinitionDetail | null> {
  const { items } = await api.get<Page<DefinitionItem>>(`${pathOf(draftId)}/versions`, { page_size: 1 });
  const [latest] = items;
  return latest === undefined ? null : api.get<DefinitionDetail>(pathOf(latest.id));
}

/** An archived version takes no runs: to publish the same again makes a difference. */
const isSame = ({ status, graph, settings }: DefinitionDetail, content: Content): boolean =>
  status === 'published' && isDeepStrictEqual(graph, content.graph) && isDeepStrictEqual(settings, content.settings);
