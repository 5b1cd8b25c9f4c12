import { setTimeout as delay } from 'node:timers/promises';
import type { Json } from '@ductor/core';
import saga from '@ductor/plugin-saga';
import { sagaDatabase } from '../integration/saga/world.ts';
import { startWorld } from '../integration/scatter-gather/world.ts';
import { ActionError, type TestAction } from '../support/engine.ts';
import type { Kit } from './world.ts';

/** An undo as it was carried out; `key` is its execution's. */
export interface Undo {
  readonly key: string;
  readonly args: { readonly n: string; readonly id: string; readonly index: number; readonly outer: number };
}

interface Args {
  readonly refused: boolean;
  readonly busy: boolean;
  readonly ms: number;
  readonly deaf: boolean;
  readonly large: boolean;
}

/** Hosts with regions and sagas. What is undone is kept in the order in which it takes effect. */
export function regionsKit(undone: Undo[]): Kit {
  const keys = new Set<string>();
  const actions: { readonly [name: string]: TestAction } = {
    'test.do': async (args, { dispatch, abort }): Promise<Json> => {
      const { refused, busy, ms, deaf, large } = args as unknown as Args;
      await delay(ms, undefined, deaf ? {} : { signal: abort }).catch(() => {
        throw new ActionError('stopped');
      });
      if (refused) throw new ActionError('refused', { retryable: false });
      if (busy && dispatch.attempt.number === 1) throw new ActionError('busy');
      return { n: dispatch.attempt.id, ...(large && { pad: 'x'.repeat(70_000) }) };
    },
    'test.undo': (args, { dispatch }) => {
      const key = dispatch.task.idempotencyKey;
      if (!keys.has(key)) undone.push({ key, args: args as unknown as Undo['args'] });
      keys.add(key);
      return null;
    },
  };
  const { steps = [], tables = [], hooks = {}, fields = [] } = saga.contribute({} as never, {});
  return {
    database: sagaDatabase,
    start: (options) => startWorld({ ...options, actions, steps, tables, hooks: [hooks], fields }),
  };
}
