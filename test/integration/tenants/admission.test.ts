import { expect } from 'chai';
import { runUsage } from '#host/postgres/entitlements.js';
import { TenantPolicies, type TenantPolicy } from '#host/tenants/tenant-policies.js';
import { Admission } from '#host/trigger/admission.js';
import { faultyPool } from '../../support/faulty-pool.ts';
import { openSession, openSessions } from '../../support/session.ts';
import { type Answer, type Operated, startOperated } from './operator.ts';

const NONE = {
  max_definitions: null,
  max_open_runs: null,
  runs_per_minute: null,
  connectors: null,
  step_types: null,
};

const codeOf = ({ status, body }: Answer): string => (status === 200 ? 'started' : body.error.details?.[0].code);
const tally = (answers: readonly Answer[]) => {
  const counts: { [code: string]: number } = {};
  for (const answer of answers) counts[codeOf(answer)] = (counts[codeOf(answer)] ?? 0) + 1;
  return counts;
};

/** As a run looks that has ended, whatever it did. */
async function end({ host }: Operated, runId: string): Promise<void> {
  const client = await openSession(host.database.url);
  await client.query('update eec_workflow_run set ended_at = now() where id = $1', [runId]);
  await client.end();
}

describe('a tenant’s limits on runs', () => {
  let ductor: Operated;

  before(async () => {
    ductor = await startOperated();
  });
  after(() => ductor.host.stop());

  const triggers = (key: string, count: number, more: object = {}) =>
    Promise.all(Array.from({ length: count }, () => ductor.trigger(key, 'flow', more)));
  const limited = async (id: string, entitlements: object) => {
    const key = await ductor.tenant(id, { entitlements });
    await ductor.publish(key, 'flow');
    return key;
  };

  it('let in as many open runs as there may be, and one more when one has ended', async () => {
    const key = await limited('open', { max_open_runs: 5 });
    const answers = await triggers(key, 20);
    expect(tally(answers)).to.eql({ started: 5, max_open_runs: 15 });
    const refused = answers.find(({ status }) => status === 429);
    expect(refused?.body.error.code).to.equal('resource_exhausted');
    expect(Number(refused?.retryAfter)).to.be.at.least(1);
    await end(ductor, answers.find(({ status }) => status === 200)?.body.run_id);
    expect(tally(await triggers(key, 4))).to.eql({ started: 1, max_open_runs: 3 });
  });

  it('let in as many runs a minute as there may be, and say when there is room', async () => {
    const key = await limited('rate', { runs_per_minute: 3 });
    const answers = await triggers(key, 10);
    expect(tally(answers)).to.eql({ started: 3, runs_per_minute: 7 });
    expect(Number(answers.find(({ status }) => status === 429)?.retryAfter)).to.be.within(50, 60);
  });

  it('do not count another tenant’s runs', async () => {
    const one = await limited('one', { max_open_runs: 1, runs_per_minute: 1 });
    const other = await limited('other', { max_open_runs: 1, runs_per_minute: 1 });
    expect(tally([await ductor.trigger(one, 'flow'), await ductor.trigger(other, 'flow')])).to.eql({ started: 2 });
  });

  it('answer a known key with its run, also where that took the last place a moment ago', async () => {
    const key = await limited('keyed', { max_open_runs: 1 });
    const answers = await triggers(key, 10, { idempotency_key: 'k1' });
    expect(tally(answers)).to.eql({ started: 10 });
    expect(new Set(answers.map(({ body }) => body.run_id)).size).to.equal(1);
    expect(codeOf(await ductor.trigger(key, 'flow', { idempotency_key: 'k2' }))).to.equal('max_open_runs');
  });

  it('are counted from the ends of indexes, however many runs have ended', async () => {
    const options = '-c enable_seqscan=off -c plan_cache_mode=force_generic_plan';
    const hot = openSessions(ductor.host.database.url, { options, max: 1 });
    let text = '';
    const watched = faultyPool(hot, (sent) => {
      text = sent.text;
      return sent.run();
    });
    const limits = { ...NONE, max_open_runs: 5, runs_per_minute: 5 };
    await hot.query(
      `insert into eec_workflow_run (id, tenant_id, chain_id, definition_id, kind, partition, status, db_record_version,
         node_states, run_context, attributes, fields, lineage, root_run_id, priority, created_at, ended_at, final_status)
       select id, 'nobody', id, id, 'workflow', 0, 'completed', 1, '{}', '{}', '{}', '{}', '{}', id, 'normal', now(), now(),
         'completed' from (select gen_random_uuid() as id from generate_series(1, 2000)) r`,
    );
    await hot.query('analyze eec_workflow_run');
    await runUsage(watched, 'nobody', { limits, since: '2026-01-01T00:00:00.000Z' });
    await hot.query(`prepare usage as ${text}`);
    const { rows } = await hot.query<{ 'QUERY PLAN': string }>('explain execute usage(null, null, null, null)');
    await hot.end();
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).to.match(/Index Only Scan using eec_workflow_run_open_list/);
    expect(plan).to.match(
      /using eec_workflow_run_(list|root) .*\n *Index Cond: \(\(tenant_id = \$1\) AND \((root_run_)?id >= /,
    );
  });

  it('hold from a change on, without a restart', async () => {
    const key = await limited('later', {});
    expect(tally(await triggers(key, 2))).to.eql({ started: 2 });
    await ductor.call('PATCH', '/api/tenants/later', { body: { entitlements: { max_open_runs: 0 } } });
    expect(codeOf(await ductor.trigger(key, 'flow'))).to.equal('max_open_runs');
  });
});

describe('a tenant without limits', () => {
  it('costs a query in five seconds, and a trigger none', async () => {
    let nowMs = 0;
    let reads = 0;
    const policies = new TenantPolicies(
      async (): Promise<TenantPolicy> => {
        reads++;
        return { release_policy: 'none', entitlements: NONE };
      },
      () => nowMs,
    );
    const unasked = () => Promise.reject(new Error('not to be asked'));
    const clock = { now: () => new Date().toISOString() };
    const admission = new Admission({ policies, clock, liveDeployment: unasked, usage: unasked });
    const admit = () => admission.admit('t1', { externalDeploymentId: null }, async () => 'started');
    expect(await Promise.all(Array.from({ length: 50 }, admit))).to.have.length(50);
    nowMs = 4_999;
    await admit();
    expect(reads).to.equal(1);
    nowMs = 5_000;
    await admit();
    expect(reads).to.equal(2);
  });
});

describe('release pinning', () => {
  let ductor: Operated;
  let key: string;

  before(async () => {
    ductor = await startOperated();
    key = await ductor.tenant('pinned', { release_policy: 'required' });
    await ductor.publish(key, 'flow');
  });
  after(() => ductor.host.stop());

  const declare = (id: string) =>
    ductor.call('PUT', '/api/caller-releases/live', {
      body: { external_deployment_id: id },
      headers: { 'x-tenant-id': 'pinned' },
    });

  it('starts no run before a release was declared', async () => {
    expect((await ductor.call('GET', '/api/caller-releases/live', { key })).status).to.equal(404);
    const { status, body } = await ductor.trigger(key, 'flow', { external_deployment_id: 'r1' });
    expect([status, body.error.code]).to.eql([409, 'failed_precondition']);
  });

  it('starts runs of the live release alone, and names it to others', async () => {
    await declare('r1');
    const known = { external_deployment_id: 'r1', idempotency_key: 'k1' };
    const first = await ductor.trigger(key, 'flow', known);
    expect(first.status).to.equal(200);
    await declare('r2');
    for (const more of [{}, { external_deployment_id: 'r1' }]) {
      const { status, body } = await ductor.trigger(key, 'flow', more);
      expect([status, body.error.code]).to.eql([409, 'failed_precondition']);
      expect(body.error.message).to.contain('r2');
      expect(body.error.details[0].allowed).to.eql(['r2']);
    }
    expect((await ductor.trigger(key, 'flow', { external_deployment_id: 'r2' })).status).to.equal(200);
    expect((await ductor.trigger(key, 'flow', known)).body.run_id, 'a known key').to.equal(first.body.run_id);
  });

  it('keeps the releases that were, and one live one, whoever declares at the same time', async () => {
    await Promise.all(['r3', 'r4', 'r5', 'r5'].map(declare));
    const { body } = await ductor.call('GET', '/api/caller-releases', { key });
    const ids = body.items.map((item: { external_deployment_id: string }) => item.external_deployment_id);
    expect(ids.slice(-2)).to.eql(['r2', 'r1']);
    const live = body.items.filter((item: { superseded_at: string | null }) => item.superseded_at === null);
    expect(live).to.have.length(1);
    expect((await ductor.call('GET', '/api/caller-releases/live', { key })).body.id).to.equal(live[0].id);
    const same = await declare(live[0].external_deployment_id);
    expect(same.body.id).to.equal(live[0].id);
  });

  it('is a tenant’s own', async () => {
    const other = await ductor.tenant('unpinned');
    await ductor.publish(other, 'flow');
    expect((await ductor.trigger(other, 'flow')).status).to.equal(200);
    expect((await ductor.call('GET', '/api/caller-releases', { key: other })).body.items).to.eql([]);
  });
});
