import { mock } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { RunEvent } from '@ductor/core';
import { expect } from 'chai';
import { type Watch, watchRun } from '#host/http/watch.js';
import { startTestEngine, type TestEngine } from '../../support/engine.ts';
import { until } from '../../support/until.ts';
import { type Rest, routesOfRuns, startRest } from './rest.ts';

const AT = '2026-11-29T08:00:00.000Z';
const eventAt = (seq: number): RunEvent => ({
  seq,
  index: 0,
  at: AT,
  type: 'run',
  from: 'running',
  to: 'waiting',
  cause: { kind: 'parked' },
});

describe('the stream of a run’s events', () => {
  afterEach(() => mock.timers.reset());

  const streamOf = (read: Watch['read'], signal = new AbortController().signal) =>
    watchRun({
      read,
      isOver: async () => false,
      subscribe: () => () => undefined,
      after: { seq: 0, index: -1 },
      signal,
    });

  it('reads no further than its consumer has come', async () => {
    let reads = 0;
    const stream = streamOf(async ({ seq }) => {
      reads += 1;
      return [eventAt(seq + 1), eventAt(seq + 2)];
    });
    await stream.next();
    expect(reads).to.equal(0);
    for (const expected of [1, 1, 2, 2, 3]) {
      await stream.next();
      expect(reads).to.equal(expected);
    }
    await stream.return(undefined);
  });

  it('says every 15 seconds that it is still there', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    const stopping = new AbortController();
    const looked: (() => void)[] = [];
    const look = () => new Promise<void>((resolve) => looked.push(resolve));
    const stream = streamOf(async () => {
      looked.shift()?.();
      return [];
    }, stopping.signal);
    expect((await stream.next()).value).to.equal('retry: 1000\n\n');
    let next = look();
    const comment = stream.next();
    await next;
    for (let second = 0; second < 14; second++) {
      await turn();
      next = look();
      mock.timers.tick(1_000);
      await next;
    }
    expect((await comment).value).to.equal(': still here\n\n');
    stopping.abort();
    expect((await stream.next()).done).to.equal(true);
  });
});

interface Message {
  readonly id: string;
  readonly event: string;
  readonly data: { readonly seq: number; readonly index: number; readonly type: string; readonly to: string };
}

/** What a reader has received so far. */
interface Reader {
  readonly status: number;
  readonly type: string | null;
  readonly messages: Message[];
  readonly text: () => string;
  readonly over: Promise<void>;
  leave(): void;
}

describe('watching a run', () => {
  let engine: TestEngine;
  let rest: Rest;
  const releases: (() => void)[] = [];
  const STEPS = ['a', 'b'].map((ref) => ({ ref, type: 'ACTION', action: 'test.hold' }));

  before(async () => {
    const hold = () => new Promise<null>((resolve) => releases.push(() => resolve(null)));
    engine = await startTestEngine({ actions: { 'test.hold': hold } });
    rest = await startRest({ engine, routes: (parts) => routesOfRuns(parts, { engine }) });
    await rest.server.start();
  });
  after(async () => {
    await rest.stop();
    await engine.stop();
  });

  const start = () =>
    engine.start(engine.define({ steps: STEPS, edges: [{ from: 'a', to: 'b' }] }), {}, { tenantId: 't1' });
  const releaseNext = async () => (await until(() => releases.shift() ?? null, 'an action to wait'))();

  async function watch(runId: string, lastEventId?: string, key = rest.key.t1): Promise<Reader> {
    const leaving = new AbortController();
    const response = await fetch(`${rest.server.info.uri}/api/workflows/runs/${runId}/watch`, {
      headers: { authorization: `Bearer ${key}`, ...(lastEventId !== undefined && { 'last-event-id': lastEventId }) },
      signal: leaving.signal,
    });
    let text = '';
    const messages: Message[] = [];
    const read = async () => {
      for await (const chunk of response.body ?? []) {
        text += Buffer.from(chunk).toString();
        const blocks = text
          .split('\n\n')
          .slice(0, -1)
          .filter((block) => block.startsWith('id: '));
        for (const block of blocks.slice(messages.length)) {
          const [id = '', event = '', data = ''] = block.split('\n').map((line) => line.slice(line.indexOf(': ') + 2));
          messages.push({ id, event, data: JSON.parse(data) });
        }
      }
    };
    return {
      status: response.status,
      type: response.headers.get('content-type'),
      messages,
      text: () => text,
      over: read(),
      leave: () => leaving.abort(),
    };
  }

  const ids = ({ messages }: Pick<Reader, 'messages'>) => messages.map(({ id }) => id);

  it('tells what has happened and what happens, and ends with the run', async () => {
    const runId = await start();
    const reader = await watch(runId);
    expect([reader.status, reader.type]).to.eql([200, 'text/event-stream; charset=utf-8']);
    await until(() => reader.messages.length >= 3, 'the first events');
    const before = performance.now();
    const seen = reader.messages.length;
    await releaseNext();
    await until(() => reader.messages.length > seen, 'the next event');
    // Told by the commit, not by the look of every second.
    expect(performance.now() - before).to.be.below(900);
    await releaseNext();
    await reader.over;
    const { items } = (await rest.call({ path: `/api/workflows/runs/${runId}/events` })).body;
    expect(reader.messages.map(({ data }) => data)).to.eql(items);
    expect(ids(reader)).to.eql(items.map(({ seq, index }: { seq: number; index: number }) => `${seq}.${index}`));
    expect(new Set(reader.messages.map(({ event }) => event))).to.eql(new Set(['transition']));
    expect(reader.messages.at(-1)?.data).to.include({ type: 'run', to: 'completed' });
  });

  it('goes on after the last event that was seen, and says when there is no more', async () => {
    const runId = await start();
    await releaseNext();
    await releaseNext();
    await engine.ended(runId);
    const whole = await watch(runId);
    await whole.over;
    const [third = ''] = ids(whole).slice(2);
    const rest_ = await watch(runId, third);
    await rest_.over;
    expect(ids(rest_)).to.eql(ids(whole).slice(3));
    expect((await watch(runId, ids(whole).at(-1))).status).to.equal(204);
    expect((await watch(runId, 'x')).status).to.equal(400);
    expect((await watch(runId, undefined, rest.key.t2)).status).to.equal(404);
  });

  it('finds what another host has committed', async () => {
    const runId = await rest.rows.run({ tenantId: 't1', status: 'running' });
    const reader = await watch(runId);
    const cause = { kind: 'finished' } as const;
    await rest.rows.transition({
      tenantId: 't1',
      runId,
      version: 1,
      changes: [{ type: 'ended', from: 'running', ending: { status: 'cancelled' }, cause }],
    });
    await rest.db
      .knex('eec_workflow_run')
      .where({ id: runId })
      .update({ ended_at: new Date().toISOString(), final_status: 'cancelled' });
    await reader.over;
    expect(reader.messages.map(({ data }) => data.to)).to.eql(['cancelled']);
  });

  it('stops listening when its reader leaves, and does not keep the server from stopping', async () => {
    const runId = await start();
    const listeners = () => {
      const { feed } = engine.engine.coordinator;
      return (Reflect.get(feed, 'listeners') as Map<string, Set<unknown>>).get(runId)?.size ?? 0;
    };
    const leaver = await watch(runId);
    await until(() => listeners() === 1, 'a listener');
    leaver.leave();
    await leaver.over.catch(() => undefined);
    await until(() => listeners() === 0, 'no listener');
    const reader = await watch(runId);
    await until(() => reader.messages.length >= 3, 'the first events');
    const before = performance.now();
    await rest.server.stop({ timeout: 5_000 });
    expect(performance.now() - before).to.be.below(2_000);
    await reader.over;
    await releaseNext();
  });
});
