import { publishGraph, type TestHost } from '../../support/host.js';
import { until } from '../../support/until.js';

/** Publishes `call`: one step that calls the path of its input, with the headers of its input. */
export const publishCall = (host: TestHost, url: string): Promise<void> =>
  publishGraph(host, 'call', {
    graph: {
      steps: [
        {
          ref: 'call',
          type: 'ACTION',
          action: 'http.request',
          args: { url: `${url}\${input.path}`, headers: '${input.headers}' },
        },
      ],
      edges: [],
    },
  });

export async function runCall(
  host: TestHost,
  input: { readonly path: string; readonly headers?: { readonly [name: string]: string } },
  headers: { readonly [name: string]: string } = {},
): Promise<{ readonly runId: string; readonly traceId: string; readonly traceparent: string | null }> {
  const response = await fetch(`${host.url}/api/v2/workflow-definitions/call:trigger`, {
    method: 'POST',
    headers: { authorization: `Bearer ${host.key}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ input: { headers: {}, ...input } }),
  });
  const body = (await response.json()) as { run_id: string; metadata: { trace_id: string } };
  if (response.status !== 200) throw new Error(JSON.stringify(body));
  await ended(host, body.run_id);
  return {
    runId: body.run_id,
    traceId: body.metadata.trace_id,
    traceparent: response.headers.get('traceparent'),
  };
}

export const ended = (host: TestHost, runId: string): Promise<string> =>
  until(async () => {
    const { body } = await host.call<{ status: string }>('GET', `/api/workflows/runs/${runId}`);
    return body.status === 'completed' || body.status === 'failed' ? body.status : null;
  }, `run ${runId} to end`);
