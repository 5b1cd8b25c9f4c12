import { subscribe } from 'node:diagnostics_channel';

/**
 * Watches, from when this module is loaded, what can keep the process from ending: Node counts the kinds of
 * most handles, and this adds which threads, child processes and connections they are.
 */

const named = new Map();
// A stream is opened by its first use: opened here, the two are part of what was there before.
for (const stream of [process.stdout, process.stderr]) stream.write('');
const atStart = countKinds();

process.on('worker', (worker) => {
  const { threadId } = worker;
  remember(worker, 'exit', () => `thread ${threadId}`);
});
subscribe('child_process', ({ process: child }) => {
  remember(child, 'exit', () => `process ${child.pid} (${child.spawnfile})`);
});
subscribe('net.client.socket', ({ socket }) => {
  remember(
    socket,
    'close',
    () => `connection to ${socket.remotePort ? `${socket.remoteAddress}:${socket.remotePort}` : 'a socket'}`,
  );
});

/** What is open now and was not at the start, such as `TCPServerWrap, Timeout ×2, thread 3`. */
export function openHandles() {
  const kinds = [...countKinds()]
    .map(([kind, count]) => [kind, count - (atStart.get(kind) ?? 0)])
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => (count > 1 ? `${kind} ×${count}` : kind));
  return [...kinds, ...[...named.values()].map((describe) => describe())].join(', ');
}

function remember(handle, end, describe) {
  named.set(handle, describe);
  handle.once(end, () => named.delete(handle));
}

function countKinds() {
  const counts = new Map();
  for (const kind of process.getActiveResourcesInfo()) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}
