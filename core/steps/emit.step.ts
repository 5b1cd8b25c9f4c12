import { cel, template } from '../schema.ts';
import { defineStep } from './step-type.ts';

/** Publishes an event; whoever waits for it hears of it after this tick is committed. */
export const emitStep = defineStep({
  type: 'STEP_TYPE_EMIT',
  schema: {
    type: 'object',
    required: ['event_name', 'correlation_key'],
    properties: {
      event_name: { type: 'string', minLength: 1, maxLength: 256 },
      correlation_key: cel({ type: 'string' }),
      payload: template({}),
    },
  },
  endsAtOnce: true,
  start: ({ config: { event_name: eventName, correlation_key: correlationKey, payload = {} } }) => ({
    to: 'completed',
    outcome: 'SUCCESS',
    output: null,
    commands: [{ do: 'publish', eventName, correlationKey, payload }],
  }),
});
