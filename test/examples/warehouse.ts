import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One thing that the warehouse has done. */
export interface Effect {
  readonly key: string;
  /** Of the row that it was about; null where it was about all of them. */
  readonly row: number | null;
}

/** The service that the nightly import calls, on a free loopback port. A key that comes again is answered as before. */
export interface Warehouse {
  readonly url: string;
  /** How many requests have come, repeated ones too. */
  readonly requests: number;
  /** What took effect by a path, in that order; each key once. */
  effects(path: string): readonly Effect[];
  /** The rows that were published and are not withdrawn. */
  readonly onSale: ReadonlySet<number>;
  close(): void;
}

interface Body {
  readonly row?: number;
  readonly article?: string;
}
interface Answer {
  readonly status: number;
  readonly body: object;
}

const rowOf = ({ row, article }: Body): number | null =>
  row ?? (article === undefined ? null : Number(article.replace('article-', '')));

/** What an article costs. */
export const centsOf = (row: number): number => 100 + row;

/** `refuses`: what is answered 422 for good, by path and row. */
export async function startWarehouse({
  rows,
  refuses,
}: {
  readonly rows: number;
  readonly refuses: (path: string, row: number | null) => boolean;
}): Promise<Warehouse> {
  const answers = new Map<string, Answer>();
  const effects = new Map<string, Effect[]>();
  const onSale = new Set<number>();
  let requests = 0;

  function perform(path: string, key: string, row: number | null): Answer {
    const isGone = path === '/withdraw' && (row === null || !onSale.has(row));
    if (isGone || refuses(path, row)) return { status: 422, body: { refused: row } };
    if (path === '/publish' && row !== null) onSale.add(row);
    if (path === '/withdraw' && row !== null) onSale.delete(row);
    effects.set(path, [...(effects.get(path) ?? []), { key, row }]);
    return { status: 200, body: { article: `article-${row}`, cents: centsOf(row ?? 0) } };
  }

  async function answer(request: IncomingMessage): Promise<Answer> {
    const { pathname: path } = new URL(request.url ?? '', 'http://warehouse');
    const text = await textOf(request);
    requests += 1;
    if (path === '/rows') return { status: 200, body: Array.from({ length: rows }, (_, row) => ({ row })) };
    const key = String(request.headers['idempotency-key']);
    const given = answers.get(key) ?? perform(path, key, rowOf(JSON.parse(text) as Body));
    answers.set(key, given);
    return given;
  }

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { status, body } = await answer(request);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
  const server = createServer((request, response) => {
    // Whoever asks may be killed while it sends.
    serve(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    get requests() {
      return requests;
    },
    effects: (path) => effects.get(path) ?? [],
    onSale,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
