/** The ways in which runs start, and long work with many of them. */
import { BatchQueue } from '@ductor/core';
import { randomIds } from '../engine/random-ids.ts';
import { runFilter } from '../http/run-filter.ts';
import { componentLog } from '../log.ts';
import { OperationRunner } from '../operations/operation-runner.ts';
import { runControlOperation } from '../operations/run-control.operation.ts';
import { runUsage } from '../postgres/entitlements.ts';
import { liveDeployment } from '../postgres/releases.ts';
import { runStanding, runsByKey } from '../postgres/runs/by-key.ts';
import { Admission } from '../trigger/admission.ts';
import { followUps } from '../trigger/follow-up.ts';
import { TriggerService } from '../trigger/trigger-service.ts';
import {
  ADDRESSES,
  CLOCK,
  CONTRIBUTED,
  DATABASE,
  DEFINITIONS,
  ENGINE,
  type Get,
  LOG,
  OBSERVERS,
  POLICIES,
  VALIDATOR,
} from './tokens.ts';

export function followUp(get: Get) {
  const { store, starter, definitions } = get(ENGINE);
  const versions = get(DEFINITIONS);
  return followUps({
    store,
    starter,
    prepare: definitions.prepare,
    define: (workflow, of) => versions.define(workflow, of),
  });
}

export function triggers(get: Get): TriggerService {
  const { coordinator, starter } = get(ENGINE);
  const { hot } = get(DATABASE);
  const keys = new BatchQueue((asked: Parameters<typeof runsByKey>[1]) => runsByKey(hot, asked));
  return new TriggerService({
    admission: new Admission({
      policies: get(POLICIES),
      clock: get(CLOCK),
      liveDeployment: (tenantId) => liveDeployment(hot, tenantId),
      usage: (tenantId, about) => runUsage(hot, tenantId, about),
    }),
    coordinator,
    starter,
    clock: get(CLOCK),
    standing: (runId) => runStanding(hot, runId),
    byKey: (tenantId, key) => keys.add({ tenantId, ...key }),
    addresses: get(ADDRESSES),
    definitions: get(DEFINITIONS),
    validator: get(VALIDATOR),
    tell: get(OBSERVERS).tell,
    fields: triggerFields(get),
  });
}

export const triggerFields = (get: Get) => get(CONTRIBUTED).fields.filter((field) => field.of === 'trigger');

export function operations(get: Get): OperationRunner {
  const { wakeups } = get(ENGINE);
  const log = componentLog(get(LOG), 'operations');
  const { ofKept: filterOf } = runFilter(get(CONTRIBUTED).tables);
  return new OperationRunner({
    knex: get(DATABASE).knex,
    kinds: [runControlOperation({ filterOf, ids: randomIds, wake: (runIds) => wakeups.push(runIds) })],
    failed: (operationId, error) =>
      log.error({ err: error, operation_id: operationId }, 'a page of an operation failed'),
  });
}
