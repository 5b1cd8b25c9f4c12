import { randomUUID } from 'node:crypto';
import { DuctorError, type Json } from '@ductor/core';
import { expect } from 'chai';
import { startTestEngine, type TestEngine } from '../../support/engine.ts';
import { rejection } from '../../support/rejection.ts';

describe('C04 An idempotency key', () => {
  let one: TestEngine;
  let other: TestEngine;
  let definitionId: string;
  before(async () => {
    const actions = { 'test.echo': (args: Json) => args };
    one = await startTestEngine({ actions });
    other = await startTestEngine({ actions, database: one.database, definitions: one.definitions });
    definitionId = one.define({ steps: [{ ref: 'a', type: 'ACTION', action: 'test.echo', args: '${input}' }] });
  });
  after(async () => {
    await other.stop({ keep: true });
    await one.stop();
  });

  const keyed = (key: string, requestHash: string, scope = definitionId) => ({
    idempotency: { key, scope, requestHash },
  });

  it('C04 is one run for 20 parallel calls on two hosts, and only for the same request', async () => {
    const calls = Array.from({ length: 20 }, (_, i) =>
      (i % 2 === 0 ? one : other).start(definitionId, { n: 1 }, keyed('k1', 'same')),
    );
    const ids = new Set(await Promise.all(calls));
    expect(ids.size).to.equal(1);
    const [runId] = ids;
    const run = await one.ended(runId!);
    const error = await rejection(one.start(definitionId, { n: 2 }, keyed('k1', 'another')));
    expect(error)
      .to.be.instanceOf(DuctorError)
      .and.to.deep.include({ code: 'already_exists', details: { run_id: runId } });
    expect(await one.state(runId!)).to.deep.equal(run);
    const rows = await one.query<{ n: number }>('select count(*)::int n from eec_workflow_run');
    expect(rows).to.deep.equal([{ n: 1 }]);
    const attempts = await one.query<{ n: number }>('select count(*)::int n from eec_workflow_step_attempt');
    expect(attempts, 'its step was executed once').to.deep.equal([{ n: 1 }]);
  });

  it('C04 of another tenant or another scope is another one', async () => {
    await one.query(`insert into eec_tenant (id) values ('t2')`);
    const mine = await one.start(definitionId, {}, keyed('k2', 'h'));
    const theirs = await one.start(definitionId, {}, { ...keyed('k2', 'h'), tenantId: 't2' });
    const elsewhere = await one.start(definitionId, {}, keyed('k2', 'h', randomUUID()));
    expect(new Set([mine, theirs, elsewhere]).size).to.equal(3);
  });

  it('C04 of a run that has failed answers with that run', async () => {
    const failing = one.define({ steps: [{ ref: 'f', type: 'FAIL', code: 'no' }] });
    const first = await one.start(failing, {}, keyed('k3', 'h', failing));
    expect((await one.ended(first)).status).to.equal('failed');
    expect(await one.start(failing, {}, keyed('k3', 'h', failing))).to.equal(first);
  });

  it('C04 in one batch with many others holds back none of them', async () => {
    const calls = Array.from({ length: 60 }, (_, i) => one.start(definitionId, { i }, keyed(`b${i % 20}`, 'h')));
    const ids = await Promise.all(calls);
    expect(new Set(ids).size).to.equal(20);
    for (const id of new Set(ids)) expect((await one.ended(id)).status).to.equal('completed');
  });
});
