import type { ServerRoute } from '@hapi/hapi';
import type { DefinitionPublisher } from '../definitions/definition-publisher.ts';
import { problemsJson } from '../definitions/refusals.ts';
import { asked } from './caller.ts';
import { archivedAnswer, publishedAnswer, validationAnswer } from './definition.answers.ts';
import { DEFINITION_EXAMPLES as EXAMPLES } from './definition.examples.ts';
import { definitionParams as params, publishPayload } from './definition.schemas.ts';
import { definitionDetail } from './definition.view.ts';

const READ = 'workflow_definition:read';
const WRITE = 'workflow_definition:write';
const BASE = '/api/workflow-definitions';
const tags = ['Definitions'];

/** From a draft to a version, and to its end. */
export const publishRoutes = ({ publisher }: { readonly publisher: DefinitionPublisher }): readonly ServerRoute[] => [
  {
    method: 'POST',
    path: `${BASE}/{id}/validate`,
    options: {
      id: 'validateWorkflowDraft',
      description: 'Check a draft as publish would',
      notes: 'What is wrong is a 400, with every problem in it.',
      tags,
      auth: { scope: [READ, WRITE] },
      validate: { params },
      response: { schema: validationAnswer },
      plugins: { ductor: { examples: EXAMPLES.validate } },
    },
    async handler(request) {
      const { tenantId, id } = asked(request);
      const warnings = await publisher.validate(tenantId, id);
      return { valid: true, warnings: problemsJson(warnings) };
    },
  },
  {
    method: 'POST',
    path: `${BASE}/{id}/publish`,
    options: {
      id: 'publishWorkflowDefinition',
      description: 'Publish a draft as an immutable version',
      notes:
        'What is wrong is a 400, with every problem in it; then nothing is published. A fresh draft takes its place.',
      tags,
      auth: { scope: [WRITE] },
      validate: { params, payload: publishPayload },
      response: { schema: publishedAnswer },
      plugins: { ductor: { examples: EXAMPLES.publish } },
    },
    async handler(request) {
      const { author, id, payload } = asked<{ readonly expected_draft_revision?: number } | null>(request);
      const result = await publisher.publish(author, id, payload?.expected_draft_revision);
      return {
        published: definitionDetail(result.published),
        draft: definitionDetail(result.draft),
        warnings: problemsJson(result.warnings),
      };
    },
  },
  {
    method: 'POST',
    path: `${BASE}/{id}/archive`,
    options: {
      id: 'archiveWorkflowDefinition',
      description: 'Archive a version, or all of a workflow',
      notes:
        'A version’s id archives that one, a family’s slug or its draft’s id all of them. No new runs; those under way go on.',
      tags,
      auth: { scope: [WRITE] },
      validate: { params },
      response: { schema: archivedAnswer },
      plugins: { ductor: { examples: EXAMPLES.archive } },
    },
    async handler(request) {
      const { author, id } = asked(request);
      const { definition, archived } = await publisher.archive(author, id);
      return {
        ...definitionDetail(definition),
        archived: archived.map((row) => ({ id: row.id, version: row.version })),
      };
    },
  },
];
