import type { Hooks } from '@ductor/core';
import { expect } from 'chai';
import { type Definitions, startDefinitions } from './service.ts';

const hooks: Hooks = {
  publish: ({ definition, previous }) => [
    {
      table: 'plugin',
      row: { published: definition.version, after: previous?.version ?? null, slug: definition.familySlug },
    },
  ],
  archive: ({ definition }) => [{ table: 'plugin', row: { ended: definition.version, slug: definition.familySlug } }],
};

describe('the hooks of publish and archive', () => {
  let definitions: Definitions;
  before(async () => {
    definitions = await startDefinitions({ hooks: [{}, hooks] });
  });
  after(() => definitions.stop());

  /** What was written since it was last asked. */
  const written = () => definitions.written.splice(0).map(({ row }) => row);

  it('write rows for each version, knowing the one before', async () => {
    const { id } = await definitions.create('one');
    await definitions.post(`/${id}/publish`);
    await definitions.post(`/${id}/publish`);
    expect(written()).to.deep.equal([
      { published: 1, after: null, slug: 'one' },
      { published: 2, after: 1, slug: 'one' },
    ]);
  });

  it('let what belongs to a family follow its latest published version, and end with the last', async () => {
    const { id } = await definitions.create('two');
    const versions = [];
    for (let n = 0; n < 3; n++) versions.push((await definitions.post(`/${id}/publish`)).body.published.id);
    written();
    await definitions.post(`/${versions[0]}/archive`);
    expect(written()).to.deep.equal([]);
    await definitions.post(`/${versions[2]}/archive`);
    expect(written()).to.deep.equal([{ published: 2, after: 3, slug: 'two' }]);
    await definitions.post(`/${id}/archive`);
    expect(written()).to.deep.equal([{ ended: 2, slug: 'two' }]);
    await definitions.post(`/${id}/archive`);
    expect(written()).to.deep.equal([]);
  });

  it('are asked for nothing when there are problems, and a row that fails takes its version with it', async () => {
    const failing = await startDefinitions({
      hooks: [hooks],
      writeRows: (transaction) => transaction.raw('select 1 / 0').then(() => undefined),
    });
    try {
      const { id } = await failing.create('broken');
      expect((await failing.post(`/${id}/publish`)).status).to.equal(500);
      expect((await failing.get(`/${id}/versions`)).body.items).to.deep.equal([]);
      expect((await failing.get(`/${id}`)).body.version).to.equal(1);
    } finally {
      await failing.stop();
    }
    const { id } = await definitions.create('empty', { graph: {} });
    expect((await definitions.post(`/${id}/publish`)).status).to.equal(400);
    expect(written()).to.deep.equal([]);
  });
});
