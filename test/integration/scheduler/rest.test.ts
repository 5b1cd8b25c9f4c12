import { expect } from 'chai';
import { publishGraph, startTestHost, type TestHost } from '../../support/host.ts';
import { openSession } from '../../support/session.ts';
import { until } from '../../support/until.ts';

interface Problems {
  readonly error: {
    readonly code: string;
    readonly details: readonly { path: string; code: string; message: string }[];
  };
}
interface Schedule {
  readonly id: string;
  readonly state: string;
  readonly paused: boolean;
  readonly next_due_at: string | null;
  readonly next_occurrences: readonly string[];
  readonly last_occurrence: { readonly run_id: string; readonly by: string } | null;
}
interface Occurrence {
  readonly due_at: string;
  readonly outcome: string;
  readonly by: string;
  readonly run_id: string | null;
  readonly reason: { readonly code: string } | null;
}
interface List<T> {
  readonly items: readonly T[];
  readonly next_page_token: string | null;
}

const done = { steps: [{ ref: 'a', type: 'TRANSFORM', value: '${input}' }], edges: [] };
const waiting = { steps: [{ ref: 'ok', type: 'APPROVAL' }], edges: [] };
const BASE = '/api/workflow-schedules';

/** As if time had passed. */
async function change({ database }: TestHost, text: string): Promise<void> {
  const client = await openSession(database.url);
  await client.query(text);
  await client.end();
}

describe('Schedules over the API', () => {
  let host: TestHost;
  before(async () => {
    host = await startTestHost();
  });
  after(() => host.stop());

  const publish = async (slug: string, schedule: object, graph: object = done) => {
    await publishGraph(host, slug, { graph, settings: { schedule } });
    const { body } = await host.call<List<Schedule>>('GET', `${BASE}?family=${slug}`);
    return body.items[0]!.id;
  };
  const get = async (id: string) => (await host.call<Schedule>('GET', `${BASE}/${id}`)).body;
  const post = <T = Schedule>(id: string, verb: string, body?: object) =>
    host.call<T>('POST', `${BASE}/${id}:${verb}`, body);
  const occurrences = async (id: string) =>
    (await host.call<List<Occurrence>>('GET', `${BASE}/${id}/occurrences`)).body.items;
  const problems = async (schedule: unknown, settings: object = {}) => {
    const slug = `refused-${Math.random().toString(36).slice(2)}`;
    const definition = { family_slug: slug, title: slug, graph: done, settings: { schedule, ...settings } };
    await host.call('POST', '/api/workflow-definitions', definition);
    const { status, body } = await host.call<Problems>('POST', `/api/workflow-definitions/${slug}/publish`);
    return status === 200 ? [] : body.error.details.map(({ path, code }) => [path, code]);
  };
  const every = { cron: '0 3 1 1 *' };

  describe('at publish', () => {
    it('name everything that is wrong with them', async () => {
      expect(await problems({ cron: '61 * * * *', timezone: 'Mars/Olympus', overlap_policy: 'buffer_one' })).to.eql([
        ['settings.schedule.cron', 'invalid_cron'],
        ['settings.schedule.timezone', 'invalid_timezone'],
        ['settings.schedule.overlap_policy', 'ErrInvalidOverlapPolicy'],
      ]);
      expect(await problems({ ...every, overlap_policy: 7 })).to.eql([
        ['settings.schedule.overlap_policy', 'ErrInvalidOverlapPolicy'],
      ]);
      expect(await problems({ ...every, paused: 'no' })).to.eql([['settings.schedule.paused', 'wrong_type']]);
      expect((await problems({ ...every, start: 'now' }))[0]?.[0]).to.equal('settings.schedule.start');
      expect((await problems({ ...every, start_at: 'tomorrow' }))[0]?.[0]).to.equal('settings.schedule.start_at');
    });

    it('have an occurrence left', async () => {
      expect(await problems({ ...every, end_at: '2020-01-01T00:00:00Z' })).to.eql([
        ['settings.schedule', 'no_occurrence'],
      ]);
      expect(await problems({ cron: '0 2 30 2 *' })).to.eql([['settings.schedule.cron', 'invalid_cron']]);
    });

    it('see schedule.due_at in their input and nothing else', async () => {
      expect(await problems({ ...every, input: { at: '${schedule.due_at}' } })).to.eql([]);
      const [found] = await problems({ ...every, input: { at: '${run.id}' } });
      expect(found?.[0]).to.equal('settings.schedule.input.at');
      expect(await problems({ ...every, input: { at: '${schedule.due}' } })).to.eql([
        ['settings.schedule.input.at', 'unknown_field'],
      ]);
    });

    it('have an input that may fit the input_schema', async () => {
      const input_schema = { type: 'object', required: ['n'], properties: { n: { type: 'integer' } } };
      expect(await problems(every, { input_schema })).to.eql([['settings.schedule.input.n', 'required']]);
      expect(await problems({ ...every, input: { n: 'one' } }, { input_schema })).to.eql([
        ['settings.schedule.input.n', 'wrong_type'],
      ]);
      expect(await problems({ ...every, input: { n: '${schedule.due_at}' } }, { input_schema })).to.eql([]);
    });

    it('are no word of a caller: which occurrence a run is, the scheduler says alone', async () => {
      await publish('honest', every);
      const schedule = { id: '0198f2a4-7c1e-7d3a-9b1f-3f2d8a6c0e11', due_at: '2026-01-01T00:00:00Z', by: 'manual' };
      const path = '/api/v2/workflow-definitions/honest:trigger';
      const { status, body } = await host.call<Problems>('POST', path, { schedule });
      expect([status, body.error.details[0]?.path]).to.eql([400, 'schedule']);
      const trigger = { event_name: 'e', schedule };
      expect((await problems(every, { triggers: [trigger] }))[0]?.[0]).to.equal('settings.triggers[0].schedule');
    });
  });

  it('show what comes next, and lists page', async () => {
    const id = await publish('berlin', { cron: '30 2 * * *', timezone: 'Europe/Berlin' });
    const shown = await get(id);
    expect(shown).to.include({ state: 'active', paused: false, last_occurrence: null });
    expect(shown.next_occurrences).to.have.length(10);
    expect(shown.next_due_at).to.equal(shown.next_occurrences[0]);
    await publish('tokyo', { cron: '30 2 * * *', timezone: 'Asia/Tokyo' });
    const first = (await host.call<List<Schedule>>('GET', `${BASE}?page_size=1`)).body;
    const second = (await host.call<List<Schedule>>('GET', `${BASE}?page_size=1&page_token=${first.next_page_token}`))
      .body;
    expect([first.items[0]?.id, second.items[0]?.id]).to.not.include(undefined);
    expect(first.items[0]?.id).to.not.equal(second.items[0]?.id);
  });

  it('are paused and resumed, which is noted with who did it', async () => {
    const id = await publish('halted', { cron: '* * * * *' });
    expect((await post(id, 'pause')).body).to.include({ state: 'paused', paused: true, next_due_at: null });
    expect((await post(id, 'pause')).body.state).to.equal('paused');
    const { body: paused } = await host.call<List<Schedule>>('GET', `${BASE}?paused=true`);
    expect(paused.items.map((item) => item.id)).to.eql([id]);
    expect((await post(id, 'resume')).body).to.include({ state: 'active', paused: false });
    const { body: log } = await host.call<List<{ action: string }>>('GET', `/api/audit-log?target=${id}`);
    expect(log.items.map(({ action }) => action)).to.eql(['workflow_schedule.resume', 'workflow_schedule.pause']);
    await post(id, 'pause');
  });

  it('start a run when they are due, by the host itself', async () => {
    const id = await publish('lively', { cron: '* * * * *', input: { at: '${schedule.due_at}' } });
    await change(
      host,
      `update eec_workflow_schedule set after_at = date_trunc('minute', now()) - interval '1 second', next_at = now(),
         revision = revision + 1 where family_slug = 'lively'`,
    );
    const { last_occurrence: last } = await until(async () => {
      const shown = await get(id);
      return shown.last_occurrence?.run_id ? shown : null;
    }, 'the run');
    const { body: run } = await host.call<{ run_id: string; kind: string }>(
      'GET',
      `/api/workflows/runs/${last!.run_id}`,
    );
    expect(run.run_id).to.equal(last!.run_id);
    await post(id, 'pause');
  });

  it('start a run now, whatever their policy, also while paused; their runs are found', async () => {
    const id = await publish('now', { ...every, input: { at: '${schedule.due_at}' } }, waiting);
    await post(id, 'pause');
    const first = (await post<{ run_id: string }>(id, 'triggerNow')).body.run_id;
    const second = (await post<{ run_id: string }>(id, 'triggerNow')).body.run_id;
    expect((await occurrences(id)).map(({ run_id, by }) => [run_id, by])).to.eql([
      [second, 'manual'],
      [first, 'manual'],
    ]);
    const found = (await host.call<List<{ run_id: string }>>('GET', `/api/workflows/runs?schedule_id=${id}`)).body;
    expect(found.items.map(({ run_id }) => run_id)).to.eql([second, first]);
    for (const none of ['nothing', '0198f2a4-7c1e-7d3a-9b1f-3f2d8a6c0e11']) {
      const { status, body } = await host.call<List<object>>('GET', `/api/workflows/runs?schedule_id=${none}`);
      expect([status, body.items]).to.eql([200, []]);
    }
  });

  it('start one run for a request that is sent again, and tell when it was due', async () => {
    const id = await publish('once', { ...every, input: { at: '${schedule.due_at}' } });
    const first = (await post<Occurrence>(id, 'triggerNow', { request_id: 'ticket-7' })).body;
    const again = (await post<Occurrence>(id, 'triggerNow', { request_id: 'ticket-7' })).body;
    expect([again.run_id, again.due_at]).to.eql([first.run_id, first.due_at]);
    const other = (await post<Occurrence>(id, 'triggerNow', { request_id: 'ticket-8' })).body;
    expect((await occurrences(id)).map(({ run_id }) => run_id)).to.eql([other.run_id, first.run_id]);
  });

  it('take no fields that they do not know', async () => {
    const id = await publish('strict', every);
    for (const verb of ['pause', 'resume', 'triggerNow']) {
      const { status, body } = await post<Problems>(id, verb, { resaon: 'a slip' });
      const { path, code } = body.error.details[0]!;
      expect([status, body.error.code, path, code], verb).to.eql([400, 'invalid_argument', 'resaon', 'unknown_field']);
    }
    expect(await occurrences(id)).to.eql([]);
  });

  describe('backfill', () => {
    const days = { from: '2026-01-01T00:00:00Z', to: '2026-01-05T00:00:00Z' };
    type Answer = List<Occurrence> & { readonly next_from: string | null };

    it('a stretch of the past, as many as they are told, and nothing twice', async () => {
      const id = await publish('nightly', { cron: '0 0 * * *', input: { at: '${schedule.due_at}' } });
      const first = (await post<Answer>(id, 'backfill', { ...days, limit: 2 })).body;
      expect(first.items.map(({ due_at, outcome }) => [due_at, outcome])).to.eql([
        ['2026-01-01T00:00:00.000Z', 'fired'],
        ['2026-01-02T00:00:00.000Z', 'fired'],
      ]);
      expect(first.next_from).to.equal('2026-01-03T00:00:00.000Z');
      const all = (await post<Answer>(id, 'backfill', days)).body;
      expect([all.items.map(({ outcome }) => outcome), all.next_from]).to.eql([
        ['existed', 'existed', 'fired', 'fired', 'fired'],
        null,
      ]);
      expect(all.items[0]?.run_id).to.equal(first.items[0]?.run_id);
      const { body } = await host.call<{ input: unknown }>('GET', `/api/workflows/runs/${first.items[1]?.run_id}`);
      expect(body.input).to.eql({ at: '2026-01-02T00:00:00.000Z' });
    });

    it('by a policy of their own', async () => {
      const id = await publish('careful', { cron: '0 0 * * *', overlap_policy: 'allow_all' }, waiting);
      const { body } = await post<Answer>(id, 'backfill', { ...days, overlap_policy: 'skip' });
      expect(body.items.map(({ outcome, reason }) => [outcome, reason?.code ?? null])).to.eql([
        ['fired', null],
        ...Array.from({ length: 4 }, () => ['skipped', 'run_active']),
      ]);
      expect((await occurrences(id)).filter(({ outcome }) => outcome === 'skipped')).to.have.length(4);
    });

    it('no more than the cap, and nothing of the future', async () => {
      const id = await publish('capped', every);
      const refused = async (body: object) => {
        const answer = await post<Problems>(id, 'backfill', body);
        const { path, code } = answer.body.error.details[0]!;
        return [answer.status, path, code];
      };
      expect(await refused({ ...days, limit: 501 })).to.eql([400, 'limit', 'out_of_range']);
      expect(await refused({ ...days, to: '2999-01-01T00:00:00Z' })).to.eql([400, 'to', 'out_of_range']);
      expect(await refused({ from: days.to, to: days.from })).to.eql([400, 'from', 'out_of_range']);
      for (const overlap_policy of ['buffer_one', 7]) {
        const found = await refused({ ...days, overlap_policy });
        expect(found).to.eql([400, 'overlap_policy', 'ErrInvalidOverlapPolicy']);
      }
    });
  });

  it('hold back the next for a run that was redriven', async () => {
    const id = await publish('again', { cron: '0 0 * * *' }, waiting);
    const backfill = async (day: string) => {
      const body = { from: `${day}T00:00:00Z`, to: `${day}T00:00:00Z`, overlap_policy: 'skip' };
      return (await post<List<Occurrence>>(id, 'backfill', body)).body.items[0]!;
    };
    const { run_id } = await backfill('2026-01-01');
    const status = async () =>
      (await host.call<{ status: string }>('GET', `/api/workflows/runs/${run_id}`)).body.status;
    const control = async (name: string, then: string) => {
      await host.call('POST', `/api/v2/workflow-runs/${run_id}:${name}`, { request_id: name });
      await until(async () => (await status()) === then, `the run to be ${then}`);
    };
    await control('terminate', 'terminated');
    const other = await backfill('2026-01-02');
    expect(other.outcome).to.equal('fired');
    await host.call('POST', `/api/v2/workflow-runs/${other.run_id}:terminate`, { request_id: 'terminate' });
    await until(async () => {
      const { body } = await host.call<{ status: string }>('GET', `/api/workflows/runs/${other.run_id}`);
      return body.status === 'terminated';
    }, 'the other run to be terminated');
    await control('redrive', 'waiting');
    expect((await backfill('2026-01-03')).reason).to.include({ code: 'run_active', run_id });
  });

  it('say what is wrong with an input that turns out not to fit', async () => {
    const input_schema = { type: 'object', properties: { day: { type: 'string', maxLength: 10 } } };
    const settings = { schedule: { ...every, input: { day: '${schedule.due_at}' } }, input_schema };
    await publishGraph(host, 'unfit', { graph: done, settings });
    const { body } = await host.call<List<Schedule>>('GET', `${BASE}?family=unfit`);
    const id = body.items[0]!.id;
    const { status, body: refused } = await post<Problems & { error: { message: string } }>(id, 'triggerNow');
    expect(status).to.equal(409);
    expect(refused.error.message).to.include('input.day: ').and.include('10');
    const past = { from: '2025-12-31T00:00:00Z', to: '2026-01-02T00:00:00Z' };
    await post(id, 'backfill', past);
    const [skipped] = await occurrences(id);
    expect(skipped).to.include({ outcome: 'skipped', by: 'backfill' });
    expect(skipped?.reason)
      .to.include({ code: 'invalid_argument' })
      .and.have.property('message')
      .that.includes('input.day: ');
  });

  it('end with their workflow', async () => {
    const id = await publish('over', every);
    await host.call('POST', '/api/workflow-definitions/over/archive');
    expect(await get(id)).to.include({ state: 'ended', next_due_at: null });
    for (const verb of ['pause', 'resume', 'triggerNow']) expect((await post(id, verb)).status, verb).to.equal(409);
  });

  it('are another tenant’s nowhere', async () => {
    const id = await publish('own', every);
    const key = await host.tenantKey('other');
    const calls: readonly (readonly [string, string, object | undefined])[] = [
      ['GET', `${BASE}/${id}`, undefined],
      ['GET', `${BASE}/${id}/occurrences`, undefined],
      ...['pause', 'resume', 'triggerNow'].map((verb) => ['POST', `${BASE}/${id}:${verb}`, undefined] as const),
      ['POST', `${BASE}/${id}:backfill`, { from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' }],
    ];
    for (const [method, path, body] of calls) {
      expect((await host.call(method, path, body, key)).status, path).to.equal(404);
    }
    expect((await host.call<List<object>>('GET', BASE, undefined, key)).body.items).to.eql([]);
    await post(id, 'triggerNow');
    const runs = await host.call<List<object>>('GET', `/api/workflows/runs?schedule_id=${id}`, undefined, key);
    expect(runs.body.items).to.eql([]);
  });
});
