/** What a tick is given: what the store has, and what workers of this host have said meanwhile. */
import type { InputQuery } from '../ports/run-store.ts';
import { nodeKey } from '../run/node.ts';
import type { RunState } from '../run/run.ts';
import { type BranchPages, pagesToRead } from './branch-pages.ts';
import type { TickInputs } from './inputs.ts';
import type { TickPayload } from './payload.ts';
import type { OutcomeArrival, Session } from './sessions.ts';

/** The first word on each attempt; what was said of it later waits until that one is on its row. */
export function takeMailbox(session: Session): readonly OutcomeArrival[] {
  const first = new Map<string, OutcomeArrival>();
  for (const outcome of session.mailbox) if (!first.has(outcome.attempt.id)) first.set(outcome.attempt.id, outcome);
  session.mailbox = session.mailbox.filter((outcome) => first.get(outcome.attempt.id) !== outcome);
  return [...first.values()];
}

/** What the store is asked for a run in this state. */
export function inputQuery(state: RunState, pages: BranchPages): InputQuery {
  const attempts: string[] = [];
  const needs: InputQuery['needs'][number][] = [];
  for (const [node, open] of state.open) {
    if (open.status === 'running') attempts.push(open.work.attempt.id);
    if (open.status === 'waiting') for (const need of open.wait.needs ?? []) needs.push({ node, need });
  }
  return { runId: state.header.id, attempts, needs, branches: pagesToRead(state, pages) };
}

type AnyArrival = TickInputs['arrivals'][number];

const isRecorded = (arrival: AnyArrival): arrival is OutcomeArrival => arrival.kind === 'outcome' && arrival.recorded;

/** Outcomes of attempts that are in flight, and of others: those are recorded on their rows, and move nothing. */
export function sorted(
  state: RunState,
  outcomes: readonly OutcomeArrival[],
  { arrivals }: TickInputs,
): { readonly current: readonly OutcomeArrival[]; readonly stale: readonly OutcomeArrival[] } {
  const over = new Set(arrivals.flatMap((arrival) => (isRecorded(arrival) ? [arrival.attempt.id] : [])));
  const fits = ({ at, attempt }: OutcomeArrival) => {
    const node = state.open.get(nodeKey(at));
    return node?.status === 'running' && node.work.attempt.id === attempt.id && !over.has(attempt.id);
  };
  if (outcomes.every(fits)) return { current: outcomes, stale: [] };
  return { current: outcomes.filter(fits), stale: outcomes.filter((outcome) => !fits(outcome)) };
}

/** What a worker here says of an attempt wins over its host's being taken for lost. */
export function merge(
  stored: TickInputs,
  mailbox: readonly OutcomeArrival[],
  { refusals, verdict }: Session,
): TickInputs {
  const said = new Set(mailbox.map(({ attempt }) => attempt.id));
  const others = stored.arrivals.filter((arrival) => arrival.kind !== 'outcome' || !said.has(arrival.attempt.id));
  const arrivals = mailbox.length === 0 ? stored.arrivals : [...others, ...mailbox];
  // A run that is given up still folds the outcomes it waits for.
  if (verdict !== null) {
    const outcomes = arrivals.filter(({ kind }) => kind === 'outcome').map(withoutData);
    return { ...stored, control: null, arrivals: outcomes, verdict };
  }
  return { ...stored, arrivals: refusals === 0 ? arrivals : arrivals.map(withoutData) };
}

/** The database cannot store what the outcome holds: the node fails with `internal` instead. */
const withoutData = (arrival: AnyArrival): AnyArrival =>
  arrival.kind !== 'outcome'
    ? arrival
    : {
        ...arrival,
        outcome: {
          status: 'failed',
          error: { code: 'internal', message: 'Its result could not be stored.', party: 'engine', retryable: false },
        },
      };

/** Whether a node waits that did not before: an early signal for it may be kept. */
export const parks = ({ waits }: TickPayload): boolean =>
  waits.opened.some(({ node, kind }) => node !== '' && kind !== 'retry' && kind !== 'facts');
