/** What holds for an action that a step runs: its step's word before its own, and that before the engine's. */
import type { Json } from '../json.ts';
import type { ConnectorPin } from '../ports/action-pool.ts';
import type { Deadlines, RetryPolicy } from '../run/attempt.ts';
import { DEFAULT_RETRY } from '../run/retry.ts';
import { DEFAULT_START_TO_CLOSE_MS } from '../steps/common.ts';
import type { CompiledDefinition, CompiledStep } from './compiled.ts';
import type { ActionTraits, Definition, Step } from './graph.ts';

const traitsOf = (definition: Definition, action: string): ActionTraits | undefined => definition.actions[action];

export const retryPolicy = (
  compiled: CompiledDefinition,
  step: CompiledStep,
  task: { action: string; retry?: Partial<RetryPolicy> },
): RetryPolicy => ({
  ...DEFAULT_RETRY,
  ...traitsOf(compiled.definition, task.action)?.retry,
  ...task.retry,
  ...step.retry,
});

export function deadlines(
  compiled: CompiledDefinition,
  step: CompiledStep,
  task: { action: string; deadlines?: Partial<Deadlines> },
): Deadlines {
  const traits = traitsOf(compiled.definition, task.action);
  return {
    startToCloseMs: traits?.timeoutMs ?? DEFAULT_START_TO_CLOSE_MS,
    ...(traits?.heartbeatMs !== undefined && { heartbeatMs: traits.heartbeatMs }),
    ...task.deadlines,
    ...step.deadlines,
  };
}

/** After an outcome that nobody knows: the step's word, else whether the action can be repeated without harm. */
export function onUnknown(
  compiled: CompiledDefinition,
  task: { action: string; onUnknown?: 'retry' | 'park' },
): 'retry' | 'park' {
  const traits = traitsOf(compiled.definition, task.action);
  return task.onUnknown ?? (traits && (traits.effect === 'read' || traits.idempotency !== 'none') ? 'retry' : 'park');
}

/** The connector that an action belongs to: all before its last dot. */
export const connectorOf = (action: string): string => action.slice(0, Math.max(0, action.lastIndexOf('.')));

/** What a further action of a step uses: the credential that it names, else the step's, if that is of the same connector. */
export function credentialOf(
  { action, credential }: Step,
  further: { readonly action: string; readonly credential?: Json | undefined },
): Json | undefined {
  if (further.credential !== undefined) return further.credential;
  return typeof action === 'string' && connectorOf(action) === connectorOf(further.action) ? credential : undefined;
}

export const pinOf = (definition: Definition, action: string): ConnectorPin | null =>
  definition.connectors.find(({ id }) => id === connectorOf(action)) ?? null;
