import type { JsonObject } from '@ductor/core';
import type { Command } from 'commander';
import { readJson } from './arguments.ts';
import { UsageError } from './errors.ts';
import { examples } from './examples.ts';
import type { Added } from './plugin/add.ts';
import type { Removed } from './plugin/remove.ts';
import { print } from './screen.ts';
import { pathText, table } from './text.ts';

const CONFIG = ['--config <file>', 'default: DUCTOR_CONFIG, else ./ductor.yaml, else the defaults'] as const;
const RESTART = 'A host that is running goes by it when it is started again.';

export function addPlugin(program: Command): void {
  const group = program.command('plugin').description('plugins of the host on this machine');
  group
    .command('new <name-or-dir>')
    .description("write a new plugin's package, which tests and boots as it is")
    .addHelpText('after', examples('plugin new greetings'))
    .action(async (named: string, _options: object, command: Command) => {
      const { scaffoldPlugin } = await import('./plugin/scaffold.ts');
      const made = await scaffoldPlugin(named);
      const folder = pathText(made.folder);
      print(command, {
        json: made,
        text: () =>
          [
            `${made.package} is in ${folder}: ${made.files.join(', ')}`,
            `Try it: cd ${folder} && npm install && npm test && ductor plugin add .`,
          ].join('\n'),
      });
    });
  group
    .command('add <spec>')
    .description('install a package (name@range, folder, archive), check it, and name it in ductor.yaml')
    .option('--options <json>', 'what ductor.yaml shall tell it; JSON, @file, or @- for stdin')
    .option(...CONFIG)
    .addHelpText('after', examples('plugin add ./greetings'))
    .action(async (spec: string, { options, config }: { options?: string; config?: string }, command: Command) => {
      const [{ readConfig }, { addPlugin }] = await Promise.all([
        import('./config-file.ts'),
        import('./plugin/add.ts'),
      ]);
      const told = options === undefined ? undefined : asOptions(options);
      const added = await addPlugin(await readConfig(config), { spec, ...(told && { options: told }) });
      print(command, { json: added, text: () => addedText(added) });
    });
  group
    .command('list')
    .description('list our plugins and the others, and what is wrong with them')
    .option(...CONFIG)
    .addHelpText('after', examples('plugin list'))
    .action(async ({ config }: { config?: string }, command: Command) => {
      const [{ readConfig }, { listPlugins }] = await Promise.all([
        import('./config-file.ts'),
        import('./plugin/list.ts'),
      ]);
      const items = await listPlugins(await readConfig(config));
      const rows = items.map(({ name, id, version, own, state, step_types }) => [
        ...[name, id ?? '', version ?? '', own ? 'ours' : '', state, step_types.join(', ')],
      ]);
      print(command, {
        json: { items },
        text: () =>
          [
            table(['NAME', 'ID', 'VERSION', '', 'STATE', 'STEP TYPES'], rows),
            ...items.flatMap(({ problems }) => problems.map((problem) => `problem: ${problem}`)),
          ].join('\n'),
      });
    });
  group
    .command('remove <name>')
    .description('take a plugin out of ductor.yaml and off this machine; its tables stay')
    .option(...CONFIG)
    .addHelpText('after', examples('plugin remove greetings'))
    .action(async (name: string, { config }: { config?: string }, command: Command) => {
      const [{ readConfig }, { removePlugin }] = await Promise.all([
        import('./config-file.ts'),
        import('./plugin/remove.ts'),
      ]);
      const removed = await removePlugin(await readConfig(config), name);
      print(command, { json: removed, text: () => removedText(removed) });
    });
}

function asOptions(text: string): JsonObject {
  const value = readJson(text, '--options');
  if (!isJsonObject(value)) throw new UsageError('--options is no JSON object.');
  return value;
}

const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function addedText(added: Added): string {
  const list = (what: string, items: readonly string[]) =>
    items.length === 0 ? [] : [`  ${what}: ${items.join(', ')}`];
  return [
    `${added.package} ${added.version} is installed, and on in ${pathText(added.file)} (id ${added.id}). It brings`,
    ...list('step types', added.step_types),
    ...list('fields', added.fields),
    ...list('hooks', added.hooks),
    ...list('tables', added.tables),
    ...list('routes', added.routes),
    ...list('services', added.services),
    ...list(
      'requires',
      Object.entries(added.requires).map(([id, range]) => `${id} ${range}`),
    ),
    ...(added.options === null ? [] : [`  options: ${JSON.stringify(added.options)}`]),
    RESTART,
  ].join('\n');
}

function removedText({ package: name, parked }: Removed): string {
  const told =
    parked === null
      ? ['No database answers that could tell which open runs have its step types: those wait until it is back.']
      : parked.map(
          ({ words, open_runs }) => `Open runs that wait until it is back: ${open_runs} (${words.join(', ')}).`,
        );
  return [`${name} is removed; its tables stay.`, ...told, RESTART].join('\n');
}
