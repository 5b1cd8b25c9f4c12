import { randomUUID } from 'node:crypto';
import type { Definition } from '@ductor/core';
import { expect } from 'chai';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { startTestEngine } from '../../support/engine.ts';
import { publishGraph, startTestHost, type TestHost } from '../../support/host.ts';
import { until } from '../../support/until.ts';

describe('Signals on several hosts', function () {
  this.timeout(60_000);
  let database: TestDatabase;
  beforeEach(async () => {
    database = await createTestDatabase();
  });

  it('all count, whichever hosts they come to at once', async () => {
    const a = await startTestHost({ database });
    const b = await startTestHost({ database });
    const count = 10;
    await publishGraph(a, 'many', {
      graph: { steps: [{ ref: 'agreed', type: 'APPROVAL', min_approvals: count }], edges: [] },
    });
    const runs = await Promise.all(
      [1, 2].map(async () => {
        const path = '/api/v2/workflow-definitions/many:trigger';
        return (await a.call<{ run_id: string }>('POST', path, {})).body.run_id;
      }),
    );
    const approve = (host: TestHost, runId: string, n: number) =>
      host.call('POST', `/api/v2/workflow-runs/${runId}/steps/agreed:approve`, {
        request_id: `r${n}`,
        approver_id: `a${n}`,
      });
    const answers = await Promise.all(
      runs.flatMap((runId) => Array.from({ length: count }, (_, n) => approve(n % 2 === 0 ? a : b, runId, n))),
    );
    expect(answers.filter(({ status }) => status !== 200)).to.deep.equal([]);
    for (const runId of runs) {
      await until(async () => {
        const { body } = await b.call('GET', `/api/workflows/runs/${runId}`);
        return body.status === 'completed';
      }, `run ${runId} to complete`);
    }
    await b.stop({ keep: true });
    await a.stop();
  });

  it('that were kept for a step are found when the host that parked it is gone', async () => {
    const definitions = new Map<string, Definition>();
    const first = await startTestEngine({ database, definitions });
    const runId = await first.start(first.define({ steps: [{ ref: 'w', type: 'WAIT', signal: 's' }] }));
    await until(async () => (await first.state(runId)).status === 'waiting', 'the wait');
    await first.crash();
    const db = await startTestEngine({ database, definitions });
    // As it is left where the signal came while the step was being parked.
    const body = {
      at: { ref: 'w', branch: [] },
      signal: { verb: 'resolve', requestId: 'r', actor: 'key:test', payload: 7 },
    };
    await db.query(
      `insert into eec_workflow_inbox (id, tenant_id, chain_id, run_id, kind, node, request_id, body, is_wanted)
       values ($1, 'default', $2, $2, 'signal', 'w', 'r', $3, false)`,
      randomUUID(),
      runId,
      JSON.stringify(body),
    );
    expect((await db.state(runId)).endedAt).to.equal(null);
    await db.stop({ keep: true });
    const second = await startTestEngine({ database, definitions });
    await second.ended(runId);
    await second.stop();
  });
});
