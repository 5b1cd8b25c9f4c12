// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are our templates, not JavaScript’s

import { expect } from 'chai';
import { Addresses } from '#host/trigger/addresses.js';
import { allPages } from '../http/rest.ts';
import { type Definitions, onePureStep, startDefinitions } from './service.ts';

const base = '/api/workflow-definitions';

describe('workflow definitions over REST', () => {
  let definitions: Definitions;
  before(async () => {
    definitions = await startDefinitions();
  });
  after(() => definitions.stop());

  it('begin as a draft of revision 1 that will be version 1', async () => {
    const { status, body } = await definitions.post('', {
      family_slug: 'created',
      title: 'Created',
      description: '',
      tags: ['x'],
      graph: { steps: [{ ref: 'a', type: 'STOP' }], edges: [] },
      settings: { run_timeout: 'P1D' },
    });
    expect(status).to.equal(200);
    expect(body).to.deep.include({
      family_slug: 'created',
      title: 'Created',
      description: '',
      tags: ['x'],
      status: 'draft',
      version: 1,
      draft_revision: 1,
      graph: { steps: [{ ref: 'a', type: 'STEP_TYPE_STOP' }], edges: [] },
      settings: { run_timeout: 'P1D' },
      published_at: null,
      warnings: [],
    });
    expect(body.metadata).to.have.property('request_id');
    const { metadata: _created, ...resource } = body;
    const { metadata: _read, ...read } = (await definitions.get(`/${body.id}`)).body;
    expect(read).to.deep.equal(resource);
    expect((await definitions.get('/created')).body.id).to.equal(body.id);
  });

  it('are edited under the revision that the editor has seen', async () => {
    const { id } = await definitions.create('edited', { description: 'old', tags: ['x'] });
    const { body } = await definitions.patch(id, {
      expected_draft_revision: 1,
      title: 'New',
      description: null,
      tags: null,
      operations: [{ add_step: { ref: 'b', type: 'STOP' } }, { add_edge: { from: 'a', to: 'b', type: 'SUCCESS' } }],
    });
    expect(body).to.deep.include({ draft_revision: 2, version: 1, title: 'New', description: null, tags: [] });
    expect(body.graph.edges).to.deep.equal([{ from: 'a', to: 'b', type: 'SUCCESS' }]);
    const warned = await definitions.patch(id, {
      expected_draft_revision: 2,
      operations: [{ remove_step: { ref: 'b' } }],
    });
    expect(warned.body.warnings).to.have.length(1);
    const stale = await definitions.patch(id, { expected_draft_revision: 2, title: 'Newer' });
    expect(stale.status).to.equal(409);
    expect(stale.body.error).to.deep.include({ code: 'conflict', details: { current_draft_revision: 3 } });
  });

  it('are edited all or nothing, with the path of every operation that cannot be', async () => {
    const { id } = await definitions.create('atomic');
    const refused = await definitions.patch(id, {
      expected_draft_revision: 1,
      title: 'Changed?',
      operations: [
        { add_step: { ref: 'b', type: 'STOP' } },
        { remove_step: { ref: 'z' } },
        { rename_step: { ref: 'a', to: 'é' } },
      ],
    });
    expect(refused.status).to.equal(400);
    expect(refused.body.error.details.map(({ path }: { path: string }) => path)).to.deep.equal([
      'operations[1].remove_step.ref',
      'operations[2].rename_step.to',
    ]);
    expect((await definitions.get(`/${id}`)).body).to.deep.include({ draft_revision: 1, title: 'atomic' });
  });

  it('refuse bodies of another form by the path of what is wrong', async () => {
    const { id } = await definitions.create('formed');
    const pathsOf = async (body: unknown) => {
      const answer = await definitions.patch(id, body);
      expect(answer.status).to.equal(400);
      return answer.body.error.details?.map(({ path }: { path: string }) => path);
    };
    const edit = (...operations: unknown[]) => pathsOf({ expected_draft_revision: 1, operations });
    expect(await edit({ add_step: { type: 'STOP' } })).to.deep.equal(['operations[0].add_step.ref']);
    expect(await edit({ add_edge: { from: 'a', to: 'b', type: 'MAYBE' } })).to.deep.equal([
      'operations[0].add_edge.type',
    ]);
    expect(await edit({ drop_step: { ref: 'a' } })).to.include('operations[0].drop_step');
    expect(await edit({ remove_step: { ref: 'a' }, add_step: { ref: 'a', type: 'STOP' } })).to.deep.equal([
      'operations[0]',
    ]);
    expect(await pathsOf({ expected_draft_revision: '1', title: 'x' })).to.deep.equal(['expected_draft_revision']);
    expect(await pathsOf({ title: 'x' })).to.deep.equal(['expected_draft_revision']);
    expect(await pathsOf({ expected_draft_revision: 1 })).to.deep.equal(['']);
    const created = await definitions.post('', { family_slug: 'x', colour: 'red' });
    expect(created.body.error.details[0]).to.deep.include({ path: 'colour', code: 'unknown_field' });
  });

  it('name every problem at publish and validate, and publish nothing', async () => {
    const { id } = await definitions.create('broken', {
      graph: {
        steps: [
          {
            ref: 'a',
            type: 'ACTION',
            action: 'acme.billing.list_due',
            args: { day: 'today' },
            credential: 't2-credential',
          },
          { ref: 'b', type: 'CONDITION', expression: 'steps.c.output' },
        ],
        edges: [{ from: 'a', to: 'b', type: 'TRUE' }],
      },
    });
    const published = await definitions.post(`/${id}/publish`);
    const validated = await definitions.post(`/${id}/validate`, {});
    expect([published.status, validated.status]).to.deep.equal([400, 400]);
    expect(published.body.error.message).to.equal('The draft has 4 problems; nothing was published.');
    expect(validated.body.error.details).to.deep.equal(published.body.error.details);
    expect(published.body.error.details.map(({ path }: { path: string }) => path)).to.have.members([
      'graph.steps[0].args.day',
      'graph.steps[0].credential',
      'graph.steps[1].expression',
      'graph.edges[0].type',
    ]);
    expect((await definitions.get(`/${id}/versions`)).body.items).to.deep.equal([]);
  });

  it('are published as versions that never change, beside a draft that goes on', async () => {
    const { id } = await definitions.create('published', {
      graph: {
        steps: [
          {
            ref: 'a',
            type: 'ACTION',
            action: 'acme.billing.list_due',
            args: { day: '${input.day}' },
            credential: 't1-credential',
          },
        ],
      },
    });
    expect((await definitions.post(`/${id}/validate`)).body).to.deep.include({ valid: true, warnings: [] });
    expect((await definitions.post(`/${id}/publish`, { expected_draft_revision: 2 })).status).to.equal(409);
    const { status, body } = await definitions.post(`/${id}/publish`, { expected_draft_revision: 1 });
    expect(status).to.equal(200);
    expect(body.draft).to.deep.include({ id, status: 'draft', version: 2, draft_revision: 1 });
    expect(body.published).to.deep.include({ status: 'published', version: 1, family_slug: 'published' });
    expect(body.published.id).not.to.equal(id);
    expect(body.published).not.to.have.property('draft_revision');
    expect(body.published.connectors).to.deep.equal([
      { id: 'acme.billing', package: '@acme/acme-billing', version: '1.4.2', integrity: 'sha512-1.4.2' },
    ]);
    const refused = await definitions.patch(body.published.id, { expected_draft_revision: 1, title: 'x' });
    expect(refused.status).to.equal(409);
    expect(refused.body.error).to.deep.include({ code: 'failed_precondition', details: { draft_id: id } });
    await definitions.patch(id, { expected_draft_revision: 1, operations: [{ replace_graph: onePureStep }] });
    const { body: again } = await definitions.post(`/${id}/publish`);
    expect(again.published.version).to.equal(2);
    expect((await definitions.get(`/${body.published.id}`)).body.graph).to.deep.equal(body.published.graph);
    const stored = await definitions.store.version(body.published.id);
    expect(stored).to.deep.include({ version: 1, tenantId: 't1', familySlug: 'published' });
    expect(stored?.actions['acme.billing.list_due']).to.deep.include({ effect: 'read', timeoutMs: 20_000 });
    expect(stored?.publishedAt).to.equal(body.published.published_at);
  });

  it('resolve to the latest published version, or to exactly the one that is named', async () => {
    const { id } = await definitions.create('resolved');
    const addresses = new Addresses({ hot: definitions.rest.db.hot, versions: definitions.store });
    const resolve = (address: string, tenant = 't1') => addresses.resolve(tenant, address);
    expect(await resolve(id)).to.deep.equal({ scope: id, definition: null, archived: false });
    const { published: first } = (await definitions.post(`/${id}/publish`)).body;
    const { published: second } = (await definitions.post(`/${id}/publish`)).body;
    for (const address of [id, 'resolved']) {
      expect((await resolve(address))?.definition?.id, address).to.equal(second.id);
      expect((await resolve(address))?.scope, address).to.equal(id);
    }
    expect(await resolve(first.id)).to.deep.include({ scope: first.id, archived: false });
    const numbered = (version: number, tenant = 't1') =>
      definitions.store.versionId(tenant, { slug: 'resolved', version });
    expect([await numbered(1), await numbered(2), await numbered(3)]).to.deep.equal([first.id, second.id, null]);
    expect(await numbered(1, 't2')).to.equal(null);
    await definitions.post(`/${second.id}/archive`);
    expect((await resolve(id))?.definition?.id).to.equal(first.id);
    expect((await resolve(second.id))?.archived).to.equal(true);
    expect(await resolve(id, 't2')).to.equal(null);
    expect(await resolve('resolved', 't2')).to.equal(null);
  });

  it('are archived one by one, or the whole family', async () => {
    const { id } = await definitions.create('archived');
    const { published: first } = (await definitions.post(`/${id}/publish`)).body;
    await definitions.post(`/${id}/publish`);
    await definitions.post(`/${id}/publish`);
    const one = await definitions.post(`/${first.id}/archive`);
    expect(one.body).to.deep.include({ id: first.id, status: 'archived', archived: [{ id: first.id, version: 1 }] });
    expect(one.body.archived_at).to.be.a('string');
    const all = await definitions.post(`/${id}/archive`);
    expect(all.body).to.deep.include({ id, status: 'draft' });
    expect(all.body.archived.map(({ version }: { version: number }) => version)).to.have.members([2, 3]);
    expect((await definitions.post(`/${id}/archive`)).body.archived).to.deep.equal([]);
    expect((await definitions.post(`/${id}/publish`)).body.published.version).to.equal(4);
  });

  it('are duplicated from the draft, or from the latest version where there is none', async () => {
    const { id } = await definitions.create('source', { title: 'Source', tags: ['x'] });
    await definitions.post(`/${id}/publish`);
    await definitions.patch(id, { expected_draft_revision: 1, title: 'Newer' });
    const copy = (await definitions.post(`/${id}/duplicate`, { family_slug: 'copy' })).body;
    expect(copy).to.deep.include({
      family_slug: 'copy',
      title: 'Newer',
      tags: ['x'],
      version: 1,
      draft_revision: 1,
      status: 'draft',
    });
    expect(copy.graph.steps).to.have.length(1);
    await definitions.rest.call({ method: 'DELETE', path: `${base}/${id}/draft` });
    const older = (await definitions.post('/source/duplicate', { family_slug: 'copy-2' })).body;
    expect(older).to.deep.include({ title: 'Source', version: 1 });
    expect((await definitions.post(`/${copy.id}/duplicate`, { family_slug: 'copy-2' })).status).to.equal(409);
  });

  it('lose a draft without losing a version, and then have room for another draft', async () => {
    const { id } = await definitions.create('deleted');
    expect((await definitions.post('', { family_slug: 'deleted' })).body.error.code).to.equal('already_exists');
    const { published } = (await definitions.post(`/${id}/publish`)).body;
    const gone = await definitions.rest.call({ method: 'DELETE', path: `${base}/${id}/draft` });
    expect(gone.body).to.deep.include({ id, family_slug: 'deleted', deleted: true });
    expect((await definitions.get(`/${id}`)).status).to.equal(404);
    expect((await definitions.patch(id, { expected_draft_revision: 1, title: 'x' })).status).to.equal(404);
    expect((await definitions.get(`/${published.id}`)).status).to.equal(200);
    const next = await definitions.create('deleted');
    expect(next.id).not.to.equal(id);
    expect(next).to.deep.include({ version: 2, draft_revision: 1 });
    // It is the same family still: keys of triggers go on.
    const addresses = new Addresses({ hot: definitions.rest.db.hot, versions: definitions.store });
    expect((await addresses.resolve('t1', 'deleted'))?.scope).to.equal(id);
    expect(
      (await definitions.get(`/${next.id}/versions`)).body.items.map((item: { id: string }) => item.id),
    ).to.deep.equal([published.id]);
  });

  it('are listed page by page, newest first, and found by what is written in them', async () => {
    const slugs = [];
    for (const [index, title] of ['50% off', '5000 off', 'under_score', 'underXscore', 'back\\slash'].entries()) {
      slugs.push(
        (await definitions.create(`listed-${index}`, { title, tags: ['listed', `t${index % 2}`] })).family_slug,
      );
    }
    const list = async (query: string) =>
      (await allPages(definitions.rest, `${base}?${query}`)).map(({ family_slug }) => family_slug);
    expect(await list('tags=listed&page_size=2')).to.deep.equal(slugs.toReversed());
    expect(await list('tags=listed&page_size=2&order=asc')).to.deep.equal(slugs);
    expect(await list('tags=listed&tags=t1')).to.deep.equal(['listed-3', 'listed-1']);
    expect(await list('q=0%25')).to.deep.equal(['listed-0']);
    expect(await list('q=r_s')).to.deep.equal(['listed-2']);
    expect(await list('q=k%5Cs')).to.deep.equal(['listed-4']);
    expect(await list('q=UNDER')).to.deep.equal(['listed-3', 'listed-2']);
    expect(await list('q=listed-')).to.have.length(5);
    await definitions.post('/listed-0/publish');
    await definitions.post('/listed-0/publish');
    expect(await list('tags=listed&status=published')).to.deep.equal(['listed-0', 'listed-0']);
    expect(await list('tags=listed&status=draft')).to.have.length(5);
    const [item] = (await definitions.get('?tags=listed&page_size=1')).body.items;
    expect(item).not.to.have.any.keys('graph', 'settings', 'connectors');
    const versions = await allPages(definitions.rest, `${base}/listed-0/versions?page_size=1`);
    expect(versions.map(({ version }) => version)).to.deep.equal([2, 1]);
  });

  it('need the scope of what is done with them', async () => {
    const { id } = await definitions.create('scoped');
    const { key } = await definitions.rest.keys.create({
      tenantId: 't1',
      name: 'r',
      scopes: ['workflow_definition:read'],
    });
    expect((await definitions.rest.call({ path: `${base}/${id}`, key })).status).to.equal(200);
    expect((await definitions.rest.call({ method: 'POST', path: `${base}/${id}/publish`, key })).status).to.equal(403);
  });

  it('C39 are another tenant’s nowhere', async () => {
    const { id } = await definitions.create('mine', { tags: ['mine'] });
    const { published } = (await definitions.post(`/${id}/publish`)).body;
    const before = await definitions.rest.db
      .knex('eec_workflow_definition')
      .where({ family_slug: 'mine' })
      .orderBy('id');
    for (const address of [id, published.id, 'mine']) {
      const calls = [
        { path: `${base}/${address}` },
        { path: `${base}/${address}/versions` },
        { method: 'PATCH', path: `${base}/${address}/draft`, body: { expected_draft_revision: 1, title: 'x' } },
        { method: 'DELETE', path: `${base}/${address}/draft` },
        ...['validate', 'publish', 'archive'].map((verb) => ({ method: 'POST', path: `${base}/${address}/${verb}` })),
        { method: 'POST', path: `${base}/${address}/duplicate`, body: { family_slug: 'stolen' } },
      ];
      for (const call of calls) {
        const { status } = await definitions.rest.call({ ...call, key: definitions.rest.key.t2 });
        expect(status, `${call.method ?? 'GET'} ${call.path}`).to.equal(404);
      }
    }
    const list = await definitions.rest.call({ path: `${base}?tags=mine`, key: definitions.rest.key.t2 });
    expect(list.body.items).to.deep.equal([]);
    const after = await definitions.rest.db
      .knex('eec_workflow_definition')
      .where({ family_slug: 'mine' })
      .orderBy('id');
    expect(after).to.deep.equal(before);
    // The slug is theirs to use as well.
    const own = await definitions.rest.call({
      method: 'POST',
      path: base,
      body: { family_slug: 'mine' },
      key: definitions.rest.key.t2,
    });
    expect(own.body).to.deep.include({ version: 1, status: 'draft' });
  });
});
