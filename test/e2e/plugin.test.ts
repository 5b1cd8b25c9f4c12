import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { auditPackage } from '../support/audit-plugin.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { freePort, type HostProcess, startHostProcess } from '../support/host-process.ts';
import { rejection } from '../support/rejection.ts';
import { until } from '../support/until.ts';
import { ductor } from './cli-support.ts';

interface Run {
  readonly run_id: string;
  readonly status: string;
}
interface Why {
  readonly reasons: readonly { readonly code: string; readonly plugin?: string }[];
}

/** What the plugin sends its entries to; it answers when it is told to. */
class Sink {
  readonly keys: string[] = [];
  private readonly server: Server;
  private readonly held: ServerResponse[] = [];
  private isOpen = false;

  constructor() {
    this.server = createServer((request, response) => {
      this.keys.push(String(request.headers['idempotency-key']));
      request.resume();
      if (this.isOpen) response.end();
      else this.held.push(response);
    });
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  open(): void {
    this.isOpen = true;
    for (const response of this.held.splice(0)) response.end();
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }
}

describe("A third party's plugin, added by the command line", function () {
  this.timeout(120_000);
  const sink = new Sink();
  let database: TestDatabase;
  let folder: string;
  let port: number;
  let host: HostProcess;

  const env = () => ({ DATABASE_URL: database.url, DUCTOR_MODE: 'development', DUCTOR_DATA_DIR: folder });
  const start = async () => {
    host = await startHostProcess({ dataDir: folder, port, env: env() });
  };
  const trigger = (body: object) => host.call<Run>('POST', '/api/v2/workflow-definitions/audited:trigger', body);
  const create = (slug: string, definition: object) =>
    host.call<{ id: string }>('POST', '/api/workflow-definitions', { family_slug: slug, title: slug, ...definition });
  const publish = (id: string) => host.call('POST', `/api/workflow-definitions/${id}/publish`);
  const counted = () => host.call<{ entries: number; sent: number }>('GET', '/api/plugins/acme-audit/count');
  const ended = (runId: string) =>
    until(
      async () => (await host.call<Run>('GET', `/api/workflows/runs/${runId}`)).status === 'completed',
      `run ${runId} to end`,
      60_000,
    );

  const steps = [
    { ref: 'note', type: 'ACME_AUDIT', entry: '"lead " + input.lead' },
    { ref: 'decide', type: 'RULE', audit: 'who got it', rules: [{ when: 'true', value: 'anna' }] },
  ];
  const graph = { steps, edges: [{ from: 'note', to: 'decide', type: 'SUCCESS' }] };

  before(async () => {
    database = await createTestDatabase();
    folder = await mkdtemp(join(tmpdir(), 'ductor-plugin-'));
    port = await freePort();
    const source = join(folder, 'audit');
    await auditPackage(source);
    const options = JSON.stringify({ sink: await sink.listen() });
    const added = await ductor(['plugin', 'add', './audit', '--options', options], { cwd: folder, env: env() });
    expect(added.code, added.stderr).to.equal(0);
    // What runs is the copy.
    await rm(source, { recursive: true });
    await start();
  });

  after(async () => {
    await host?.kill('SIGKILL');
    sink.close();
    await database?.drop();
    await rm(folder, { recursive: true, force: true });
  });

  it('judges its settings at publish, in its own words', async () => {
    const { id } = await create('audited', { graph, settings: { audit: ['note', 'gone'] } });
    const refused = String(await rejection(publish(id)));
    expect(refused).to.include('settings.audit[0]').and.include('the step note has to say audit');
    expect(refused).to.include('settings.audit[1]').and.include('there is no step gone');
    await host.call('PATCH', `/api/workflow-definitions/${id}/draft`, {
      expected_draft_revision: 1,
      operations: [{ set_settings: { audit: ['decide'] } }],
    });
    await publish(id);
  });

  it('keeps what it wrote in a commit, and does what that asks for, although the host was killed in between', async () => {
    const { run_id } = await trigger({ input: { lead: 'l-1' } });
    await ended(run_id);
    await until(() => sink.keys.length > 0, 'an entry to be on its way');
    // From the start hook, the step and the settle hook; none is sent.
    expect(await counted()).to.deep.include({ entries: 3, sent: 0 });
    const [first] = sink.keys;
    await host.kill('SIGKILL');
    sink.keys.length = 0;
    sink.open();
    await start();
    await until(async () => (await counted()).sent === 3, 'all entries to be sent');
    expect(sink.keys).to.include(first);
    expect(new Set(sink.keys).size).to.equal(3);
  });

  it('that is switched off is gone; its open runs wait with a reason, and go on when it is back', async () => {
    const { run_id } = await trigger({ input: { lead: 'l-2' }, start_at: new Date(Date.now() + 1_000).toISOString() });
    await host.kill('SIGTERM');

    const named = '"@acme/ductor-plugin-audit"';
    await writeFile(join(folder, 'ductor.yaml'), `plugins: { ${named}: false }\n`);
    await start();
    expect(host.output()).to.include('open runs are parked');
    expect(String(await rejection(counted()))).to.include('404');
    const { id } = await create('other', { graph: { steps: [steps[0]], edges: [] } });
    expect(String(await rejection(publish(id))))
      .to.include('STEP_TYPE_ACME_AUDIT')
      .and.include('acme-audit');
    const why = await until(async () => {
      const { reasons } = await host.call<Why>('GET', `/api/v2/workflow-runs/${run_id}/why`);
      return reasons[0]?.code === 'plugin_missing' ? reasons : null;
    }, 'the run to be parked');
    expect(why.map(({ plugin }) => plugin)).to.deep.equal(['acme-audit']);
    await host.kill('SIGTERM');

    await writeFile(join(folder, 'ductor.yaml'), `plugins: { ${named}: { version: ^1.0.0 } }\n`);
    await start();
    await ended(run_id);
    expect((await counted()).entries).to.equal(6);
  });
});
