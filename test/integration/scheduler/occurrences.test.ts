import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { until } from '../../support/until.ts';
import { startWorld, type World } from './world.ts';

const HOUR_MS = 3_600_000;
const waits = [{ ref: 'w', type: 'WAIT', signal: 'go' }];

describe('The occurrences of a schedule', () => {
  let world: World;
  before(async () => {
    world = await startWorld();
  });
  after(() => world.stop());
  // A schedule of one test is not another's.
  afterEach(() => world.test.query('update eec_workflow_schedule set next_at = null, ended_at = now()'));

  const outcomes = async (slug: string) =>
    (await world.occurrences(slug)).map(({ outcome, count, reason }) => [outcome, count, reason?.code ?? null]);
  const ended = (runId: string) => world.test.ended(runId);
  /** Once it is applied. */
  const control = async (runId: string, word: string) => {
    const id = randomUUID();
    await world.test.query(
      `insert into eec_workflow_inbox (id, tenant_id, chain_id, run_id, kind, request_id, actor, body)
       values ($1::uuid, 'default', $2, $2, 'control', $1::uuid::text, 'key:ops', $3)`,
      id,
      runId,
      JSON.stringify({ control: word }),
    );
    world.test.engine.wakeups.push([runId]);
    await until(async () => {
      const applied = `select from eec_workflow_inbox where id = $1 and outcome ->> 'outcome' = 'applied'`;
      return (await world.test.query(applied, id)).length === 1;
    }, `${word} to be applied`);
  };

  it('start a run each, with its input by its due time, once it is due', async () => {
    await world.publish('each', { cron: '* * * * *', input: { at: '${schedule.due_at}', n: 1 } });
    const scheduler = world.scheduler();
    await scheduler.look();
    expect(await world.runs('each')).to.eql([]);
    const { next_due_at } = await world.row('each');
    world.advanceTo(1);
    await scheduler.look();
    await scheduler.look();
    world.advanceTo(1);
    await scheduler.look();
    const occurrences = await world.occurrences('each');
    expect(occurrences.map(({ outcome, by }) => [outcome, by])).to.eql([
      ['fired', 'timetable'],
      ['fired', 'timetable'],
    ]);
    expect(occurrences[0]?.due_at).to.equal(next_due_at);
    const runs = await world.runs('each');
    expect(runs.map(({ id }) => id)).to.eql(occurrences.map(({ run_id }) => run_id));
    expect(runs.map(({ input }) => input)).to.eql(occurrences.map(({ due_at }) => ({ at: due_at, n: 1 })));
  });

  it('C16 start one run each, however many hosts look', async () => {
    await world.publish('raced', { cron: '* * * * *', overlap_policy: 'skip' }, waits);
    const hosts = [1, 2, 3, 4].map(() => world.scheduler());
    const look = () => Promise.all(hosts.map((host) => host.look()));
    await look();
    for (let i = 1; i <= 4; i++) {
      world.advanceTo(1);
      await look();
      // The occurrences after the first are skipped by all or by none.
      expect(await world.runs('raced')).to.have.length(1);
    }
    expect(await outcomes('raced')).to.eql([
      ['fired', 1, null],
      ['skipped', 1, 'run_active'],
      ['skipped', 1, 'run_active'],
      ['skipped', 1, 'run_active'],
    ]);
    await world.publish('raced', { cron: '* * * * *', overlap_policy: 'allow_all' }, waits);
    await look();
    for (let i = 1; i <= 3; i++) {
      world.advanceTo(1);
      await look();
      expect(await world.runs('raced')).to.have.length(1 + i);
    }
  });

  it('C16 are skipped, with the run as the reason, while a run is active or paused', async () => {
    await world.publish('held', { cron: '* * * * *' }, waits);
    const scheduler = world.scheduler();
    await scheduler.look();
    world.advanceTo(1);
    await scheduler.look();
    const [run] = await world.runs('held');
    await world.test.query(`update eec_workflow_run set status = 'paused' where id = $1`, run!.id);
    world.advanceTo(1);
    await scheduler.look();
    const [, skipped] = await world.occurrences('held');
    expect(skipped).to.include({ outcome: 'skipped', run_id: null });
    expect(skipped?.reason).to.include({ code: 'run_active', run_id: run!.id });
  });

  it('C16 start again after a kill once the run was terminated; held back by it until then, also while it is paused', async () => {
    await world.publish('killed', { cron: '* * * * *', overlap_policy: 'skip' }, waits);
    const look = async () => {
      world.advanceTo(1);
      await world.scheduler().look();
    };
    await world.scheduler().look();
    await look();
    const [run] = await world.runs('killed');
    await look();
    await world.restart();
    await look();
    await control(run!.id, 'pause');
    await look();
    await world.restart();
    await control(run!.id, 'terminate');
    await ended(run!.id);
    await look();
    const all = await world.occurrences('killed');
    expect(all.map(({ outcome }) => outcome)).to.eql(['fired', 'skipped', 'skipped', 'skipped', 'fired']);
    for (const { reason } of all.slice(1, 4)) expect(reason).to.include({ code: 'run_active', run_id: run!.id });
    expect(await world.runs('killed')).to.have.length(2);
  });

  for (const [what, statement] of [
    ['has ended', `update eec_workflow_run set ended_at = now(), status = 'terminated' where id = $1`],
    ['is deleted', 'delete from eec_workflow_run where id = $1'],
  ] as const) {
    it(`C16 start again once the run that held them back ${what}, though nobody told`, async () => {
      const slug = what.replaceAll(' ', '-');
      await world.publish(slug, { cron: '* * * * *' }, waits);
      const scheduler = world.scheduler();
      await scheduler.look();
      world.advanceTo(1);
      await scheduler.look();
      const [first] = await world.runs(slug);
      world.advanceTo(1);
      await scheduler.look();
      await world.test.query(statement, first!.id);
      world.advanceTo(1);
      await scheduler.look();
      expect((await outcomes(slug)).map(([outcome]) => outcome)).to.eql(['fired', 'skipped', 'fired']);
    });
  }

  for (const overlap_policy of ['skip', 'allow_all']) {
    it(`C17 that came during an outage are missed and counted, none is made up for, and the next comes on time: ${overlap_policy}`, async () => {
      const outage = `outage-${overlap_policy.replace('_', '-')}`;
      await world.publish(outage, { cron: '*/5 * * * *', overlap_policy });
      await world.scheduler().look();
      world.advanceTo(5);
      await world.scheduler().look();
      expect(await outcomes(outage)).to.eql([['fired', 1, null]]);
      // Between two, when neither is near.
      world.test.clock.advance(6 * HOUR_MS + 150_000);
      for (let restart = 1; restart <= 5; restart++) {
        await world.scheduler().look();
        world.test.clock.advance(10_000);
      }
      const [first, missed, ...more] = await world.occurrences(outage);
      expect(more).to.eql([]);
      expect(missed).to.include({ outcome: 'missed', count: 72 });
      expect(Date.parse(missed!.due_at) - Date.parse(first!.due_at)).to.equal(300_000);
      expect(Date.parse(missed!.until_at!) - Date.parse(first!.due_at)).to.equal(72 * 300_000);
      expect(await world.row(outage)).to.include({ missed_count: 72 });
      world.advanceTo(5);
      await world.scheduler().look();
      expect(await outcomes(outage)).to.eql([
        ['fired', 1, null],
        ['missed', 72, null],
        ['fired', 1, null],
      ]);
    });

    it(`C17 are made up for by at most one, which is inside the window, however often hosts restart: ${overlap_policy}`, async () => {
      const late = `late-${overlap_policy.replace('_', '-')}`;
      await world.publish(late, { cron: '*/5 * * * *', overlap_policy });
      await world.scheduler().look();
      world.advanceTo(5);
      await world.scheduler().look();
      world.test.clock.advance(6 * HOUR_MS + 30_000);
      for (let restart = 1; restart <= 5; restart++) await world.scheduler().look();
      expect(await outcomes(late)).to.eql([
        ['fired', 1, null],
        ['missed', 71, null],
        ['fired', 1, null],
      ]);
    });
  }

  it('start no second run after a crash between the run and the book, and are not missed', async () => {
    await world.publish('crash', { cron: '* * * * *', overlap_policy: 'allow_all' });
    await world.scheduler().look();
    world.advanceTo(1);
    const crashing = world.scheduler((trigger) => ({
      async start(seed) {
        await trigger.start(seed);
        throw new Error('the host is gone');
      },
    }));
    let fault: unknown;
    await crashing.look().catch((error: unknown) => {
      fault = error;
    });
    expect(String((fault as Error).cause)).to.include('the host is gone');
    await world.scheduler().look();
    expect(await outcomes('crash')).to.eql([['fired', 1, null]]);
    world.advanceTo(1);
    await crashing.look().catch(() => undefined);
    // Late enough to be missed, had it not started.
    world.advanceTo(1, 9 * 60_000 + 30_000);
    await world.scheduler().look();
    expect(await outcomes('crash')).to.eql([
      ['fired', 1, null],
      ['fired', 1, null],
      ['missed', 9, null],
      ['fired', 1, null],
    ]);
    expect(await world.runs('crash')).to.have.length(3);
  });

  it('come again when the clock is set back, and start nothing twice', async () => {
    await world.publish('back', { cron: '* * * * *', overlap_policy: 'allow_all' });
    const scheduler = world.scheduler();
    await scheduler.look();
    world.advanceTo(1, HOUR_MS);
    await scheduler.look();
    expect((await outcomes('back')).at(-1)).to.eql(['fired', 1, null]);
    const before = (await world.occurrences('back')).length;
    world.test.clock.advance(-HOUR_MS);
    const { next_at } = await world.row('back');
    expect(next_at! > world.test.clock.now()).to.equal(true);
    await scheduler.tidy();
    await scheduler.look();
    world.advanceTo(1);
    await scheduler.look();
    expect((await world.occurrences('back')).length).to.equal(before + 1);
    world.test.clock.advance(HOUR_MS);
    await scheduler.look();
    expect(new Set((await world.runs('back')).map(({ id }) => id)).size).to.equal(
      (await world.occurrences('back')).filter(({ outcome }) => outcome === 'fired').length,
    );
  });

  it('with jitter start later than they are due, always as much later, and before the next one', async () => {
    await world.publish('jitter', { cron: '* * * * *', jitter_ms: 600_000, overlap_policy: 'allow_all' });
    const scheduler = world.scheduler();
    await scheduler.look();
    const first = await world.row('jitter');
    const lateMs = Date.parse(first.next_at!) - Date.parse(first.next_due_at!);
    expect(lateMs).to.be.within(0, 59_999);
    await world.publish('jitter', { cron: '* * * * *', jitter_ms: 600_000, overlap_policy: 'skip' });
    await scheduler.look();
    const { next_at, next_due_at } = await world.row('jitter');
    expect({ next_at, next_due_at }).to.eql({ next_at: first.next_at, next_due_at: first.next_due_at });
    world.test.clock.advance(Date.parse(next_at!) - Date.parse(world.test.clock.now()) + 5);
    await scheduler.look();
    expect((await world.occurrences('jitter')).map(({ due_at }) => due_at)).to.eql([next_due_at]);
  });

  it('that cannot start are skipped with what hindered them, and the next is tried', async () => {
    await world.publish('bad-input', { cron: '* * * * *', input: { n: '${int(schedule.due_at)}' } });
    const scheduler = world.scheduler();
    await scheduler.look();
    world.advanceTo(1);
    await scheduler.look();
    world.advanceTo(1);
    await scheduler.look();
    expect(await outcomes('bad-input')).to.eql([
      ['skipped', 1, 'expression_error'],
      ['skipped', 1, 'expression_error'],
    ]);
  });

  it('of a spec that cannot be evaluated do not come, and others do', async () => {
    await world.publish('sound', { cron: '* * * * *' });
    for (const slug of ['bad-zone', 'bad-cron', 'bad-template']) await world.publish(slug, { cron: '* * * * *' });
    const spoil = (slug: string, spec: object) =>
      world.test.query('update eec_workflow_schedule set spec = $2 where family_slug = $1', slug, JSON.stringify(spec));
    await spoil('bad-zone', { cron: '* * * * *', timezone: 'Mars/Olympus' });
    await spoil('bad-cron', { cron: 'whenever' });
    await spoil('bad-template', { cron: '* * * * *', input: '${' });
    const scheduler = world.scheduler();
    await scheduler.look();
    world.advanceTo(1);
    await scheduler.look();
    expect(await outcomes('sound')).to.eql([['fired', 1, null]]);
    for (const slug of ['bad-zone', 'bad-cron', 'bad-template']) {
      const { error, next_at } = await world.row(slug);
      expect([error?.code, next_at], slug).to.eql(['invalid_schedule', null]);
    }
    expect((await world.row('bad-zone')).error?.message).to.equal('timezone: there is no time zone Mars/Olympus');
    await world.publish('bad-zone', { cron: '* * * * *' });
    await scheduler.look();
    expect(await world.row('bad-zone')).to.include({ error: null });
  });

  it('follow the version that was published last, and end with the family', async () => {
    const first = await world.publish('versions', { cron: '* * * * *', input: { v: 1 } });
    const scheduler = world.scheduler();
    await scheduler.look();
    await world.publish('versions', { cron: '*/10 * * * *', input: { v: 2 } });
    await scheduler.look();
    world.advanceTo(10, 5_000);
    await scheduler.look();
    const inputs = async () => (await world.runs('versions')).map(({ input }) => input);
    // Minutes of the timetable before are neither started nor missed.
    expect([await inputs(), await outcomes('versions')]).to.eql([[{ v: 2 }], [['fired', 1, null]]]);
    await world.archive(first);
    world.advanceTo(10);
    await scheduler.look();
    expect(await inputs()).to.have.length(1);
    expect((await world.row('versions')).ended_at).to.be.a('string');
    await world.publish('versions', { cron: '* * * * *', input: { v: 3 } });
    await scheduler.look();
    world.advanceTo(1);
    await scheduler.look();
    expect(await inputs()).to.eql([{ v: 2 }, { v: 3 }]);
    await world.publish('versions', undefined);
    world.advanceTo(1);
    await scheduler.look();
    expect(await inputs()).to.have.length(2);
    expect((await world.row('versions')).ended_at).to.be.a('string');
  });

  it('keep their place when a version with the same timetable is published between due and start', async () => {
    await world.publish('same', { cron: '* * * * *', input: { v: 1 } });
    const scheduler = world.scheduler();
    await scheduler.look();
    world.advanceTo(1);
    await world.publish('same', { cron: '* * * * *', input: { v: 2 } });
    await scheduler.look();
    expect((await world.runs('same')).map(({ input }) => input)).to.eql([{ v: 2 }]);
  });

  it('do not come while it is paused, which a version leaves as it is unless it says so', async () => {
    await world.publish('paused', { cron: '* * * * *', paused: true });
    const scheduler = world.scheduler();
    await world.publish('paused', { cron: '* * * * *' });
    world.advanceTo(1);
    await scheduler.look();
    expect(await world.row('paused')).to.include({ paused: true, next_at: null });
    await world.publish('paused', { cron: '* * * * *', paused: false });
    await scheduler.look();
    // What came meanwhile was nobody's to miss.
    expect(await outcomes('paused')).to.eql([]);
    world.advanceTo(1);
    await scheduler.look();
    expect(await outcomes('paused')).to.eql([['fired', 1, null]]);
  });

  it('are not started for a version that was published without the plugin and has no schedule', async () => {
    await world.publish('behind', { cron: '* * * * *' });
    const scheduler = world.scheduler();
    await scheduler.look();
    const definition = world.test.definitions;
    for (const [id, each] of definition) {
      if (each.familySlug === 'behind') definition.set(id, { ...each, settings: {} });
    }
    world.advanceTo(1);
    await scheduler.look();
    expect(await outcomes('behind')).to.eql([['skipped', 1, 'failed_precondition']]);
  });

  it('start a run by the service itself, within seconds of being due', async () => {
    await world.publish('service', { cron: '* * * * *' });
    const stop = new AbortController();
    const running = world.scheduler().run(stop.signal);
    await until(async () => (await world.row('service')).next_due_at, 'the schedule to be planned');
    world.advanceTo(1);
    const [run] = await until(async () => {
      const runs = await world.runs('service');
      return runs.length > 0 && runs;
    }, 'the run');
    await ended(run!.id);
    stop.abort();
    await running;
  });

  // From here on time is far ahead of what the rows say.
  it('of a year of minutes that were missed take one row', async () => {
    await world.publish('year', { cron: '* * * * *' });
    const scheduler = world.scheduler();
    await scheduler.look();
    world.advanceTo(1, 365 * 24 * HOUR_MS);
    await scheduler.look();
    const [missed, fired, ...more] = await world.occurrences('year');
    expect(missed).to.include({ outcome: 'missed', count: 365 * 24 * 60 });
    expect([fired?.outcome, more]).to.eql(['fired', []]);
  });

  it('are forgotten after their time, and runs once they are gone', async () => {
    await world.publish('old', { cron: '* * * * *' });
    const scheduler = world.scheduler();
    await scheduler.look();
    world.advanceTo(1);
    await scheduler.look();
    const [run] = await world.runs('old');
    const keptRuns = () => world.test.query('select from eec_workflow_schedule_run where run_id = $1', run!.id);
    await ended(run!.id);
    world.test.clock.advance(400 * 24 * HOUR_MS);
    await scheduler.tidy();
    expect([await world.occurrences('old'), await keptRuns()]).to.eql([[], [{}]]);
    await world.test.query('delete from eec_workflow_run where id = $1', run!.id);
    await scheduler.tidy();
    expect(await keptRuns()).to.eql([]);
  });
});
