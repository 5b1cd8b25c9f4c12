import {
  cel,
  defineStep,
  duration,
  type Failure,
  isObject,
  type Json,
  type MatchedEvent,
  type Problem,
  type Step,
  type Subscription,
} from '@ductor/core';

/** An event as the step keeps it. */
type Kept = { readonly event_id: string; readonly payload: Json };

/** What is wanted under one name, and what of it has come. */
type Requirement = {
  readonly name: string;
  readonly eventName: string;
  readonly key: string;
  readonly count: number;
  readonly events: readonly Kept[];
};

type Progress = { readonly requirements: readonly Requirement[]; readonly bytes: number };

/** Of all requirements together. */
const MOST_EVENTS = 1_000;
/** Of all payloads together: what a step's output may have. */
const MOST_BYTES = 4 * 1024 * 1024;

const requirement = {
  type: 'object',
  additionalProperties: false,
  required: ['name', 'event_name'],
  properties: {
    name: { type: 'string', pattern: '^[a-zA-Z][a-zA-Z0-9_-]{0,62}$' },
    event_name: { type: 'string', minLength: 1, maxLength: 256 },
    match: cel({ type: 'boolean' }, 'event'),
    count: { type: 'integer', minimum: 1, maximum: MOST_EVENTS, default: 1 },
    correlation_key: cel({ type: 'string' }),
  },
} as const;

/** Parks until every requirement has its events. Matching, room and lookback are the engine's, by subscription. */
export const eventSetStep = defineStep({
  type: 'STEP_TYPE_EVENT_SET',
  schema: {
    type: 'object',
    required: ['correlation_key', 'requirements'],
    properties: {
      correlation_key: cel({ type: 'string' }),
      requirements: { type: 'array', items: requirement, minItems: 1, maxItems: 100 },
      lookback: duration,
    },
  },
  check,
  start({ config: { correlation_key, requirements, lookback: lookbackMs } }) {
    const wanted = requirements.map(
      ({ name, event_name: eventName, correlation_key: key = correlation_key, count }): Requirement => ({
        ...{ name, eventName, key, count },
        events: [],
      }),
    );
    const subscriptions = wanted.map(
      ({ name, eventName, key: correlationKey, count }, i): Subscription => ({
        ...{ name, eventName, correlationKey, count, match: requirements[i]?.match ?? null },
        ...(lookbackMs !== undefined && { lookbackMs }),
      }),
    );
    return {
      to: 'waiting',
      wait: { kind: 'event', subscriptions },
      memo: { requirements: wanted, bytes: 0 } as Progress,
    };
  },
  on: {
    event({ memo }, event) {
      const after = withEvent(memo, event);
      if (after.bytes > MOST_BYTES) return { to: 'failed', error: tooLarge(after) };
      return after.requirements.some(isOpen)
        ? { to: 'same', memo: after }
        : { to: 'completed', outcome: 'SUCCESS', output: { matched: matched(after) } };
    },
    timeout: ({ memo }) => ({ to: 'failed', outcome: 'TIMEOUT', error: incomplete(memo) }),
  },
  /** Of the first that lacks something. */
  why(_wait, { requirements }) {
    const open = requirements.find(isOpen);
    const { eventName: name = '', key = '', count: need = 0, events = [] } = open ?? {};
    return { code: 'waiting_for_event', name, key, have: events.length, need };
  },
});

const isOpen = ({ events, count }: Requirement): boolean => events.length < count;

function withEvent(
  { requirements, bytes }: Progress,
  { subscription, eventId: event_id, payload }: MatchedEvent,
): Progress {
  return {
    requirements: requirements.map((one) =>
      one.name === subscription ? { ...one, events: [...one.events, { event_id, payload }] } : one,
    ),
    bytes: bytes + JSON.stringify(payload).length,
  };
}

const matched = ({ requirements }: Progress) =>
  Object.fromEntries(requirements.map(({ name, events }) => [name, events]));

function incomplete(progress: Progress): Failure {
  const missing = progress.requirements
    .filter(isOpen)
    .map(({ name, eventName: event_name, key: correlation_key, events: { length: have }, count: need }) => ({
      ...{ name, event_name, correlation_key, have, need },
    }));
  const lacking = missing.map(({ name, have, need }) => `${name} has ${have} of ${need}`).join(', ');
  return {
    code: 'timeout',
    message: `Not all events came in time: ${lacking}.`,
    party: 'user',
    details: { matched: matched(progress), missing },
  };
}

const tooLarge = ({ bytes }: Progress): Failure => ({
  code: 'payload_too_large',
  message: `The events of the set have ${bytes} characters together; ${MOST_BYTES} are allowed.`,
  party: 'user',
});

/** Each name once, and no more events in all than a run can keep. */
function check({ requirements }: Step): readonly Problem[] {
  const all = Array.isArray(requirements) ? requirements.filter(isObject) : [];
  const names = all.map(({ name }) => name);
  const total = all.reduce((sum, { count }) => sum + (typeof count === 'number' ? count : 1), 0);
  const problems: Problem[] = names.flatMap((name, i) =>
    names.indexOf(name) === i
      ? []
      : [{ path: `requirements[${i}].name`, code: 'duplicate', message: `There are two requirements ${name}.` }],
  );
  if (total <= MOST_EVENTS) return problems;
  const message = `The requirements want ${total} events together; ${MOST_EVENTS} are allowed.`;
  return [...problems, { path: 'requirements', code: 'out_of_range', message }];
}
