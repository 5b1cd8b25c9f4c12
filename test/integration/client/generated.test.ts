import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { apiDocument } from '#host/api-document.js';
import { loadConfig } from '#host/config/load-config.js';

const folder = fileURLToPath(new URL('../../../../host/client/', import.meta.url));
const file = join(folder, 'api.generated.ts');

async function typesOf(document: string): Promise<string> {
  const child = spawn(process.execPath, [join(folder, 'generate.mjs')], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'close');
  child.stdin.end(document);
  const types = await text(child.stdout);
  expect(await ended).to.deep.equal([0, null]);
  return types;
}

describe('the client', () => {
  it('has the types of the API as it is (UPDATE=1 ./scripts/test integration/client/generated writes them anew)', async () => {
    const config = await loadConfig({ argv: {}, env: { DUCTOR_MODE: 'development' }, cwd: folder });
    const types = await typesOf(await apiDocument(config));
    if (process.env.UPDATE === '1') await writeFile(file, types);
    expect((await readFile(file, 'utf8')) === types, `${file} is out of date`).to.equal(true);
  }).timeout(60_000);

  it('knows nothing of Node, so that browsers can run it', async () => {
    const dist = join(folder, 'dist');
    const scripts = (await readdir(dist)).filter((name) => name.endsWith('.js'));
    expect(scripts).to.include('index.js');
    const imports = await Promise.all(
      scripts.map(async (name) => [...(await readFile(join(dist, name), 'utf8')).matchAll(/from ['"]([^.'"][^'"]*)/g)]),
    );
    expect(new Set(imports.flat().map(([, from]) => from))).to.deep.equal(new Set(['openapi-fetch']));
  });
});
