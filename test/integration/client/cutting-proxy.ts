import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** Passes everything on, until it is told to cut. */
export interface CuttingProxy {
  readonly url: string;
  /** How many connections it has taken. */
  taken(): number;
  /** Cuts every connection there is. */
  cut(): void;
  close(): void;
}

export async function startCuttingProxy(target: string): Promise<CuttingProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let taken = 0;
  const server = createServer((near) => {
    taken += 1;
    const far = connect(Number(port), hostname);
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => other.destroy()).on('close', () => sockets.delete(socket));
      socket.pipe(other);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    taken: () => taken,
    cut,
    close() {
      cut();
      server.close();
    },
  };
}
