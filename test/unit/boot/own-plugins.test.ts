import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isObject, refs } from '@ductor/core';
import { expect } from 'chai';
import { loadPlugins } from '#host/boot/load-plugins.js';
import { ownPluginFolders } from '#host/boot/own-plugins.js';

describe('our own plugins', () => {
  it('boot together, with no configuration at all', async () => {
    const anything = new Proxy({}, { get: () => undefined });
    const contributed = await loadPlugins({
      config: { plugins: new Map(), dataDir: '/nowhere', baseDir: '/nowhere', locate: () => 'nowhere' },
      services: new Map(Object.values(refs).map(({ id }) => [id, anything])),
    });
    expect(contributed.plugins.map(({ id }) => id)).to.include('correlation-labels');
  });

  for (const folder of ownPluginFolders()) {
    it(`say of their options in the manifest what they say in the code: ${folder.split('/').at(-1)}`, async () => {
      const { ductor } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
      const { default: plugin } = await import(join(folder, ductor.plugin.entry));
      // One without options has no such file, and says none in its code either: the boot sees to that.
      if (ductor.plugin.options === undefined) return;
      const file = join(folder, ductor.plugin.options);
      if (process.env.UPDATE === '1') await writeFile(file, `${JSON.stringify(plugin.options, null, 2)}\n`);
      const written: unknown = JSON.parse(await readFile(file, 'utf8'));
      expect(isObject(plugin.options)).to.equal(true);
      expect(written, `out of date: UPDATE=1 ./scripts/test unit/boot/own-plugins writes it`).to.eql(plugin.options);
    });
  }
});
