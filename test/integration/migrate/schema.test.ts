import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import { dumpSchema } from '../../support/schema-dump.js';

const file = fileURLToPath(new URL('../../../../migrations/schema.sql', import.meta.url));

describe('migrations/schema.sql', () => {
  let database: TestDatabase;
  before(async () => {
    database = await createTestDatabase();
  });
  after(() => database.drop());

  it('is what the migrations make (UPDATE=1 ./scripts/test integration/migrate/schema writes it anew)', async () => {
    const schema = await dumpSchema(database.url);
    if (process.env.UPDATE === '1') await writeFile(file, schema);
    expect(await readFile(file, 'utf8')).to.equal(schema);
  });
});
