import { resolvePlan } from '../definition/config.ts';
import type { AttemptId, JsonObject } from '../json.ts';
import type { AttemptOutcome } from '../run/attempt.ts';
import { type NodeAddress, nodeKey } from '../run/node.ts';
import { isFinal } from '../run/run.ts';
import type { Cause } from '../run/transition.ts';
import { perform } from './commands.ts';
import type { Draft } from './draft.ts';
import { placeOf, variablesAt } from './variables.ts';

/** What plugins are told of an execution that is over. */
export interface Execution {
  readonly at: NodeAddress;
  readonly generation: number;
  readonly outcome: AttemptOutcome;
  readonly keptBy?: AttemptId | null;
  readonly isUnknown?: boolean;
}

export function tellSettled(draft: Draft, execution: Execution, cause: Cause): void {
  const { registry, state, compiled } = draft.given;
  if (!registry.hooks.some(({ settle }) => settle)) return;
  const { at, generation, outcome, keptBy = null, isUnknown = false } = execution;
  // Of one heard of after its branch, or in a later generation, nobody knows any more what it saw there.
  const isThere = draft.node(nodeKey(at))?.generation === generation;
  const { step, fields } = draft.step(at.ref);
  const ended = isFinal(state.status) && isFinal(draft.status) ? state.ending : null;
  const moment = {
    run: draft.view(),
    at,
    generation,
    executionKey: draft.executionKey(at, generation),
    step,
    definition: compiled.definition,
    outcome,
    keptBy,
    isUnknown,
    ended,
    number: state.ends + (ended ? 0 : 1),
    now: draft.now,
    version: state.version + 1,
    ordinal: draft.settled++,
    fields: (resolvePlan(fields, variablesAt(draft, isThere ? placeOf(draft, at) : undefined)) ?? {}) as JsonObject,
  };
  for (const { settle } of registry.hooks) if (settle) perform(draft, settle(moment), { cause });
}
