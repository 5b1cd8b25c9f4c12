import type {
  ActionControl,
  ActionPool,
  AttemptFailure,
  AttemptOutcome,
  ConnectorPin,
  Dispatch,
  JsonObject,
  PoolState,
  SchemaValidator,
  Task,
  TenantId,
} from '@ductor/core';
import { DEFAULT_LIMITS, type PoolLimits } from './limits.ts';
import { type ConnectorManifest, type ManifestAction, needsCredential } from './manifest.ts';
import { secretsOf } from './secrets.ts';
import { type PoolLog, ThreadPool } from './thread-pool.ts';

/** A package version as it lies on this host. */
export interface InstalledConnector {
  readonly dir: string;
  readonly manifest: ConnectorManifest;
  /** Ours, or one that the operator vouches for: it may run in a thread whatever it asks for. */
  readonly trusted: boolean;
  readonly revoked: boolean;
}

export interface ConnectorCatalogue {
  find(pin: ConnectorPin): InstalledConnector | null;
}

export interface ResolvedCredential {
  readonly values: JsonObject;
  readonly secretFields: readonly string[];
  /** The tenant's settings for the connector, kept beside the credential. */
  readonly config?: JsonObject;
}

/** The credential that a task names, and what its action takes. */
export interface WantedCredential {
  readonly tenantId: TenantId;
  readonly name: string;
  /** The connector's id. */
  readonly connector: string;
  /** Ids of the kinds that the action accepts. */
  readonly auth: readonly string[];
}

export interface ConnectorPoolsOptions {
  readonly catalogue: ConnectorCatalogue;
  /** `null`: there is none of that name. */
  readonly credentials: (wanted: WantedCredential) => Promise<ResolvedCredential | AttemptFailure | null>;
  readonly limits?: Partial<PoolLimits>;
  /** Checks arguments before a thread sees them. */
  readonly schemas: SchemaValidator;
  /** CIDR ranges that connectors may reach beyond the public internet; in development `127.0.0.0/8` and `::1/128`. */
  readonly privateNetworks: readonly string[];
  readonly log: PoolLog;
  /** What the canary found: whether permission flags hold in a thread here. Without them only trusted packages run. */
  readonly confined: boolean;
}

interface ServedAction {
  readonly action: ManifestAction;
  readonly needsCredential: boolean;
}

interface Served {
  readonly manifest: ConnectorManifest;
  readonly pool: ThreadPool;
  readonly actions: ReadonlyMap<string, ServedAction>;
}

/** Runs connector actions: one thread pool for each package version in use. */
export class ConnectorPools implements ActionPool {
  readonly #options: ConnectorPoolsOptions;
  readonly #served = new Map<string, Served>();
  #closing = false;

  constructor(options: ConnectorPoolsOptions) {
    this.#options = options;
  }

  async run(dispatch: Dispatch, control: ActionControl): Promise<AttemptOutcome> {
    try {
      return await this.#run(dispatch, control);
    } catch (error) {
      const message = `the pool failed: ${String(error)}`;
      return { status: 'failed', error: { code: 'internal', party: 'engine', message, retryable: true } };
    }
  }

  available(pin: ConnectorPin): ReturnType<ActionPool['available']> {
    const installed = this.#options.catalogue.find(pin);
    const where = { package: pin.package, version: pin.version };
    if (installed === null) return { ok: false, reason: 'connector_missing', details: where };
    if (installed.revoked) return { ok: false, reason: 'connector_revoked', details: where };
    const unfit = this.#unfitForThread(installed);
    return unfit === null ? { ok: true } : { ok: false, reason: 'connector_missing', details: { ...where, unfit } };
  }

  state(): readonly PoolState[] {
    return [...this.#served.values()].map(({ manifest, pool }) => ({
      package: manifest.package,
      version: manifest.version,
      ...pool.state(),
    }));
  }

  async close(): Promise<void> {
    this.#closing = true;
    await Promise.all([...this.#served.values()].map(({ pool }) => pool.close()));
    this.#served.clear();
  }

  async #run(dispatch: Dispatch, control: ActionControl): Promise<AttemptOutcome> {
    if (this.#closing) return { status: 'lost' };
    const { connector: pin, tenantId, task, attempt } = dispatch;
    if (pin === null) throw new Error(`${task.action} is the engine's own`);
    const known = this.#actionOf(pin, task);
    if ('code' in known) return { status: 'failed', error: known };
    const { credential: name } = task;
    if (name === undefined && known.needsCredential) {
      const message = `the step names no credential; its action needs one of kind ${known.action.auth.join(' or ')}`;
      return { status: 'failed', error: { code: 'credential_missing', party: 'user', message, retryable: false } };
    }
    const wanted = { tenantId, connector: pin.id, auth: known.action.auth };
    const credential = name === undefined ? null : await this.#options.credentials({ ...wanted, name });
    // It was there when this attempt was opened: given back untouched, so that the run waits for it.
    if (name !== undefined && credential === null) return { status: 'lost', neverStarted: true };
    if (credential !== null && 'code' in credential) return { status: 'failed', error: credential };
    return this.#serve(pin).pool.run({
      tenantId,
      control,
      call: {
        action: known.action.name,
        args: task.args,
        auth: credential?.values ?? null,
        secrets: credential === null ? [] : secretsOf(credential.values, credential.secretFields),
        config: credential?.config ?? {},
        idempotencyKey: task.idempotencyKey,
        attempt: attempt.number,
        traceparent: control.traceparent,
      },
    });
  }

  /** The action that a task names, its arguments checked; or why it cannot run. */
  #actionOf(pin: ConnectorPin, task: Task): ServedAction | AttemptFailure {
    const available = this.available(pin);
    if (!available.ok) {
      const { reason: code, details } = available;
      const message = `${pin.package}@${pin.version} cannot run here`;
      return { code, party: 'operator', message, retryable: true, details };
    }
    const name = task.action.slice(task.action.lastIndexOf('.') + 1);
    const known = this.#serve(pin).actions.get(name);
    if (known === undefined) {
      const message = `${pin.id} has no action ${name}`;
      return { code: 'action_missing', party: 'user', message, retryable: false };
    }
    const { schemas } = this.#options;
    const [problem] = schemas.validate({ schema: known.action.input, value: task.args, path: 'args' });
    if (problem === undefined) return known;
    const { path, message } = problem;
    return {
      code: 'invalid_input',
      party: 'user',
      message: `${path}: ${message}`,
      retryable: false,
      details: { path },
    };
  }

  #serve(pin: ConnectorPin): Served {
    const key = `${pin.package}@${pin.version}`;
    const known = this.#served.get(key);
    if (known !== undefined) return known;
    const installed = this.#options.catalogue.find(pin);
    if (installed === null) throw new Error(`${key} is gone`);
    const { dir, manifest } = installed;
    const { privateNetworks, log, limits } = this.#options;
    const pool = new ThreadPool({
      dir,
      manifest,
      privateNetworks,
      log,
      limits: { ...DEFAULT_LIMITS, ...limits },
      onIdle: () => {
        this.#served.delete(key);
        void pool.close();
      },
    });
    const served = { manifest, pool, actions: servedActions(manifest) };
    this.#served.set(key, served);
    return served;
  }

  /** Why a package needs more of a wall than a thread is; `null` if it does not. */
  #unfitForThread({ manifest, trusted }: InstalledConnector): string | null {
    if (manifest.isolation.minimum === 'process') return 'its manifest asks for a process of its own';
    if (trusted) return null;
    if (!this.#options.confined) return 'threads cannot be confined here';
    if (manifest.permissions.native || manifest.permissions.childProcess) {
      return 'native code and child processes break a thread’s confinement';
    }
    return null;
  }
}

const servedActions = (manifest: ConnectorManifest): ReadonlyMap<string, ServedAction> =>
  new Map(
    manifest.actions.map((action) => [action.name, { action, needsCredential: needsCredential(manifest, action) }]),
  );
