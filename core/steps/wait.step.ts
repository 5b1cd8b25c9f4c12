import type { Instant } from '../json.ts';
import { cel, duration } from '../schema.ts';
import { defineStep, type StartContext } from './step-type.ts';

const KINDS = ['duration', 'until', 'event', 'signal'] as const;

/** One subscription to published events: where they are looked for, and which of them fit. */
const subscriptionFields = {
  event_name: { type: 'string', minLength: 1, maxLength: 256 },
  correlation_key: cel({ type: 'string' }),
  match: cel({ type: 'boolean' }, 'event'),
} as const;

/** Parks until an instant, an event or a signal. */
export const waitStep = defineStep({
  type: 'STEP_TYPE_WAIT',
  schema: {
    type: 'object',
    properties: {
      duration,
      until: cel({ type: 'string' }),
      event: {
        type: 'object',
        additionalProperties: false,
        required: ['event_name', 'correlation_key'],
        properties: subscriptionFields,
      },
      signal: { type: 'string', minLength: 1, maxLength: 256 },
    },
  },
  check(step) {
    const given = KINDS.filter((kind) => step[kind] !== undefined);
    if (given.length === 1) return [];
    const message = `A WAIT has exactly one of ${KINDS.join(', ')}; this one has ${given.join(' and ') || 'none'}.`;
    return [{ path: given[1] ?? '', code: 'one_of', message, allowed: KINDS }];
  },
  start(context) {
    const { duration: durationMs, until, event, signal } = context.config;
    if (signal !== undefined) return { to: 'waiting', memo: null, wait: { kind: 'signal', name: signal } };
    if (event) {
      const { event_name: eventName, correlation_key: correlationKey, match = null } = event;
      const subscriptions = [{ name: 'event', eventName, correlationKey, match }];
      return { to: 'waiting', memo: null, wait: { kind: 'event', subscriptions } };
    }
    const wakeAt = until === undefined ? context.after(durationMs ?? 0) : instantOf(until);
    if (wakeAt === null) return { to: 'failed', error: noInstant(until ?? '') };
    if (isOver(wakeAt, context)) return { to: 'completed', outcome: 'SUCCESS', output: null };
    return { to: 'waiting', memo: null, wait: { kind: 'timer', wakeAt } };
  },
});

const isOver = (wakeAt: Instant, { now }: Pick<StartContext<unknown>, 'now'>): boolean => wakeAt <= now;

const RFC_3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/i;

/** In the form that all instants have. */
function instantOf(text: string): Instant | null {
  const ms = RFC_3339.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(ms)) return null;
  const instant = new Date(ms).toISOString();
  return instant.length === 24 ? instant : null;
}

const noInstant = (until: string) =>
  ({
    code: 'invalid_instant',
    message: `until yields ${JSON.stringify(until).slice(0, 100)}, which is no instant such as 2026-12-24T18:00:00Z.`,
    party: 'user',
  }) as const;
