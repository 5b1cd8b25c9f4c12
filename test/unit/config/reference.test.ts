import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { configReference } from '../../support/config-reference.ts';

const file = fileURLToPath(new URL('../../../../host/config/README.md', import.meta.url));

describe('host/config/README.md', () => {
  it('is what the schema says (UPDATE=1 ./scripts/test unit/config/reference writes it anew)', async () => {
    const reference = configReference();
    if (process.env.UPDATE === '1') await writeFile(file, reference);
    expect(await readFile(file, 'utf8')).to.equal(reference);
  });
});
