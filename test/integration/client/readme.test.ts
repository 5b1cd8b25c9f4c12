import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { root, run } from '../../e2e/cli-support.ts';
import { startTestHost } from '../../support/host.ts';

describe('the README of the client', () => {
  it('has a program that runs as it stands there', async () => {
    const text = await readFile(join(root, 'host/client/README.md'), 'utf8');
    const blocks = [...text.matchAll(/^```js\n(.*?)^```$/gms)].map(([, block = '']) => block);
    expect(blocks).to.have.length(5);
    const [host, folder] = await Promise.all([startTestHost(), mkdtemp(join(tmpdir(), 'ductor-client-'))]);
    try {
      await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
      await writeFile(join(folder, 'readme.mjs'), blocks.join('\n'));
      const env = { DUCTOR_URL: host.url, DUCTOR_API_KEY: host.key };
      const { code, stdout, stderr } = await run(process.execPath, ['readme.mjs'], { cwd: folder, env });
      expect(stderr).to.equal('');
      expect(code).to.equal(0);
      expect(stdout)
        .to.match(/^completed Hello Ada\n/)
        .and.match(/run +completed/)
        .and.match(/^invalid_argument |^not_found /m);
    } finally {
      await host.stop();
      await rm(folder, { recursive: true, force: true });
    }
  }).timeout(60_000);
});
