import { DuctorError } from '../errors.ts';
import type { RunId } from '../json.ts';
import type { RunStatus } from '../run/run.ts';
import { companyOf } from './companions.ts';
import type { Coordinator } from './coordinator.ts';
import type { CoordinatorPorts } from './coordinator-ports.ts';
import { missingCredentials } from './credentials.ts';
import { type Birth, firstTick, type Kinship } from './first-tick.ts';
import { NO_INPUTS } from './inputs.ts';
import { refusedFor } from './missing.ts';

/** What the door has checked: input and fields fit their schemas, and the definition is the tenant's own. */
export type StartRequest = Omit<Birth, 'id' | 'createdAt' | 'kinship' | 'isHeldBack'> & {
  /** Of a run that follows another one. */
  readonly kinship?: Kinship;
};

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
    if (!prepared.ok) throw refusedFor(prepared);
    const { registry, ids, clock } = this.ports;
    const { compiled } = prepared;
    for (let attempt = 1; ; attempt++) {
      const missing = await missingCredentials(this.ports, request.tenantId, compiled);
      const first = firstTick(
        { kinship: null, ...request, id: ids.uuidv7(), createdAt: clock.now(), isHeldBack: false },
        { registry, compiled, inputs: { ...NO_INPUTS, missingCredentials: missing } },
      );
      if ('refuse' in first) throw new DuctorError(first.refuse.code, first.refuse.message, first.refuse.details);
      const { state, payload } = first;
      const company = await companyOf(this.ports, payload, { state, definition: compiled.definition });
      const result = await this.coordinator.commits.commit(payload, company);
      if (result.result === 'committed') {
        this.coordinator.adopt({ state, payload, company, compiled, bytes: result.bytes });
        return { runId: payload.runId, existed: false, status: state.status };
      }
      if (result.result === 'existed') return existing(result, request);
      if (result.result === 'refused')
        throw new DuctorError('invalid_argument', 'The run cannot be stored.', result.failure.details);
      if (attempt === TRIES)
        throw new DuctorError('unavailable', 'The run could not be stored just now.', undefined, 1);
    }
  }
}

function existing(
  { runId, requestHash }: { runId: RunId; requestHash: string },
  { idempotency }: StartRequest,
): Started {
  if (requestHash === idempotency?.requestHash) return { runId, existed: true, status: null };
  throw new DuctorError('already_exists', `The idempotency key belongs to a different request.`, { run_id: runId });
}
