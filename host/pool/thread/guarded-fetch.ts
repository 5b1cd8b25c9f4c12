import { lookup as resolve } from 'node:dns';
import { type BlockList, isIP, type LookupFunction } from 'node:net';
import { Agent, buildConnector, type Dispatcher, install } from 'undici';
import { mayConnect } from './addresses.ts';
import { hostAllowed } from './hosts.ts';

/** Thrown by `ctx.fetch`; final, and named so that it passes as the connector's own error. */
class NetworkForbidden extends Error {
  override readonly name = 'ActionError';
  readonly code = 'network_forbidden';
}

export type GuardedFetch = (attempt: {
  readonly hosts: readonly string[];
  readonly signal: AbortSignal;
  /** Sent with every request that has no such header of its own. */
  readonly traceparent: string | null;
}) => typeof fetch;

/**
 * The standard `fetch` over an agent that judges every address at the moment of connecting, after DNS, so that no
 * name, redirect or spelling leads to a forbidden one; and every request's host before it is sent.
 */
export const createGuardedFetch = (privateNetworks: BlockList): GuardedFetch => {
  // `fetch`, `FormData` and the rest as globals of the agent's own version: Node's may be of another, and lose headers.
  install();
  const agent = new Agent({
    connect: guardedConnector(privateNetworks),
    keepAliveTimeout: 10_000,
    // Deadlines are the engine's: it aborts.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  const dispatchers = new Map<string, Dispatcher>();
  const dispatcherFor = (hosts: readonly string[]): Dispatcher => {
    const key = hosts.join(' ');
    const known = dispatchers.get(key);
    if (known !== undefined) return known;
    const made = agent.compose((dispatch) => (options, handler) => {
      const origin = new URL(options.origin ?? '');
      if (!hostAllowed(origin, hosts)) throw new NetworkForbidden(`${origin.host} is not in permissions.network.hosts`);
      return dispatch(options, handler);
    });
    if (dispatchers.size === 64) dispatchers.clear();
    dispatchers.set(key, made);
    return made;
  };

  return ({ hosts, signal, traceparent }) =>
    async (input, init) => {
      const from = input instanceof Request ? input : null;
      const given = init?.signal ?? from?.signal ?? null;
      const either = given === null ? signal : AbortSignal.any([signal, given]);
      const headers = new Headers(init?.headers ?? from?.headers);
      if (traceparent !== null && !headers.has('traceparent')) headers.set('traceparent', traceparent);
      try {
        // `dispatcher` is undici's addition to the standard; the global type does not know this version's.
        return await fetch(input, {
          ...init,
          headers,
          signal: either,
          dispatcher: dispatcherFor(hosts),
        } as RequestInit);
      } catch (error) {
        throw forbiddenWithin(error) ?? error;
      }
    };
};

const guardedConnector = (listed: BlockList): buildConnector.connector => {
  const refuse = (address: string, hostname: string): NetworkForbidden =>
    new NetworkForbidden(
      address === hostname ? `${address} is a private address` : `${hostname} leads to the private address ${address}`,
    );

  const lookup: LookupFunction = (hostname, options, done) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return done(error, '');
      const open = addresses.filter(({ address }) => mayConnect(address, listed));
      const [first] = open;
      if (first === undefined) return done(refuse(addresses[0]?.address ?? 'none', hostname), '');
      return options.all === true ? done(null, open) : done(null, first.address, first.family);
    });
  };

  const connect = buildConnector({ lookup, timeout: 10_000, allowH2: false });
  return (options, done) => {
    const hostname = options.hostname.replace(/^\[|\]$/g, '');
    // A literal address never meets `lookup`.
    if (isIP(hostname) !== 0 && !mayConnect(hostname, listed)) return done(refuse(hostname, hostname), null);
    connect(options, done);
  };
};

const forbiddenWithin = (error: unknown): NetworkForbidden | null => {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 8; cause = cause.cause, depth += 1) {
    if (cause instanceof NetworkForbidden) return cause;
  }
  return null;
};
