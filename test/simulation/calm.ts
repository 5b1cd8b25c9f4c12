/** When all that hosts could do is done. */
import { until } from '../support/until.ts';
import { storiesOf, told } from './stories.ts';
import type { World } from './world.ts';

/** Whether nothing is left that a host should be doing, nor will be soon: the last host's clock is ahead by half of that. */
const LEFT = `
select 'inbox' as what, run_id::text as id from eec_workflow_inbox where applied_at is null and is_wanted
union all select 'kept', i.run_id::text from eec_workflow_inbox i join eec_workflow_wait w on w.run_id = i.run_id and w.node = i.node
  where i.applied_at is null
union all select 'due', run_id::text from eec_workflow_wait where due_at <= clock_timestamp() + interval '5 seconds'
union all select 'look back', run_id::text from eec_workflow_wait where look_back_from is not null
union all select 'event', event_id from eec_workflow_event where matched_at is null
union all select 'attempt', run_id::text from eec_workflow_step_attempt where not folded
union all select 'run ' || r.status, id::text from eec_workflow_run r where r.status in ('running', 'cancelling')
union all select 'paused', id::text from eec_workflow_run where status = 'paused'`;

/** What a host commits after it was taken for gone is found by the next look at everything, a minute later at most. */
const MOST_MS = 75_000;

export async function calm(world: World): Promise<void> {
  let left: readonly object[] = [];
  const isCalm = async () => {
    left = await world.query(LEFT);
    return left.length === 0;
  };
  await untilIn(world, isCalm, () => `left undone: ${JSON.stringify(left)}`);
}

/** Another host takes over, and no run stays paused. */
export async function settle(world: World): Promise<void> {
  await world.succeed();
  const open = await world.query<{ id: string }>('select id from eec_workflow_run where ended_at is null');
  const payload = { request_id: 'at the end' };
  await Promise.all(open.map(({ id }) => world.post(0, `/api/v2/workflow-runs/${id}:resume`, payload)));
  await calm(world);
}

/** Waits; in vain, it tells the stories of all runs that are open. */
export async function untilIn(world: World, isSo: () => Promise<boolean>, what: () => string): Promise<void> {
  await until(isSo, '', MOST_MS).catch(async () => {
    const open = (await storiesOf(world)).filter(({ state }) => state.endedAt === null);
    throw new Error(`${what()}\n${open.map(told).join('\n')}`);
  });
}
