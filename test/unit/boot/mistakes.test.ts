import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DuctorError } from '@ductor/core';
import { expect } from 'chai';
import { idleServices } from '#host/boot/contributions-of.js';
import { loadPlugins } from '#host/boot/load-plugins.js';
import { loadConfig } from '#host/config/load-config.js';
import { rejection } from '../../support/rejection.ts';
import { type PackageSpec, PluginPackages } from './plugin-packages.ts';

const route = `{ method: 'GET', path: '/api/plugins/open/x', options: {}, handler: () => 1 }`;
const optionsSchema = { type: 'object', additionalProperties: false, properties: { days: { type: 'integer' } } };

/** One plugin for each mistake, with what is said of it. */
const mistakes: readonly (PackageSpec & { readonly says: string; readonly setting?: string })[] = [
  { id: 'ranged', manifest: { pluginApi: 'newest' }, says: 'expected a version range, such as ^1.0.0' },
  { id: 'later', manifest: { pluginApi: '^9.0.0' }, says: 'is written for plugin API ^9.0.0' },
  { id: 'old', version: '1.0.0', setting: '{ version: ^2.0.0 }', says: 'is here in version 1.0.0' },
  { id: 'ring-a', manifest: { requires: { 'ring-b': '*' } }, says: 'requires itself: ring-a → ring-b → ring-a' },
  { id: 'ring-b', manifest: { requires: { 'ring-a': '*' } }, says: '' },
  { id: 'first', manifest: { stepTypes: ['STEP_TYPE_TWICE'] }, says: 'does not contribute it' },
  { id: 'second', manifest: { stepTypes: ['STEP_TYPE_TWICE'] }, says: 'STEP_TYPE_TWICE, which first has already' },
  {
    id: 'core-like',
    manifest: { stepTypes: ['STEP_TYPE_ACTION'] },
    says: 'STEP_TYPE_ACTION, which the core has already',
  },
  { id: 'open', plugin: `contribute: () => ({ routes: [${route}] })`, says: 'without options.auth' },
  {
    id: 'told',
    optionsSchema,
    setting: '{ options: { day: 3, days: many } }',
    says: 'unknown key; did you mean days?',
  },
  { id: 'thrower', plugin: `contribute() { throw new Error('boom') }`, says: 'contribute threw: boom' },
  { id: 'phased', plugin: 'contribute: () => ({ phases: [] })', says: 'the unknown key phases (known: fields, steps' },
  { id: 'stale', optionsSchema, plugin: `options: { type: 'object' }`, says: 'does not say what its code says' },
];

describe('a manifest with every mistake in it', () => {
  let packages: PluginPackages;
  beforeEach(async () => {
    packages = await PluginPackages.create();
  });
  afterEach(() => packages.remove());

  it('is refused for all of them at once, each with the plugin, the place, what is wrong and what to do', async () => {
    const lines = [];
    for (const { says: _, setting = '{}', ...spec } of mistakes) {
      await packages.add(spec);
      lines.push(`  plugin-${spec.id}: ${setting}`);
    }
    lines.push('  plugin-absent: {}');
    await writeFile(join(packages.dataDir, 'ductor.yaml'), ['plugins:', ...lines].join('\n'));
    const env = { DUCTOR_DATA_DIR: packages.dataDir };
    const config = await loadConfig({ argv: {}, env, cwd: packages.dataDir });
    const error = await rejection(loadPlugins({ config, services: idleServices }));
    if (!(error instanceof DuctorError)) throw error;

    const said = error.message.split('\n').slice(1);
    const all = [...mistakes, { id: 'plugin-absent', says: 'is neither one of our plugins' }];
    for (const [index, { id, says }] of all.entries()) {
      if (says === '') continue;
      const line = said.find((one) => one.includes(` ${id}: `) && one.includes(says)) ?? `nothing of ${id}`;
      expect(line).to.match(new RegExp(`^  ductor\\.yaml:${index + 2}:\\d+  ${id}: .+\\. [A-Z].+\\.$`));
    }
    // The options' two faults are two lines; the ring is one.
    expect(said).to.have.length(all.length);
    expect(error.message).not.to.include('many');
  });
});
