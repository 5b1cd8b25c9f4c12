import { collectDefaultMetrics, Registry } from 'prom-client';

/** Finer, and the delay of the event loop costs more to watch than it tells. */
const EVENT_LOOP_PRECISION_MS = 50;

let registry: Registry | null = null;

/** Of the process, so there is one for all hosts in it; what it watches is watched until the process ends. */
export function processMetrics(): Registry {
  if (registry === null) {
    registry = new Registry();
    collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: EVENT_LOOP_PRECISION_MS });
  }
  return registry;
}
