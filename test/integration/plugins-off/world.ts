import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { startTestHost, type TestHost } from '../../support/host.ts';
import { until } from '../../support/until.ts';

/** One host after another on the same database, each with other plugins off. */
export class Hosts {
  private database: TestDatabase | undefined;
  private host: TestHost | undefined;

  get now(): TestHost {
    if (!this.host) throw new Error('no host is up');
    return this.host;
  }

  /** Ends the one that is up, and starts one without `off`. */
  async start(...off: readonly string[]): Promise<TestHost> {
    this.database ??= await createTestDatabase();
    await this.host?.stop({ keep: true });
    const yaml = off.length === 0 ? '' : `plugins:\n${off.map((id) => `  ${id}: false\n`).join('')}`;
    this.host = await startTestHost({ database: this.database, yaml });
    return this.host;
  }

  async stop(): Promise<void> {
    await this.host?.stop({ keep: true });
    await this.database?.drop();
  }

  async get<T>(path: string): Promise<T> {
    return (await this.now.call<T>('GET', path)).body;
  }

  async trigger(slug: string, input: object): Promise<string> {
    const { status, body } = await this.now.call<{ run_id: string }>(
      'POST',
      `/api/v2/workflow-definitions/${slug}:trigger`,
      { input },
    );
    if (status !== 200) throw new Error(JSON.stringify(body));
    return body.run_id;
  }

  resolve(runId: string, ref: string, more: object = {}) {
    const path = `/api/v2/workflow-runs/${runId}/steps/${ref}:resolve`;
    return this.now.call('POST', path, { request_id: `${ref}${JSON.stringify(more)}`, ...more });
  }

  async snapshot(runId: string): Promise<Snapshot> {
    return this.get<Snapshot>(`/api/v2/workflow-runs/${runId}/snapshot`);
  }

  /** The codes of all that the run waits for, and the plugins that are missing. */
  async why(runId: string): Promise<readonly string[]> {
    const { reasons } = await this.get<{ reasons: readonly { code: string; plugin?: string }[] }>(
      `/api/v2/workflow-runs/${runId}/why`,
    );
    return [...new Set(reasons.map(({ code, plugin }) => (plugin === undefined ? code : `${code} ${plugin}`)))];
  }

  waitsAt(runId: string, key: string): Promise<Snapshot> {
    return until(async () => {
      const now = await this.snapshot(runId);
      return now.nodes[key]?.status === 'waiting' && now;
    }, `${key} to wait`);
  }

  ended(runId: string): Promise<Snapshot> {
    return until(async () => {
      const now = await this.snapshot(runId);
      return ['completed', 'failed', 'cancelled', 'terminated'].includes(now.status) && now;
    }, `run ${runId} to end`);
  }
}

export interface Snapshot {
  readonly status: string;
  readonly output: unknown;
  readonly nodes: { readonly [key: string]: { readonly status: string } | undefined };
}

/** Another system: what was asked of it, in order. While it is closed it refuses to undo. */
export class Shop {
  readonly asked: string[] = [];
  isClosed = false;
  private server: Server | undefined;

  async open(): Promise<string> {
    this.server = createServer((request, response) => {
      request.resume();
      const path = request.url ?? '';
      const refuses = this.isClosed && path.startsWith('/undo');
      if (!refuses) this.asked.push(path);
      response.writeHead(refuses ? 503 : 200, { 'content-type': 'application/json' });
      response.end('{}');
    }).listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.server?.closeAllConnections();
    this.server?.close();
  }
}

/** Asks the shop once, and says so. */
export const ask = (ref: string, path: string, more: object = {}) => ({
  ref,
  type: 'ACTION',
  action: 'http.request',
  args: { method: 'POST', url: `\${input.url}/${path}`, body: {} },
  ...more,
});

/** Steps one after another. */
export const chain = <S extends { readonly ref: string }>(steps: readonly S[]) => ({
  steps,
  edges: steps.slice(1).map(({ ref: to }, i) => ({ from: steps[i]?.ref, to, type: 'SUCCESS' })),
});
