/** How a run comes to be: what it is, who agrees to it, and its first tick. */
import type { CompiledDefinition } from '../definition/compiled.ts';
import type { Refusal } from '../errors.ts';
import type { ChainId, DefinitionId, Instant, Json, JsonObject, RunId, Slug, TenantId } from '../json.ts';
import type { Origin } from '../plugin/hooks.ts';
import type { NodeAddress } from '../run/node.ts';
import {
  initialState,
  type Lineage,
  type Priority,
  type Report,
  type RunHeader,
  type RunState,
  viewOf,
} from '../run/run.ts';
import type { Write } from '../steps/command.ts';
import type { Registry } from './draft.ts';
import type { TickInputs } from './inputs.ts';
import type { Idempotency, TickPayload } from './payload.ts';
import { compute } from './tick.ts';

/** Where a run that another one has started stands to it. */
export interface Kinship {
  readonly chainId: ChainId;
  readonly slug: Slug;
  readonly node: NodeAddress | null;
  readonly report: Report;
}

export interface Birth {
  readonly id: RunId;
  readonly tenantId: TenantId;
  readonly definitionId: DefinitionId;
  readonly kind: string;
  readonly input: Json;
  readonly origin: Origin;
  readonly kinship: Kinship | null;
  readonly createdAt: Instant;
  readonly startAt: Instant | null;
  readonly priority: Priority;
  readonly traceparent: string | null;
  readonly subjectType: string | null;
  readonly subjectId: string | null;
  readonly externalDeploymentId: string | null;
  readonly idempotency: Idempotency | null;
  /** Its steps wait for a wakeup of its own. */
  readonly isHeldBack: boolean;
}

export interface FirstTick {
  readonly state: RunState;
  readonly payload: TickPayload;
}

/** The first tick of a run, or why a plugin does not want it. */
export function firstTick(
  birth: Birth,
  given: { readonly registry: Registry; readonly compiled: CompiledDefinition; readonly inputs: TickInputs },
): FirstTick | { readonly refuse: Refusal } {
  const { registry, compiled, inputs } = given;
  const header = headerOf(birth);
  const state = initialState(header);
  const admitted = admit(state, { birth, registry, compiled });
  if ('refuse' in admitted) return admitted;
  const { fields, attributes, rows } = admitted;
  // Seen by the first tick's expressions; its transition says the same, so that replay arrives here too.
  state.fields = fields;
  state.attributes = attributes;
  const { subjectType, subjectId, externalDeploymentId, idempotency, isHeldBack } = birth;
  const door = { subjectType, subjectId, externalDeploymentId, idempotency };
  const start = { header, fields, attributes, rows, isHeldBack, ...door };
  const payload = compute({ registry, compiled, state, inputs, now: header.createdAt, start });
  if (payload === null) throw new Error('A first tick always has something to write.');
  return { state, payload };
}

const headerOf = (birth: Birth): RunHeader => ({
  id: birth.id,
  chainId: birth.id as string,
  tenantId: birth.tenantId,
  definitionId: birth.definitionId,
  kind: birth.kind,
  input: birth.input,
  lineage: lineageOf(birth),
  priority: birth.priority,
  createdAt: birth.createdAt,
  startAt: birth.startAt,
  traceparent: birth.traceparent,
});

function lineageOf({ id, origin, kinship }: Birth): Lineage {
  if (origin.from === 'trigger') {
    const none = { parent: null, continuedFrom: null, resetFrom: null };
    return { rootRunId: id, journeyId: id, above: [], depth: 0, ...none };
  }
  const { run } = origin;
  const { rootRunId, journeyId, above, parent, depth } = run.lineage;
  switch (origin.from) {
    case 'reset':
      return { rootRunId: id, journeyId, above: [], parent: null, continuedFrom: null, resetFrom: run.id, depth: 0 };
    case 'continued':
      return { rootRunId, journeyId, above, parent, continuedFrom: run.id, resetFrom: null, depth };
    case 'child':
    case 'deferred': {
      if (kinship === null) throw new Error('A child has a parent.');
      const { chainId, slug, node, report } = kinship;
      return {
        rootRunId,
        journeyId,
        above: [...above, slug],
        parent: { runId: run.id, chainId, node, report },
        continuedFrom: null,
        resetFrom: null,
        depth: depth + 1,
      };
    }
  }
}

function admit(
  state: RunState,
  { birth, registry, compiled }: { birth: Birth; registry: Registry; compiled: CompiledDefinition },
): { fields: JsonObject; attributes: JsonObject; rows: Write[] } | { readonly refuse: Refusal } {
  const { origin } = birth;
  const { definition } = compiled;
  let fields: JsonObject = {};
  let attributes: JsonObject = {};
  const rows: Write[] = [];
  for (const { start } of registry.hooks) {
    const answer = start?.({ run: viewOf({ ...state, fields }), definition, origin });
    if (!answer) continue;
    if ('refuse' in answer) return answer;
    fields = { ...fields, ...answer.fields };
    attributes = { ...attributes, ...answer.attributes };
    rows.push(...(answer.rows ?? []));
  }
  return { fields, attributes, rows };
}
