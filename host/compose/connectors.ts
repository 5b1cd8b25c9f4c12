/** Credentials and the pools that use them. */
import { Credentials } from '../credentials/credentials.ts';
import { CredentialResolver } from '../credentials/resolver.ts';
import { randomIds } from '../engine/random-ids.ts';
import { componentLog } from '../log.ts';
import { ConnectorPools } from '../pool/connector-pools.ts';
import { findCredential } from '../postgres/credentials.ts';
import { CONFIG, CONNECTORS, DATABASE, ENGINE, type Get, HOST, KEY_RING, LOG, RESOLVER, VALIDATOR } from './tokens.ts';

export function resolver(get: Get): CredentialResolver {
  const { knex } = get(DATABASE);
  return new CredentialResolver({
    find: (tenantId, name) => findCredential(knex, tenantId, { name }),
    keys: get(KEY_RING),
  });
}

export function credentials(get: Get): Credentials {
  const { enabled } = get(CONNECTORS);
  return new Credentials({
    knex: get(DATABASE).knex,
    keys: get(KEY_RING),
    resolver: get(RESOLVER),
    connectors: () => Promise.resolve(enabled),
    schemas: get(VALIDATOR),
    wake: (runIds) => get(ENGINE).wakeups.push(runIds),
    ids: randomIds,
  });
}

const LOOPBACK = ['127.0.0.0/8', '::1/128'];

export function pools(get: Get): ConnectorPools {
  const { mode, connectors, limits } = get(CONFIG);
  return new ConnectorPools({
    catalogue: get(CONNECTORS),
    credentials: get(RESOLVER).resolve,
    limits: { maxOutputBytes: limits.stepOutputBytes },
    schemas: get(VALIDATOR),
    privateNetworks: [...connectors.privateNetworks, ...(mode === 'development' ? LOOPBACK : [])],
    log: componentLog(get(LOG), 'pool'),
    confined: get(HOST).confined,
  });
}
