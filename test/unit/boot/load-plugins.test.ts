import { existsSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { DuctorError, isObject } from '@ductor/core';
import { expect } from 'chai';
import { type Contributed, registryOf } from '#host/boot/contributed.js';
import { loadPlugins } from '#host/boot/load-plugins.js';
import type { PluginSetting } from '#host/config/config.js';
import { rejection } from '../../support/rejection.ts';
import { type PackageSpec, PluginPackages } from './plugin-packages.ts';

const on = (options = {}, version: string | null = null): PluginSetting => ({ enabled: true, options, version });
const off: PluginSetting = { enabled: false };

describe('loading plugins', () => {
  let packages: PluginPackages;

  beforeEach(async () => {
    packages = await PluginPackages.create();
  });
  afterEach(() => packages.remove());

  /** Boots with `own` on by default, and the settings of `ductor.yaml`. */
  async function load(own: readonly PackageSpec[], settings: Readonly<Record<string, PluginSetting>> = {}) {
    const folders = [];
    for (const spec of own) folders.push(await packages.add(spec));
    return loadPlugins({
      config: {
        plugins: new Map(Object.entries(settings)),
        dataDir: packages.dataDir,
        baseDir: packages.dataDir,
        locate: (keys) => `ductor.yaml, ${keys.at(-1)}`,
      },
      services: new Map<string, unknown>([
        ['clock', { name: 'the clock' }],
        ['database', null],
      ]),
      own: folders,
    });
  }

  /** The problems as `plugin code`, and what they say. */
  async function problemsOf(loading: Promise<Contributed>) {
    const error = await rejection(loading);
    if (!(error instanceof DuctorError) || !isObject(error.details)) throw error;
    const { problems } = error.details;
    if (!Array.isArray(problems)) throw error;
    return {
      codes: problems.map(({ plugin, code }) => `${plugin} ${code}`),
      problems,
      text: error.message,
    };
  }

  const steps = (...types: string[]) =>
    `contribute: () => ({ steps: ${JSON.stringify(types.map((type) => ({ type })))} })`;

  describe('that are well', () => {
    it('sorts them by what they require and then by id, and keeps what they contribute in that order', async () => {
      const hooks = (name: string) => `contribute: () => ({ hooks: { publish: () => ['${name}'] } })`;
      const contributed = await load([
        { id: 'a', manifest: { requires: { z: '^1.0.0' } }, plugin: hooks('a') },
        { id: 'c', plugin: hooks('c') },
        { id: 'b', plugin: hooks('b') },
        { id: 'z', manifest: { requires: { c: '1' } }, plugin: hooks('z') },
      ]);
      expect(contributed.plugins.map(({ id }) => id)).to.eql(['b', 'c', 'z', 'a']);
      const moment = {} as never;
      expect(contributed.hooks.map(({ publish }) => publish?.(moment))).to.eql([['b'], ['c'], ['z'], ['a']]);
    });

    it('hands each the services behind its refs, and its options with their defaults', async () => {
      const optionsSchema = { type: 'object', properties: { count: { type: 'integer', default: 7 }, sink: {} } };
      const contributed = await load(
        [
          {
            id: 'a',
            optionsSchema,
            plugin: `deps: { time: { id: 'clock' } },
              contribute: ({ time }, options) => ({ fields: [{ of: 'run', name: time.name + JSON.stringify(options) }] })`,
          },
        ],
        { a: on({ sink: 'file' }) },
      );
      expect(contributed.fields.map(({ name }) => name)).to.eql(['the clock{"sink":"file","count":7}']);
    });

    it('reads a number from text where the schema wants one, as text is what the environment gives', async () => {
      const optionsSchema = { type: 'object', properties: { count: { type: 'integer' } } };
      const plugin = `contribute: (_, { count }) => ({ fields: [{ of: 'run', name: typeof count }] })`;
      const contributed = await load([{ id: 'a', optionsSchema, plugin }], { a: on({ count: '12' }) });
      expect(contributed.fields.map(({ name }) => name)).to.eql(['number']);
    });

    it('turns off one of ours only where the file says false, and remembers whose step types are missing', async () => {
      const contributed = await load(
        [{ id: 'a', manifest: { stepTypes: ['STEP_TYPE_A'] }, entry: 'throw new Error("not imported")' }, { id: 'b' }],
        { a: off },
      );
      expect(contributed.plugins.map(({ id }) => id)).to.eql(['b']);
      expect([...contributed.disabledStepTypes]).to.eql([['STEP_TYPE_A', 'a']]);
    });

    it('turns on those of others that the file names, by package or by path', async () => {
      await packages.add({ id: 'x', name: '@acme/x' });
      await packages.add({ id: 'y' });
      await packages.add({ id: 'unnamed', entry: 'throw new Error("not imported")' });
      const contributed = await load([], { '@acme/x': on(), './plugins/node_modules/plugin-y': on() });
      expect(contributed.plugins).to.eql([
        { id: 'x', version: '1.0.0', package: '@acme/x' },
        { id: 'y', version: '1.0.0', package: 'plugin-y' },
      ]);
    });

    it('says what is to be migrated, with a history table each', async () => {
      const { migrations } = await load([{ id: 'two-words', plugin: `migrations: './'` }, { id: 'none' }]);
      expect(migrations.map(({ historyTable }) => historyTable)).to.eql(['eec_migration_two_words']);
      expect(existsSync(migrations[0]?.folder ?? '')).to.equal(true);
    });

    it('gives routes and services their owner', async () => {
      const contributed = await load([
        {
          id: 'a',
          manifest: { routes: ['/api/things', '/things.json'] },
          plugin: `contribute: () => ({
            routes: [
              { method: 'GET', path: '/api/things/{id}', options: { auth: { scope: ['operator'] } } },
              { method: 'GET', path: '/things.json', options: { auth: false } },
            ],
            services: [{ name: 'sweep' }] })`,
        },
      ]);
      expect(contributed.routes.map(({ plugin, route }) => `${plugin} ${route.path}`)).to.eql([
        'a /api/things/{id}',
        'a /things.json',
      ]);
      expect(contributed.services.map(({ plugin, service }) => `${plugin} ${service.name}`)).to.eql(['a sweep']);
    });

    it('makes of them the registry that the engine goes by', async () => {
      const plugin = `contribute: () => ({ steps: [{ type: 'STEP_TYPE_A' }], hooks: {},
        fields: [{ of: 'step', name: 'undo' }, { of: 'run', name: 'other' }] })`;
      const manifest = { stepTypes: ['STEP_TYPE_A'], fields: ['step.undo'] };
      const registry = registryOf(await load([{ id: 'a', manifest, plugin }]));
      expect(registry.steps.has('STEP_TYPE_A')).to.equal(true);
      expect(registry.steps.has('STEP_TYPE_TRANSFORM')).to.equal(true);
      expect(registry.hooks).to.have.length(1);
      expect(registry.fields.map(({ name }) => name)).to.eql(['undo', 'other']);
    });
  });

  describe('whose manifests are wrong', () => {
    it('names a plugin that is not here, and the one that was meant', async () => {
      const { codes, problems } = await problemsOf(load([{ id: 'scheduler' }], { schedular: on(), unheard: off }));
      expect(codes).to.eql(['schedular unknown_plugin', 'unheard unknown_plugin']);
      expect(problems.map(({ advice }) => advice)).to.eql([
        'Write scheduler if that is meant',
        'Install it (`ductor plugin add`), or take it out of ductor.yaml',
      ]);
    });

    it('names every fault of a manifest by its path', async () => {
      const manifest = { id: 'Bad', entry: '../escape.js', pluginApi: 'newest', stepTypes: ['lower'], extra: 1 };
      const { codes, text } = await problemsOf(load([{ id: 'bad', version: 'x', manifest }]));
      expect(codes).to.eql(Array(6).fill('Bad invalid_manifest'));
      for (const path of ['version', 'plugin.extra', 'plugin.id', 'entry', 'pluginApi', 'stepTypes.0']) {
        expect(text).to.contain(path);
      }
    });

    it('refuses a package.json that is no JSON or has no manifest, and options whose file is not there', async () => {
      await packages.add({ id: 'x', manifest: { options: './missing.json' } });
      const { codes, text } = await problemsOf(load([], { 'plugin-x': on() }));
      expect(codes).to.eql(['x invalid_manifest']);
      expect(text).to.contain('missing.json');
    });

    it('refuses a plugin that is written for another API, and does not run it', async () => {
      const { codes, problems } = await problemsOf(
        load([{ id: 'a', manifest: { pluginApi: '^2.0.0' }, entry: 'throw new Error("not imported")' }]),
      );
      expect(codes).to.eql(['a wrong_plugin_api']);
      expect(problems[0]?.message).to.contain('^2.0.0').and.contain('1.0.0');
    });

    it('refuses a version other than the one that the file asks for', async () => {
      await packages.add({ id: 'x', version: '1.2.0' });
      const { codes } = await problemsOf(load([], { 'plugin-x': on({}, '^2.0.0') }));
      expect(codes).to.eql(['x wrong_version']);
    });

    it('names what is required and missing, off or of another version', async () => {
      const { codes } = await problemsOf(
        load(
          [
            { id: 'a', manifest: { requires: { gone: '*', quiet: '*', old: '^2.0.0' } } },
            { id: 'quiet' },
            { id: 'old', version: '1.9.0' },
          ],
          { quiet: off },
        ),
      );
      expect(codes).to.eql(['a requires_missing', 'a requires_disabled', 'a requires_version']);
    });

    it('does not blame a plugin for requiring one that is here and broken', async () => {
      const { codes } = await problemsOf(
        load([
          { id: 'a', manifest: { requires: { b: '*' } } },
          { id: 'b', manifest: { pluginApi: 'newest' } },
        ]),
      );
      expect(codes).to.eql(['b invalid_manifest']);
    });

    it('does not look at what is off', async () => {
      await packages.add({ id: 'x', manifest: { pluginApi: 'newest' } });
      await packages.add({ id: 'y', manifest: { pluginApi: '^2.0.0' } });
      expect((await load([], { 'plugin-x': off, 'plugin-y': off })).plugins).to.eql([]);
    });

    it('names a cycle', async () => {
      const { codes, problems } = await problemsOf(
        load([
          { id: 'c', manifest: { requires: { a: '*' } } },
          { id: 'a', manifest: { requires: { b: '*' } } },
          { id: 'b', manifest: { requires: { c: '*' } } },
        ]),
      );
      expect(codes).to.eql(['a requires_cycle']);
      expect(problems[0]?.message).to.contain('a → b → c → a');
    });

    it('refuses an id and a step type that are there already, also a step type of the core or of one that is off', async () => {
      const { codes } = await problemsOf(
        load(
          [
            { id: 'a', name: 'one', manifest: { stepTypes: ['STEP_TYPE_X', 'STEP_TYPE_SWITCH'] } },
            { id: 'a', name: 'two' },
            { id: 'b', manifest: { stepTypes: ['STEP_TYPE_X'] } },
          ],
          { b: off },
        ),
      );
      expect(codes).to.eql(['a duplicate_plugin', 'a duplicate_step_type', 'b duplicate_step_type']);
    });

    it('keeps the routes of others below their own prefix', async () => {
      await packages.add({ id: 'x', manifest: { routes: '/api/workflows' } });
      const { codes, problems } = await problemsOf(load([], { 'plugin-x': on() }));
      expect(codes).to.eql(['x route_outside_prefix']);
      expect(problems[0]?.allowed).to.eql(['/api/plugins/x']);
    });
  });

  describe('whose code is wrong', () => {
    it('names an entry that is missing, throws, or exports something else', async () => {
      const { codes, problems } = await problemsOf(
        load([
          { id: 'a', manifest: { entry: './gone.js' } },
          { id: 'b', entry: 'throw new Error("boom")' },
          { id: 'c', entry: 'export default { contribute() {} }' },
          { id: 'd', plugin: `migrations: './gone'` },
        ]),
      );
      expect(codes).to.eql(['a entry_failed', 'b entry_failed', 'c invalid_entry', 'd no_migrations']);
      expect(problems[1]?.message).to.contain('boom');
    });

    it('names each option that does not fit, its path and what is allowed', async () => {
      const properties = { sink: { enum: ['file', 'postgres'] }, days: { type: 'integer', minimum: 1 } };
      const optionsSchema = { type: 'object', additionalProperties: false, properties };
      const { codes, problems, text } = await problemsOf(
        load([{ id: 'a', optionsSchema }, { id: 'b' }], {
          a: on({ sink: 'postgress', days: 0, dayz: 's3cret' }),
          b: on({ anything: 1 }),
        }),
      );
      expect(codes).to.eql([...Array(3).fill('a invalid_options'), 'b invalid_options']);
      expect(problems[0]?.message).to.equal('plugins.a.options.dayz: unknown key; did you mean days?');
      expect(problems[0]?.place).to.equal('ductor.yaml, dayz');
      expect(problems[1]?.message).to.contain('did you mean postgres?');
      expect(problems[1]?.allowed).to.eql(['file', 'postgres']);
      expect(text).not.to.contain('s3cret');
    });

    it('refuses a schema of options that is not the one in the code', async () => {
      const { codes } = await problemsOf(
        load([
          { id: 'a', optionsSchema: { type: 'object' }, plugin: `options: { type: 'object', properties: { b: {} } }` },
          { id: 'b', plugin: `options: { type: 'object', properties: { c: {} } }` },
        ]),
      );
      expect(codes).to.eql(['a stale_options', 'b stale_options']);
    });

    it('names a ref that nothing stands behind', async () => {
      const { codes, problems } = await problemsOf(load([{ id: 'a', plugin: `deps: { mail: { id: 'mailer' } }` }]));
      expect(codes).to.eql(['a unknown_ref']);
      expect(problems[0]?.allowed).to.eql(['clock', 'database']);
    });

    it('names what contribute throws, a promise, and answers of another shape', async () => {
      const { codes, text } = await problemsOf(
        load([
          { id: 'a', plugin: `contribute() { throw new Error('boom') }` },
          { id: 'b', plugin: `async contribute() { throw new Error('later') }` },
          { id: 'c', plugin: `contribute: () => ({ phases: [], fields: {}, hooks: { tick() {} } })` },
          { id: 'd', plugin: 'contribute: () => null' },
        ]),
      );
      expect(codes).to.eql([
        'a contribute_failed',
        ...['b', 'c', 'c', 'c', 'd'].map((id) => `${id} invalid_contribution`),
      ]);
      expect(text).to.contain('boom').and.contain('phases').and.contain('tick').and.contain('fields has to be a list');
    });

    it('lets no promise of contribute end the process', async () => {
      const unhandled: unknown[] = [];
      const listener = (reason: unknown) => unhandled.push(reason);
      process.on('unhandledRejection', listener);
      try {
        await rejection(load([{ id: 'b', plugin: `async contribute() { throw new Error('later') }` }]));
        await setImmediate();
        expect(unhandled).to.eql([]);
      } finally {
        process.off('unhandledRejection', listener);
      }
    });

    it('holds step types against the manifest', async () => {
      const { codes } = await problemsOf(
        load([{ id: 'a', manifest: { stepTypes: ['STEP_TYPE_L'] }, plugin: steps('STEP_TYPE_C') }]),
      );
      expect(codes).to.eql(['a step_type_unlisted', 'a step_type_missing']);
    });

    it('holds words in definitions against the manifest; those of runs and triggers it does not list', async () => {
      const plugin = `contribute: () => ({
        fields: [{ of: 'step', name: 'c' }, { of: 'run', name: 'r' }, { of: 'trigger', name: 't' }] })`;
      const { codes } = await problemsOf(load([{ id: 'a', manifest: { fields: ['settings.l'] }, plugin }]));
      expect(codes).to.eql(['a field_unlisted', 'a field_missing']);
    });

    it('refuses routes outside the prefix or without a scope', async () => {
      const route = (path: string, auth: string) => `{ method: 'GET', path: '${path}', options: { ${auth} } }`;
      const scoped = `auth: { scope: ['operator'] }`;
      await packages.add({
        id: 'x',
        plugin: `contribute: () => ({ routes: [${[
          route('/api/plugins/x', scoped),
          route('/api/plugins/xy', scoped),
          route('/api/plugins/x/b', ''),
          route('/api/plugins/x/c', 'auth: { scope: [] }'),
        ]}] })`,
      });
      const { codes } = await problemsOf(load([], { 'plugin-x': on() }));
      expect(codes).to.eql(['x route_outside_prefix', 'x route_without_scope', 'x route_without_scope']);
    });

    it('refuses fields that have the name of one of the core', async () => {
      const plugin = `contribute: () => ({
        fields: [{ of: 'run', name: 'id' }, { of: 'step', name: 'retry' }, { of: 'graph', name: 'id' }] })`;
      const manifest = { fields: ['step.retry', 'graph.id'] };
      const { codes } = await problemsOf(load([{ id: 'a', manifest, plugin }]));
      expect(codes).to.eql(['a reserved_field', 'a reserved_field']);
    });

    it('refuses what another contributes already', async () => {
      const plugin = `contribute: () => ({
        fields: [{ of: 'run', name: 'f' }], services: [{ name: 's' }],
        tables: [{ name: 't', filters: { q: '' } }],
        routes: [{ method: 'get', path: '/api/r', options: { auth: { scope: ['operator'] } } }] })`;
      const manifest = { routes: '/api/r' };
      const { codes } = await problemsOf(
        load([
          { id: 'a', manifest, plugin },
          { id: 'b', manifest, plugin },
        ]),
      );
      const what = ['field', 'table', 'filter', 'route', 'service'];
      expect(codes).to.eql(what.map((word) => `b duplicate_${word}`));
    });
  });

  it('reports what is wrong with all of them at once, each with what to do, and leaves the database alone', async () => {
    const { codes, problems, text } = await problemsOf(
      load(
        [
          { id: 'a', manifest: { requires: { b: '*' } } },
          { id: 'b', manifest: { requires: { a: '*' } } },
          { id: 'c', plugin: `migrations: './', contribute() { throw new Error('boom') }` },
          { id: 'd', manifest: { id: 'D' } },
          { id: 'e', optionsSchema: { type: 'object', properties: { n: { type: 'integer' } } } },
        ],
        { e: on({ n: 'many' }), f: on() },
      ),
    );
    expect(codes).to.have.members([
      'f unknown_plugin',
      'D invalid_manifest',
      'a requires_cycle',
      'e invalid_options',
      'c contribute_failed',
    ]);
    for (const { advice } of problems) expect(advice).to.be.a('string').that.is.not.empty;
    expect(text.split('\n')).to.have.length(codes.length + 1);
  });
});
