/** The engine, and what is told of it. */
import { hostname } from 'node:os';
import type { Gauges } from '@ductor/core';
import { createEngine, type Engine } from '../engine/engine.ts';
import { startByEvent } from '../events/event-triggers.ts';
import { componentLog } from '../log.ts';
import { Observers } from '../telemetry/observers.ts';
import { childWorkflows } from '../trigger/child-workflows.ts';
import {
  ADDRESSES,
  CLOCK,
  CONFIG,
  CONTRIBUTED,
  DATABASE,
  DEFINITIONS,
  ENGINE,
  type Get,
  HOST,
  LOG,
  OBSERVERS,
  POOLS,
  REGISTRY,
  RESOLVER,
  TRIGGERS,
  VALIDATOR,
} from './tokens.ts';
import { triggerFields } from './triggers.ts';

export function observers(get: Get): Observers {
  const log = componentLog(get(LOG), 'telemetry');
  return new Observers((what, error) => log.error({ err: error }, `${what} failed`));
}

export function gauges(get: Get): Gauges {
  const engine = get(ENGINE);
  return { queues: engine.queues(), pools: get(POOLS).state(), sweepLagMs: engine.sweepLagMs() };
}

/** Memory for the states of runs, and time that a stop gives to attempts in flight. */
const CACHE_BYTES = 64 * 1024 * 1024;
const DRAIN_MS = 10_000;

export function engine(get: Get): Engine {
  const contributed = get(CONTRIBUTED);
  const { tables, plugins } = contributed;
  const { hostId, dataId } = get(HOST);
  return createEngine({
    hot: get(DATABASE).hot,
    clock: get(CLOCK),
    registry: get(REGISTRY),
    tables,
    disabled: contributed,
    definitions: get(DEFINITIONS),
    missingCredentials: get(RESOLVER).missing,
    children: childWorkflows({
      addresses: get(ADDRESSES),
      definitions: get(DEFINITIONS),
      validator: get(VALIDATOR),
      maxDepth: get(CONFIG).limits.nestingDepth,
    }),
    pool: get(POOLS),
    startByEvent: (...run) => startByEvent(get(TRIGGERS), triggerFields(get))(...run),
    lease: { hostId, dataId, name: hostname(), plugins: plugins.map(({ id, version }) => ({ id, version })) },
    log: componentLog(get(LOG), 'engine'),
    tell: get(OBSERVERS).tell,
    cacheBytes: CACHE_BYTES,
    drainMs: DRAIN_MS,
  });
}
