import { type Clock, DuctorError, type Instant, type TenantId } from '@ductor/core';
import type { RunUsage } from '../postgres/entitlements.ts';
import type { Entitlements } from '../tenants/entitlements.ts';
import type { TenantPolicies } from '../tenants/tenant-policies.ts';
import type { TriggerRequest } from './trigger-service.ts';

export interface AdmissionPorts {
  readonly policies: Pick<TenantPolicies, 'of'>;
  readonly clock: Pick<Clock, 'now'>;
  /** `null`: none was declared. */
  readonly liveDeployment: (tenantId: TenantId) => Promise<string | null>;
  readonly usage: (
    tenantId: TenantId,
    about: { readonly limits: Entitlements; readonly since: Instant },
  ) => Promise<RunUsage>;
}

const MINUTE_MS = 60_000;
/** Nobody knows when a run ends. */
const OPEN_RUNS_RETRY_SECONDS = 5;

/** Runs of one tenant that were let in and may not be in the database yet, and whoever asks just now. */
interface Door {
  readonly entering: Set<Promise<unknown>>;
  turn: Promise<unknown>;
  asking: number;
}

/**
 * What a tenant's release policy and entitlements say of a new run. A tenant without them costs no query. A limit holds
 * exactly among the triggers of one host; those of several hosts that come in the same moment may exceed it by as many.
 */
export class Admission {
  readonly #ports: AdmissionPorts;
  readonly #doors = new Map<TenantId, Door>();

  constructor(ports: AdmissionPorts) {
    this.#ports = ports;
  }

  /** Starts the run, or throws `failed_precondition` (the release) or `resource_exhausted` (a limit), naming it. */
  async admit<T>(
    tenantId: TenantId,
    { externalDeploymentId, isOwn }: Pick<TriggerRequest, 'externalDeploymentId' | 'isOwn'>,
    start: () => Promise<T>,
  ): Promise<T> {
    const { release_policy, entitlements } = await this.#ports.policies.of(tenantId);
    if (release_policy === 'required' && !isOwn) {
      requireLive(await this.#ports.liveDeployment(tenantId), externalDeploymentId);
    }
    if (entitlements.max_open_runs === null && entitlements.runs_per_minute === null) return start();
    return this.#withinLimits(tenantId, entitlements, start);
  }

  /** One after another asks whether there is room; the runs themselves start side by side. */
  async #withinLimits<T>(tenantId: TenantId, limits: Entitlements, start: () => Promise<T>): Promise<T> {
    const door = this.#doors.get(tenantId) ?? { entering: new Set(), turn: Promise.resolve(), asking: 0 };
    this.#doors.set(tenantId, door);
    door.asking++;
    const turn = door.turn.then(async () => {
      await this.#requireRoom(tenantId, limits, door.entering);
      const run = start();
      door.entering.add(run);
      return { run };
    });
    door.turn = turn.catch(() => undefined);
    try {
      const { run } = await turn;
      return await run.finally(() => door.entering.delete(run));
    } finally {
      if (--door.asking === 0) this.#doors.delete(tenantId);
    }
  }

  /** Runs that are entering may be counted already or not: where that matters, it waits until they are. */
  async #requireRoom(tenantId: TenantId, limits: Entitlements, entering: ReadonlySet<Promise<unknown>>): Promise<void> {
    const { max_open_runs, runs_per_minute } = limits;
    for (;;) {
      const before = [...entering];
      const now = Date.parse(this.#ports.clock.now());
      const since = new Date(now - MINUTE_MS).toISOString();
      const { open, recent, oldestAt } = await this.#ports.usage(tenantId, { limits, since });
      requireBelow('max_open_runs', { used: open, limit: max_open_runs, retrySeconds: OPEN_RUNS_RETRY_SECONDS });
      const leavesAt = (oldestAt === null ? now : Date.parse(oldestAt)) + MINUTE_MS;
      const retrySeconds = Math.max(1, Math.ceil((leavesAt - now) / 1000));
      requireBelow('runs_per_minute', { used: recent, limit: runs_per_minute, retrySeconds });
      const room = Math.min((max_open_runs ?? Infinity) - open, (runs_per_minute ?? Infinity) - recent);
      if (before.length < room) return;
      await Promise.allSettled(before);
    }
  }
}

function requireLive(live: string | null, asked: string | null): void {
  if (live !== null && asked === live) return;
  const message =
    live === null
      ? 'The tenant starts runs of its live release only, and none was declared.'
      : `The tenant starts runs of its live release only: external_deployment_id must be ${live}.`;
  throw new DuctorError('failed_precondition', message, [
    {
      path: 'external_deployment_id',
      code: 'not_the_live_release',
      message,
      ...(live !== null && { allowed: [live] }),
    },
  ]);
}

function requireBelow(
  name: 'max_open_runs' | 'runs_per_minute',
  {
    used,
    limit,
    retrySeconds,
  }: { readonly used: number; readonly limit: number | null; readonly retrySeconds: number },
): void {
  if (limit === null || used < limit) return;
  const message = `The tenant's ${name} is ${limit}.`;
  throw new DuctorError('resource_exhausted', message, [{ path: '', code: name, message, limit }], retrySeconds);
}
