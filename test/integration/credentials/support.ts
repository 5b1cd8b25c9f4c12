import { createServer, type IncomingMessage } from 'node:http';
import type { TestHost } from '../../support/host.ts';
import { until } from '../../support/until.ts';

/** A server that repeats what it is sent, in every form it can think of. */
export interface Echo {
  readonly url: string;
  /** Of all requests, in order. */
  readonly headers: IncomingMessage['headers'][];
  /** Statuses of the next answers; 200 once there are none left. */
  readonly statuses: number[];
  stop(): Promise<void>;
}

export async function startEcho(): Promise<Echo> {
  const headers: IncomingMessage['headers'][] = [];
  const statuses: number[] = [];
  const server = createServer((request, response) => {
    headers.push(request.headers);
    const sent = String(request.headers.authorization ?? request.headers['x-api-key'] ?? '');
    const decoded = sent.startsWith('Basic ') ? Buffer.from(sent.slice('Basic '.length), 'base64').toString() : sent;
    const parts = [sent, decoded, ...decoded.split(/[ :]/)];
    const forms = parts.flatMap((text) => [
      text,
      encodeURIComponent(text),
      Buffer.from(text).toString('base64'),
      Buffer.from(`${text}!`).toString('base64url'),
      JSON.stringify(text),
    ]);
    response.writeHead(statuses.shift() ?? 200, {
      'content-type': 'application/json',
      'x-echo': encodeURIComponent(sent),
    });
    response.end(JSON.stringify({ forms, [encodeURIComponent(decoded)]: decoded }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/`,
    headers,
    statuses,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** One request with a credential. */
export const graphWith = (credential: string, url: string, more: object = {}) => ({
  graph: {
    steps: [
      {
        ref: 'call',
        type: 'ACTION',
        action: 'http.request',
        args: { url },
        credential,
        retry: { initial_interval_ms: 1, max_attempts: 3 },
        ...more,
      },
    ],
    edges: [],
  },
});

export interface Run {
  readonly run_id: string;
  readonly status: string;
  readonly output: unknown;
}

export async function triggered(host: TestHost, slug: string, key?: string): Promise<string> {
  const { status, body } = await host.call<Run>('POST', `/api/v2/workflow-definitions/${slug}:trigger`, {}, key);
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body.run_id;
}

export const reached = (host: TestHost, runId: string, wanted: string, key?: string): Promise<Run> =>
  until(async () => {
    const { body } = await host.call<Run>('GET', `/api/workflows/runs/${runId}`, undefined, key);
    if (body.status !== wanted && ['completed', 'failed'].includes(body.status)) throw new Error(JSON.stringify(body));
    return body.status === wanted ? body : null;
  }, `run ${runId} to be ${wanted}`);
