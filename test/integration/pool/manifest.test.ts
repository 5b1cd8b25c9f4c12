import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuctorError } from '@ductor/core';
import { expect } from 'chai';
import { createSchemaValidator } from '#host/json-schema/schema-validator.js';
import { packageFolders, permissionFlags } from '#host/pool/grants.js';
import { readConnectorManifest } from '#host/pool/manifest.js';
import { cidrList, mayConnect } from '#host/pool/thread/addresses.js';
import { folderOf } from './harness.js';

const ACTION = { name: 'go', displayName: 'Go', input: {}, output: {}, effect: 'read', idempotency: 'natural' };
const SECTION = { id: 'x.y', displayName: 'X', connectorApi: '^1', entry: './index.js', actions: [ACTION] };

describe('a connector’s manifest', () => {
  let dir: string;
  const write = (name: string, content: object) => writeFile(join(dir, name), JSON.stringify(content));
  const read = async (connector: object) => {
    await write('package.json', { name: 'x', version: '1.2.3', ductor: { manifestVersion: 1, connector } });
    return readConnectorManifest(dir, createSchemaValidator());
  };
  const refusal = async (connector: object): Promise<string> => {
    const error = await read(connector).then(
      () => null,
      (thrown: unknown) => thrown,
    );
    expect(error).to.be.instanceOf(DuctorError).with.property('code', 'invalid_argument');
    return String(error);
  };

  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'ductor-manifest-'));
  });
  afterEach(() => rm(dir, { recursive: true }));

  it('is read with its defaults: nothing is permitted unless declared', async () => {
    const manifest = await read(SECTION);
    expect(manifest).to.deep.include({
      package: 'x',
      version: '1.2.3',
      runtime: 'native',
      auth: [],
      permissions: { network: { hosts: [] }, fs: 'none', childProcess: false, native: false },
      resources: { concurrency: 1 },
      isolation: { minimum: 'thread' },
    });
    expect(manifest.actions[0]).to.deep.include({ auth: [], errors: [], examples: [], defaults: {} });
  });

  it('is valid in the connectors of this repository', async () => {
    const manifest = await readConnectorManifest(folderOf('http'), createSchemaValidator());
    expect(manifest.id).to.equal('http');
    expect(manifest.actions.map(({ name }) => name)).to.deep.equal(['request']);
  });

  it('may keep actions, auth and config in files of the package', async () => {
    await write('actions.json', [ACTION]);
    await write('config.json', { type: 'object' });
    const manifest = await read({ ...SECTION, actions: './actions.json', config: './config.json' });
    expect(manifest.actions[0]?.name).to.equal('go');
  });

  it('names every fault by its path and what is expected there', async () => {
    const text = await refusal({ ...SECTION, surprise: 1, actions: [{ ...ACTION, effect: 'maybe', name: 'No!' }] });
    expect(text).to.contain('ductor.connector.surprise: unknown key');
    expect(text).to.contain('ductor.connector.actions[0].effect').and.to.contain('read, write, destructive');
    expect(text).to.contain('ductor.connector.actions[0].name');
  });

  it('is refused if its parts do not fit each other', async () => {
    expect(await refusal({ ...SECTION, actions: [ACTION, ACTION] })).to.contain('actions[1].name: go is there twice');
    expect(await refusal({ ...SECTION, actions: [{ ...ACTION, auth: ['key'] }] })).to.contain('must name ids of auth');
    const auth = [{ id: 'key', type: 'api_key', test: 'nothing' }];
    expect(await refusal({ ...SECTION, auth })).to.contain('auth[0].test: must name an action');
    expect(await refusal({ ...SECTION, actions: [{ ...ACTION, input: { type: 7 } }] })).to.contain('actions[0].input');
  });

  it('reads no file outside the package, not by dots and not by links', async () => {
    const outside = await mkdtemp(join(tmpdir(), 'ductor-outside-'));
    await writeFile(join(outside, 'actions.json'), JSON.stringify([ACTION]));
    await symlink(outside, join(dir, 'link'));
    for (const actions of [`../${outside.split('/').at(-1)}/actions.json`, './link/actions.json']) {
      expect(await refusal({ ...SECTION, actions })).to.contain('stays in the package');
    }
    expect(await refusal({ ...SECTION, entry: '../index.js' })).to.contain('ductor.connector.entry');
    await rm(outside, { recursive: true });
  });

  it('says so where there is none', async () => {
    expect(await refusal({})).to.contain('ductor.connector');
    await write('package.json', { name: 'x' });
    const error = await readConnectorManifest(dir, createSchemaValidator()).catch(String);
    expect(error).to.contain('expected a connector manifest');
  });
});

describe('a connector’s grant', () => {
  it('covers its dependencies as linked and as they lie, each path once', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'ductor-grant-'));
    for (const name of ['real/b', 'a/node_modules']) await mkdir(join(dir, name), { recursive: true });
    await writeFile(join(dir, 'a', 'package.json'), JSON.stringify({ dependencies: { b: '*', absent: '*' } }));
    await writeFile(join(dir, 'real/b', 'package.json'), JSON.stringify({ dependencies: { b: '*' } }));
    await symlink(join(dir, 'real/b'), join(dir, 'a/node_modules/b'));
    const folders = packageFolders(join(dir, 'a'));
    expect(folders).to.have.members(['a', 'a/node_modules/b', 'real/b'].map((name) => join(dir, name)));
    const permissions = { network: { hosts: [] }, fs: 'none', childProcess: false, native: false } as const;
    const flags = permissionFlags({ dir: `${join(dir, 'a')}/`, permissions, tmp: null });
    expect(new Set(flags.map((flag) => flag.replace(/\/$/, ''))).size).to.equal(flags.length);
    expect(flags.join(' ')).not.to.contain('allow-addons').and.not.to.contain('write');
    await rm(dir, { recursive: true });
  });
});

describe('an address', () => {
  it('may be connected to if it is public or listed, however it is spelled', () => {
    const nothing = cidrList([]);
    const loopback = cidrList(['127.0.0.0/8', '::1/128', '10.2.0.1']);
    for (const address of ['8.8.8.8', '172.32.0.1', '2606:4700::1111', '::ffff:8.8.8.8']) {
      expect(mayConnect(address, nothing), address).to.equal(true);
    }
    for (const address of [
      '127.0.0.1',
      '::1',
      '::ffff:127.0.0.1',
      '::ffff:7f00:1',
      '0:0:0:0:0:ffff:7f00:1',
      '10.2.0.1',
    ]) {
      expect(mayConnect(address, nothing), address).to.equal(false);
      expect(mayConnect(address, loopback), address).to.equal(true);
    }
    for (const address of [
      '0.0.0.0',
      '10.2.0.2',
      '100.127.0.1',
      '169.254.169.254',
      '172.31.0.1',
      '192.168.0.1',
      '224.0.0.1',
      '255.255.255.255',
      '::',
      '::7f00:1',
      '64:ff9b::7f00:1',
      '2002:7f00:1::',
      'fe80::1%eth0',
      'fc00::1',
      'ff02::1',
      'not an address',
      '',
    ]) {
      expect(mayConnect(address, loopback), address).to.equal(false);
    }
  });

  it('is listed by ranges that are ranges', () => {
    for (const range of ['10.0.0.0/33', 'intranet', '10.0.0.0/x', '']) expect(() => cidrList([range])).to.throw();
  });
});
