import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { until } from '../support/until.ts';
import { ductor, type Ended, type RunOptions, startTestHost, type TestHost } from './cli-support.ts';

const claim = {
  family_slug: 'claim',
  graph: {
    steps: [
      { ref: 'agreed', type: 'APPROVAL', approvers: ['dana'] },
      { ref: 'paid', type: 'WAIT', event: { event_name: 'claim.paid', correlation_key: 'input.id' } },
    ],
    edges: [{ from: 'agreed', to: 'paid', type: 'APPROVED' }],
  },
};

describe('ductor, for operators', function () {
  this.timeout(120_000);
  let host: TestHost;
  let folder: string;
  /** Of no tenant. */
  let operator: { readonly env: { readonly DUCTOR_API_KEY: string } };

  before(async () => {
    host = await startTestHost();
    folder = await mkdtemp(join(tmpdir(), 'ductor-operate-'));
    const body = { name: 'ops', tenant_id: null, scopes: ['operator' as const] };
    operator = { env: { DUCTOR_API_KEY: (await host.client.POST('/api/api-keys', { body })).data.key } };
    await writeFile(join(folder, 'claim.json'), JSON.stringify(claim));
    const applied = await cli(['definition', 'apply', 'claim.json', '--publish']);
    expect(applied.code, applied.stderr).to.equal(0);
  });

  after(async () => {
    await host.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const cli = (args: readonly string[], { env = {}, ...options }: RunOptions = {}): Promise<Ended> =>
    ductor(args, { cwd: folder, env: { ...host.env, ...env }, ...options });

  async function json(args: readonly string[], options: RunOptions = {}) {
    const { code, stdout, stderr } = await cli([...args, '--json'], options);
    expect(stderr).to.equal('');
    expect(code).to.equal(0);
    return JSON.parse(stdout);
  }

  async function trigger(id: string): Promise<string> {
    const { data } = await host.client.POST('/api/v2/workflow-definitions/{definition_id}:trigger', {
      params: { path: { definition_id: 'claim' } },
      body: { input: { id } },
    });
    return data.run_id;
  }

  const statusIs = (run_id: string, wanted: string) =>
    until(async () => {
      const { data } = await host.client.GET('/api/workflows/runs/{run_id}', { params: { path: { run_id } } });
      return data.status === wanted;
    }, `the run to be ${wanted}`);

  it('approves a step, publishes the event that a run waits for, and tells what happened', async () => {
    const run = await trigger('c-1');
    await statusIs(run, 'waiting');
    expect((await cli(['run', 'approve', run, 'agreed', '--approver', 'dana', '--comment', 'fine'])).stdout).to.equal(
      `accepted: the run takes it up with its next tick\nWatch it: ductor run watch ${run}\n`,
    );
    await until(async () => {
      const init = { params: { path: { run_id: run } } };
      const { data } = await host.client.GET('/api/v2/workflow-runs/{run_id}/snapshot', init);
      return data.nodes.paid?.status === 'waiting';
    }, 'the run to wait for the event');
    const published = ['event', 'publish', 'claim.paid', '--key', 'c-1', '--payload', '{"amount":40}', '--id', 'p-1'];
    expect((await cli(published)).stdout).to.equal('claim.paid p-1: 1 waits took it\n');
    expect(await host.client.waitForRun(run)).to.include({ status: 'completed' });

    const [events, tree, listed] = await Promise.all([
      cli(['run', 'events', run]),
      cli(['run', 'tree', run]),
      json(['event', 'list', '--name', 'claim.paid']),
    ]);
    expect(events.stdout)
      .to.match(/node +agreed +completed/)
      .and.match(/Z +run +completed/);
    expect(tree.stdout).to.match(new RegExp(`^claim v1 {2}${run} {2}completed .*← asked for\\n$`));
    expect(listed).to.deep.include({ more: false }).and.nested.include({ 'items[0].matched': 1 });
  });

  it('pauses, resumes and cancels a run, once for each request id, and names what a run does not take', async () => {
    const run = await trigger('c-2');
    await statusIs(run, 'waiting');
    const pause = ['run', 'pause', run, '--reason', 'the ledger is down', '--request-id', 'p-1'];
    expect(await json(pause)).to.include({ status: 'accepted', run_id: run });
    await statusIs(run, 'paused');
    expect((await cli(['run', 'resume', run])).code).to.equal(0);
    await statusIs(run, 'waiting');
    expect(await json(pause)).to.include({ status: 'accepted' });
    expect((await cli(['run', 'cancel', run])).code).to.equal(0);
    await statusIs(run, 'cancelled');
    const [late, audit] = await Promise.all([
      cli(['run', 'resume', run]),
      cli(['audit-log', '--target', run, '--limit', '2'], operator),
    ]);
    expect(late)
      .to.include({ code: 1 })
      .and.property('stderr')
      .match(/cancelled.*\(failed_precondition\)/);
    expect(audit.stdout)
      .to.match(/workflow_run\.cancel/)
      .and.include('There are more');
  });

  it('triggers a run for each line of a file, and names the lines that are refused', async () => {
    const lines = ['{"input":{"id":"b-1"},"idempotency_key":"b-1"}', '', '{"inptu":1}', '{"input":{"id":"b-2"}}'];
    await writeFile(join(folder, 'claims.jsonl'), lines.join('\n'));
    const batch = ['trigger', 'claim', '--batch', 'claims.jsonl'];
    const [told, asJson, wrong, mixed] = await Promise.all([
      cli(batch),
      cli([...batch, '--json']),
      cli(['trigger', 'claim', '--batch', '-'], { input: '{"input":\n' }),
      cli([...batch, '--wait']),
    ]);
    expect(told.code).to.equal(1);
    expect(told.stdout).to.match(/^claims\.jsonl:3 {2}.*inptu.*\(invalid_argument\)\n2 started, 1 refused\n$/);
    const results = asJson.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(results.map(({ line }) => line)).to.deep.equal([1, 3, 4]);
    expect(results[1].error).to.include({ code: 'invalid_argument' });
    expect(wrong).to.include({ code: 2 }).and.property('stderr').include('-:1  no JSON');
    expect(mixed).to.include({ code: 2 });
  });

  it('keeps a credential whose values come from the environment, a file or stdin, and are never shown', async () => {
    const secret = 'hush-hush';
    const create = ['credential', 'create', 'crm', '--connector', 'http', '--auth', 'bearer'];
    const created = await cli([...create, '--value-from', 'token=CRM_TOKEN'], { env: { CRM_TOKEN: secret } });
    expect(created.code, created.stderr).to.equal(0);
    expect(created.stdout).to.match(/^crm: created, with token; id /);
    const [listed, replaced, missing, nothing, tested] = await Promise.all([
      cli(['credential', 'list', '--connector', 'http']),
      cli(['credential', 'replace', 'crm', '--values', '-'], { input: `token: ${secret}\n` }),
      cli([...create, '--value-from', 'token=NOT_SET']),
      cli(['credential', 'replace', 'crm']),
      cli(['credential', 'test', 'crm']),
    ]);
    expect(listed.stdout).to.match(/crm +http +bearer +token/);
    expect(replaced.stdout).to.match(/^crm: replaced, with token/);
    expect(missing).to.include({ code: 2 }).and.property('stderr').include('the environment has no NOT_SET for token');
    expect(nothing).to.include({ code: 2 });
    expect(tested)
      .to.include({ code: 0 })
      .and.property('stdout')
      .match(/^untested/);
    expect([created, listed, replaced].map(({ stdout, stderr }) => stdout + stderr).join()).to.not.include(secret);
    expect((await cli(['credential', 'delete', 'crm'])).stdout).to.equal('crm: deleted\n');
    expect(await cli(['credential', 'test', 'crm']))
      .to.include({ code: 2 })
      .and.property('stderr')
      .include('credential list');
  });

  it('makes tenants, and lists and revokes keys, with an operator’s key', async () => {
    const limits = ['--entitlements', '{"max_open_runs":3}'];
    expect(await json(['tenant', 'create', 'acme', ...limits], operator)).to.deep.include({ id: 'acme' });
    const body = { name: 'acme-app', tenant_id: 'acme', scopes: ['workflow:read' as const] };
    const { data: key } = await host.client.POST('/api/api-keys', { body });
    const [tenants, keys, asTenant] = await Promise.all([
      cli(['tenant', 'list'], operator),
      cli(['api-key', 'list', '--tenant', 'acme'], operator),
      cli(['tenant', 'list'], { env: { DUCTOR_API_KEY: key.key } }),
    ]);
    expect(tenants.stdout).to.match(/acme +none +max open runs 3/);
    expect(keys.stdout).to.match(/acme-app +acme +valid +workflow:read/);
    expect(asTenant).to.include({ code: 1 }).and.property('stderr').include('(permission_denied)');
    expect((await cli(['api-key', 'revoke', key.id], operator)).stdout).to.equal(`revoked: acme-app, id ${key.id}\n`);
    expect((await cli(['run', 'list'], { env: { DUCTOR_API_KEY: key.key } })).stderr).to.match(
      /\(unauthenticated\)\nThe key came from DUCTOR_API_KEY/,
    );
  });

  it('checks, copies, lists and archives definitions', async () => {
    const [valid, copied, versions] = await Promise.all([
      cli(['definition', 'validate', 'claim']),
      json(['definition', 'duplicate', 'claim', 'claim-eu']),
      json(['definition', 'versions', 'claim']),
    ]);
    expect(valid.stdout).to.match(/^It can be published\./);
    expect(copied).to.include({ family_slug: 'claim-eu', status: 'draft' });
    expect(versions.items.map(({ version }: { version: number }) => version)).to.deep.equal([1]);
    await host.client.POST('/api/workflow-definitions/{id}/publish', { params: { path: { id: 'claim-eu' } } });
    expect((await cli(['definition', 'archive', 'claim-eu'])).stdout).to.equal('claim-eu: archived version 1\n');
  });

  it('shows operations and statistics', async () => {
    const body = { filter: { subject_id: 'nobody' }, control: 'pause' as const };
    const { data } = await host.client.POST('/api/v2/workflow-runs:batch', { body });
    const id = 'operation_id' in data ? data.operation_id : '';
    await until(async () => {
      const found = await host.client.GET('/api/operations/{id}', { params: { path: { id } } });
      return found.data.status === 'done';
    }, 'the operation to be done');
    const [shown, listed, cancelled, stats] = await Promise.all([
      cli(['operation', 'show', id]),
      json(['operation', 'list', '--kind', 'run_control']),
      cli(['operation', 'cancel', id]),
      cli(['stats', '--bucket', 'day']),
    ]);
    expect(shown.stdout).to.match(new RegExp(`^run_control ${id} done: 0 of 0 done`));
    expect(listed.items).to.have.length(1);
    expect(cancelled).to.include({ code: 1 }).and.property('stderr').include('done already');
    expect(stats.stdout).to.match(/^from .*\nopen now: \d/);
  });

  it('suggests what an unknown command may have meant', async () => {
    const [wrong, deeper] = await Promise.all([cli(['trigge']), cli(['run', 'pasue'])]);
    expect(wrong).to.include({ code: 2 }).and.property('stderr').include('Did you mean trigger?');
    expect(deeper).to.include({ code: 2 }).and.property('stderr').include('Did you mean pause?');
  });
});
