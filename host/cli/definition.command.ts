import type { Command } from 'commander';
import { Api } from './api.ts';
import { collect } from './arguments.ts';
import { print } from './screen.ts';
import { ageText, table } from './text.ts';
import type { DefinitionDetail, DefinitionItem, Page } from './wire.ts';

const PATH = '/api/workflow-definitions';

export function addDefinition(program: Command): void {
  const group = program.command('definition').description('workflow definitions: drafts and versions');
  addApply(group);
  group
    .command('get <slug-or-id>')
    .description('print a definition as a file that `definition apply` takes; a slug means its draft')
    .action(async (address: string, _options: object, command: Command) => {
      const { stringify } = await import('yaml');
      const found = await new Api().get<DefinitionDetail>(`${PATH}/${encodeURIComponent(address)}`);
      const { family_slug, title, description, tags, graph, settings, status, version, id } = found;
      const file = { family_slug, title, ...(description !== null && { description }), tags, graph, settings };
      print(command, {
        json: found,
        text: () =>
          `# ${status} ${status === 'draft' ? 'of what becomes ' : ''}version ${version}, id ${id}\n${stringify(file).trimEnd()}`,
      });
    });
  group
    .command('list')
    .description('list drafts and versions, newest first')
    .option('--status <status>', 'draft, published or archived')
    .option('--q <text>', 'found in title, slug or description')
    .option('--tag <tag>', 'only with this tag; may be repeated', collect)
    .action(async ({ status, q, tag }: { status?: string; q?: string; tag?: string[] }, command: Command) => {
      const page = await new Api().get<Page<DefinitionItem>>(PATH, { status, q, tags: tag, page_size: 500 });
      const rows = page.items.map(({ family_slug, version, status, title, updated_at, id }) => [
        ...[family_slug, String(version), status, title, ageText(updated_at), id],
      ]);
      print(command, {
        json: page,
        text: () => table(['SLUG', 'VERSION', 'STATUS', 'TITLE', 'CHANGED', 'ID'], rows),
      });
    });
}

function addApply(group: Command): void {
  group
    .command('apply <file>')
    .description('make the draft what a YAML or JSON file says; what the file leaves out is cleared')
    .option('--publish', 'publish it, unless the latest version has the same graph and settings')
    .action(async (file: string, { publish = false }: { publish?: boolean }, command: Command) => {
      const [{ applyDefinition }, { readDefinitionFile }] = await Promise.all([
        import('./definition/apply.ts'),
        import('./definition/definition-file.ts'),
      ]);
      const definition = readDefinitionFile(file);
      const applied = await applyDefinition({ api: new Api(), definition, publish });
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
