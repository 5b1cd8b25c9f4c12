import { DuctorError } from '../errors.ts';
import type { DefinitionId, Instant, Json, JsonObject, RunId, TenantId } from '../json.ts';
import type { Origin } from '../plugin/hooks.ts';
import type { Lineage, RunHeader, RunState, RunStatus } from '../run/run.ts';
import { initialState, viewOf } from '../run/run.ts';
import type { Write } from '../steps/command.ts';
import type { Coordinator } from './coordinator.ts';
import type { CoordinatorPorts, Prepared } from './coordinator-ports.ts';
import { NO_INPUTS } from './inputs.ts';
import type { Idempotency, RunStart, TickPayload } from './payload.ts';
import { compute } from './tick.ts';

/** What the door has checked: input and fields fit their schemas, and the definition is the tenant's own. */
export interface StartRequest {
  readonly tenantId: TenantId;
  readonly definitionId: DefinitionId;
  readonly kind: string;
  readonly input: Json;
  readonly origin: Origin;
  readonly startAt: Instant | null;
  readonly subjectType: string | null;
  readonly subjectId: string | null;
  readonly externalDeploymentId: string | null;
  readonly priority: RunStart['priority'];
  readonly idempotency: Idempotency | null;
}

export interface Started {
  readonly runId: RunId;
  /** `existed`: the run that holds the key; its status is not looked up. */
  readonly existed: boolean;
  readonly status: RunStatus | null;
}

const TRIES = 3;

/** Inserts runs, each with its first tick, in one statement. */
export class RunStarter {
  private readonly ports: CoordinatorPorts;
  private readonly coordinator: Coordinator;

  constructor(ports: CoordinatorPorts, coordinator: Coordinator) {
    this.ports = ports;
    this.coordinator = coordinator;
  }

  /** Throws `DuctorError`: a hook's refusal, `already_exists` for a key with another request, `unavailable`. */
  async start(request: StartRequest): Promise<Started> {
    const prepared = await this.ports.prepare(request.definitionId);
    if (!prepared.ok) {
      const what = prepared.missingStepTypes.join(', ');
      throw new DuctorError('failed_precondition', `No plugin that is on here has ${what}.`);
    }
    for (let attempt = 1; ; attempt++) {
      const { state, payload } = this.firstTick(request, prepared);
      const result = await this.coordinator.commits.commit(payload);
      if (result.result === 'committed') {
        this.coordinator.adopt({ state, payload, compiled: prepared.compiled, bytes: result.bytes });
        return { runId: payload.runId, existed: false, status: state.status };
      }
      if (result.result === 'existed') return existing(result, request);
      if (result.result === 'refused')
        throw new DuctorError('invalid_argument', 'The run cannot be stored.', result.failure.details);
      if (attempt === TRIES)
        throw new DuctorError('unavailable', 'The run could not be stored just now.', undefined, 1);
    }
  }

  private firstTick(
    request: StartRequest,
    prepared: Extract<Prepared, { ok: true }>,
  ): { state: RunState; payload: TickPayload } {
    const header = this.headerOf(request);
    const state = initialState(header);
    const { fields, attributes, rows } = this.admit(request, state, prepared);
    // Seen by the first tick's expressions; its transition says the same, so that replay arrives here too.
    state.fields = fields;
    state.attributes = attributes;
    const { subjectType, subjectId, externalDeploymentId, priority, idempotency } = request;
    const start: RunStart = {
      header,
      fields,
      attributes,
      rows,
      subjectType,
      subjectId,
      externalDeploymentId,
      priority,
      idempotency,
    };
    const { compiled } = prepared;
    const payload = compute({
      registry: this.ports.registry,
      compiled,
      state,
      inputs: NO_INPUTS,
      now: header.createdAt,
      start,
    });
    if (payload === null) throw new Error('A first tick always has something to write.');
    return { state, payload };
  }

  private headerOf({ tenantId, definitionId, kind, input, origin, startAt }: StartRequest): RunHeader {
    const id = this.ports.ids.uuidv7();
    return {
      id,
      chainId: id,
      tenantId,
      definitionId,
      kind,
      input,
      lineage: lineageOf(id, origin),
      createdAt: this.ports.clock.now(),
      startAt,
    };
  }

  private admit(request: StartRequest, state: RunState, { compiled }: Extract<Prepared, { ok: true }>) {
    let fields: JsonObject = {};
    let attributes: JsonObject = {};
    const rows: Write[] = [];
    for (const { start } of this.ports.registry.hooks) {
      const answer = start?.({
        run: viewOf({ ...state, fields }),
        definition: compiled.definition,
        origin: request.origin,
      });
      if (!answer) continue;
      if ('refuse' in answer) throw new DuctorError(answer.refuse.code, answer.refuse.message, answer.refuse.details);
      fields = { ...fields, ...answer.fields };
      attributes = { ...attributes, ...answer.attributes };
      rows.push(...(answer.rows ?? []));
    }
    return { fields, attributes, rows };
  }
}

function lineageOf(id: RunId, origin: Origin): Lineage {
  if (origin.from === 'trigger') {
    return { rootRunId: id, journeyId: id, parent: null, continuedFrom: null, resetFrom: null, depth: 0 };
  }
  const { run } = origin;
  const isFork = origin.from === 'reset';
  return {
    rootRunId: isFork ? id : run.lineage.rootRunId,
    journeyId: run.lineage.journeyId,
    parent: origin.from === 'continued' ? run.lineage.parent : isFork ? null : { runId: run.id, node: null },
    continuedFrom: origin.from === 'continued' ? run.id : null,
    resetFrom: isFork ? run.id : null,
    depth: origin.from === 'child' ? run.lineage.depth + 1 : run.lineage.depth,
  };
}

function existing(
  { runId, requestHash }: { runId: RunId; requestHash: string },
  { idempotency }: StartRequest,
): Started {
  if (requestHash === idempotency?.requestHash) return { runId, existed: true, status: null };
  throw new DuctorError('already_exists', `The idempotency key belongs to a different request.`, { run_id: runId });
}
