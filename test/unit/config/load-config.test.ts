import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuctorError, isObject } from '@ductor/core';
import { expect } from 'chai';
import { loadConfig } from '#host/config/load-config.js';
import { rejection } from '../../support/rejection.ts';

describe('the configuration', () => {
  let cwd: string;

  beforeEach(async () => {
    cwd = await mkdtemp(join(tmpdir(), 'ductor-config-'));
  });
  afterEach(() => rm(cwd, { recursive: true }));

  const write = (text: string, name = 'ductor.yaml') => writeFile(join(cwd, name), text);
  const load = (env: Record<string, string> = {}, argv: { config?: string } = {}) => loadConfig({ argv, env, cwd });

  /** What it is refused for, as `place path: message`. */
  async function faultsOf(
    env: Record<string, string> = {},
    argv: { config?: string } = {},
  ): Promise<readonly string[]> {
    try {
      await load(env, argv);
    } catch (error) {
      if (!(error instanceof DuctorError) || !isObject(error.details)) throw error;
      expect(error.code).to.equal('invalid_argument');
      const { problems } = error.details;
      if (!Array.isArray(problems)) throw error;
      return problems.map(({ place, path, message }) => `${place} ${path}: ${message}`);
    }
    throw new Error('it was accepted');
  }

  it('has defaults for everything', async () => {
    const { locate, ...config } = await load();
    expect(config).to.eql({
      file: null,
      baseDir: cwd,
      mode: 'development',
      server: { host: '127.0.0.1', port: 8080, publicUrl: null },
      database: { url: null, pool: 10 },
      redis: { url: null },
      plugins: new Map(),
      connectors: { privateNetworks: [] },
      retention: { eventsMs: 604_800_000 },
      log: { level: 'info' },
      dataDir: join(cwd, '.ductor'),
      limits: { requestBodyBytes: 1_048_576, stepOutputBytes: 4_194_304, stepsPerDefinition: 1000, nestingDepth: 16 },
      notActedOn: [],
      secrets: { masterKey: null, previousMasterKeys: [], bootstrapApiKey: null },
    });
  });

  it('is read from the file that --config names, else DUCTOR_CONFIG, else ./ductor.yaml', async () => {
    await write('server: { port: 1 }');
    await write('server: { port: 2 }', 'env.yaml');
    await write('server: { port: 3 }', 'argv.yaml');
    expect((await load()).server.port).to.equal(1);
    expect((await load({ DUCTOR_CONFIG: 'env.yaml' })).server.port).to.equal(2);
    expect((await load({ DUCTOR_CONFIG: 'env.yaml' }, { config: 'argv.yaml' })).server.port).to.equal(3);
    expect((await load({}, { config: 'argv.yaml' })).file).to.equal(join(cwd, 'argv.yaml'));
  });

  it('is refused where the named file is not there', async () => {
    expect((await faultsOf({}, { config: 'gone.yaml' }))[0])
      .to.contain('gone.yaml')
      .and.contain('ENOENT');
  });

  it('takes the environment before the file, and does not judge what the file says there', async () => {
    await write(`
mode: nonsense
server: { host: 0.0.0.0, port: many }
database: { url: "\${UNSET}", pool: 3 }
redis: { url: nonsense }
log: { level: loud }
data_dir: elsewhere
`);
    const config = await load({
      DATABASE_URL: 'postgres://db/ductor',
      REDIS_URL: 'redis://cache:6379',
      PORT: '9000',
      HOST: '::1',
      DUCTOR_DATA_DIR: 'data',
      DUCTOR_MODE: 'development',
      LOG_LEVEL: 'debug',
    });
    expect(config.server).to.include({ host: '::1', port: 9000 });
    expect(config.database).to.eql({ url: 'postgres://db/ductor', pool: 3 });
    expect(config.redis.url).to.equal('redis://cache:6379');
    expect(config.mode).to.equal('development');
    expect(config.log.level).to.equal('debug');
    expect(config.dataDir).to.equal(join(cwd, 'data'));
  });

  it('takes an empty variable for one that is not set', async () => {
    expect(await load({ PORT: '', DATABASE_URL: '' })).to.deep.include({ database: { url: null, pool: 10 } });
  });

  it('is for production when a database is named, and for development when none is', async () => {
    expect((await load({ DATABASE_URL: 'postgres://db/ductor' })).mode).to.equal('production');
    await write('database: { url: "postgres://db/ductor" }');
    expect((await load()).mode).to.equal('production');
    await write('mode: production');
    expect((await load()).mode).to.equal('production');
  });

  it('starts relative paths of the file at its folder', async () => {
    await write('data_dir: ./data', 'other.yaml');
    const config = await loadConfig({ argv: { config: join(cwd, 'other.yaml') }, env: {}, cwd: '/' });
    expect(config.dataDir).to.equal(join(cwd, 'data'));
  });

  it('reads references from the environment, as what the key wants', async () => {
    await write(`
server: { port: "\${THE_PORT}", public_url: "https://\${NAME}.example.com/$\${NAME}" }
plugins:
  scheduler: { options: { note: "\${NAME}" } }
`);
    const config = await load({ THE_PORT: '81', NAME: 'flows' });
    expect(config.server).to.include({ port: 81, publicUrl: `https://flows.example.com/\${NAME}` });
    expect(config.plugins.get('scheduler')).to.deep.include({ options: { note: 'flows' } });
  });

  it('cannot be changed in its structure by what a variable holds', async () => {
    await write(`server: { host: "\${NAME}" }`);
    expect((await load({ NAME: 'a, port: 1 }' })).server).to.include({ host: 'a, port: 1 }', port: 8080 });
  });

  it('says of plugins which are off, and what the others are told', async () => {
    await write(`
plugins:
  console: false
  scheduler: { options: { catchup_window_ms: 60000 } }
  "@acme/audit": { version: 1.0.0 }
`);
    expect([...(await load()).plugins]).to.eql([
      ['console', { enabled: false }],
      ['scheduler', { enabled: true, options: { catchup_window_ms: 60000 }, version: null }],
      ['@acme/audit', { enabled: true, options: {}, version: '1.0.0' }],
    ]);
  });

  it('names everything that is wrong at once: place, path, what is allowed', async () => {
    await write(`version: 2
mode: prod
sever: { port: 1 }
server:
  port: 70000
  pubic_url: https://flows.example.com
database: { url: "mysql://root:hunter2@db", pool: "\${POOL}" }
plugins:
  console: true
  scheduler: { option: {} }
  audit: { version: newest }
connectors:
  private_networks: [10.0.0.0/8, 10.0.0.0/99]
limits: 5
`);
    expect(
      await faultsOf({ DUCTOR_MASTER_KEY: 'short', DUCTOR_BOOTSTRAP_API_KEY: 'hunter2', LOG_LEVEL: 'loud' }),
    ).to.have.members([
      'ductor.yaml:1:1 version: must be the allowed value',
      'ductor.yaml:2:1 mode: must be one of the allowed values',
      'ductor.yaml:3:1 sever: unknown key; did you mean server?',
      'ductor.yaml:5:3 server.port: must be <= 65535',
      'ductor.yaml:6:3 server.pubic_url: unknown key; did you mean public_url?',
      'ductor.yaml:7:13 database.url: expected a PostgreSQL URL, such as postgres://user:password@host:5432/name',
      'ductor.yaml:7:45 database.pool: the environment variable POOL is not set',
      'ductor.yaml:9:3 plugins.console: expected false, or an object with options and version',
      'ductor.yaml:10:16 plugins.scheduler.option: unknown key; did you mean options?',
      'ductor.yaml:11:12 plugins.audit.version: expected a version or range, such as 1.0.0 or ^1.2',
      'ductor.yaml:13:34 connectors.private_networks.1: expected a network range, such as 10.20.0.0/16',
      'ductor.yaml:14:1 limits: must be object',
      'LOG_LEVEL log.level: must be one of the allowed values',
      'DUCTOR_MASTER_KEY : must be 32 bytes as base64 or hex',
      'DUCTOR_BOOTSTRAP_API_KEY : must have 32 characters or more',
    ]);
  });

  it('shows what is allowed in its message, and never a value', async () => {
    await write('mode: hunter2\ndatabase: { url: "mysql://root:hunter2@db" }');
    const { message } = await rejection(load());
    expect(message).to.match(/ductor\.yaml:1:1 {2}mode: .*\(allowed: production, development\)/);
    expect(message).not.to.match(/hunter2/);
  });

  it('names the places where the file is no YAML', async () => {
    await write('server: { port: 1\nmode: [');
    expect((await faultsOf())[0]).to.match(/ductor\.yaml:\d+:\d+ : /);
    await write('mode: development\nmode: production');
    expect(await faultsOf()).to.have.length(1);
    expect((await faultsOf())[0]).to.contain('ductor.yaml:2:1');
  });

  it('takes an empty file for one that says nothing', async () => {
    await write('# nothing yet\n');
    expect((await load()).server.port).to.equal(8080);
    await write('- a list');
    expect(await faultsOf()).to.eql(['ductor.yaml:1:1 : must be object']);
  });

  it('knows where a key was set', async () => {
    await write('server:\n  port: 1\n');
    expect((await load({ HOST: 'x' })).locate(['server', 'port'])).to.equal('ductor.yaml:2:3');
    expect((await load({ HOST: 'x' })).locate(['server', 'host'])).to.equal('HOST');
  });
});
