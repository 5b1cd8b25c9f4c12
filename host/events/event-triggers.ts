import {
  type AnyField,
  compileExpression,
  compileTemplate,
  DuctorError,
  ExpressionError,
  evaluateExpression,
  evaluateTemplate,
  isObject,
  type Json,
  type JsonObject,
  type RunId,
  type TenantId,
} from '@ductor/core';
import type { EventRow, Match } from '../postgres/events/rows.ts';
import type { EventTrigger, TriggerRow } from '../postgres/events/triggers.ts';
import type { TriggerService } from '../trigger/trigger-service.ts';
import { eventVariable } from './choose.ts';

/** Starts a run of a family's latest version, once for each key. */
export type StartByEvent = (
  tenantId: TenantId,
  run: {
    readonly workflow: { readonly slug: string; readonly version: 'latest' };
    readonly input: Json;
    readonly idempotencyKey: string;
    /** What the trigger says beside the engine's own words, by the names that its author uses. */
    readonly words: JsonObject;
  },
) => Promise<{ readonly runId: RunId }>;

/** `fields`: plugins' words of a trigger, as callers name them. */
export const startByEvent =
  (triggers: Pick<TriggerService, 'startBySlug'>, fields: readonly AnyField[]): StartByEvent =>
  (tenantId, { words, ...run }) => {
    const named = fields.flatMap(({ name, nameInTriggers = name }) => {
      const value = words[nameInTriggers];
      return value === undefined ? [] : [[name, value] as const];
    });
    return triggers.startBySlug(tenantId, { ...run, fields: Object.fromEntries(named) });
  };

const LONGEST_KEY = 256;

/**
 * Starts what the triggers of an event ask for: again and again the same runs, by their keys. Answers with what came of
 * each that it is for; a trigger that cannot keeps none of the others. Rejects only if the database is away.
 */
export async function startByTriggers(
  event: EventRow,
  triggers: readonly TriggerRow[],
  start: StartByEvent,
): Promise<readonly Match[]> {
  const matches: Match[] = [];
  const variables = { event: eventVariable(event) };
  for (const { family_slug: slug, trigger } of triggers) {
    try {
      if (!isFor(trigger, variables)) continue;
      const run = { workflow: { slug, version: 'latest' }, ...runOf(trigger, event, variables) } as const;
      const { runId } = await start(event.tenant_id, run);
      matches.push({ trigger: slug, run_id: runId });
    } catch (error) {
      matches.push({ trigger: slug, ...came(error) });
    }
  }
  return matches;
}

type Variables = { readonly event: Json };

function isFor({ condition }: EventTrigger, variables: Variables): boolean {
  if (condition === undefined) return true;
  const value = evaluateExpression(compileExpression(condition), variables);
  if (typeof value === 'boolean') return value;
  throw new DuctorError('invalid_argument', 'condition yields no boolean.');
}

function runOf(trigger: EventTrigger, { event_name, event_id }: EventRow, variables: Variables) {
  const { event_name: _, condition: __, input = {}, idempotency_key: key, ...others } = trigger;
  const words = evaluateTemplate(compileTemplate(others as JsonObject), variables);
  return {
    input: evaluateTemplate(compileTemplate(input), variables),
    // An event_id is one of its name's.
    idempotencyKey: key === undefined ? `${event_name}/${event_id}` : keyOf(key, variables),
    words: isObject(words) ? words : {},
  };
}

function keyOf(source: string, variables: Variables): string {
  const key = evaluateExpression(compileExpression(source), variables);
  if (typeof key === 'string' && key !== '' && key.length <= LONGEST_KEY) return key;
  throw new DuctorError('invalid_argument', `idempotency_key yields no text of 1 to ${LONGEST_KEY} characters.`);
}

/** A key that is taken stands for a run that is there. */
function came(error: unknown): Omit<Match, 'trigger'> {
  if (error instanceof ExpressionError) return { error: { code: 'expression_error', message: error.message } };
  if (!(error instanceof DuctorError) || error.code === 'unavailable' || error.code === 'internal') throw error;
  const { code, message, details } = error;
  if (code === 'already_exists' && isObject(details) && typeof details.run_id === 'string')
    return { run_id: details.run_id };
  return { error: { code, message } };
}
