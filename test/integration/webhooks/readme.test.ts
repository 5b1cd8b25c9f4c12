import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { startTestHost, type TestHost } from '../../support/host.ts';

const readme = new URL('../../../../plugins/webhooks/README.md', import.meta.url);
const CALL = `call() { curl -sS --fail-with-body -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' "$@"; echo; }`;

describe('the README of webhooks', function () {
  this.timeout(60_000);
  let host: TestHost;
  before(async () => {
    host = await startTestHost();
  });
  after(() => host.stop());

  it('has commands that run as they stand there, and says what comes of them', async () => {
    const text = await readFile(readme, 'utf8');
    const blocks = (language: string) =>
      [...text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))].map(([, block = '']) => block);
    const [answer = ''] = blocks('json');
    const script = ['set -euo pipefail', CALL, ...blocks('bash')].join('\n');
    const env = { ...process.env, URL: host.url, KEY: host.key };
    const { stdout } = await promisify(execFile)('bash', ['-c', script], { env });
    expect(JSON.parse(stdout.trim().split('\n').at(-1) ?? '')).to.deep.equal(JSON.parse(answer));
    const { body } = await host.call<{ items: readonly object[] }>('GET', '/api/workflow-events');
    expect(body.items).to.have.length(1);
    expect(body.items[0]).to.deep.include({ event_name: 'github.issues', correlation_key: '7' });
  });
});
