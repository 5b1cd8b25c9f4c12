import { join } from 'node:path';
import type { ActionLog, AttemptOutcome, ConnectorPin, Json } from '@ductor/core';
import { createSchemaValidator } from '#host/json-schema/schema-validator.js';
import {
  type ConnectorCatalogue,
  ConnectorPools,
  type ConnectorPoolsOptions,
  type InstalledConnector,
  type ResolvedCredential,
} from '#host/pool/connector-pools.js';
import { readConnectorManifest } from '#host/pool/manifest.js';

const LOOPBACK = ['127.0.0.0/8', '::1/128'];
const ROOT = join(import.meta.dirname, '..', '..', '..', '..');
const FOLDERS = {
  http: 'connectors/http',
  good: 'test/fixtures/connectors/good',
  hostile: 'test/fixtures/connectors/hostile',
  broken: 'test/fixtures/connectors/broken',
} as const;

export type Name = keyof typeof FOLDERS;
export const folderOf = (name: Name): string => join(ROOT, FOLDERS[name]);
export const pinOf = (name: Name): ConnectorPin => ({ id: name, package: name, version: '1.0.0', integrity: null });

export interface HarnessOptions extends Partial<Omit<ConnectorPoolsOptions, 'catalogue' | 'credentials' | 'schemas'>> {
  readonly concurrency?: number;
  readonly credentials?: { readonly [name: string]: ResolvedCredential };
  readonly trusted?: boolean;
  readonly revoked?: boolean;
}

export interface RunOptions {
  readonly connector: Name;
  readonly action: string;
  readonly args?: Json;
  readonly credential?: string;
  readonly tenantId?: string;
  /** Kept here as the step worker keeps it: counted from the start, then an abort. */
  readonly timeoutMs?: number;
  readonly graceMs?: number;
  readonly traceparent?: string;
  readonly abort?: AbortController;
  readonly onStarted?: () => void;
  readonly onHeartbeat?: (progress: Json) => void;
  readonly onLog?: (line: ActionLog) => void;
}

export interface Harness {
  readonly pools: ConnectorPools;
  run(options: RunOptions): Promise<AttemptOutcome>;
}

export const openHarness = async ({
  concurrency,
  credentials = {},
  trusted = true,
  revoked = false,
  ...options
}: HarnessOptions = {}): Promise<Harness> => {
  const schemas = createSchemaValidator();
  const installed = new Map<string, InstalledConnector>();
  for (const name of Object.keys(FOLDERS) as Name[]) {
    const manifest = await readConnectorManifest(folderOf(name), schemas);
    const resources = concurrency === undefined ? manifest.resources : { ...manifest.resources, concurrency };
    installed.set(name, { dir: folderOf(name), manifest: { ...manifest, resources }, trusted, revoked });
  }
  const catalogue: ConnectorCatalogue = { find: (pin) => installed.get(pin.package) ?? null };
  const pools = new ConnectorPools({
    schemas,
    privateNetworks: LOOPBACK,
    log: { warn: () => {} },
    confined: true,
    ...options,
    catalogue,
    credentials: async ({ name }) => credentials[name] ?? null,
  });
  let attempts = 0;

  const run = async (one: RunOptions): Promise<AttemptOutcome> => {
    const abort = one.abort ?? new AbortController();
    let timer: NodeJS.Timeout | undefined;
    attempts += 1;
    const outcome = await pools.run(
      {
        runId: 'run',
        tenantId: one.tenantId ?? 'default',
        ref: 'step',
        branch: [],
        attempt: { id: `attempt-${attempts}`, token: 'token', number: 1 },
        task: {
          action: `${one.connector}.${one.action}`,
          args: one.args ?? {},
          idempotencyKey: 'chain/step/1',
          ...(one.credential === undefined ? {} : { credential: one.credential }),
        },
        deadlines: { startToCloseMs: one.timeoutMs ?? 60_000 },
        connector: pinOf(one.connector),
        traceparent: null,
      },
      {
        abort: abort.signal,
        graceMs: one.graceMs ?? 2000,
        traceparent: one.traceparent ?? null,
        started: () => {
          if (one.timeoutMs !== undefined) timer = setTimeout(() => abort.abort(), one.timeoutMs);
          one.onStarted?.();
        },
        heartbeat: (progress) => one.onHeartbeat?.(progress),
        log: (line) => one.onLog?.(line),
      },
    );
    clearTimeout(timer);
    return outcome;
  };
  return { pools, run };
};

/** Resolves when the condition holds; fails after ten seconds. */
export const until = async (condition: () => boolean): Promise<void> => {
  const end = performance.now() + 10_000;
  while (!condition()) {
    if (performance.now() > end) throw new Error(`waited in vain for ${condition}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
};
