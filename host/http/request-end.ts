import type { Request } from '@hapi/hapi';

/** Aborts when the caller goes, and when the server stops: it cuts off what has no answer in a few seconds. */
export function endOf(request: Request): AbortSignal {
  const { server, raw } = request;
  const ended = new AbortController();
  const end = () => ended.abort();
  server.events.on('closing', end);
  raw.res.once('close', () => {
    server.events.removeListener('closing', end);
    end();
  });
  // It may have gone while its key was looked up.
  if (!request.active()) end();
  return ended.signal;
}
