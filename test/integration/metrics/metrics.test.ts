import { expect } from 'chai';
import { randomIds } from '#host/engine/random-ids.js';
import { createApiKeys } from '#host/keys/api-keys.js';
import { createLog } from '#host/log.js';
import { apiKeyTable } from '#host/postgres/api-keys.js';
import { openDatabase } from '#host/postgres/connection.js';
import { startTestHost, type TestHost } from '../../support/host.js';
import { until } from '../../support/until.js';
import { parseExposition, type Sample } from './exposition.js';
import { type Service, startService } from './service.js';
import { publishCall, runCall } from './workflow.js';

describe('The metrics of a host', () => {
  let service: Service;
  let host: TestHost;
  before(async function () {
    this.timeout(60_000);
    service = await startService();
    host = await startTestHost();
    await publishCall(host, service.url);
    for (const path of ['/ok', '/ok', '/fail']) await runCall(host, { path });
    await host.call('GET', '/api/nothing-here');
  });
  after(async () => {
    await host.stop();
    service.close();
  });

  const scrape = async (): Promise<readonly Sample[]> => {
    const response = await fetch(`${host.url}/metrics`, { headers: { authorization: `Bearer ${host.key}` } });
    expect(response.headers.get('content-type')).to.match(/^text\/plain; version=0\.0\.4(;|$)/);
    return parseExposition(await response.text());
  };
  /** The one series that has these labels. */
  const valueIn = (samples: readonly Sample[], name: string, labels: Sample['labels'] = {}): number | undefined => {
    const found = samples.filter(
      (sample) =>
        sample.name === name && Object.entries(labels).every(([label, value]) => sample.labels[label] === value),
    );
    expect(found.length, name).to.be.at.most(1);
    return found[0]?.value;
  };

  it('count runs, ticks and batches', async () => {
    const samples = await until(async () => {
      const now = await scrape();
      return valueIn(now, 'ductor_runs_ended_total', { status: 'failed' }) === 1 ? now : null;
    }, 'the last run to be counted');
    expect(valueIn(samples, 'ductor_runs_started_total')).to.equal(3);
    expect(valueIn(samples, 'ductor_runs_ended_total', { status: 'completed' })).to.equal(2);
    // Two ticks a run: its start, and the outcome of its step.
    expect(valueIn(samples, 'ductor_ticks_total')).to.equal(6);
    expect(valueIn(samples, 'ductor_tick_conflicts_total')).to.equal(0);
    const commits = valueIn(samples, 'ductor_commits_total');
    expect(commits).to.be.within(1, 6);
    expect(valueIn(samples, 'ductor_commit_ticks_count')).to.equal(commits);
    expect(valueIn(samples, 'ductor_commit_ticks_sum')).to.equal(6);
    expect(valueIn(samples, 'ductor_commit_duration_seconds_count')).to.equal(commits);
    expect(valueIn(samples, 'ductor_commit_duration_seconds_sum')).to.be.above(0);
  });

  it('count attempts by connector, action and outcome', async () => {
    const samples = await scrape();
    const call = { connector: 'http', action: 'request' };
    expect(valueIn(samples, 'ductor_attempts_total', { ...call, outcome: 'completed' })).to.equal(2);
    expect(valueIn(samples, 'ductor_attempts_total', { ...call, outcome: 'failed' })).to.equal(1);
    expect(valueIn(samples, 'ductor_attempt_duration_seconds_count', call)).to.equal(3);
    expect(valueIn(samples, 'ductor_attempts_lost_total')).to.equal(0);
  });

  it('show what waits: queues, pools, the sweep', async () => {
    const samples = await scrape();
    for (const queue of ['states', 'inputs', 'commits', 'attempts']) {
      expect(valueIn(samples, 'ductor_queue_depth', { queue }), queue).to.equal(0);
    }
    const pool = { package: '@ductor/connector-http' };
    expect(valueIn(samples, 'ductor_pool_threads', pool)).to.be.within(1, 8);
    expect(valueIn(samples, 'ductor_pool_running', pool)).to.equal(0);
    expect(valueIn(samples, 'ductor_pool_queued', pool)).to.equal(0);
    expect(valueIn(samples, 'ductor_sweep_lag_seconds')).to.be.within(0, 20);
  });

  it('count requests by the template of their route, never by their path', async () => {
    const samples = await scrape();
    const trigger = { method: 'POST', route: '/api/v2/workflow-definitions/{definition_id}:trigger', status: '200' };
    expect(valueIn(samples, 'ductor_http_requests_total', trigger)).to.equal(3);
    expect(valueIn(samples, 'ductor_http_requests_total', { route: 'none', status: '404' })).to.equal(1);
    const { status: _, ...timed } = trigger;
    expect(valueIn(samples, 'ductor_http_request_duration_seconds_count', timed)).to.equal(3);
    expect(JSON.stringify(samples)).not.to.match(/nothing-here|definitions\/call/);
  });

  it('tell of the process, too', async () => {
    expect(valueIn(await scrape(), 'process_resident_memory_bytes')).to.be.above(0);
  });

  it('need a key of the scope operator, of a tenant or of none', async () => {
    const statusFor = async (key: string) =>
      (await fetch(`${host.url}/metrics`, { headers: { authorization: `Bearer ${key}` } })).status;
    expect((await fetch(`${host.url}/metrics`)).status).to.equal(401);
    const db = openDatabase({ connection: host.database.url, poolSize: 1, log: createLog({ level: 'silent' }) });
    const keys = createApiKeys({ table: apiKeyTable(db.knex), ids: randomIds });
    const reader = await keys.create({ tenantId: 'default', name: 'reader', scopes: ['workflow:read'] });
    const operator = await keys.create({ tenantId: null, name: 'scraper', scopes: ['operator'] });
    await db.close();
    expect(await statusFor(reader.key)).to.equal(403);
    expect(await statusFor(operator.key)).to.equal(200);
    expect(await statusFor(host.key)).to.equal(200);
  });

  describe('of two hosts in one process', () => {
    let other: TestHost;
    before(async function () {
      this.timeout(60_000);
      other = await startTestHost({
        yaml: 'plugins: { metrics: { options: { open: true, process_metrics: false } } }\n',
      });
    });
    after(() => other.stop());

    it('are each host’s own, open to everybody if the option says so, and of the process only if it says so', async () => {
      const response = await fetch(`${other.url}/metrics`);
      expect(response.status).to.equal(200);
      const samples = parseExposition(await response.text());
      expect(valueIn(samples, 'ductor_runs_started_total')).to.equal(0);
      expect(samples.map(({ name }) => name).filter((name) => !name.startsWith('ductor_'))).to.eql([]);
    });
  });
});
