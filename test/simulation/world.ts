/** Two hosts on one database, each with its doors; they crash, lose their connections and come back. */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Definition, JsonObject } from '@ductor/core';
import type pg from 'pg';
import { pino } from 'pino';
import { DatabaseClock } from '#host/engine/database-clock.js';
import { digestDatabase, startDigestEngine } from '../integration/event-sets/world.ts';
import type { TestDatabase } from '../support/database.ts';
import { type Answer, type Door, openDoor } from '../support/door.ts';
import { ActionError, type TestEngine } from '../support/engine.ts';
import { openSessions } from '../support/session.ts';
import { definitionOf } from '../support/workflow.ts';
import { workflowOf } from './kinds.ts';

type Options = NonNullable<Parameters<typeof startDigestEngine>[0]>;

/** What each host is made of, and the database that it needs. */
export interface Kit {
  database(): Promise<TestDatabase>;
  start(options: Options): Promise<TestEngine>;
}

const WAITS: Kit = { database: digestDatabase, start: startDigestEngine };

interface Host {
  readonly test: TestEngine;
  readonly door: Door;
  readonly name: string;
  readonly dataId: string;
}

/** Keeps what the tables forget: every row of the inbox, and when each wait was opened and closed. */
const LOG = `
create table test_log (seq bigserial primary key, what text not null, run_id uuid not null, node text not null, entry jsonb not null);
create function test_log() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    insert into test_log (what, run_id, node, entry) values (tg_argv[0], old.run_id, old.node, to_jsonb(old));
  else
    insert into test_log (what, run_id, node, entry) values (tg_argv[0], new.run_id, new.node, to_jsonb(new));
  end if;
  return null;
end $$;
create trigger test_came after insert on eec_workflow_inbox for each row execute function test_log('came');
create trigger test_opened after insert on eec_workflow_wait for each row execute function test_log('opened');
create trigger test_closed after delete on eec_workflow_wait for each row execute function test_log('closed');`;

/** What must be in nobody's log: the database breaking up a knot, and the engine giving up. */
const NEVER = /40P01|deadlock|livelock|computing a tick|stuck/;
/** A fresh host takes what is older than this for forgotten. */
const FORGOTTEN_MS = 2_500;

export class World {
  readonly definitions = new Map<string, Definition>();
  readonly complaints: string[] = [];
  /** Runs of one definition share its windows. */
  readonly digest = definitionOf(workflowOf('digest', { soon: true, handled: true }));
  private readonly database: TestDatabase;
  private readonly admin: pg.Pool;
  private readonly hosts: Host[] = [];
  private readonly cuts: Promise<unknown>[] = [];

  private readonly kit: Kit;

  private constructor(kit: Kit, database: TestDatabase, admin: pg.Pool) {
    this.kit = kit;
    this.database = database;
    this.admin = admin;
  }

  static async open(kit = WAITS): Promise<World> {
    const database = await kit.database();
    const admin = openSessions(database.url, { max: 2 });
    await admin.query(LOG);
    const world = new World(kit, database, admin);
    world.hosts.push(await world.startHost('a'), await world.startHost('b'));
    return world;
  }

  async close(): Promise<void> {
    for (const { test } of this.hosts.splice(0)) await test.stop({ keep: true });
    await this.admin.end();
    await this.database.drop();
  }

  /** One that is there when all is calm. */
  get host(): TestEngine {
    const [host] = this.hosts;
    if (!host) throw new Error('There is no host.');
    return host.test;
  }

  async query<Row extends pg.QueryResultRow>(text: string, ...values: readonly unknown[]): Promise<readonly Row[]> {
    return (await this.admin.query<Row>(text, [...values])).rows;
  }

  /** As a client does it: what is not answered is asked again, of another host. */
  post(i: number, path: string, payload: object): Promise<Answer> {
    return this.ask(i, async ({ door }) => {
      const answer = await door.post(path, payload);
      return answer.status < 500 ? answer : null;
    });
  }

  /** Starts a run, once. */
  start(i: number, definitionId: string, { input, startAt }: { input: JsonObject; startAt: string | null }) {
    const idempotency = { key: String(input.key), scope: definitionId, requestHash: 'same' };
    return this.ask(i, ({ test }) => test.start(definitionId, input, { startAt, idempotency }).catch(() => null));
  }

  /** The host forgets everything, and comes back on its data directory. */
  async crash(i: number): Promise<void> {
    const [host] = this.hosts.splice(i % Math.max(1, this.hosts.length), 1);
    if (!host) return;
    await host.test.crash();
    // What is meant for the sessions that it had does not meet those that it will have.
    await Promise.all(this.cuts);
    this.hosts.push(await this.startHost(host.name, host));
  }

  /** Ends one of the host's database sessions, in the middle of whatever it does. */
  async cut(i: number): Promise<void> {
    // One that is just coming back would not come: that is another story.
    if (!this.hosts.some(({ name }) => name === 'ab'[i])) return;
    const cut = this.admin.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name = $1 order by state = 'idle', random() limit 1`,
      ['ab'[i]],
    );
    this.cuts.push(cut);
    await cut;
  }

  /** Another host finds what those before have left; later than it would have been forgotten. */
  async succeed(): Promise<void> {
    for (const { test } of this.hosts.splice(0)) await test.crash();
    const clock = new DatabaseClock();
    clock.advance(FORGOTTEN_MS);
    this.hosts.push(await this.startHost('c', { dataId: randomUUID(), clock }));
  }

  private async ask<T>(i: number, question: (host: Host) => Promise<T | null>): Promise<T> {
    for (let at = i; ; at++) {
      const host = this.hosts[at % Math.max(1, this.hosts.length)];
      const answer = host ? await question(host) : null;
      if (answer !== null) return answer;
      await delay(5);
    }
  }

  private async startHost(
    name: string,
    { dataId = randomUUID(), clock }: { dataId?: string; clock?: DatabaseClock } = {},
  ): Promise<Host> {
    const url = new URL(this.database.url);
    url.searchParams.set('application_name', name);
    const test = await this.kit.start({
      database: { ...this.database, url: url.href },
      definitions: this.definitions,
      dataId,
      drainMs: 50,
      ...(clock && { clock }),
      log: pino({ level: 'warn' }, { write: (line: string) => void (NEVER.test(line) && this.complaints.push(line)) }),
      actions: {
        'test.once': (_, { dispatch: { attempt } }) => {
          if (attempt.number === 1) throw new ActionError('busy');
          return attempt.number;
        },
      },
    });
    return { test, name, dataId, door: await openDoor(test) };
  }
}
