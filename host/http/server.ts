import type { Tell } from '@ductor/core';
import { server as hapiServer, type Server, type ServerRoute } from '@hapi/hapi';
import Joi from '@hapi/joi';
import type { Logger } from 'pino';
import type { ApiKeys } from '../keys/api-keys.ts';
import { observeRequests } from '../telemetry/observe-requests.ts';
import { answerWith } from './answer.ts';
import { apiKeyScheme } from './auth.ts';
import { checkAddress, readBody } from './body.ts';
import { checkAnswer } from './check-answers.ts';
import { logRequest } from './request-log.ts';
import { VALIDATION_OPTIONS } from './validation.ts';

export interface HttpServerOptions {
  readonly routes: readonly ServerRoute[];
  /** Prefixes of routes of plugins that are off, with the plugin's id. Default: none. */
  readonly disabledRoutes?: ReadonlyMap<string, string>;
  readonly keys: ApiKeys;
  readonly log: Logger;
  readonly tell: Tell;
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  /** A body that is larger is answered with 413 and not kept. Default: 1 MiB. */
  readonly maxBodyBytes?: number;
  /** How long a body may take to arrive. Default: 10 s. */
  readonly bodyWithinMs?: number;
  /** For tests: an answer that is not as its route documents it is a 500. Default: false. */
  readonly checkAnswers?: boolean;
}

const MIB = 1024 * 1024;
/** A body of no fields, or none. */
const NO_BODY = Joi.object({}).allow(null);

/** The REST server, ready to `start()`. Every route needs a scope, or says by `auth: false` that it is open. */
export async function createServer(options: HttpServerOptions): Promise<Server> {
  const {
    routes,
    disabledRoutes = new Map(),
    keys,
    log,
    tell,
    host,
    port,
    maxBodyBytes = MIB,
    bodyWithinMs = 10_000,
    checkAnswers = false,
  } = options;
  const server = hapiServer({
    host,
    port,
    debug: false,
    // The main thread is the engine's: a proxy compresses better.
    compression: false,
    router: { stripTrailingSlash: true },
    routes: {
      // Bodies come as streams, for `readBody`; a length that is too large is refused before anything is read.
      payload: { output: 'stream', parse: 'gunzip', maxBytes: maxBodyBytes },
      // A route that takes query parameters says which.
      validate: {
        query: Joi.object({}),
        options: VALIDATION_OPTIONS,
        failAction: (_request, _h, error) => Promise.reject(error),
      },
      state: { parse: false, failAction: 'ignore' },
      // What routes say of their answers is for documents and tests. Every answer is whole, whatever range is asked for.
      response: { sample: 0, ranges: false },
    },
  });
  server.validator(Joi);
  server.auth.scheme('api-key', apiKeyScheme(keys));
  server.auth.strategy('api-key', 'api-key');
  server.auth.default('api-key');
  const limits = { maxBytes: maxBodyBytes, withinMs: bodyWithinMs };
  server.ext({
    type: 'onPostAuth',
    async method(request, h) {
      checkAddress(request);
      await readBody(request, limits);
      return h.continue;
    },
  });
  if (checkAnswers) server.ext('onPreResponse', checkAnswer);
  server.ext('onPreResponse', answerWith({ log, disabledRoutes }));
  observeRequests(server, tell);
  server.events.on('response', logRequest(log));
  for (const route of routes) {
    requireScope(route);
    server.route(withBody(route));
  }
  await server.initialize();
  return server;
}

/** A route that takes a body says which. */
function withBody(route: ServerRoute): ServerRoute {
  const { method, options } = route;
  if (/^get$/i.test(String(method)) || typeof options !== 'object' || options.validate?.payload) return route;
  return { ...route, options: { ...options, validate: { ...options.validate, payload: NO_BODY } } };
}

function requireScope({ method, path, options }: ServerRoute): void {
  const { auth, plugins } = typeof options === 'object' ? options : {};
  const scope = typeof auth === 'object' ? auth.scope : undefined;
  if (plugins?.ductor?.isAboveTenants && String(scope) !== 'operator') {
    throw new Error(`${String(method)} ${path} stands above tenants: the scope operator, and no other, opens it.`);
  }
  if (auth === false || typeof scope === 'string' || (Array.isArray(scope) && scope.length > 0)) return;
  throw new Error(`${String(method)} ${path} has no scope: give it one, or open it by auth: false.`);
}
