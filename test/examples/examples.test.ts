import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Run } from '@ductor/client';
import { expect } from 'chai';
import { applyDefinition } from '#host/cli/definition/apply.js';
import { readDefinitionFile } from '#host/cli/definition/definition-file.js';
import { startTestHost, type TestHost } from '../e2e/cli-support.ts';
import { until } from '../support/until.ts';
import { type Crm, startCrm } from './crm.ts';
import { startWarehouse } from './warehouse.ts';

const folder = fileURLToPath(new URL('../../examples/', import.meta.url));

interface Case {
  readonly file: string;
  readonly what: string;
  readonly input: object;
  readonly ends: Partial<Pick<Run, 'status' | 'output' | 'error' | 'run_context'>>;
}

describe('the example workflows', function () {
  this.timeout(60_000);
  let host: TestHost;
  let crm: Crm;

  before(async () => {
    [host, crm] = await Promise.all([startTestHost(), startCrm()]);
  });

  after(async () => {
    await host.stop();
    await crm.close();
  });

  /** Publishes an example, runs it to its end and answers with that. */
  async function run(file: string, input: object): Promise<Run> {
    const definition = readDefinitionFile(`${folder}${file}`);
    const { client } = host;
    const { version, warnings } = await applyDefinition({ client, definition, publish: true });
    expect(warnings).to.deep.equal([]);
    const { data } = await client.POST('/api/v2/workflow-definitions/{definition_id}:trigger', {
      params: { path: { definition_id: String(version?.id) } },
      body: { input },
    });
    return client.waitForRun(data.run_id);
  }

  const refund = { order: 'o-7', amount: 40, days_since_purchase: 3 };
  const cases: readonly Case[] = [
    {
      file: 'refund-desk.json',
      what: 'pays a small refund',
      input: refund,
      ends: {
        status: 'completed',
        output: { paid: 40, note: 'Refund of 40 for order o-7' },
        run_context: { paid: 40 },
      },
    },
    {
      file: 'refund-desk.json',
      what: 'leaves a large one to a person',
      input: { ...refund, amount: 4_000, days_since_purchase: 90, reason: 'arrived broken' },
      ends: {
        status: 'completed',
        output: { paid: 0, note: 'A person decides', findings: ['large', 'late', 'defect'] },
      },
    },
    {
      file: 'refund-desk.json',
      what: 'fails one that comes too late',
      input: { ...refund, days_since_purchase: 90 },
      ends: {
        status: 'failed',
        error: {
          code: 'too_late',
          message: 'Order o-7 was bought 90 days ago',
          party: 'user',
          details: { step_ref: 'refuse' },
        },
      },
    },
  ];

  for (const { file, what, input, ends } of cases) {
    it(`${file} ${what}`, async () => {
      expect(await run(file, input)).to.deep.include(ends);
    });
  }

  it('lead-router.json assigns a large lead, over the 503 of the first request and under one key', async () => {
    const email = 'ada@globex.test';
    const ended = await run('lead-router.json', { email, crm_url: crm.url });
    expect(ended).to.deep.include({
      status: 'completed',
      output: { owner: 'Grace', company: 'globex', tier: 'enterprise', points: 90 },
    });
    expect(ended.attributes).to.include({ tier: 'enterprise' });
    const calls = crm.calls.filter((call) => call.email === email);
    expect(calls.map(({ path, status }) => `${path} ${status}`)).to.deep.equal([
      '/enrich 503',
      '/enrich 200',
      '/assign 200',
    ]);
    expect(calls[0]?.idempotencyKey).to.equal(calls[1]?.idempotencyKey).and.not.equal(calls[2]?.idempotencyKey);
  });

  it('lead-router.json leaves a small lead to the newsletter, and calls nobody', async () => {
    const email = 'bob@tiny.test';
    const ended = await run('lead-router.json', { email, source: 'webinar', crm_url: crm.url });
    expect(ended).to.deep.include({
      status: 'completed',
      output: { owner: 'newsletter', company: 'tiny', tier: 'self-serve', points: 10 },
    });
    expect(crm.calls.filter((call) => call.email === email).map(({ path }) => path)).to.not.include('/assign');
  });

  it('nightly-import.json publishes and announces each row of the day', async () => {
    const shop = await startWarehouse({ rows: 3, refuses: () => false });
    const ended = await run('nightly-import.json', { day: '2026-11-29', shop_url: shop.url });
    shop.close();
    const articles = ['article-0', 'article-1', 'article-2'];
    expect(ended).to.deep.include({ status: 'completed', output: { rows: 3, articles, cents: 303, refused: [] } });
    expect([...shop.onSale].sort()).to.deep.equal([0, 1, 2]);
    expect(shop.effects('/announce')).to.have.length(1);
  });

  it('nightly-import.json withdraws what it has published when one row of few is refused', async () => {
    const shop = await startWarehouse({ rows: 3, refuses: (path, row) => path === '/index' && row === 1 });
    const ended = await run('nightly-import.json', { day: '2026-11-29', shop_url: shop.url });
    expect(ended).to.deep.include({ status: 'failed' });
    expect(ended.error).to.deep.include({ code: 'branch_failed' });
    await until(() => shop.onSale.size === 0, 'all to be withdrawn');
    shop.close();
  });

  it('are all run here', () => {
    const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
    const others = ['lead-router.json', 'nightly-import.json'];
    expect(files).to.have.members([...new Set([...cases.map(({ file }) => file), ...others])]);
  });
});
