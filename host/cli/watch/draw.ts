import type { Paint, Style } from '../screen.ts';
import { durationText, oneLine } from '../text.ts';
import { type AttemptView, isFinalStatus, type NodeView, type RunView } from './view.ts';

export interface Line {
  readonly text: string;
  /** Nothing more happens to what it shows. */
  readonly isOver: boolean;
}

const LOOKS: { readonly [status: string]: readonly [glyph: string, style: Style] } = {
  pending: ['·', 'dim'],
  running: ['▸', 'cyan'],
  backoff: ['↻', 'yellow'],
  waiting: ['◷', 'yellow'],
  paused: ['‖', 'yellow'],
  cancelling: ['▸', 'yellow'],
  completed: ['✔', 'green'],
  skipped: ['○', 'dim'],
  failed: ['✖', 'red'],
  cancelled: ['✖', 'red'],
  terminated: ['✖', 'red'],
};

const lookOf = (status: string) => LOOKS[status] ?? ['•', 'dim'];

/** A run as a tree: its nodes, and below them the attempts where more than one was needed. `nowMs`: on the host's clock. */
export function drawRun(
  run: RunView,
  { nowMs, paint }: { readonly nowMs: number; readonly paint: Paint },
): readonly Line[] {
  const { title, runId, status, nodes } = run;
  const [, style] = lookOf(status);
  const head = [paint('bold', title), runId, paint(style, status), elapsed(run, nowMs)].filter((part) => part !== '');
  const widths = {
    label: Math.max(0, ...nodes.map(({ label }) => label.length)),
    type: Math.max(0, ...nodes.map(({ type }) => shortType(type).length)),
  };
  const last = nodes.length - 1;
  return [
    { text: head.join('  '), isOver: isFinalStatus(status) },
    ...nodes.flatMap((node, index) => drawNode(node, { isLast: index === last, widths, nowMs, paint })),
  ];
}

interface Place {
  readonly isLast: boolean;
  readonly widths: { readonly label: number; readonly type: number };
  readonly nowMs: number;
  readonly paint: Paint;
}

function drawNode(node: NodeView, { isLast, widths, nowMs, paint }: Place): readonly Line[] {
  const { status, attempts } = node;
  const [glyph, style] = lookOf(status);
  const isOver = node.endedAt !== null;
  const showsAttempts = attempts.length > 1;
  const cells = [
    paint('dim', isLast ? '└─' : '├─'),
    paint(style, glyph),
    oneLine(node.label).padEnd(widths.label),
    paint('dim', shortType(node.type).padEnd(widths.type)),
    paint(style, status.padEnd('completed'.length)),
    elapsed(node, nowMs).padStart(8),
    showsAttempts ? `${attempts.length} attempts` : oneLine(node.note),
  ];
  const below = showsAttempts ? attempts : [];
  return [
    { text: cells.join(' ').trimEnd(), isOver },
    ...below.map((attempt, index) => ({
      text: drawAttempt(attempt, { isLastNode: isLast, isLast: index === below.length - 1, nowMs, paint }),
      isOver,
    })),
  ];
}

function drawAttempt(
  attempt: AttemptView,
  at: { readonly isLastNode: boolean; readonly isLast: boolean; readonly nowMs: number; readonly paint: Paint },
): string {
  const { paint } = at;
  const [glyph, style] = lookOf(attempt.status);
  const stem = paint('dim', `${at.isLastNode ? '  ' : '│ '} ${at.isLast ? '└─' : '├─'}`);
  const text = [
    stem,
    paint(style, glyph),
    `attempt ${attempt.number}`,
    elapsed(attempt, at.nowMs).padStart(8),
    oneLine(attempt.note),
  ];
  return text.join(' ').trimEnd();
}

const shortType = (type: string | null): string => (type ?? '').replace(/^STEP_TYPE_/, '').toLowerCase();

function elapsed(
  { startedAt, endedAt }: { readonly startedAt: string | null; readonly endedAt: string | null },
  nowMs: number,
): string {
  if (startedAt === null) return '';
  return durationText((endedAt === null ? nowMs : Date.parse(endedAt)) - Date.parse(startedAt));
}
