/** What must be true of every run at the end, whatever happened to it: told by what the tables kept of it. */
import { isEnded, isFinal, type Json, type JsonObject, nodeKey, why } from '@ductor/core';
import { heldRows, runRows, waitRows } from '#core/coordinator/waits.js';
import { type Came, type NodeChange, nodeChanges, type Period, type Story, storiesOf, told } from './stories.ts';
import type { World } from './world.ts';

/** Complaints about each run, and about events; none if all is well. */
export async function complaintsOf(world: World): Promise<readonly string[]> {
  const stories = await storiesOf(world);
  const found = await Promise.all(
    stories.map(async (story) => {
      const said = [
        ...(await rowsAreAsTheState(world, story)),
        ...endsOnce(story),
        ...(await explainsItself(world, story)),
        ...story.periods.flatMap((period) => isExplained(story, period)),
      ];
      return said.map((text) => `${JSON.stringify(story.state.header.input)} ${text}\n${told(story)}`);
    }),
  );
  return [
    ...world.complaints,
    ...found.flat(),
    ...(await eventsWereDelivered(world)),
    ...(await digestsAreWhole(world, stories)),
  ];
}

export async function rowsAreAsTheState(world: World, { state, transitions }: Story): Promise<readonly string[]> {
  const { header, status, open } = state;
  const [run] = await world.query<{ status: string; version: number; ended: boolean; nodes: JsonObject }>(
    `select status, db_record_version::int as version, ended_at is not null as ended, node_states as nodes
     from eec_workflow_run where id = $1`,
    header.id,
  );
  const rows = await world.query<{ row: string }>(
    `select concat_ws('/', node, name, kind, due_at at time zone 'UTC') as row from eec_workflow_wait where run_id = $1`,
    header.id,
  );
  const expected = isFinal(status) ? [] : [...runRows(state), ...[...open.values()].flatMap(waitRows)];
  const texts = heldRows(expected, status).map(({ node, name, kind, dueAt }) =>
    [node, name, kind, ...(dueAt === null ? [] : [dueAt.replace('T', ' ').replace(/\.?0*Z$/, '')])].join('/'),
  );
  const same = (what: string, is: unknown, be: unknown) =>
    JSON.stringify(is) === JSON.stringify(be) ? [] : [`${what}: ${JSON.stringify(is)} and not ${JSON.stringify(be)}`];
  return [
    ...same('status', run?.status, status),
    ...same('version', run?.version, state.version),
    ...same(
      'versions',
      transitions.map(({ version }) => version),
      transitions.map((_, i) => i + 1),
    ),
    ...same('is ended', run?.ended, state.endedAt !== null),
    ...same(
      'open nodes',
      Object.keys(run?.nodes ?? {}).sort(),
      [...open.keys()].filter((key) => !key.includes('/')).sort(),
    ),
    ...same('wait rows', rows.map(({ row }) => row).sort(), [...texts].sort()),
  ];
}

/** Each generation of a node ends once; taking its edges later is no second end. */
export function endsOnce(story: Story): readonly string[] {
  const ends = new Map<string, number>();
  for (const { node, from } of nodeChanges(story)) {
    if (!isEnded(node) || from === node.status) continue;
    const key = `${nodeKey(node.at)}#${node.generation}`;
    ends.set(key, (ends.get(key) ?? 0) + 1);
  }
  return [...ends].flatMap(([key, times]) => (times === 1 ? [] : [`${key} has ended ${times} times`]));
}

export async function explainsItself(world: World, { state }: Story): Promise<readonly string[]> {
  const { engine, clock } = world.host;
  const prepared = await engine.definitions.prepare(state.header.definitionId);
  const now = clock.now();
  const reasons = why({ state, prepared, attempts: new Map(), unavailable: new Map(), now, sweepMs: 1_000 });
  if (isFinal(state.status)) return [];
  if (reasons.length === 0) return ['is open and has no reason'];
  return reasons.flatMap(({ nextWakeAt }) => (nextWakeAt > now ? [] : [`has no next wake: ${nextWakeAt}`]));
}

/** What a node's inputs come to; `null`: it waits on. */
interface Decision {
  readonly at: number;
  readonly says: string;
}

function decide(type: string, inputs: readonly Came[]): Decision | null {
  const approvals: string[] = [];
  const events: { [subscription: string]: Json[] } = { two: [], one: [] };
  for (const { at, kind, body } of inputs) {
    const { verb, payload = null, approverId = '' } = body.signal ?? {};
    if (verb === 'resolve') return { at, says: outputText(payload) };
    if (kind === 'event') {
      const { subscription, eventId: event_id = null, payload: sent = null } = body.event ?? {};
      if (type === 'WAIT') return { at, says: outputText(sent) };
      events[String(subscription)]?.push({ event_id, payload: sent });
      if (events.two?.length === 2 && events.one?.length === 1) return { at, says: outputText({ matched: events }) };
    }
    if (verb === 'reject') return { at, says: `rejected by ${String(approverId)} after ${approvals.join()}` };
    if (verb === 'approve' && !approvals.includes(String(approverId))) {
      approvals.push(String(approverId));
      if (approvals.length === 2) return { at, says: `approved by ${approvals.join()}` };
    }
  }
  return null;
}

const outputText = (value: Json) => `output ${JSON.stringify(value)}`;

/** In the words of `decide`; `null`: something else than its inputs has ended it. */
function said({ node }: NodeChange): string | null {
  if (node.status === 'failed') return node.error.code === 'rejected' ? 'rejected' : null;
  if (node.status !== 'completed' || node.output === null) return null;
  const output = node.output as { decision?: string; approvals?: readonly JsonObject[]; approver_id?: string };
  const names = (output.approvals ?? []).map(({ approver_id }) => String(approver_id)).join();
  if (output.decision === 'approved') return `approved by ${names}`;
  if (output.decision === 'rejected') return `rejected by ${output.approver_id} after ${names}`;
  return outputText(node.output);
}

/** What was accepted while the node was parked has decided it, in the order of its coming; or its time did, or the run's end. */
function isExplained(story: Story, { node: key, version, dueAt, from, to }: Period): readonly string[] {
  const changes = nodeChanges(story);
  const parked = changes.find((change) => change.version === version && nodeKey(change.node.at) === key);
  if (parked?.node.status !== 'waiting' || parked.node.wait.kind === 'message') return [];
  const before = story.periods.filter((other) => other.node === key && other.version < version).at(-1);
  const cameBy = (node: string) =>
    (story.came.get(node) ?? [])
      .filter(({ seq }) => seq > (before?.to ?? 0) && (to === null || seq < to))
      .sort((a, b) => a.at - b.at);
  // An arm is over with its race.
  const over = key.startsWith('arm_') ? (decide('', cameBy('w'))?.at ?? Infinity) : Infinity;
  const inputs = cameBy(key).filter(({ at }) => at < over);
  const decision = decide(typeOf(parked), inputs);
  const end = changes.find(
    (change) => change.version > version && nodeKey(change.node.at) === key && isEnded(change.node),
  );
  const where = `${key} (parked at version ${version}, from ${from} to ${to})`;
  if (!end)
    return decision === null || story.state.status === 'paused' ? [] : [`${where} did not hear: ${decision.says}`];
  const isLate = dueAt !== null && decision !== null && decision.at > dueAt + 1;
  // A child that ended first has decided it.
  const isOfChildFirst = inputs.some(({ body, at }) => body.end !== undefined && at <= (decision?.at ?? 0));
  if (decision === null || isLate || isOfChildFirst) {
    const words = said(end);
    if (words !== null && parked.node.wait.kind === 'children') return isOfChild(story, end, words, where);
    if (words !== null) return [`${where} ended by ${words}, which nobody has said${isLate ? ' in time' : ''}`];
    const code = end.node.status === 'failed' ? end.node.error.code : null;
    if (code?.startsWith('child_') && parked.node.wait.kind === 'children') return [];
    if (code !== null && code !== 'timeout') return [`${where} failed: ${code}`];
    const isDue = code !== null || end.node.status === 'completed';
    const endedAt = isEnded(end.node) ? Date.parse(end.node.endedAt) : 0;
    if (isDue && (dueAt === null || endedAt < dueAt - 1)) return [`${where} ended early: ${end.node.status}`];
    return [];
  }
  const words = said(end);
  if (words === decision.says || (words === 'rejected' && decision.says.startsWith('rejected'))) return [];
  return [`${where} was decided (${decision.says}) and is ${end.node.status} (${words})`];
}

/** A race has the output of an arm that ended with it, a parent that of its child. */
function isOfChild(
  story: Story,
  end: NodeChange & { version: number },
  words: string,
  where: string,
): readonly string[] {
  const { winner, output = null } = (end.node.status === 'completed' ? end.node.output : {}) as JsonObject;
  const fromArm = nodeChanges(story).some(
    ({ version, node }) =>
      version === end.version &&
      node.at.ref === winner &&
      node.status === 'completed' &&
      JSON.stringify(node.output) === JSON.stringify(output),
  );
  const fromRun = (story.came.get('w') ?? []).some(
    ({ body }) => body.end?.status === 'completed' && outputText(body.end.output) === words,
  );
  return fromArm || fromRun ? [] : [`${where} ended by ${words}, which no child of it has`];
}

/** Of what parks: its memo tells. */
function typeOf({ node }: NodeChange): 'WAIT' | 'EVENT_SET' | 'APPROVAL' {
  const memo = 'memo' in node ? (node.memo as JsonObject | null) : null;
  return memo === null ? 'WAIT' : 'requirements' in memo ? 'EVENT_SET' : 'APPROVAL';
}

/** Who has come to a window is in one digest, if in any; who ended by it is in one, and each has as many as it says. */
async function digestsAreWhole(world: World, stories: readonly Story[]): Promise<readonly string[]> {
  const all = stories.filter(({ state }) => String((state.header.input as JsonObject).key).endsWith('-digest'));
  const keyOf = ({ state }: Story) => String((state.header.input as JsonObject).key);
  const outputs = all.flatMap(({ state }) => {
    const node = state.ended.get('w');
    const output =
      node?.status === 'completed' ? (node.output as { count?: number; items?: JsonObject[] } | null) : null;
    return output?.items ? [{ count: output.count, keys: output.items.map(({ key }) => String(key)) }] : [];
  });
  const times = (key: string) => outputs.flatMap(({ keys }) => keys).filter((other) => other === key).length;
  const rows = await world.query<{ id: string; arrivals: number }>(
    `select w.id, count(a.id)::int as arrivals from eec_workflow_digest w
     join eec_workflow_digest_arrival a on a.window_id = w.id and a.outcome = 'flushed'
     where w.flushed_at is not null group by w.id`,
  );
  const same = (what: string, one: readonly number[], other: readonly number[]) =>
    [...one].sort().join() === [...other].sort().join() ? [] : [`${what}: ${one.join()} and ${other.join()}`];
  return [
    ...outputs.flatMap(({ count, keys }) => (count === keys.length ? [] : [`a digest of ${count} has ${keys.join()}`])),
    ...same(
      'flushed windows and digests',
      rows.map(({ arrivals }) => arrivals),
      outputs.map(({ keys }) => keys.length),
    ),
    ...all.flatMap((story) => {
      const isMerged = story.state.status === 'merged';
      const found = times(keyOf(story));
      return found > 1 || (isMerged && found === 0) ? [`is in ${found} digests\n${told(story)}`] : [];
    }),
  ];
}

/** `matched` says how often an event was delivered; to each wait once, and to none that it does not fit. */
async function eventsWereDelivered(world: World): Promise<readonly string[]> {
  const rows = await world.query<{ event_id: string; matched: number; told: number; waits: number; fits: boolean }>(
    `select v.event_id, v.matched, count(l.seq)::int as told, count(distinct (l.run_id, l.node, o.version)) filter (where l.seq is not null)::int as waits,
       (v.payload ->> 'fits')::boolean as fits
     from eec_workflow_event v
     left join test_log l on l.what = 'came' and l.entry ->> 'kind' = 'event' and l.entry #>> '{body,event,eventId}' = v.event_id
     left join lateral (select o.entry ->> 'version' as version from test_log o
       where o.what = 'opened' and o.run_id = l.run_id and o.node = l.node and o.seq < l.seq order by o.seq desc limit 1) o on true
     group by v.id`,
  );
  return rows.flatMap(({ event_id: id, matched, told: delivered, waits, fits }) => [
    ...(matched === delivered ? [] : [`event ${id} matched ${matched} and was delivered ${delivered} times`]),
    ...(waits === delivered ? [] : [`event ${id} was delivered ${delivered} times to ${waits} waits`]),
    ...(delivered === 0 || fits || id.includes('-set/') ? [] : [`event ${id} fits nobody and was delivered`]),
  ]);
}
