import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A call that the CRM has answered. */
export interface CrmCall {
  readonly path: string;
  readonly email: string;
  readonly status: number;
  /** The same for each retry of one execution. */
  readonly idempotencyKey: string | undefined;
}

export interface Crm {
  readonly url: string;
  readonly calls: readonly CrmCall[];
  close(): Promise<void>;
}

interface Lead {
  readonly email: string;
  readonly tier?: string;
}

/** Employees by the first part of the domain; the others are small. */
const companies: { readonly [domain: string]: number } = { globex: 1_200, initech: 80 };

/**
 * The service that the lead router calls, on a free loopback port. `/enrich` is out of order at first: it answers 503
 * once for each lead.
 */
export async function startCrm(): Promise<Crm> {
  const calls: CrmCall[] = [];

  function answer(path: string, { email, tier }: Lead): { readonly status: number; readonly body: object } {
    const company = /@([^.]+)/.exec(email)?.[1] ?? '';
    switch (path) {
      case '/enrich': {
        const isFirst = !calls.some((call) => call.path === path && call.email === email);
        if (isFirst) return { status: 503, body: { error: 'out of order, try again' } };
        return { status: 200, body: { company, employees: companies[company] ?? 5 } };
      }
      case '/assign':
        return { status: 200, body: { owner: tier === 'enterprise' ? 'Grace' : 'Linus', email } };
      default:
        return { status: 404, body: { error: 'not found' } };
    }
  }

  const server = createServer(async (request, response) => {
    const path = request.url ?? '';
    const lead = JSON.parse((await textOf(request)) || '{"email":""}') as Lead;
    const { status, body } = answer(path, lead);
    const key = request.headers['idempotency-key'];
    calls.push({ path, email: lead.email, status, idempotencyKey: typeof key === 'string' ? key : undefined });
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    calls,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
