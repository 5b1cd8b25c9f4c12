import { expect } from 'chai';
import { until } from '../../support/until.ts';
import { type Body, type Operated, startOperated } from './operator.ts';

describe('/api/audit-log', () => {
  let ductor: Operated;
  let key: string;

  before(async () => {
    ductor = await startOperated();
    key = await ductor.tenant('t1');
  });
  after(() => ductor.host.stop());

  const log = async (query: string): Promise<readonly Body[]> =>
    (await ductor.call('GET', `/api/audit-log?order=asc&${query}`)).body.items;
  const definitions = '/api/workflow-definitions';

  it('shows every change of a definition, who made it and when', async () => {
    await ductor.publish(key, 'flow');
    const { body: draft } = await ductor.call('GET', `${definitions}/flow`, { key });
    const edit = { expected_draft_revision: draft.draft_revision, title: 'Flow' };
    const edited = await ductor.call('PATCH', `${definitions}/flow/draft`, { key, body: edit });
    expect((await ductor.call('PATCH', `${definitions}/flow/draft`, { key, body: edit })).status).to.equal(409);
    await ductor.call('POST', `${definitions}/flow/duplicate`, { key, body: { family_slug: 'copy' } });
    await ductor.call('POST', `${definitions}/flow/archive`, { key });
    await ductor.call('DELETE', `${definitions}/copy/draft`, { key });
    const entries = await log('tenant_id=t1');
    expect(
      entries.map(({ action, actor, details }) => [action, actor, details.family_slug ?? details.name ?? null]),
    ).to.eql([
      ['tenant.create', 'key:operator', null],
      ['api_key.create', 'key:operator', 't1'],
      ['workflow_definition.create', 'key:t1', 'flow'],
      ['workflow_definition.publish', 'key:t1', 'flow'],
      ['workflow_definition.edit', 'key:t1', 'flow'],
      ['workflow_definition.duplicate', 'key:t1', 'copy'],
      ['workflow_definition.archive', 'key:t1', 'flow'],
      ['workflow_definition.delete_draft', 'key:t1', 'copy'],
    ]);
    expect((await log(`target=${edited.body.id}`)).map(({ action }) => action)).to.eql([
      'workflow_definition.create',
      'workflow_definition.edit',
    ]);
  });

  it('says nothing of what was refused, and nothing of triggers', async () => {
    const before = await log('page_size=500');
    await ductor.publish(key, 'bad', { type: 'TRANSFORM' });
    await ductor.call('POST', '/api/tenants', { body: { id: 't1' } });
    await ductor.publish(key, 'good');
    await ductor.trigger(key, 'good');
    const after = await log('page_size=500');
    expect(after.slice(before.length).map(({ action, details }) => [action, details.family_slug])).to.eql([
      ['workflow_definition.create', 'bad'],
      ['workflow_definition.create', 'good'],
      ['workflow_definition.publish', 'good'],
    ]);
  });

  it('C05 shows a control that was given twice as one entry, with its reason and outcome', async () => {
    const { body: run } = await ductor.trigger(key, 'good');
    const cancel = () =>
      ductor.call('POST', `/api/v2/workflow-runs/${run.run_id}:cancel`, {
        key,
        body: { request_id: 'r1', reason: 'ordered twice' },
      });
    expect((await cancel()).status).to.equal(200);
    const entry = await until(async () => {
      const [found] = await log(`target=${run.run_id}`);
      return found?.details.outcome ? found : null;
    }, 'the outcome');
    expect((await cancel()).status).to.equal(200);
    expect(await log(`target=${run.run_id}`)).to.eql([entry]);
    expect(entry).to.deep.include({ tenant_id: 't1', actor: 'key:t1', action: 'workflow_run.cancel' });
    expect(entry.details).to.include({ request_id: 'r1', reason: 'ordered twice' });
    expect(JSON.stringify(entry.details.outcome)).to.contain('applied');
    expect(await log('action=workflow_run.cancel&actor=key:t1')).to.eql([entry]);
  });

  it('is read page by page, by time, and by what one asks for', async () => {
    const all = await log('page_size=500');
    const ids: string[] = [];
    for (let token = ''; ; ) {
      const { body } = await ductor.call('GET', `/api/audit-log?page_size=3${token}`);
      ids.push(...body.items.map(({ id }: { id: string }) => id));
      if (body.next_page_token === null) break;
      token = `&page_token=${body.next_page_token}`;
    }
    expect(ids).to.eql(all.map(({ id }) => id).reverse());
    const { at } = all[4];
    const from = await log(`page_size=500&from=${at}`);
    const to = await log(`page_size=500&to=${at}`);
    expect(to.length).to.be.within(1, 4);
    expect([...to, ...from]).to.eql(all);
    expect(await log('tenant_id=nobody')).to.eql([]);
    expect(new Set((await log('actor=system')).map(({ details }) => details.name))).to.eql(new Set(['bootstrap']));
  });
});
