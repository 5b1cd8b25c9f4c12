import type { Command } from 'commander';
import { openClient } from '../client.ts';
import { examples } from '../examples.ts';
import { print } from '../screen.ts';

/** `definition validate`, `duplicate` and `archive`. */
export function addDefinitionEdits(group: Command): void {
  group
    .command('validate <slug-or-id>')
    .description('check a draft as publish would; every problem is named')
    .addHelpText('after', examples('definition validate refund-desk'))
    .action(async (id: string, _options: object, command: Command) => {
      const { data } = await openClient().POST('/api/workflow-definitions/{id}/validate', {
        params: { path: { id } },
      });
      const warnings = data.warnings.map(({ path, message }) => `warning: ${path}: ${message}`);
      print(command, { json: data, text: () => ['It can be published.', ...warnings].join('\n') });
    });
  group
    .command('duplicate <slug-or-id> <new-slug>')
    .description('copy a workflow as a draft of another name')
    .addHelpText('after', examples('definition duplicate refund-desk refund-desk-eu'))
    .action(async (id: string, family_slug: string, _options: object, command: Command) => {
      const { data } = await openClient().POST('/api/workflow-definitions/{id}/duplicate', {
        params: { path: { id } },
        body: { family_slug },
      });
      print(command, { json: data, text: () => `${data.family_slug}: draft created, id ${data.id}` });
    });
  group
    .command('archive <slug-or-id>')
    .description('archive a version by its id, or all of a workflow: no new runs, and those under way go on')
    .addHelpText('after', examples('definition archive refund-desk'))
    .action(async (id: string, _options: object, command: Command) => {
      const { data } = await openClient().POST('/api/workflow-definitions/{id}/archive', { params: { path: { id } } });
      const archived = data.archived.map(({ version }) => version).sort((a, b) => a - b);
      print(command, {
        json: data,
        text: () =>
          archived.length === 0
            ? `${data.family_slug}: nothing is left to archive`
            : `${data.family_slug}: archived version ${archived.join(', ')}`,
      });
    });
}
