import { expect } from 'chai';
import { type Definitions, onePureStep, startDefinitions } from './service.ts';

describe('C38 concurrent work on one draft', () => {
  let definitions: Definitions;
  before(async () => {
    definitions = await startDefinitions();
  });
  after(() => definitions.stop());

  const times = <T>(count: number, work: (index: number) => Promise<T>) =>
    Promise.all(Array.from({ length: count }, (_, index) => work(index)));

  it('C38 lets one of ten edits that expect the same revision in, and tells the others the current one', async () => {
    const { id } = await definitions.create('raced');
    await definitions.patch(id, { expected_draft_revision: 1, title: 'two' });
    await definitions.patch(id, { expected_draft_revision: 2, title: 'three' });
    const answers = await times(10, (index) =>
      definitions.patch(id, {
        expected_draft_revision: 3,
        title: `by ${index}`,
        operations: [{ add_step: { ref: `step_${index}`, type: 'STOP' } }],
      }),
    );
    const accepted = answers.filter(({ status }) => status === 200);
    const refused = answers.filter(({ status }) => status === 409);
    expect([accepted.length, refused.length]).to.deep.equal([1, 9]);
    for (const { body } of refused) {
      expect(body.error).to.deep.include({ code: 'conflict', details: { current_draft_revision: 4 } });
    }
    const { body: now } = await definitions.get(`/${id}`);
    expect(now.draft_revision).to.equal(4);
    const index = now.title.slice('by '.length);
    expect(now.graph.steps.map(({ ref }: { ref: string }) => ref)).to.deep.equal(['a', `step_${index}`]);
  });

  it('C38 gives racing publishes consecutive versions, each one whole draft, and lets the edit between them in', async () => {
    const { id } = await definitions.create('published');
    const edit = {
      expected_draft_revision: 1,
      title: 'edited',
      operations: [{ add_step: { ref: 'edited', type: 'STOP' } }, { set_settings: { run_timeout: 'P1D' } }],
    };
    const [edited, ...published] = await Promise.all([
      definitions.patch(id, edit),
      ...Array.from({ length: 5 }, () => definitions.post(`/${id}/publish`)),
    ]);
    expect(edited?.status).to.equal(200);
    expect(published.map(({ status }) => status)).to.deep.equal([200, 200, 200, 200, 200]);
    const versions = published.map(({ body }) => body.published);
    expect(versions.map(({ version }) => version).sort()).to.deep.equal([1, 2, 3, 4, 5]);
    expect(new Set(versions.map(({ id: each }) => each)).size).to.equal(5);
    for (const { title, graph, settings } of versions) {
      const isEdited = title === 'edited';
      expect(graph.steps.length).to.equal(isEdited ? 2 : 1);
      expect(settings).to.deep.equal(isEdited ? { run_timeout: 'P1D' } : {});
    }
    const { body: draft } = await definitions.get(`/${id}`);
    expect(draft).to.deep.include({ version: 6, draft_revision: 2, title: 'edited' });
  });

  it('C38 makes one draft of many creations of one slug', async () => {
    const answers = await times(8, () => definitions.post('', { family_slug: 'one', graph: onePureStep }));
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, ...Array(7).fill(409)]);
  });

  it('C38 never writes a version twice while drafts are deleted, created and published', async () => {
    await definitions.create('stormy');
    await times(24, async (index) => {
      if (index % 3 === 0)
        return definitions.rest.call({ method: 'DELETE', path: '/api/workflow-definitions/stormy/draft' });
      if (index % 3 === 1) return definitions.post('', { family_slug: 'stormy', graph: onePureStep });
      return definitions.post('/stormy/publish');
    }).then((answers) =>
      expect(answers.map(({ status }) => status).filter((status) => status >= 500)).to.deep.equal([]),
    );
    const rows = await definitions.rest.db.knex('eec_workflow_definition').where({ family_slug: 'stormy' });
    const versions = rows
      .filter(({ status }) => status !== 'draft')
      .map(({ version }) => version)
      .sort((a, b) => a - b);
    expect(versions).to.deep.equal(versions.map((_, index) => index + 1));
  });

  it('C38 refuses slugs by rule: it empties, merges and normalises none', async () => {
    for (const slug of ['営業', '🚀', 'a'.repeat(300), 'caf\u00e9', 'cafe\u0301', 'Sales', 'a b', '-a', 'a_b']) {
      const { status, body } = await definitions.post('', { family_slug: slug });
      expect(status, slug).to.equal(400);
      expect(body.error.details[0], slug).to.deep.include({ path: 'family_slug', code: 'invalid_slug' });
    }
    const { status } = await definitions.post('', { family_slug: '' });
    expect(status).to.equal(400);
  });
});
