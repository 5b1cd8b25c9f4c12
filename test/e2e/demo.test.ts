import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { until } from '../support/until.ts';
import { cleanEnv, root, run } from './cli-support.ts';

const demo = join(root, 'scripts/demo');

describe('the demo', function () {
  this.timeout(180_000);
  let dataDir: string;
  const env = () => ({ DUCTOR_DATA_DIR: dataDir, PORT: '0' });

  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'ductor-demo-'));
  });

  after(async () => {
    await rm(dataDir, { recursive: true, force: true });
  });

  it('routes a lead over a failed first request, shows how, and ends by itself when told to', async () => {
    const { code, stdout, stderr } = await run(demo, ['--once'], { env: env() });
    expect({ code, stderr }).to.deep.equal({ code: 0, stderr: '' });
    expect(stdout).to.include('lead-router v1 is published').and.include('http_503').and.include('"owner": "Grace"');
    expect(stdout)
      .to.match(/enrich +action +completed .*2 attempts/)
      .and.match(/run completed\n/);
    const keys = [...stdout.matchAll(/POST \/enrich +(503|200) +(\S+)/g)].map(([, status, key]) => ({ status, key }));
    expect(keys.map(({ status }) => status)).to.deep.equal(['503', '200']);
    expect(keys[0]?.key).to.equal(keys[1]?.key);
  });

  it('stays up until it is told to stop, on a free port if its own is taken, and shows commands that work', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    const child: ChildProcessWithoutNullStreams = spawn(demo, {
      env: cleanEnv({ ...env(), PORT: String(port) }),
      cwd: root,
    });
    const ended = once(child, 'close').then(([code]) => code as number | null);
    let said = '';
    child.stdout.on('data', (chunk) => (said += chunk));
    try {
      await until(() => said.includes('Ctrl-C') || child.exitCode !== null, 'the demo to be up', 120_000);
      expect(said).to.include(`Port ${port} is taken`).and.include('lead-router v1 was published before');
      const [curl = ''] = /curl .*\/snapshot/.exec(said) ?? [];
      const answer = await run('bash', ['-c', curl.replace('curl', 'curl -sS')], { env: {}, cwd: root });
      expect(JSON.parse(answer.stdout)).to.deep.include({ family_slug: 'lead-router', status: 'completed' });
      const [list = ''] = /DUCTOR_URL=.* run list/.exec(said) ?? [];
      expect((await run('bash', ['-c', list], { env: {}, cwd: root })).stdout).to.include('lead-router v1');
      child.kill('SIGINT');
      expect(await ended).to.equal(0);
    } finally {
      child.kill('SIGKILL');
      await ended;
      other.close();
    }
  });
});
