import { expect } from 'chai';
import { publishGraph } from '../../support/host.ts';
import { openSession } from '../../support/session.ts';
import { until } from '../../support/until.ts';
import { chain, Hosts } from './world.ts';

interface Page<T> {
  readonly items: readonly T[];
}
interface Occurrence {
  readonly outcome: string;
  readonly count: number;
  readonly run_id: string | null;
}
interface Schedule {
  readonly id: string;
  readonly family_slug: string;
  readonly missed_count: number;
}

const graph = chain([{ ref: 'go', type: 'WAIT', signal: 'go' }]);
/** Half an hour from now and ago, whenever that is. */
const hourly = { cron: `${(new Date().getMinutes() + 30) % 60} * * * *`, overlap_policy: 'allow_all' };

describe('A schedule whose plugin goes and comes back', () => {
  const hosts = new Hosts();
  after(() => hosts.stop());

  it('starts nothing meanwhile, holds up no run, and is due for what came by its catch-up window', async () => {
    const host = await hosts.start();
    for (const [slug, window] of [
      ['late', 24 * 3_600_000],
      ['lost', 0],
    ] as const) {
      await publishGraph(host, slug, {
        graph,
        settings: { schedule: { ...hourly, catchup_window_ms: window } },
      });
    }
    const { items: all } = await hosts.get<Page<Schedule>>('/api/workflow-schedules');
    const idOf = (slug: string) => all.find(({ family_slug }) => family_slug === slug)?.id ?? '';
    const { body } = await host.call<{ run_id: string }>(
      'POST',
      `/api/workflow-schedules/${idOf('late')}:triggerNow`,
      {},
    );
    await hosts.waitsAt(body.run_id, 'go');

    await hosts.start('scheduler');
    // As if it had been gone for most of a day.
    const door = await openSession(hosts.now.database.url);
    await door.query(`update eec_workflow_schedule set after_at = now() - interval '12 hours',
      next_due_at = now() - interval '11 hours', next_at = now() - interval '11 hours'`);
    await door.end();
    await hosts.resolve(body.run_id, 'go');
    expect((await hosts.ended(body.run_id)).status).to.equal('completed');
    await hosts.trigger('late', {});
    const { items: runs } = await hosts.get<Page<{ run_id: string }>>('/api/workflows/runs');
    expect(runs).to.have.length(2);

    await hosts.start();
    const occurrences = async (slug: string) =>
      (await hosts.get<Page<Occurrence>>(`/api/workflow-schedules/${idOf(slug)}/occurrences?order=asc`)).items
        .filter(({ run_id }) => run_id !== body.run_id)
        .map(({ outcome, count }) => [outcome, count]);
    await until(async () => (await occurrences('late')).length === 2, 'what was missed to be booked');
    await until(async () => (await occurrences('lost')).length >= 1, 'what was missed to be booked');
    expect(await occurrences('late')).to.have.deep.members([
      ['missed', 11],
      ['fired', 1],
    ]);
    expect((await occurrences('lost'))[0]).to.eql(['missed', 12]);
    const { missed_count } = await hosts.get<Schedule>(`/api/workflow-schedules/${idOf('late')}`);
    expect(missed_count).to.equal(11);
  });
});
