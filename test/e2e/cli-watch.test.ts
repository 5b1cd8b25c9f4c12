import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createClient, type RunEvent } from '@ductor/client';
import { expect } from 'chai';
import { drawRun } from '#host/cli/watch/draw.js';
import { showRunLive } from '#host/cli/watch/live.js';
import { RunProgress } from '#host/cli/watch/progress.js';
import { inOrder } from '#host/cli/watch/steps.js';

const start = Date.parse('2026-01-01T00:00:00Z');
const at = (ms: number): string => new Date(start + ms).toISOString();

type Happening = Omit<RunEvent, 'seq' | 'index' | 'at' | 'from' | 'cause'> & {
  readonly ms: number;
  readonly from?: string;
};
const event = ({ ms, from, ...rest }: Happening, seq: number): RunEvent => ({
  seq,
  index: 0,
  at: at(ms),
  from: from ?? null,
  cause: { kind: 'tick' },
  ...rest,
});

const busy = { code: 'http_503', message: 'the server\nanswered \u001b[31m503' };
const happened: readonly RunEvent[] = (
  [
    { ms: 0, type: 'node', step_ref: 'ask', to: 'running' },
    { ms: 0, type: 'attempt', step_ref: 'ask', to: 'scheduled', attempt: 1 },
    { ms: 0, type: 'run', to: 'running' },
    { ms: 40, type: 'attempt', step_ref: 'ask', to: 'ended', attempt: 1 },
    { ms: 40, type: 'node', step_ref: 'ask', to: 'backoff', from: 'running', error: busy },
    { ms: 40, type: 'wait', step_ref: 'ask', to: 'open', due_at: at(440) },
    { ms: 440, type: 'node', step_ref: 'ask', to: 'running', from: 'backoff' },
    { ms: 440, type: 'attempt', step_ref: 'ask', to: 'scheduled', attempt: 2 },
    { ms: 1_440, type: 'attempt', step_ref: 'ask', to: 'ended', attempt: 2 },
    { ms: 1_440, type: 'node', step_ref: 'ask', to: 'completed', from: 'running' },
    { ms: 1_440, type: 'node', step_ref: 'other', to: 'skipped' },
    { ms: 1_440, type: 'run', to: 'completed' },
  ] satisfies readonly Happening[]
).map(event);

/** Plays a host: answers each connection to `/watch` as the test says. */
async function startPlayer(watch: (request: IncomingMessage, response: ServerResponse, nth: number) => void) {
  let connections = 0;
  const server = createServer((request, response) => {
    if (request.url?.endsWith('/watch')) return watch(request, response, connections++);
    const run = { family_slug: 'demo', version: 1, definition_id: 'd', status: 'completed' };
    const steps = ['ask', 'other', 'last'].map((ref) => ({ ref, type: 'STEP_TYPE_ACTION' }));
    const isRun = request.url?.startsWith('/api/workflows/runs');
    response.end(JSON.stringify(isRun ? run : { graph: { steps, edges: [] } }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    client: createClient({ url, apiKey: 'k' }),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

const message = (each: RunEvent): string =>
  `id: ${each.seq}.${each.index}\nevent: transition\ndata: ${JSON.stringify(each)}\n\n`;

describe('watching a run', () => {
  it('draws steps in their order, and the attempts below a step that needed several', () => {
    const progress = new RunProgress({ title: 'demo v1', runId: 'r' }, [
      { ref: 'ask', type: 'STEP_TYPE_ACTION' },
      { ref: 'other', type: 'STEP_TYPE_TRANSFORM' },
    ]);
    for (const each of happened) progress.apply(each);
    const lines = drawRun(progress.view(), { nowMs: start + 60_000, paint: (_style, text) => text });
    expect(lines.map(({ text }) => text)).to.deep.equal([
      'demo v1  r  completed  1.44 s',
      '├─ ✔ ask   action    completed   1.44 s 2 attempts',
      '│  ├─ ✖ attempt 1    40 ms http_503: the server answered \ufffd[31m503',
      '│  └─ ✔ attempt 2   1.00 s',
      '└─ ○ other transform skipped',
    ]);
  });

  it('counts what is under way up to now, and draws the branches of a step as one', () => {
    const progress = new RunProgress({ title: 'demo v1', runId: 'r' }, []);
    progress.apply(event({ ms: 0, type: 'run', to: 'running' }, 1));
    for (const branch of [[0], [1], [2]]) {
      progress.apply(event({ ms: 0, type: 'node', step_ref: 'each', branch, to: 'running' }, 1));
    }
    progress.apply(event({ ms: 10, type: 'node', step_ref: 'each', branch: [1], to: 'completed' }, 2));
    const lines = drawRun(progress.view(), { nowMs: start + 90_000, paint: (_style, text) => text });
    expect(lines.map(({ text }) => text)).to.deep.equal([
      'demo v1  r  running  1 m 30 s',
      '└─ ▸ each × 3  running   1 m 30 s 2 running, 1 completed',
    ]);
  });

  it('orders steps behind all that lead to them', () => {
    const steps = ['d', 'b', 'c', 'a'].map((ref) => ({ ref, type: 'STEP_TYPE_TRANSFORM' as const }));
    const edges = [
      ['a', 'b'],
      ['a', 'c'],
      ['b', 'd'],
      ['c', 'd'],
    ].map(([from = '', to = '']) => ({ from, to, type: 'SUCCESS' as const }));
    expect(inOrder({ steps, edges }).map(({ ref }) => ref)).to.deep.equal(['a', 'b', 'c', 'd']);
  });

  it('draws over its own lines on a terminal, within the window, and leaves the whole tree at the end', async () => {
    const player = await startPlayer((_request, response, nth) => {
      response.writeHead(nth === 1 ? 204 : 200, { 'content-type': 'text/event-stream' });
      if (nth === 1) {
        response.end();
        return;
      }
      response.write(happened.slice(0, 3).map(message).join(''));
      // Once a frame was drawn of it.
      written.then(
        () => response.end(happened.slice(3).map(message).join('')),
        () => undefined,
      );
    });
    const frames: string[] = [];
    let drawn: () => void = () => undefined;
    const written = new Promise<void>((resolve) => {
      drawn = resolve;
    });
    const terminal = {
      isTTY: true,
      rows: 3,
      write(text: string) {
        frames.push(text);
        if (text.includes('running')) drawn();
      },
    };
    try {
      await showRunLive({ client: player.client, runId: 'r', stream: terminal });
    } finally {
      player.close();
    }
    const heights = frames.map((frame) => frame.split('\n').length - 1);
    expect(Math.max(...heights.slice(0, -1))).to.be.at.most(2);
    expect(heights.at(-1)).to.equal(6);
    // Each frame begins by going up to where the one before began.
    for (const [index, frame] of frames.entries()) {
      const up = frame.startsWith('\u001b[?7l') ? 0 : Number.parseInt(frame.slice('\u001b['.length), 10);
      expect(up).to.equal(index === 0 ? 0 : heights[index - 1]);
    }
    expect(frames.at(-1)).to.include('last').and.include('completed');
  });
});
