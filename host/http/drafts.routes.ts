import type { Vocabulary } from '@ductor/core';
import type { ServerRoute } from '@hapi/hapi';
import type { DefinitionDrafts, DraftEdit, NewDefinition } from '../definitions/definition-drafts.ts';
import { asked } from './caller.ts';
import { definitionAnswer, deletedDraftAnswer } from './definition.answers.ts';
import { definitionComponents } from './definition.components.ts';
import { DEFINITION_EXAMPLES as EXAMPLES } from './definition.examples.ts';
import { createPayload, duplicatePayload, editPayload, definitionParams as params } from './definition.schemas.ts';
import { definitionDetail } from './definition.view.ts';

const WRITE = { scope: ['workflow_definition:write'] };
const BASE = '/api/workflow-definitions';
const tags = ['Definitions'];

/** What becomes of a workflow's draft until it is published. */
export const draftRoutes = ({
  drafts,
  vocabulary,
}: {
  readonly drafts: DefinitionDrafts;
  readonly vocabulary: Vocabulary;
}): readonly ServerRoute[] => [
  {
    method: 'POST',
    path: BASE,
    options: {
      id: 'createWorkflowDefinition',
      description: 'Create a workflow as a draft',
      notes: 'A family_slug that is known already is refused, unless its draft has been deleted.',
      tags,
      auth: WRITE,
      validate: { payload: createPayload },
      response: { schema: definitionAnswer },
      plugins: { ductor: { components: definitionComponents(vocabulary), examples: EXAMPLES.create } },
    },
    async handler(request) {
      const { author, payload } = asked<NewDefinition>(request);
      return definitionDetail(await drafts.create(author, payload));
    },
  },
  {
    method: 'PATCH',
    path: `${BASE}/{id}/draft`,
    options: {
      id: 'updateWorkflowDraft',
      description: 'Edit a draft',
      notes:
        'All operations or none, in their order. A draft that was edited since `expected_draft_revision` is a 409, which names the current one; null clears a field.',
      tags,
      auth: WRITE,
      validate: { params, payload: editPayload },
      response: { schema: definitionAnswer },
      plugins: { ductor: { examples: EXAMPLES.update } },
    },
    async handler(request) {
      const { author, id, payload } = asked<DraftEdit>(request);
      const { draft, warnings } = await drafts.edit(author, id, payload);
      return definitionDetail(draft, warnings);
    },
  },
  {
    method: 'DELETE',
    path: `${BASE}/{id}/draft`,
    options: {
      id: 'deleteWorkflowDraft',
      description: 'Delete a draft',
      notes: 'Its versions stay.',
      tags,
      auth: WRITE,
      validate: { params },
      response: { schema: deletedDraftAnswer },
      plugins: { ductor: { examples: EXAMPLES.delete } },
    },
    async handler(request) {
      const { author, id } = asked(request);
      const draft = await drafts.delete(author, id);
      return { id: draft.id, family_slug: draft.family_slug, deleted: true };
    },
  },
  {
    method: 'POST',
    path: `${BASE}/{id}/duplicate`,
    options: {
      id: 'duplicateWorkflowDefinition',
      description: 'Copy a workflow as a draft of another name',
      tags,
      auth: WRITE,
      validate: { params, payload: duplicatePayload },
      response: { schema: definitionAnswer },
      plugins: { ductor: { examples: EXAMPLES.duplicate } },
    },
    async handler(request) {
      const { author, id, payload } = asked<{ readonly family_slug: string }>(request);
      return definitionDetail(await drafts.duplicate(author, id, payload.family_slug));
    },
  },
];
