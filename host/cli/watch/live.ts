import type { DuctorClient, Run, RunEvent } from '@ductor/client';
import { canRedraw, paintFor, type Screen } from '../screen.ts';
import { drawRun, type Line } from './draw.ts';
import { eventLine, RunProgress } from './progress.ts';
import { readSteps } from './steps.ts';

export type WatchForm = 'tree' | 'json';

/**
 * Shows a run until it is over: on a terminal as a tree that is drawn anew, elsewhere a line for each happening and
 * the tree at the end; `json`: each event as a line of JSON, and nothing else.
 */
export async function showRunLive({
  client,
  runId,
  stream,
  form = 'tree',
}: {
  readonly client: Pick<DuctorClient, 'GET' | 'watchRun'>;
  readonly runId: string;
  readonly stream: Screen;
  readonly form?: WatchForm;
}): Promise<Run> {
  const read = async () => {
    const { data } = await client.GET('/api/workflows/runs/{run_id}', { params: { path: { run_id: runId } } });
    return data;
  };
  if (form === 'json') {
    for await (const event of client.watchRun(runId)) stream.write(`${JSON.stringify(event)}\n`);
    return read();
  }
  const { family_slug, version, definition_id } = await read();
  const steps = await readSteps(client, definition_id);
  const progress = new RunProgress({ title: `${family_slug} v${version}`, runId }, steps);
  const show = canRedraw(stream) ? new Redrawn(progress, stream) : new Lines(progress, stream);
  try {
    for await (const event of client.watchRun(runId)) show.event(event);
  } finally {
    show.end();
  }
  return read();
}

/** For logs and pipes. */
class Lines {
  readonly #progress: RunProgress;
  readonly #stream: Screen;

  constructor(progress: RunProgress, stream: Screen) {
    this.#progress = progress;
    this.#stream = stream;
  }

  event(event: RunEvent): void {
    this.#progress.apply(event);
    const line = eventLine(event);
    if (line !== null) this.#stream.write(`${line}\n`);
  }

  end(): void {
    const lines = drawRun(this.#progress.view(), { nowMs: Date.now(), paint: paintFor(this.#stream) });
    this.#stream.write(`\n${lines.map(({ text }) => text).join('\n')}\n`);
  }
}

const FRAME_MS = 100;

/** For terminals. */
class Redrawn {
  readonly #progress: RunProgress;
  readonly #stream: Screen;
  readonly #timer: NodeJS.Timeout;
  #height = 0;
  /** How far the host's clock is behind ours, as far as is known: an event cannot have come before it happened. */
  #behindMs = Number.POSITIVE_INFINITY;

  constructor(progress: RunProgress, stream: Screen) {
    this.#progress = progress;
    this.#stream = stream;
    this.#timer = setInterval(() => this.#draw(this.#fitting()), FRAME_MS);
  }

  event(event: RunEvent): void {
    this.#progress.apply(event);
    this.#behindMs = Math.min(this.#behindMs, Date.now() - Date.parse(event.at));
  }

  end(): void {
    clearInterval(this.#timer);
    this.#draw(this.#lines());
  }

  #lines(): readonly Line[] {
    const nowMs = Number.isFinite(this.#behindMs) ? Date.now() - this.#behindMs : Date.now();
    return drawRun(this.#progress.view(), { nowMs, paint: paintFor(this.#stream) });
  }

  #rows(): number {
    // Some terminals do not know, and say 0.
    return this.#stream.rows || 24;
  }

  /** A cursor cannot go above the window: what is over leaves room for what is not. */
  #fitting(): readonly Line[] {
    const lines = this.#lines();
    let surplus = lines.length - Math.max(2, this.#rows() - 1);
    const [head, ...rest] = lines;
    const shown = rest.filter(({ isOver }) => !(isOver && surplus-- > 0));
    return [...(head ? [head] : []), ...shown].slice(0, Math.max(2, this.#rows() - 1));
  }

  /** Lines longer than the window are cut by the terminal itself: a wrapped one would not be drawn over whole. */
  #draw(lines: readonly Line[]): void {
    const up = this.#height === 0 ? '' : `\x1b[${this.#height}A`;
    const drawn = lines.map(({ text }) => `\x1b[2K${text}\n`).join('');
    this.#stream.write(`${up}\x1b[?7l${drawn}\x1b[0J\x1b[?7h`);
    this.#height = lines.length;
  }
}
