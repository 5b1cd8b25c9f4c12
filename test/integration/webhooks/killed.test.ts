import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { freePort, type HostProcess, startHostProcess } from '../../support/host-process.ts';
import { openSession } from '../../support/session.ts';
import { until } from '../../support/until.ts';
import { deliver, type Hook } from './deliveries.ts';

describe('a delivery whose host is killed', function () {
  this.timeout(60_000);
  let database: TestDatabase;
  let client: pg.Client;
  let dataDir: string;
  let host: HostProcess;
  const start = async () => {
    const env = { DATABASE_URL: database.url, DUCTOR_MODE: 'development' };
    host = await startHostProcess({ dataDir, port: await freePort(), env });
  };

  before(async () => {
    database = await createTestDatabase();
    client = await openSession(database.url);
    dataDir = await mkdtemp(join(tmpdir(), 'ductor-killed-'));
    await start();
  });
  after(async () => {
    await host.kill('SIGTERM');
    await client.end();
    await database.drop();
    await rm(dataDir, { recursive: true, force: true });
  });

  it('after its commit starts no second run when it is sent again', async () => {
    const graph = { steps: [{ ref: 'go', type: 'WAIT', signal: 'go' }], edges: [] };
    const family = { family_slug: 'once', title: 'Once', graph };
    const { id } = await host.call<{ id: string }>('POST', '/api/workflow-definitions', family);
    await host.call('POST', `/api/workflow-definitions/${id}/publish`);
    const hook = await host.call<Hook>('POST', '/api/webhooks', {
      name: 'once',
      verify: { type: 'none' },
      action: { trigger: { workflow: { slug: 'once' } } },
    });
    const runs = async () => (await client.query<{ id: string }>('select id from eec_workflow_run')).rows;
    // Whether the answer still comes does not matter: a sender that is not sure sends again.
    const answered = deliver(host, hook, { body: '{"n":1}' }).catch(() => null);
    const [first] = await until(async () => {
      const rows = await runs();
      return rows.length > 0 && rows;
    }, 'the run to be committed');
    await host.kill('SIGKILL');
    await answered;
    await start();
    expect(await deliver(host, hook, { body: '{"n":1}' })).to.deep.equal({ status: 202, text: '{"accepted":true}' });
    expect(await runs()).to.deep.equal([first]);
  });
});
