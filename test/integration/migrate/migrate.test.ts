import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { pino } from 'pino';
import { type Database, openDatabase } from '#host/postgres/connection.js';
import { type MigrationSet, migrate, pendingMigrations } from '#host/postgres/migrate.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { rejection } from '../../support/rejection.ts';

const log = pino({ level: 'silent' });

describe('migrations', () => {
  let place: string;
  let database: TestDatabase;
  let first: Database;
  let second: Database;
  let sets = 0;

  before(async () => {
    place = await mkdtemp(join(tmpdir(), 'ductor-migrations-'));
    database = await createTestDatabase();
    first = openDatabase({ connection: database.url, poolSize: 1, log });
    second = openDatabase({ connection: database.url, poolSize: 1, log });
  });

  after(async () => {
    await Promise.all([first.close(), second.close()]);
    await database.drop();
    await rm(place, { recursive: true });
  });

  /** A set of its own, in a new folder; `historyTable` to have another version of one. */
  async function setOf(
    files: Record<string, string>,
    historyTable = `eec_migration_t${++sets}`,
  ): Promise<MigrationSet> {
    const folder = await mkdtemp(join(place, 'set-'));
    for (const [name, sql] of Object.entries(files)) await writeFile(join(folder, name), sql);
    return { folder, historyTable };
  }

  const names = (migrations: readonly { name: string }[]) => migrations.map(({ name }) => name);

  it('are applied in the order of their names, and once', async () => {
    const set = await setOf({
      '0002_fill.sql': "-- breaking\ninsert into fruit values ('apple?', '{\"a\": 1}');\nselect '{}'::jsonb ? 'a';",
      '0001_fruit.sql': '-- compatible\r\ncreate table fruit (name text, data jsonb);',
      'schema.sql': 'this dump is no migration',
    });
    expect(names(await migrate({ knex: first.knex, ...set, log }))).to.eql(['0001_fruit.sql', '0002_fill.sql']);
    expect(names(await migrate({ knex: first.knex, ...set, log }))).to.eql([]);
    expect(await first.knex('fruit').select()).to.eql([{ name: 'apple?', data: { a: 1 } }]);
  });

  it('are named with their marks, and not applied, when only asked for', async () => {
    const set = await setOf({
      '0001_a.sql': '-- compatible\ncreate table a ()',
      '0002_b.sql': '-- breaking\ndrop table a',
    });
    const marks = (await pendingMigrations({ knex: first.knex, ...set })).map(({ name, mark }) => [name, mark]);
    expect(marks).to.eql([
      ['0001_a.sql', 'compatible'],
      ['0002_b.sql', 'breaking'],
    ]);
    expect(await first.knex.schema.hasTable('a')).to.equal(false);
    expect(await first.knex.schema.hasTable(set.historyTable)).to.equal(false);
  });

  it('leave nothing when one fails, and say where', async () => {
    const set = await setOf({
      '0001_good.sql': '-- compatible\ncreate table good ();',
      '0002_bad.sql': "-- compatible\n-- 🐘 counts as one character\nselect 1;\n  selec 2;\nselect '?';",
    });
    const error = await rejection(migrate({ knex: first.knex, ...set, log }));
    expect(error.message).to.equal(`${join(set.folder, '0002_bad.sql')}:4:3: syntax error at or near "selec"`);
    expect(await first.knex.schema.hasTable('good')).to.equal(false);
    expect(names(await pendingMigrations({ knex: first.knex, ...set }))).to.have.length(2);
  });

  it('run to the end when the cause of a failure is mended', async () => {
    const set = await setOf({ '0001_late.sql': '-- compatible\ncreate table late () inherits (not_yet);' });
    await rejection(migrate({ knex: first.knex, ...set, log }));
    await first.knex.raw('create table not_yet ()');
    expect(names(await migrate({ knex: first.knex, ...set, log }))).to.eql(['0001_late.sql']);
  });

  it('are applied once by two hosts that start together', async () => {
    const set = await setOf({ '0001_once.sql': '-- compatible\nselect pg_sleep(0.2); create table once ();' });
    const both = await Promise.all([
      migrate({ knex: first.knex, ...set, log }),
      migrate({ knex: second.knex, ...set, log }),
    ]);
    expect(both.map((applied) => applied.length).sort()).to.eql([0, 1]);
    expect(await first.knex(set.historyTable).pluck('name')).to.eql(['0001_once.sql (compatible)']);
  });

  describe('of a newer version in the database', () => {
    const old = { '0001_base.sql': '-- compatible\nselect 1;' };

    it('are accepted if they are compatible', async () => {
      const newer = await setOf({ ...old, '0002_more.sql': '-- compatible\nselect 1;' });
      await migrate({ knex: first.knex, ...newer, log });
      const older = await setOf(old, newer.historyTable);
      expect(await migrate({ knex: first.knex, ...older, log })).to.eql([]);
    });

    it('are refused if one is breaking, by name', async () => {
      const newer = await setOf({ ...old, '0002_less.sql': '-- breaking\nselect 1;' });
      await migrate({ knex: first.knex, ...newer, log });
      const older = await setOf(old, newer.historyTable);
      for (const attempt of [
        migrate({ knex: first.knex, ...older, log }),
        pendingMigrations({ knex: first.knex, ...older }),
      ]) {
        const error = await rejection(attempt);
        expect(error.message).to.contain('breaking migration 0002_less.sql').and.contain('does not know');
      }
    });
  });

  it('must carry a mark, keep it, and be named in order', async () => {
    const unmarked = await setOf({ '0001_a.sql': 'select 1;' });
    expect((await rejection(pendingMigrations({ knex: first.knex, ...unmarked }))).message).to.contain(
      '0001_a.sql: the first line',
    );
    const misnamed = await setOf({ 'a.sql': '-- compatible\n' });
    expect((await rejection(pendingMigrations({ knex: first.knex, ...misnamed }))).message).to.contain(
      'a.sql: a migration is named',
    );
    const marked = await setOf({ '0001_a.sql': '-- compatible\nselect 1;' });
    await migrate({ knex: first.knex, ...marked, log });
    const changed = await setOf({ '0001_a.sql': '-- breaking\nselect 1;' }, marked.historyTable);
    expect((await rejection(migrate({ knex: first.knex, ...changed, log }))).message).to.contain(
      'applied as compatible',
    );
  });

  it('of plugins have their own history and are in the template of those who ask', async () => {
    const plugin = await setOf({ '0001_mine.sql': '-- compatible\ncreate table mine ();' }, 'eec_migration_plugin');
    const withPlugin = await createTestDatabase([plugin]);
    const connected = openDatabase({ connection: withPlugin.url, poolSize: 1, log });
    expect(await connected.knex.schema.hasTable('mine')).to.equal(true);
    expect(await connected.knex('eec_migration_plugin').pluck('name')).to.eql(['0001_mine.sql (compatible)']);
    await connected.close();
    await withPlugin.drop();
  });
});
