import {
  type Clock,
  compileExpression,
  evaluateFolded,
  foldExpression,
  type Gauges,
  type Inbox,
  type Database as PluginDatabase,
  type RunId,
  refs,
  type Telemetry,
  type Trigger,
} from '@ductor/core';
import type { Database } from '../postgres/connection.ts';
import { tellInbox } from '../postgres/runs/tell.ts';
import type { Observers } from '../telemetry/observers.ts';
import type { TriggerService } from '../trigger/trigger-service.ts';
import type { ServiceMap } from './contribute.ts';

/** What plugins' refs rest on. Plugins are made before these are, so each is asked for when it is used. */
export interface Behind {
  database(): Database;
  triggers(): TriggerService;
  clock(): Clock;
  observers(): Observers;
  gauges(): Gauges;
  wake(runIds: readonly RunId[]): void;
}

/** What stands behind `refs`, by their ids. */
export function pluginServices(behind: Behind): ServiceMap {
  const database: PluginDatabase = {
    async query<Row>(text: string, values: readonly unknown[] = []) {
      const { rows } = await behind.database().hot.query(text, [...values]);
      return rows as Row[];
    },
  };
  const trigger: Trigger = {
    start: ({ tenantId, fields = {}, ...seed }) => behind.triggers().startBySlug(tenantId, { ...seed, fields }),
  };
  const inbox: Inbox = {
    async tell(chainId, at, message) {
      const runId = await tellInbox(behind.database().hot, { chainId, at, message });
      if (runId !== null) behind.wake([runId]);
    },
  };
  const clock: Clock = {
    now: () => behind.clock().now(),
    after: (delayMs, callback) => behind.clock().after(delayMs, callback),
    sleep: (delayMs, signal) => behind.clock().sleep(delayMs, signal),
  };
  const telemetry: Telemetry = {
    observe: (observer) => behind.observers().add(observer),
    gauges: behind.gauges,
  };
  const expressions = {
    compile(source: string, ...awaits: readonly string[]) {
      compileExpression(source);
      return foldExpression({ source, as: 'bare', awaits, variables: {} });
    },
    evaluate: evaluateFolded,
  };
  return new Map<string, unknown>([
    [refs.database.id, database],
    [refs.trigger.id, trigger],
    [refs.inbox.id, inbox],
    [refs.clock.id, clock],
    [refs.expressions.id, expressions],
    [refs.telemetry.id, telemetry],
  ]);
}
