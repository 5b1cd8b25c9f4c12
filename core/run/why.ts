/** Every wait explains itself: what an open run waits for, and when it will be looked at. Pure. */
import type { Prepared } from '../coordinator/coordinator-ports.ts';
import { deadlines, pinOf } from '../definition/actions.ts';
import type { CompiledDefinition } from '../definition/compiled.ts';
import type { AttemptId, Instant, RunId } from '../json.ts';
import type { Deadlines } from './attempt.ts';
import {
  type BackoffNode,
  type NodeAddress,
  type NodeState,
  nodeKey,
  type OpenNode,
  type RunningNode,
  type WaitingNode,
} from './node.ts';
import type { Reason, Why } from './reason.ts';
import { fanOf, isFinal, type RunState } from './run.ts';
import { drains } from './stopping.ts';
import { earlier, plus } from './time.ts';
import type { Wait } from './wait.ts';

/** What its row says of a node's last attempt. */
export interface AttemptFacts {
  readonly scheduledAt: Instant;
  readonly startedAt: Instant | null;
  readonly heartbeatAt: Instant | null;
  readonly endedAt: Instant | null;
}

export interface WhyGiven {
  readonly state: RunState;
  readonly prepared: Prepared;
  readonly attempts: ReadonlyMap<AttemptId, AttemptFacts>;
  /** Why attempts of a connector cannot start on this host, by the connector's id. */
  readonly unavailable: ReadonlyMap<string, Reason>;
  readonly now: Instant;
  /** Longest time until a sweep looks at what has no instant of its own. */
  readonly sweepMs: number;
}

/** `at` is `null` where the run as a whole is what waits. */
export type RunWhy = Why & { readonly at: NodeAddress | null };

/**
 * A reason for each node that runs or is parked, and at least one for every open run.
 * `nextWakeAt` lies after `now`: it is the wait's own instant or the node's nearest deadline; where there is none, or it
 * has passed and only has to be noticed, it is the latest moment at which a sweep comes by.
 */
export function why(given: WhyGiven): readonly RunWhy[] {
  const { state } = given;
  if (isFinal(state.status)) return [];
  const runs = new Map([...state.children].map(([runId, child]) => [executionOf(child), runId]));
  const givenNodes = { ...given, runs };
  const nodes = [...state.open.values()]
    .filter(({ status }) => status !== 'pending')
    .map((node) => whyNode(givenNodes, node));
  return nodes.length > 0 ? nodes : [whyRun(given)];
}

/** With the runs that nodes wait for: there may be thousands. */
type WhyNodes = WhyGiven & { readonly runs: ReadonlyMap<string, RunId> };

const executionOf = ({ at, generation }: Pick<NodeState, 'at' | 'generation'>): string =>
  `${nodeKey(at)} ${generation}`;

/** Nothing of it is in flight or parked: something holds the run itself. */
function whyRun(given: WhyGiven): RunWhy {
  const { header, status, ending, tickedAt } = given.state;
  const by =
    ending !== null || status === 'cancelling' ? 'run_ending' : status === 'paused' ? 'run_paused' : 'start_at';
  return {
    at: null,
    reason: missing(given) ?? { code: 'held_back', by },
    since: tickedAt ?? header.createdAt,
    nextWakeAt: nextLook(given, [status === 'pending' ? header.startAt : null]),
  };
}

function whyNode(given: WhyNodes, node: OpenNode): RunWhy {
  const lacks = missing(given);
  if (lacks) return { at: node.at, reason: lacks, since: sinceOf(given, node), nextWakeAt: nextLook(given, []) };
  switch (node.status) {
    case 'running':
      return whyRunning(given, node);
    case 'backoff':
      return whyBackoff(given, node);
    case 'waiting':
      return whyWaiting(given, node);
    case 'paused':
      return {
        at: node.at,
        reason: { code: 'paused_by', actor: node.by },
        since: sinceOf(given, node),
        nextWakeAt: nextLook(given, []),
      };
    case 'pending':
      throw new Error('A pending node waits for others, which have the reason.');
  }
}

function whyRunning(given: WhyGiven, node: RunningNode): RunWhy {
  const { attempt } = node.work;
  const facts = given.attempts.get(attempt.id);
  const held = facts?.startedAt == null ? unavailable(given, node) : undefined;
  const code = node.isStopping || isStopping(given) ? 'stopping' : 'attempt_running';
  return {
    at: node.at,
    reason: held ?? { code, attempt: attempt.number },
    since: facts?.startedAt ?? facts?.scheduledAt ?? node.startedAt,
    nextWakeAt: nextLook(given, deadlinesOf(given, node, facts)),
  };
}

/** While the run is paused no retry starts, however due. */
function whyBackoff(given: WhyGiven, node: BackoffNode): RunWhy {
  const isPaused = given.state.status === 'paused';
  return {
    at: node.at,
    reason: isPaused ? { code: 'held_back', by: 'run_paused' } : { code: 'retry_at', at: node.retryAt },
    since: sinceOf(given, node),
    nextWakeAt: nextLook(given, isPaused ? [] : [node.retryAt]),
  };
}

function whyWaiting(given: WhyNodes, node: WaitingNode): RunWhy {
  const type = compiledOf(given)?.steps.get(node.at.ref)?.type;
  // A step's own deadline is for what it parks for itself.
  const isEngines = node.wait.kind === 'operator' || node.wait.kind === 'credential';
  const own = isEngines ? undefined : type?.why?.(node.wait, node.memo);
  // Whatever has come for it meanwhile, it is looked at when the run is resumed; an operator's word is taken at once.
  const isPaused = given.state.status === 'paused' && node.wait.kind !== 'operator';
  const instants = isEngines ? [] : [node.wait.wakeAt, node.deadlineAt];
  return {
    at: node.at,
    reason: isPaused ? { code: 'held_back', by: 'run_paused' } : (own ?? reasonOfWait(given, node)),
    since: node.parkedAt,
    nextWakeAt: nextLook(given, isPaused ? [] : instants),
  };
}

function reasonOfWait({ state, runs }: WhyNodes, node: WaitingNode): Reason {
  const { wait, work } = node;
  switch (wait.kind) {
    case 'timer':
      return { code: 'timer_due_at', at: wait.wakeAt };
    case 'signal':
      return { code: 'waiting_for_signal', name: wait.name ?? null };
    case 'event':
      return reasonOfEvent(wait);
    case 'children': {
      const fan = fanOf(state, node);
      if (fan) return { code: 'branches_open', total: fan.total, open: fan.open, pending: fan.total - fan.started };
      return { code: 'waiting_for_child', run_id: runs.get(executionOf(node)) ?? null };
    }
    case 'facts':
      return { code: 'held_back', by: 'facts' };
    case 'message':
      return wait.reason;
    case 'credential':
      return { code: 'credential_missing', name: wait.name };
    case 'operator':
      return { code: 'outcome_unknown', attempt: work?.attempt.number ?? 0 };
  }
}

/** A step type that takes several tells more itself. */
function reasonOfEvent({ subscriptions: [first] }: Extract<Wait, { kind: 'event' }>): Reason {
  return {
    code: 'waiting_for_event',
    name: first?.eventName ?? '',
    key: first?.correlationKey ?? '',
    have: 0,
    need: 1,
  };
}

const compiledOf = ({ prepared }: WhyGiven): CompiledDefinition | null => (prepared.ok ? prepared.compiled : null);

/** This host leaves the whole run alone while it lacks a step type or a word of it. */
function missing({ prepared }: WhyGiven): Reason | null {
  if (prepared.ok) return null;
  const { plugins, words } = prepared;
  const names = plugins.length > 0 ? plugins : words;
  return { code: 'plugin_missing', plugin: names.join(', ') };
}

function unavailable(given: WhyGiven, { work }: RunningNode): Reason | undefined {
  const definition = compiledOf(given)?.definition;
  const pin = definition && pinOf(definition, work.task.action);
  return pin ? given.unavailable.get(pin.id) : undefined;
}

/** Whether what is in flight was told to stop: a run that drains, or was not told yet, lets it finish. */
function isStopping(given: WhyGiven): boolean {
  const { ending } = given.state;
  if (ending === null) return false;
  return !drains(ending, compiledOf(given)?.failurePolicy ?? 'fail_fast');
}

/** A paused node is counted from what it was before; no row says when it was paused. */
function sinceOf(given: WhyGiven, node: OpenNode): Instant {
  if (node.status === 'paused') return sinceOf(given, node.was);
  if (node.status === 'pending') return given.state.tickedAt ?? given.state.header.createdAt;
  if (node.status === 'waiting') return node.parkedAt;
  return given.attempts.get(node.work.attempt.id)?.endedAt ?? node.startedAt;
}

function deadlinesOf(
  given: WhyGiven,
  { at, work }: RunningNode,
  facts: AttemptFacts | undefined,
): readonly (Instant | null)[] {
  const compiled = compiledOf(given);
  const step = compiled?.steps.get(at.ref);
  if (!compiled || !step || !facts) return [];
  const limits: Deadlines = deadlines(compiled, step, work.task);
  const after = (since: Instant | null, ms: number | undefined) =>
    since === null || ms === undefined ? null : plus(since, ms);
  const { scheduledAt, startedAt, heartbeatAt } = facts;
  return [
    startedAt === null ? after(scheduledAt, limits.scheduleToStartMs) : after(startedAt, limits.startToCloseMs),
    after(heartbeatAt ?? startedAt, limits.heartbeatMs),
    after(work.firstScheduledAt, limits.scheduleToCloseMs),
  ];
}

function nextLook({ now, sweepMs }: WhyGiven, instants: readonly (Instant | null | undefined)[]): Instant {
  const ahead = instants.filter((at): at is Instant => at !== null && at !== undefined && at > now);
  const hasPassed = ahead.length < instants.filter((at) => at !== null && at !== undefined).length;
  const sweep = plus(now, sweepMs);
  if (ahead.length === 0) return sweep;
  const nearest = ahead.reduce(earlier);
  return hasPassed ? earlier(nearest, sweep) : nearest;
}
