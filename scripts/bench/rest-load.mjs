/**
 * Sends requests to start runs, from a process of its own so that the host's thread does not pay for its client. Asked
 * by a message `{ url, key, slug, requests, connections }`; answers with the latency of each request in milliseconds.
 */
import { once } from 'node:events';
import { connect } from 'node:net';

process.on('message', async (job) => {
  const latencies = [];
  let left = job.requests;
  const lane = async () => {
    const connection = await open(job);
    while (left-- > 0) {
      const startedAt = performance.now();
      await connection.ask();
      latencies.push(performance.now() - startedAt);
    }
    connection.close();
  };
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: job.connections }, lane));
  process.send({ latencies, seconds: (performance.now() - startedAt) / 1000 });
});

/** One kept connection. As little of HTTP as our own answers need: a client library would cost as much as the host. */
async function open({ url, key, slug }) {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.setNoDelay(true);
  await once(socket, 'connect');
  const body = '{"input":{}}';
  const request = [
    `POST /api/v2/workflow-definitions/${slug}:trigger HTTP/1.1`,
    `host: ${hostname}`,
    `authorization: Bearer ${key}`,
    'content-type: application/json',
    `content-length: ${body.length}`,
    '',
    body,
  ].join('\r\n');
  let received = '';
  let answered = () => {};
  socket.setEncoding('latin1');
  socket.on('data', (chunk) => {
    received += chunk;
    const head = received.indexOf('\r\n\r\n');
    if (head < 0) return;
    const length = Number(/content-length: (\d+)/i.exec(received)?.[1]);
    if (received.length < head + 4 + length) return;
    if (!received.startsWith('HTTP/1.1 200')) throw new Error(received);
    received = '';
    answered();
  });
  return {
    ask() {
      socket.write(request);
      return new Promise((resolve) => {
        answered = resolve;
      });
    },
    close: () => socket.destroy(),
  };
}
