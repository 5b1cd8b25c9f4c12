import { expect } from 'chai';
import type { TestDatabase } from '../../support/database.ts';
import { faultyPool } from '../../support/faulty-pool.ts';
import { openSession } from '../../support/session.ts';
import { type DigestEngine, digestDatabase, HOUR_MS, isPlaced, startDigestEngine, together } from './world.ts';

interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly Plans?: readonly Plan[];
}

const nodesOf = (plan: Plan): readonly Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

describe('The statements of digests', () => {
  let database: TestDatabase;
  let engine: DigestEngine;
  /** Those that name a table of digests, as they were sent. */
  const statements = new Set<string>();
  const note = (text: string) => {
    if (text.includes('eec_workflow_digest')) statements.add(text);
  };

  before(async () => {
    database = await digestDatabase();
    engine = await startDigestEngine({
      database,
      through: (hot) =>
        faultyPool(hot, ({ text, run }) => {
          note(text);
          return run();
        }),
    });
    engine.onDeed = note;
  });
  after(async () => {
    await engine.stop({ keep: true });
    await database.drop();
  });

  it('scan no table, however many windows and arrivals there are', async () => {
    const id = engine.define(together({ dedupe_key: 'string(input.n)' }));
    const runs: string[] = [];
    for (const n of [1, 2, 3]) {
      const runId = await engine.start(id, { customer: 'c', n });
      await engine.stands(runId, isPlaced, 'to be placed');
      runs.push(runId);
    }
    await engine.control(runs[1]!, 'cancel');
    await engine.ended(runs[1]!);
    await engine.control(runs[1]!, 'redrive');
    await engine.passes(HOUR_MS);
    await engine.ended(runs[0]!);
    await engine.recover();
    const next = await engine.start(id, { customer: 'c', n: 4 });
    await engine.stands(next, isPlaced, 'to be placed');
    expect(statements.size).to.be.greaterThan(8);

    const client = await openSession(database.url);
    try {
      await client.query(`
        insert into eec_workflow_digest
        select gen_random_uuid(), 'default', gen_random_uuid(), 'd', n::text, n::text, gen_random_uuid(), gen_random_uuid(),
          now(), now(), 10, 1, 10, 1, n % 100 = 0, case when n % 2 = 0 then now() end
        from generate_series(1, 20000) n`);
      await client.query(`
        insert into eec_workflow_digest_arrival
        select 'x' || n, 'default', gen_random_uuid(), gen_random_uuid(), 'd', 'k', n::text, 1, 1, now(),
          gen_random_uuid(), n, true, true, case when n % 2 = 0 then now() end
        from generate_series(1, 20000) n`);
      await client.query('analyze');
      await client.query('set plan_cache_mode = force_generic_plan');
      for (const text of statements) {
        const parameters = Math.max(0, ...[...text.matchAll(/\$(\d+)/g)].map(([, n]) => Number(n)));
        await client.query(`prepare explained as ${text}`);
        const nothing = Array.from({ length: parameters }, () => 'null').join(', ');
        const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
          `explain (format json) execute explained${parameters === 0 ? '' : `(${nothing})`}`,
        );
        await client.query('deallocate explained');
        for (const node of nodesOf(rows[0]!['QUERY PLAN'][0].Plan)) {
          const isOfDigests = node['Relation Name']?.startsWith('eec_workflow_digest') ?? false;
          if (isOfDigests) expect(node['Node Type'], `${node['Relation Name']} in ${text}`).not.to.equal('Seq Scan');
        }
      }
    } finally {
      await client.end();
    }
  });
});
