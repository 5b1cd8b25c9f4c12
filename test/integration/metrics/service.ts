import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An HTTP service that keeps the headers of all that called it; `/fail` fails. */
export interface Service {
  readonly url: string;
  readonly seen: IncomingHttpHeaders[];
  close(): void;
}

export async function startService(): Promise<Service> {
  const seen: IncomingHttpHeaders[] = [];
  const server = createServer((request, response) => {
    seen.push(request.headers);
    response.statusCode = request.url === '/fail' ? 400 : 200;
    response.setHeader('content-type', 'application/json').end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, seen, close: () => server.close().closeAllConnections() };
}
