import { expect } from 'chai';
import { type Operated, startOperated } from './operator.ts';

describe('what a tenant may publish', () => {
  let ductor: Operated;

  before(async () => {
    ductor = await startOperated();
  });
  after(() => ductor.host.stop());

  const get = { type: 'ACTION', action: 'http.request', args: { method: 'GET', url: 'https://example.com' } };

  it('is steps of the types and connectors that it is entitled to', async () => {
    const entitlements = { step_types: ['ACTION', 'RULE'], connectors: ['slack'] };
    const key = await ductor.tenant('narrow', { entitlements });
    const step = await ductor.publish(key, 'one');
    expect([step.status, step.body.error.code]).to.eql([403, 'permission_denied']);
    expect(step.body.error.details).to.have.length(1);
    expect(step.body.error.details[0]).to.deep.include({
      path: 'graph.steps[0].type',
      code: 'step_types',
      allowed: ['STEP_TYPE_ACTION', 'STEP_TYPE_RULE'],
    });
    const action = await ductor.publish(key, 'two', get);
    expect(action.body.error.details[0]).to.deep.include({
      path: 'graph.steps[0].action',
      code: 'connectors',
      allowed: ['slack'],
    });
    await ductor.call('PATCH', '/api/tenants/narrow', { body: { entitlements: { connectors: ['slack', 'http'] } } });
    const published = await ductor.call('POST', '/api/workflow-definitions/two/publish', { key });
    expect(published.status, JSON.stringify(published.body)).to.equal(200);
  });

  it('is told by validate too, and with every other problem as a 400', async () => {
    const key = await ductor.tenant('checked', { entitlements: { step_types: ['RULE'] } });
    await ductor.publish(key, 'one');
    const validated = await ductor.call('POST', '/api/workflow-definitions/one/validate', { key });
    expect([validated.status, validated.body.error.details[0].code]).to.eql([403, 'step_types']);
    const both = await ductor.publish(key, 'two', { type: 'TRANSFORM', value: '${nothing}' });
    expect(both.status).to.equal(400);
    expect(both.body.error.details.map(({ code }: { code: string }) => code)).to.include('step_types');
    expect(both.body.error.details.length).to.be.at.least(2);
  });

  it('is as many workflows as there may be, whoever publishes at the same time; archived ones do not count', async () => {
    const key = await ductor.tenant('few', { entitlements: { max_definitions: 2 } });
    const answers = await Promise.all(['a', 'b', 'c', 'd'].map((slug) => ductor.publish(key, slug)));
    expect(answers.map(({ status }) => status).sort()).to.eql([200, 200, 403, 403]);
    const refused = answers.find(({ status }) => status === 403);
    expect(refused?.body.error.details[0].code).to.equal('max_definitions');
    const slug = answers.find(({ status }) => status === 200)?.body.published.family_slug;
    const path = `/api/workflow-definitions/${slug}`;
    expect((await ductor.call('POST', `${path}/publish`, { key })).status, 'another version').to.equal(200);
    await ductor.call('POST', `${path}/archive`, { key });
    expect((await ductor.publish(key, 'e')).status).to.equal(200);
  });
});
