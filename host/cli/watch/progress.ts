import type { RunEvent } from '@ductor/client';
import { durationText, oneLine } from '../text.ts';
import { type AttemptView, isFinalStatus, type NodeView, type RunView } from './view.ts';

/** A step as far as drawing goes. */
export interface StepItem {
  readonly ref: string;
  readonly type: string;
}

interface Node {
  readonly ref: string;
  status: string;
  startedAt: string | null;
  endedAt: string | null;
  attempts: AttemptView[];
  note: string;
}

const ENDED = ['completed', 'failed', 'skipped', 'cancelled'];

/** Folds a run's events, in their order, to what is drawn of it. */
export class RunProgress {
  readonly #head: Pick<RunView, 'title' | 'runId'>;
  readonly #steps: readonly StepItem[];
  /** By ref and branch. */
  readonly #nodes = new Map<string, Node>();
  #status: string;
  #startedAt: string | null = null;
  #endedAt: string | null = null;

  /** `steps`: in the order in which they are drawn; those unknown follow as they come. */
  constructor(head: Pick<RunView, 'title' | 'runId'>, steps: readonly StepItem[]) {
    this.#head = head;
    this.#steps = steps;
    this.#status = 'pending';
  }

  apply(event: RunEvent): void {
    this.#startedAt ??= event.at;
    if (event.type === 'run') {
      this.#status = event.to ?? this.#status;
      this.#endedAt = isFinalStatus(this.#status) ? event.at : null;
      return;
    }
    if (event.step_ref === undefined) return;
    const node = this.#node(event.step_ref, event.branch ?? []);
    if (event.type === 'node') applyNode(node, event);
    else if (event.type === 'attempt') applyAttempt(node, event);
    else if (event.type === 'wait' && event.to === 'open' && event.due_at && node.status === 'waiting') {
      node.note = `until ${event.due_at}`;
    }
  }

  view(): RunView {
    const byRef = new Map<string, Node[]>(this.#steps.map(({ ref }) => [ref, []]));
    for (const node of this.#nodes.values()) {
      const others = byRef.get(node.ref);
      if (others === undefined) byRef.set(node.ref, [node]);
      else others.push(node);
    }
    const types = new Map(this.#steps.map(({ ref, type }) => [ref, type]));
    const nodes = [...byRef].map(([ref, own]) => viewOf(ref, types.get(ref) ?? null, own));
    return { ...this.#head, status: this.#status, startedAt: this.#startedAt, endedAt: this.#endedAt, nodes };
  }

  #node(ref: string, branch: readonly number[]): Node {
    const key = `${ref} ${branch.join('.')}`;
    let node = this.#nodes.get(key);
    if (node === undefined) {
      node = { ref, status: 'pending', startedAt: null, endedAt: null, attempts: [], note: '' };
      this.#nodes.set(key, node);
    }
    return node;
  }
}

function applyNode(node: Node, { to, at, error, from }: RunEvent): void {
  if (to === null) return;
  const ended = ENDED.includes(to);
  // A node that starts over, in another generation, begins anew.
  if (from !== null && ENDED.includes(from)) Object.assign(node, { startedAt: null, attempts: [] });
  node.status = to;
  node.startedAt ??= to === 'pending' || to === 'skipped' ? null : at;
  node.endedAt = ended ? at : null;
  node.note = error === undefined ? '' : `${error.code}: ${error.message}`;
  const last = node.attempts.at(-1);
  if (last === undefined || (to !== 'backoff' && !ended)) return;
  const failed = to !== 'completed';
  node.attempts[node.attempts.length - 1] = {
    ...last,
    status: failed ? 'failed' : 'completed',
    endedAt: last.endedAt ?? at,
    note: failed ? node.note : '',
  };
}

function applyAttempt(node: Node, { to, at, attempt = 1 }: RunEvent): void {
  if (to === 'scheduled') {
    node.attempts.push({ number: attempt, status: 'running', startedAt: at, endedAt: null, note: '' });
    return;
  }
  node.attempts = node.attempts.map((each) =>
    each.number === attempt && each.endedAt === null ? { ...each, status: 'failed', endedAt: at } : each,
  );
}

/** The branches of a step are drawn as one: there may be thousands. */
function viewOf(ref: string, type: string | null, nodes: readonly Node[]): NodeView {
  const [only] = nodes;
  if (only === undefined) {
    return { label: ref, type, status: 'pending', startedAt: null, endedAt: null, attempts: [], note: '' };
  }
  if (nodes.length === 1) return { ...only, label: ref, type };
  const counts = new Map<string, number>();
  for (const { status } of nodes) counts.set(status, (counts.get(status) ?? 0) + 1);
  const isOver = nodes.every(({ status }) => ENDED.includes(status));
  const starts = nodes.flatMap(({ startedAt }) => startedAt ?? []).sort();
  const ends = nodes.flatMap(({ endedAt }) => endedAt ?? []).sort();
  return {
    label: `${ref} × ${nodes.length}`,
    type,
    status: !isOver ? 'running' : counts.has('failed') ? 'failed' : 'completed',
    startedAt: starts[0] ?? null,
    endedAt: isOver ? (ends.at(-1) ?? null) : null,
    attempts: [],
    note: [...counts].map(([status, count]) => `${count} ${status}`).join(', '),
  };
}

/** The step that an event or an attempt is about, with its branch: `each[0.2]`; empty: the run itself. */
export const whoOf = ({ step_ref = '', branch = [] }: Pick<RunEvent, 'step_ref' | 'branch'>): string =>
  branch.length === 0 ? step_ref : `${step_ref}[${branch.join('.')}]`;

/** One line a happening, for where nothing can be drawn over; `null` for what needs no line. */
export function eventLine(event: RunEvent): string | null {
  const { at, type, to, error, attempt, due_at } = event;
  const who = whoOf(event);
  const why = error === undefined ? '' : oneLine(`  ${error.code}: ${error.message}`);
  switch (type) {
    case 'run':
      return `${at}  run ${to}${why}`;
    case 'node':
      return to === 'pending' ? null : `${at}  ${who} ${to}${why}`;
    case 'attempt':
      return to === 'scheduled' && attempt !== undefined && attempt > 1 ? `${at}  ${who} attempt ${attempt}` : null;
    case 'wait': {
      if (to !== 'open' || !due_at) return null;
      return `${at}  ${who} looked at again in ${durationText(Date.parse(due_at) - Date.parse(at))}`;
    }
    case 'control':
      return `${at}  ${event.control} ${to}${event.actor ? ` (${event.actor})` : ''}`;
    case 'signal':
      return `${at}  ${who} signal ${to}`;
  }
}
