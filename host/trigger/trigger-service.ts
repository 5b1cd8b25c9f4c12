import {
  type AnyField,
  type Definition,
  DuctorError,
  type Instant,
  isObject,
  type Json,
  type JsonObject,
  type Priority,
  type Problem,
  type RunId,
  type RunStarter,
  type RunStatus,
  type SchemaValidator,
  type Tell,
  type TenantId,
} from '@ductor/core';
import type { ResolvedDefinition } from './addresses.ts';
import type { Admission } from './admission.ts';
import { canonicalHash } from './canonical-json.ts';
import { awaitCheckpoint, type CheckpointAnswer, type CheckpointPorts, type CheckpointWait } from './checkpoint.ts';

/** A run is asked for; `address` is a version's or draft's id, or a family's slug. */
export interface TriggerRequest {
  readonly address: string;
  readonly input: Json;
  readonly subjectType: string | null;
  readonly subjectId: string | null;
  readonly idempotencyKey: string | null;
  readonly externalDeploymentId: string | null;
  readonly startAt: Instant | null;
  readonly priority: Priority;
  /** W3C trace context of what asks for it. */
  readonly traceparent: string | null;
  /** The plugins' words of a trigger, by name. */
  readonly fields: JsonObject;
  /** It is this installation's own, as a schedule's: no caller's release is asked for. */
  readonly isOwn?: true;
}

export interface TriggerAnswer {
  readonly runId: RunId;
  readonly existed: boolean;
  readonly status: RunStatus;
}

export interface TriggerPorts extends CheckpointPorts {
  readonly starter: RunStarter;
  readonly admission: Pick<Admission, 'admit'>;
  readonly addresses: { resolve(tenantId: TenantId, address: string): Promise<ResolvedDefinition | null> };
  readonly definitions: {
    versionId(tenantId: TenantId, which: { readonly slug: string; readonly version: number }): Promise<string | null>;
  };
  readonly byKey: (
    tenantId: TenantId,
    key: { scope: string; key: string },
  ) => Promise<{ runId: RunId; requestHash: string; status: RunStatus } | null>;
  readonly validator: SchemaValidator;
  readonly tell: Tell;
  /** Those of triggers. */
  readonly fields: readonly AnyField[];
}

/** The door through which every run comes that is not another run's. */
export class TriggerService {
  private readonly ports: TriggerPorts;

  constructor(ports: TriggerPorts) {
    this.ports = ports;
  }

  /**
   * Throws `DuctorError`: `not_found`, `failed_precondition`, `already_exists`, `invalid_argument`, `resource_exhausted`, a
   * hook's refusal.
   * `resolved`: what its address stands for, where that is known.
   */
  async start(
    tenantId: TenantId,
    request: TriggerRequest,
    resolved: ResolvedDefinition | null = null,
  ): Promise<TriggerAnswer> {
    const { tell } = this.ports;
    const { address, traceparent } = request;
    const trigger = { tenantId, address, traceparent };
    const span = tell('triggerBegan', trigger);
    try {
      const answer = await this.begin(tenantId, { ...request, traceparent: span ?? traceparent }, resolved);
      tell('triggerEnded', trigger, { runId: answer.runId });
      return answer;
    } catch (error) {
      tell('triggerEnded', trigger, { error });
      throw error;
    }
  }

  /** What the address stands for now, for many that have the same. Throws `not_found`. */
  async resolve(tenantId: TenantId, address: string): Promise<ResolvedDefinition> {
    const resolved = await this.ports.addresses.resolve(tenantId, address);
    if (!resolved) throw new DuctorError('not_found', `There is no workflow definition ${address}.`);
    return resolved;
  }

  private async begin(
    tenantId: TenantId,
    request: TriggerRequest,
    given: ResolvedDefinition | null,
  ): Promise<TriggerAnswer> {
    const { admission, starter } = this.ports;
    const resolved = given ?? (await this.resolve(tenantId, request.address));
    const idempotency =
      request.idempotencyKey === null
        ? null
        : { key: request.idempotencyKey, scope: resolved.scope, requestHash: canonicalHash(canonical(request)) };
    // A known key is answered whatever has become of the definition since.
    const known = idempotency && (await this.known(tenantId, idempotency));
    if (known) return known;
    const definition = runnable(request.address, resolved);
    this.check(definition, request);
    const { input, startAt, subjectType, subjectId, externalDeploymentId, priority, traceparent, fields } = request;
    const start = () =>
      starter.start({
        tenantId,
        definitionId: definition.id,
        kind: 'workflow',
        input,
        origin: { from: 'trigger', fields },
        startAt,
        subjectType,
        subjectId,
        externalDeploymentId,
        priority,
        idempotency,
        traceparent,
      });
    const { runId, existed, status } = await admission.admit(tenantId, request, start).catch(async (error: unknown) => {
      // The run of the same key may have come in meanwhile, and taken the last place.
      const winner = idempotency && (await this.known(tenantId, idempotency));
      if (winner) return winner;
      throw error;
    });
    return { runId, existed, status: status ?? (await this.ports.standing(runId)).status };
  }

  /** As plugins start runs: by slug, and always under a key. */
  async startBySlug(
    tenantId: TenantId,
    {
      workflow,
      input,
      idempotencyKey,
      priority = 'normal',
      fields,
    }: {
      readonly workflow: { readonly slug: string; readonly version: number | 'latest' };
      readonly input: Json;
      readonly idempotencyKey: string;
      readonly priority?: Priority;
      readonly fields: JsonObject;
    },
  ): Promise<TriggerAnswer> {
    const address =
      workflow.version === 'latest'
        ? workflow.slug
        : await this.ports.definitions.versionId(tenantId, { ...workflow, version: workflow.version });
    if (address === null)
      throw new DuctorError('not_found', `There is no version ${workflow.version} of ${workflow.slug}.`);
    const plain = {
      subjectType: null,
      subjectId: null,
      externalDeploymentId: null,
      startAt: null,
      priority,
      traceparent: null,
      isOwn: true,
    } as const;
    return this.start(tenantId, { ...plain, address, input, idempotencyKey, fields });
  }

  /** The names of the plugins' words of a trigger, as far as callers may give them. */
  get words(): readonly string[] {
    return this.ports.fields.filter(({ isInternal }) => !isInternal).map(({ name }) => name);
  }

  /** Waits for a checkpoint of a run that was started. */
  awaitCheckpoint(wait: CheckpointWait): Promise<CheckpointAnswer> {
    return awaitCheckpoint(this.ports, wait);
  }

  private async known(
    tenantId: TenantId,
    { key, scope, requestHash }: { key: string; scope: string; requestHash: string },
  ): Promise<TriggerAnswer | null> {
    const found = await this.ports.byKey(tenantId, { scope, key });
    if (!found) return null;
    if (found.requestHash !== requestHash) {
      throw new DuctorError('already_exists', 'The idempotency key belongs to a different request.', {
        run_id: found.runId,
      });
    }
    return { runId: found.runId, existed: true, status: found.status };
  }

  private check({ settings }: Definition, { input, fields }: TriggerRequest): void {
    const { validator } = this.ports;
    const schema = settings.input_schema;
    const problems: Problem[] = isObject(schema)
      ? [...validator.validate({ schema, value: input, path: 'input' })]
      : [];
    for (const field of this.ports.fields) {
      const value = fields[field.name];
      if (value === undefined) continue;
      const found = validator.validate({ schema: field.schema, value, path: field.name });
      problems.push(...found);
      if (found.length === 0)
        problems.push(...(field.check?.(value, null) ?? []).map((problem) => below(field.name, problem)));
    }
    if (problems.length === 0) return;
    const what = problems.length === 1 ? 'a problem' : `${problems.length} problems`;
    throw new DuctorError(
      'invalid_argument',
      `The trigger has ${what}; no run was started.`,
      problems as unknown as Json,
    );
  }
}

const below = (name: string, problem: Problem): Problem => {
  const separator = problem.path === '' || problem.path.startsWith('[') ? '' : '.';
  return { ...problem, path: `${name}${separator}${problem.path}` };
};

function runnable(address: string, { definition, archived }: ResolvedDefinition): Definition {
  if (archived)
    throw new DuctorError(
      'failed_precondition',
      `${address} is archived and takes no new runs: publish a new version.`,
    );
  if (definition) return definition;
  throw new DuctorError('failed_precondition', `${address} has no published version: publish it first.`);
}

/** What makes a request the same: everything but how long its caller waits, and in which trace it is sent again. */
const canonical = ({
  address: _,
  idempotencyKey: __,
  traceparent: ___,
  isOwn: ____,
  ...request
}: TriggerRequest): Json => ({
  ...request,
});
