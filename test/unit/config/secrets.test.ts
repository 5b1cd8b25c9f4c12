import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { masterKeyOf, parseMasterKey, readOrCreateSecret } from '#host/config/secrets.js';
import { rejection } from '../../support/rejection.ts';

describe('the master key', () => {
  let dataDir: string;

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'ductor-secrets-'));
  });
  afterEach(() => rm(dataDir, { recursive: true }));

  const none = { masterKey: null, bootstrapApiKey: null };

  it('is 32 bytes as hex or base64, of either alphabet', () => {
    const key = randomBytes(32);
    for (const text of [key.toString('hex'), key.toString('hex').toUpperCase(), key.toString('base64')]) {
      expect(parseMasterKey(text)?.equals(key)).to.equal(true);
    }
    expect(parseMasterKey(key.toString('base64url'))?.equals(key)).to.equal(true);
    for (const text of [
      '',
      'short',
      randomBytes(31).toString('hex'),
      randomBytes(33).toString('base64'),
      '!'.repeat(43),
    ]) {
      expect(parseMasterKey(text), text).to.equal(null);
    }
  });

  it('is made once in development, in a file that only its owner reads', async () => {
    const folder = join(dataDir, 'new');
    const key = await masterKeyOf({ mode: 'development', dataDir: folder, secrets: none });
    expect(key).to.have.length(32);
    expect((await stat(join(folder, 'master-key'))).mode & 0o777).to.equal(0o600);
    expect(await masterKeyOf({ mode: 'development', dataDir: folder, secrets: none })).to.eql(key);
    expect(await readdir(folder)).to.eql(['master-key']);
  });

  it('is the same for hosts that make it at once', async () => {
    const file = join(dataDir, 'secret');
    const made = await Promise.all(Array.from({ length: 8 }, (_, i) => readOrCreateSecret(file, () => `secret ${i}`)));
    expect(new Set(made.map(({ text }) => text)).size).to.equal(1);
    expect(made.filter(({ created }) => created)).to.have.length(1);
    expect(await readdir(dataDir)).to.eql(['secret']);
  });

  it('comes from the environment in production, which does not start without it', async () => {
    const masterKey = randomBytes(32);
    expect(await masterKeyOf({ mode: 'production', dataDir, secrets: { ...none, masterKey } })).to.equal(masterKey);
    const error = await rejection(masterKeyOf({ mode: 'production', dataDir, secrets: none }));
    expect(error.message).to.contain('DUCTOR_MASTER_KEY').and.contain('openssl rand -base64 32');
    expect(await readdir(dataDir)).to.eql([]);
  });

  it('is not made anew over a file that holds something else', async () => {
    await writeFile(join(dataDir, 'master-key'), 'cut sho');
    const error = await rejection(masterKeyOf({ mode: 'development', dataDir, secrets: none }));
    expect(error.message).to.contain('master-key').and.not.contain('cut sho');
  });
});
