/** What must be true of runs with regions, whatever happened to them: told by what the tables kept of it. */
import {
  apply,
  type Change,
  initialState,
  isEnded,
  isFinal,
  nodeAddress,
  nodeKey,
  nodeOf,
  type RunState,
} from '@ductor/core';
import { type Expected, expectedOf, type Plan, withoutErrors } from '../support/arbitrary-regions.ts';
import { endsOnce, explainsItself, rowsAreAsTheState } from './oracle.ts';
import type { Undo } from './regions-world.ts';
import { type Story, storiesOf, told } from './stories.ts';
import type { World } from './world.ts';

export interface Played {
  readonly plans: ReadonlyMap<string, Plan>;
  readonly undone: readonly Undo[];
}

/** Complaints about each run; none if all is well. */
export async function complaintsOf(world: World, { plans, undone }: Played): Promise<readonly string[]> {
  const stories = await storiesOf(world);
  const found = await Promise.all(
    stories.map(async (story) => {
      const said = [
        ...(await rowsAreAsTheState(world, story)),
        ...endsOnce(story),
        ...(await explainsItself(world, story)),
        ...inMind(world, story),
        ...stepByStep(story, await mostOf(world, story)),
        ...(await rowsOfBranches(world, story)),
        ...(await attemptsAreClosed(world, story)),
      ];
      const plan = plans.get(story.state.header.id);
      if (plan) said.push(...comesOut(story, plan), ...(await undoes(world, story, undone)));
      return said.map((text) => `${text}\n${JSON.stringify(plan ?? null)}\n${told(story)}`);
    }),
  );
  return [...world.complaints, ...found.flat()];
}

/** The state that a host goes on from is that which its transitions fold to. */
function inMind(world: World, { state }: Story): readonly string[] {
  const known = world.host.engine.coordinator.stateOf(state.header.id);
  if (!known || known.version !== state.version) return [];
  return textOf(known) === textOf(state) ? [] : [`in mind: ${textOf(known)}\n   folded: ${textOf(state)}`];
}

/** In the order of keys. */
const textOf = (state: RunState): string =>
  JSON.stringify(state, (_, value: unknown) => {
    if (value instanceof Map) return [...(value as Map<string, unknown>)].sort(([a], [b]) => (a < b ? -1 : 1));
    if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
  });

/** How many branches may be in flight, by owner. */
async function mostOf(world: World, { state }: Story): Promise<ReadonlyMap<string, number>> {
  const graph = world.definitions.get(state.header.definitionId)?.graph;
  return new Map(
    graph?.steps.flatMap((step) => ('max_in_flight' in step ? [[step.ref, Number(step.max_in_flight)]] : [])),
  );
}

/** At each version: no more in flight than may be, all counted, and nothing starts where it should not. */
function stepByStep({ state: { header }, transitions }: Story, most: ReadonlyMap<string, number>): readonly string[] {
  const complaints: string[] = [];
  const state = initialState(header);
  const started = new Set<string>();
  for (const transition of transitions) {
    const { version, changes } = transition;
    const say = (text: string) => complaints.push(`at version ${version}: ${text}`);
    const isEnding = state.ending !== null && !changes.some(reopens);
    for (const change of changes) {
      if (change.type === 'fan') {
        const key = nodeKey(change.owner);
        const before = state.fans.get(key);
        const isSame = before?.generation === change.fan.generation;
        const owner = nodeOf(state, key);
        const isGone = owner !== undefined && isEnded(owner) && owner.generation === change.fan.generation;
        if (isSame && change.fan.started > before.started && (isEnding || isGone))
          say(`${key} starts branches, and is over`);
        if (isSame && change.fan.started < before.started) say(`${key} forgets branches`);
      }
      if (change.type === 'node' && change.node.status === 'running' && !started.has(change.node.work.attempt.id)) {
        started.add(change.node.work.attempt.id);
        if (isEnding) say(`${nodeKey(change.node.at)} starts in a run that ends`);
      }
    }
    apply(state, transition);
    for (const [key, fan] of state.fans) {
      if (fan.started !== fan.open + fan.completed + fan.failed + fan.cancelled)
        say(`${key} counts ${JSON.stringify(fan)}`);
      if (fan.open > (most.get(nodeAddress(key).ref) ?? 0)) say(`${key} has ${fan.open} in flight`);
      if (fan.started > fan.released || fan.released > fan.total) say(`${key} has released ${JSON.stringify(fan)}`);
    }
    const counted = [...state.fans.values()].reduce((sum, { open }) => sum + open, 0);
    if (counted !== state.branches.size) say(`${state.branches.size} branches are in flight, ${counted} are counted`);
    for (const { at } of [...state.open.values(), ...state.ended.values()]) {
      for (const depth of at.branch.keys()) {
        const prefix = at.branch.slice(0, depth + 1).join('.');
        const isThere = [...state.branches.keys()].some((key) => key.startsWith(`${prefix}/`));
        if (!isThere) say(`${nodeKey(at)} is in no branch in flight`);
      }
    }
    if (isFinal(state.status) && state.branches.size > 0) say('branches in flight of a run that has ended');
  }
  return complaints;
}

const reopens = (change: Change): boolean => change.type === 'control' && change.control.control === 'redrive';

/** A row each, which has a status if the branch is over, as they are counted. */
async function rowsOfBranches(world: World, { state }: Story): Promise<readonly string[]> {
  const rows = await world.query<{ node: string; generation: number; index: number; status: string | null }>(
    'select node, generation, index, status from eec_workflow_branch where run_id = $1 order by node, generation, index',
    state.header.id,
  );
  return [...state.fans].flatMap(([key, fan]) => {
    const own = rows.filter(({ node, generation }) => node === key && generation === fan.generation);
    const isCounted = (['completed', 'failed', 'cancelled'] as const).every(
      (status) => own.filter((row) => row.status === status).length === fan[status],
    );
    const isWhole = own.length === fan.total && own.every(({ index }, i) => index === i);
    const early = own.filter(({ index, status }) => status !== null && index >= fan.started);
    return isCounted && isWhole && early.length === 0
      ? []
      : [`${key} is ${JSON.stringify(fan)}, its rows ${JSON.stringify(own)}`];
  });
}

async function attemptsAreClosed(world: World, { state }: Story): Promise<readonly string[]> {
  const open = await world.query<{ id: string; n: number }>(
    `select id from eec_workflow_step_attempt where run_id = $1 and (ended_at is null or not folded)`,
    state.header.id,
  );
  const running = [...state.open.values()].flatMap((node) => (node.status === 'running' ? [node.work.attempt.id] : []));
  const strays = open.filter(({ id }) => !running.includes(id));
  // Only an UNDO has an attempt for each of what it undoes.
  const twice = await world.query<{ step_ref: string }>(
    `select step_ref, branch, generation from eec_workflow_step_attempt
     where run_id = $1 and status = 'completed' and action <> 'test.undo'
     group by 1, 2, 3 having count(*) > 1`,
    state.header.id,
  );
  return [
    ...strays.map(({ id }) => `attempt ${id} is open`),
    ...twice.map((row) => `${JSON.stringify(row)} has completed twice`),
  ];
}

/** A run that nobody has stopped comes out as its plan says, if no time was up. */
function comesOut({ state }: Story, plan: Plan): readonly string[] {
  const { ending, status } = state;
  if (!isFinal(status) || status === 'cancelled' || status === 'terminated') return [];
  if (plan.regions.some(({ timeout }) => timeout !== null)) return [];
  const expected = expectedOf(plan);
  const is: Expected =
    ending?.status === 'completed'
      ? { status: 'completed', output: withoutErrors(ending.output) }
      : { status: 'failed' };
  return status === expected.status && JSON.stringify(is) === JSON.stringify(expected)
    ? []
    : [`came out as ${JSON.stringify(ending)}, and not ${JSON.stringify(expected)}`];
}

interface DutyRow {
  readonly execution: string;
  readonly state: string;
  readonly undo_run_id: string | null;
}

/** Each execution that completed and can be undone is owed once, and undone once where the end calls for it, the last first. */
async function undoes(world: World, { state }: Story, undone: readonly Undo[]): Promise<readonly string[]> {
  const { id } = state.header;
  const steps = world.definitions.get(state.header.definitionId)?.graph.steps ?? [];
  const undoable = steps.filter((step) => 'compensation' in step).map(({ ref }) => ref);
  const executions = await world.query<{
    execution: string;
    ids: readonly string[];
    item: string;
    branch: readonly number[];
  }>(
    `select concat_ws('/', run_id, step_ref, array_to_string(branch, '.'), generation) as execution, branch,
       json_agg(id) as ids, min(input ->> 'id') as item
     from eec_workflow_step_attempt
     where run_id = $1 and step_ref = any($2) and (status = 'completed' or finished_anyway and output is not null)
     group by 1, 2 order by 1`,
    id,
    undoable,
  );
  const duties = await world.query<DutyRow>(
    `select execution, state, undo_run_id from eec_workflow_duty where run_id = $1
     order by completed_at desc, version desc, ordinal desc`,
    id,
  );
  const owed = duties.filter(({ state: is }) => is !== 'unknown');
  const completed = executions.map(({ execution }) => execution);
  const complaints: string[] = [];
  const same = (what: string, is: unknown, be: unknown) => {
    if (JSON.stringify(is) !== JSON.stringify(be))
      complaints.push(`${what}: ${JSON.stringify(is)} and not ${JSON.stringify(be)}`);
  };
  same('owed', owed.map(({ execution }) => execution).sort(), [...completed].sort());
  const own = undone.filter(({ key }) => key.startsWith(`undo/${id}/`));
  const isCalledFor = state.status === 'failed' || state.status === 'cancelled';
  same(
    'states',
    [...new Set(owed.map((duty) => duty.state))],
    owed.length === 0 ? [] : [isCalledFor ? 'undone' : 'owed'],
  );
  if (!isFinal(state.status)) return complaints;
  const runs = [...new Set(owed.map(({ undo_run_id }) => undo_run_id))];
  const keys = own.map(({ key }) => key);
  same('undone', [...keys].sort(), isCalledFor ? owed.map(({ execution }) => `undo/${execution}`).sort() : []);
  for (const run of isCalledFor ? runs : []) {
    const inOrder = owed.filter((duty) => duty.undo_run_id === run).map(({ execution }) => `undo/${execution}`);
    same(
      'undone in order',
      keys.filter((key) => inOrder.includes(key)),
      inOrder,
    );
  }
  for (const { key, args } of own) {
    const execution = executions.find((each) => `undo/${each.execution}` === key);
    const { branch = [], item, ids = [] } = execution ?? {};
    same(`arguments of ${key}`, [args.id, args.index, args.outer], [item, branch.at(-1), branch[0]]);
    if (!ids.includes(args.n)) complaints.push(`${key} was given ${args.n}, and not one of ${ids.join()}`);
  }
  return complaints;
}
