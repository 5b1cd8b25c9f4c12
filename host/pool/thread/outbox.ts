import type { MessagePort } from 'node:worker_threads';
import type { FromThread } from '../protocol.ts';

export interface Outbox {
  /** Sent with whatever else this turn of the event loop brings. */
  push(message: FromThread): void;
  /** Sent now, with all that waits: for what must be known even if the thread blocks or ends. */
  pushNow(message: FromThread): void;
}

export const createOutbox = (port: MessagePort): Outbox => {
  // Bound now: connectors may replace what they find on prototypes.
  const post = port.postMessage.bind(port);
  const soon = setImmediate;
  let batch: FromThread[] = [];
  let scheduled = false;

  const flush = (): void => {
    scheduled = false;
    if (batch.length === 0) return;
    const messages = batch;
    batch = [];
    post(messages);
  };

  const push = (message: FromThread): void => {
    batch.push(message);
    if (scheduled) return;
    scheduled = true;
    soon(flush);
  };

  return {
    push,
    pushNow: (message) => {
      batch.push(message);
      flush();
    },
  };
};
