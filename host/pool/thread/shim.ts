import { AsyncLocalStorage } from 'node:async_hooks';
import type { Action, Connector, ManifestTypes } from '@ductor/connector-sdk';
import type { Json } from '@ductor/core';
import { type Call, claim, type ThreadStart, type ToThread } from '../protocol.ts';
import { cidrList } from './addresses.ts';
import { Attempt } from './attempt.ts';
import { watchDirt } from './dirt.ts';
import type { GuardedFetch } from './guarded-fetch.ts';
import { expandHosts } from './hosts.ts';
import { createOutbox } from './outbox.ts';
import { catchStrays } from './strays.ts';
import { cleanText } from './thrown.ts';

/**
 * What every pool thread runs: one task that lasts as long as the thread and serves attempts over its port.
 * Loading this file must never fail, so the connector is imported within, and its failure is an answer.
 */
export const serve = async (start: ThreadStart): Promise<never> => {
  const { port, claims, maxOutputBytes } = start;
  const outbox = createOutbox(port);
  const attempts = new Map<number, Attempt>();
  const owner = new AsyncLocalStorage<Attempt>();
  const parse = JSON.parse;

  try {
    catchStrays({
      owner,
      running: () => attempts.values(),
      retire: (reason) => outbox.pushNow({ kind: 'retire', reason }),
    });
    const guardedFetch = await loadFetch(start);
    const actions = await loadActions(start.entry);
    const dirty = watchDirt();

    const run = async (seq: number, text: string): Promise<void> => {
      const call = parse(text) as Call;
      const hosts = expandHosts(start.hosts, call.auth);
      const attempt = new Attempt({
        seq,
        call,
        outbox,
        maxOutputBytes,
        fetch: (of) => guardedFetch({ hosts, ...of }),
        ended: () => attempts.delete(seq) && dirty(attempts.size === 0),
      });
      attempts.set(seq, attempt);
      outbox.push({ kind: 'started', seq });
      const action = actions.get(call.action);
      try {
        if (action === undefined) throw new Error(`the connector has no code for the action ${call.action}`);
        attempt.complete(await owner.run(attempt, action, attempt.context()));
      } catch (error) {
        attempt.fail(error);
      }
    };

    port.on('message', (messages: readonly ToThread[]) => {
      for (const message of messages) {
        if (message.kind === 'abort') {
          attempts.get(message.seq)?.abort();
          outbox.push({ kind: 'heard', seq: message.seq });
        } else if (claim(claims, message.slot, message.seq)) {
          void run(message.seq, message.call);
        } else {
          outbox.push({ kind: 'skipped' });
        }
      }
    });
    outbox.pushNow({ kind: 'ready' });
  } catch (error) {
    outbox.pushNow({ kind: 'unloadable', message: cleanText(String(error), (text) => text) });
  }
  return new Promise<never>(() => {});
};

type Actions = ReadonlyMap<string, Action<Json, unknown>>;

const loadActions = async (entry: string): Promise<Actions> => {
  const module: unknown = await import(entry);
  const connector = (module as { readonly default?: Partial<Connector<ManifestTypes>> }).default;
  const actions = Object.entries(connector?.actions ?? {}).filter(([, action]) => typeof action === 'function');
  if (actions.length === 0) throw new Error('the entry has no connector as its default export');
  return new Map(actions);
};

/** Loaded before the connector, whose globals it provides, and only where the network is permitted at all. */
const loadFetch = async ({ hosts, privateNetworks }: ThreadStart): Promise<GuardedFetch> => {
  if (hosts.length === 0) {
    return () => () =>
      Promise.reject(
        Object.assign(new Error('permissions.network.hosts is empty'), {
          name: 'ActionError',
          code: 'network_forbidden',
        }),
      );
  }
  const { createGuardedFetch } = await import('./guarded-fetch.ts');
  return createGuardedFetch(cidrList(privateNetworks));
};
