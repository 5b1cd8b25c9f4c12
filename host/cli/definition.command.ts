import type { Schemas } from '@ductor/client';
import type { Command } from 'commander';
import { collect } from './arguments.ts';
import { openClient } from './client.ts';
import { addDefinitionEdits } from './definition/edits.ts';
import { examples } from './examples.ts';
import { LIMIT, pageSize, printList } from './list.ts';
import { print } from './screen.ts';
import { ageText } from './text.ts';

export function addDefinition(program: Command): void {
  const group = program.command('definition').description('workflow definitions: drafts and versions');
  addApply(group);
  addGet(group);
  addList(group);
  addVersions(group);
  addDefinitionEdits(group);
}

function addApply(group: Command): void {
  group
    .command('apply <file>')
    .description('make the draft what a YAML or JSON file says; what the file leaves out is cleared')
    .option('--publish', 'publish it, unless the latest version has the same graph and settings')
    .addHelpText('after', examples('definition apply refund-desk.yaml --publish'))
    .action(async (file: string, { publish = false }: { publish?: boolean }, command: Command) => {
      const [{ applyDefinition }, { readDefinitionFile }] = await Promise.all([
        import('./definition/apply.ts'),
        import('./definition/definition-file.ts'),
      ]);
      const definition = readDefinitionFile(file);
      const applied = await applyDefinition({ client: openClient(), definition, publish });
      const { draft, change, version, isNewVersion } = applied;
      print(command, {
        json: { change, draft, version, new_version: isNewVersion },
        text: () =>
          [
            `${draft.family_slug}: draft ${change} (revision ${draft.draft_revision})`,
            ...(version === null
              ? []
              : isNewVersion
                ? [`version ${version.version} published, id ${version.id}`]
                : [`no new version: version ${version.version} has the same graph and settings, id ${version.id}`]),
            ...applied.warnings.map(({ path, message }) => `warning: ${path}: ${message}`),
          ].join('\n'),
      });
    });
}

function addGet(group: Command): void {
  group
    .command('get <slug-or-id>')
    .description('print a definition as a file that `definition apply` takes; a slug means its draft')
    .addHelpText('after', examples('definition get refund-desk > refund-desk.yaml'))
    .action(async (id: string, _options: object, command: Command) => {
      const { stringify } = await import('yaml');
      const { data } = await openClient().GET('/api/workflow-definitions/{id}', { params: { path: { id } } });
      const { family_slug, title, description, tags, graph, settings, status, version } = data;
      const file = { family_slug, title, ...(description !== null && { description }), tags, graph, settings };
      const what = `${status} ${status === 'draft' ? 'of what becomes ' : ''}version ${version}, id ${data.id}`;
      print(command, { json: data, text: () => `# ${what}\n${stringify(file).trimEnd()}` });
    });
}

interface ListOptions {
  readonly status?: Schemas['WorkflowDefinitionSummary']['status'];
  readonly q?: string;
  readonly tag?: string[];
  readonly limit: number;
}

function addList(group: Command): void {
  group
    .command('list')
    .description('list drafts and versions, newest first')
    .option('--status <status>', 'draft, published or archived')
    .option('--q <text>', 'found in title, slug or description')
    .option('--tag <tag>', 'only with this tag; may be repeated', collect)
    .option(...LIMIT)
    .addHelpText('after', examples('definition list --status published --tag billing'))
    .action(async ({ status, q, tag, limit }: ListOptions, command: Command) => {
      const query = { ...(status && { status }), ...(q !== undefined && { q }), ...(tag && { tags: tag }) };
      const found = openClient().paged('/api/workflow-definitions', {
        params: { query: { ...query, page_size: pageSize(limit) } },
      });
      await printList(command, found, { limit, head: HEAD, row: summaryRow });
    });
}

function addVersions(group: Command): void {
  group
    .command('versions <slug-or-id>')
    .description('list the versions of a workflow, newest first')
    .option(...LIMIT)
    .addHelpText('after', examples('definition versions refund-desk'))
    .action(async (id: string, { limit }: { limit: number }, command: Command) => {
      const found = openClient().paged('/api/workflow-definitions/{id}/versions', {
        params: { path: { id }, query: { page_size: pageSize(limit) } },
      });
      await printList(command, found, { limit, head: HEAD, row: summaryRow });
    });
}

const HEAD = ['SLUG', 'VERSION', 'STATUS', 'TITLE', 'CHANGED', 'ID'];

const summaryRow = (found: Schemas['WorkflowDefinitionSummary']): readonly string[] => [
  found.family_slug,
  String(found.version),
  found.status,
  found.title,
  ageText(found.updated_at),
  found.id,
];
