import { readFileSync } from 'node:fs';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { type Ended, root, run, startTestHost, type TestHost } from './cli-support.ts';

const text = readFileSync(join(root, 'README.md'), 'utf8');
const blocks = (language: string): readonly string[] =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))].map(([, block = '']) => block);

describe('the README', function () {
  this.timeout(60_000);
  let host: TestHost;
  /** Where its commands run: the repository, with the data directory of the host that the test has started. */
  let folder: string;
  let ended: Ended;

  before(async () => {
    host = await startTestHost();
    folder = await mkdtemp(join(tmpdir(), 'ductor-readme-'));
    for (const name of ['host', 'test', 'node_modules']) await symlink(join(root, name), join(folder, name));
    await symlink(host.dataDir, join(folder, '.ductor'));
    const script = ['set -euo pipefail', ...blocks('bash')].join('\n');
    // Its commands find the data directory by its name alone.
    ended = await run('bash', ['-c', script], { cwd: folder, env: { DUCTOR_URL: host.url } });
  });

  after(async () => {
    await host.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('has commands that run one after another, as they stand there, without an error', () => {
    expect(blocks('bash').length).to.be.greaterThan(6);
    expect(ended.code, `${ended.stdout}${ended.stderr}`).to.equal(0);
    expect(ended.stderr).to.equal('');
  });

  it('leads from a draft to a finished run, which says what the README shows', async () => {
    const query = { filters: { 'label.site': 'self' } };
    const { data } = await host.client.GET('/api/workflows/runs', { params: { query } });
    expect(data.items).to.have.length(1);
    const finished = await host.client.waitForRun(String(data.items[0]?.run_id));
    const [shown = '{}'] = blocks('json');
    expect(finished).to.deep.include(JSON.parse(shown));
    expect(finished.output).to.deep.equal({ url: `${host.url}/healthz`, status: 200 });
    expect(ended.stdout).to.include(`"run_id":"${finished.run_id}"`);
  });
});
