import type { ObservedRequest, Tell } from '@ductor/core';
import type { Request, Server } from '@hapi/hapi';
import { giveIds } from '../http/request-ids.ts';
import { readTraceparent } from './traceparent.ts';

/** Tells of every request, which is known by the template of its route: paths have no end. */
export function observeRequests(server: Server, tell: Tell): void {
  const begun = new WeakMap<Request, ObservedRequest>();
  server.ext('onRequest', (request, h) => {
    const observed = {
      method: request.method.toUpperCase(),
      path: request.path,
      traceparent: readTraceparent(request.headers.traceparent),
    };
    begun.set(request, observed);
    giveIds(request, tell('requestBegan', observed));
    return h.continue;
  });
  server.events.on('response', (request) => {
    const observed = begun.get(request);
    if (observed === undefined) return;
    const { received, responded } = request.info;
    const { path, method } = request.route;
    // hapi's own route for what matches none, which its types do not know.
    const isMatched = String(method) !== '_special';
    tell('requestEnded', observed, {
      route: isMatched ? path : null,
      status: responded > 0 ? request.raw.res.statusCode : null,
      durationMs: (responded > 0 ? responded : Date.now()) - received,
    });
  });
}
