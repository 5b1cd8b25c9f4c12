import type { Lineage, NodeAddress } from '@ductor/core';
import { expect } from 'chai';
import { randomIds } from '#host/engine/random-ids.js';
import { treeRoutes } from '#host/http/run-tree.routes.js';
import { startTestEngine, type TestEngine } from '../../support/engine.ts';
import { allPages, type Rest, startRest } from '../http/rest.ts';

describe('The tree of a run', () => {
  let engine: TestEngine;
  let rest: Rest;
  before(async () => {
    engine = await startTestEngine({});
    rest = await startRest({ engine, routes: ({ db: { knex } }) => treeRoutes({ knex }) });
  });
  after(async () => {
    await rest.stop();
    await engine.stop();
  });

  const tree = (runId: string, query = '', key = rest.key.t1) =>
    rest.call({ path: `/api/workflows/runs/${runId}/tree${query}`, key });

  /** A run of the engine's. */
  async function realRun(): Promise<string> {
    const id = engine.define({ steps: [{ ref: 'a', type: 'TRANSFORM', value: 1 }] });
    const runId = await engine.start(id, {}, { tenantId: 't1' });
    await engine.ended(runId);
    return runId;
  }

  const parent = (runId: string, node: NodeAddress | null = null): Lineage['parent'] => ({
    runId,
    chainId: runId,
    node,
    report: 'end',
  });

  /** A row beside it, as what came of it would leave one. */
  async function relative(
    rootRunId: string,
    lineage: Partial<Lineage>,
    more: Partial<Parameters<Rest['rows']['run']>[0]> = {},
  ): Promise<string> {
    const id = await rest.rows.run({ tenantId: 't1', rootRunId, ...more });
    const whole = {
      rootRunId,
      journeyId: rootRunId,
      parent: null,
      above: [],
      continuedFrom: null,
      resetFrom: null,
      depth: 0,
    };
    await rest.db
      .knex('eec_workflow_run')
      .where({ id })
      .update({ lineage: JSON.stringify({ ...whole, ...lineage }) });
    return id;
  }

  it('of one run is that run', async () => {
    const runId = await realRun();
    const { status, body } = await tree(runId);
    expect(status).to.equal(200);
    expect(body).to.include({ root_run_id: runId, next_page_token: null });
    expect(body.items).to.have.length(1);
    expect(body.items[0]).to.deep.include({
      run_id: runId,
      relation: 'root',
      parent_run_id: null,
      parent_step_ref: null,
      parent_branch: [],
      continued_from_run_id: null,
      reset_from_run_id: null,
      depth: 0,
      kind: 'workflow',
      status: 'completed',
    });
    expect(body.items[0].ended_at >= body.items[0].created_at).to.equal(true);
  });

  it('shows children, successors and compensations with what each hangs from, whoever of them is asked', async () => {
    const root = await realRun();
    const node = { ref: 'pay', branch: [2, 0] };
    const child = await relative(root, { parent: parent(root, node), depth: 1 }, { status: 'running' });
    const grandchild = await relative(root, { parent: parent(child), depth: 2 });
    const next = await relative(root, { continuedFrom: root });
    const undo = await relative(root, { parent: parent(root) }, { kind: 'compensation' });
    const other = await realRun();
    const fork = await relative(other, { resetFrom: root, rootRunId: other, journeyId: root });
    const expected = [
      { run_id: root, relation: 'root', parent_run_id: null, depth: 0 },
      { run_id: child, relation: 'child', parent_run_id: root, parent_step_ref: 'pay', depth: 1, status: 'running' },
      { run_id: grandchild, relation: 'child', parent_run_id: child, parent_step_ref: null, depth: 2 },
      { run_id: next, relation: 'continuation', parent_run_id: null, continued_from_run_id: root, depth: 0 },
      { run_id: undo, relation: 'child', parent_run_id: root, kind: 'compensation', depth: 0 },
    ];
    for (const asked of [root, child, grandchild, next, undo]) {
      const { body } = await tree(asked);
      expect(body.root_run_id).to.equal(root);
      expect(body.items.map(({ run_id }: { run_id: string }) => run_id)).to.eql(expected.map(({ run_id }) => run_id));
      for (const [i, item] of expected.entries()) expect(body.items[i]).to.include(item);
      expect(body.items[1].parent_branch).to.eql([2, 0]);
    }
    expect((await tree(fork)).body.items[1]).to.include({ run_id: fork, reset_from_run_id: root });
  });

  it('begins with the root, though a child’s id be smaller, and pages without loss', async () => {
    const early = randomIds.uuidv7();
    const root = await realRun();
    const children = [await relative(root, { parent: parent(root), depth: 1 }, { id: early })];
    for (let i = 0; i < 7; i++) children.push(await relative(root, { parent: parent(root), depth: 1 }));
    for (const size of [1, 2, 3, 8, 9]) {
      const items = await allPages(rest, `/api/workflows/runs/${children[3]}/tree?page_size=${size}`);
      expect(items.map(({ run_id }) => run_id)).to.eql([root, ...children]);
    }
  });

  it('is another tenant’s own business', async () => {
    const root = await realRun();
    const foreign = await rest.rows.run({ tenantId: 't2', rootRunId: root });
    expect((await tree(root, '', rest.key.t2)).status).to.equal(404);
    expect((await tree(foreign)).status).to.equal(404);
    expect((await tree(root)).body.items).to.have.length(1);
    expect((await tree(foreign, '', rest.key.t2)).body.items).to.eql([{ ...(await memberOf(foreign)) }]);
  });

  const memberOf = async (runId: string) =>
    (await tree(runId, '', rest.key.t2)).body.items.find(({ run_id }: { run_id: string }) => run_id === runId);

  it('refuses what it does not understand', async () => {
    const root = await realRun();
    expect((await tree('x')).status).to.equal(400);
    expect((await tree(randomIds.uuidv7())).status).to.equal(404);
    for (const query of ['?order=desc', '?page_size=0', '?page_token=x']) {
      expect((await tree(root, query)).status, query).to.equal(400);
    }
  });
});
