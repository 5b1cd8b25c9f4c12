import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { startTestHost, type TestHost } from '../../support/host.ts';
import type { OpenApi } from './document.ts';

describe('the guide of the API’s page', () => {
  let host: TestHost;

  before(async () => {
    host = await startTestHost();
  });
  after(() => host.stop());

  it('leads from nothing to a finished run with curl alone', async () => {
    const { info } = (await (await fetch(`${host.url}/openapi.json`)).json()) as OpenApi;
    const blocks = [...info.description.matchAll(/^```bash\n(.*?)^```$/gms)].map(([, block = '']) => block);
    expect(blocks.length).to.be.greaterThan(4);
    const env = { PATH: process.env.PATH, DUCTOR_URL: host.url, DUCTOR_API_KEY: host.key };
    const child = spawn('bash', ['-c', ['set -euo pipefail', ...blocks].join('\n')], { env });
    const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
    expect(code, `${stdout}${stderr}`).to.equal(0);
    const { body } = await host.call<{ items: { status: string }[] }>('GET', '/api/workflows/runs');
    expect(body.items.map(({ status }) => status)).to.deep.equal(['completed']);
    expect(stdout).to.include('"reasons":[]');
  });
});
