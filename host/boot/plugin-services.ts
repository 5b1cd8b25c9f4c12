import {
  type Audit,
  type CredentialReader,
  compileExpression,
  type DatabaseTime,
  type EventPublisher,
  evaluateFolded,
  foldExpression,
  type Gauges,
  type Inbox,
  type Lists,
  type Database as PluginDatabase,
  type RunId,
  refs,
  type Telemetry,
  type Trigger,
} from '@ductor/core';
import type { CredentialResolver } from '../credentials/resolver.ts';
import type { Events } from '../events/events.ts';
import { pageOf, pageRequest } from '../http/paging.ts';
import { writeAudit } from '../postgres/audit-log.ts';
import type { Database } from '../postgres/connection.ts';
import { rowsOf } from '../postgres/reads/rows.ts';
import { tellInbox } from '../postgres/runs/tell.ts';
import type { Observers } from '../telemetry/observers.ts';
import type { TriggerService } from '../trigger/trigger-service.ts';
import type { ServiceMap } from './contribute.ts';

/** What plugins' refs rest on. Plugins are made before these are, so each is asked for when it is used. */
export interface Behind {
  database(): Database;
  triggers(): TriggerService;
  followUp: Trigger['followUp'];
  events(): Pick<Events, 'publish'>;
  credentials(): Pick<CredentialResolver, 'read'>;
  clock(): DatabaseTime;
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
    followUp: behind.followUp,
    words: () => behind.triggers().words,
  };
  const events: EventPublisher = { publish: (tenantId, event) => behind.events().publish(tenantId, event) };
  const credentials: CredentialReader = {
    async read(tenantId, name) {
      const found = await behind.credentials().read(tenantId, name);
      return found && { values: found.values, secretFields: found.secretFields };
    },
  };
  const audit: Audit = {
    change: <Row>({ text, values }: Parameters<Audit['change']>[0], entry: Parameters<Audit['change']>[1]) =>
      behind.database().knex.transaction(async (transaction) => {
        const rows = await rowsOf<Row>(transaction, text, values);
        if (rows.length > 0) await writeAudit(transaction, entry);
        return rows;
      }),
  };
  const lists: Lists = { asked: pageRequest, page: pageOf };
  const inbox: Inbox = {
    async tell(chainId, at, message) {
      const runId = await tellInbox(behind.database().hot, { chainId, at, message });
      if (runId !== null) behind.wake([runId]);
    },
  };
  const clock: DatabaseTime = {
    now: () => behind.clock().now(),
    offset: () => behind.clock().offset(),
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
    [refs.events.id, events],
    [refs.credentials.id, credentials],
    [refs.audit.id, audit],
    [refs.lists.id, lists],
  ]);
}
