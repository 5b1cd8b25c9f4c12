import type { ActionPool } from '@ductor/core';
import type { Knex } from 'knex';
import type pg from 'pg';
import type { RunningPlugin } from '../boot/contributed.ts';
import type { KeyRing } from '../credentials/key-ring.ts';
import { unreadableBy } from '../credentials/rotation.ts';
import type { HealthCheck } from './health.routes.ts';

/** Plugins of all hosts that live: runs that need one which is not here are left to the others. */
const ELSEWHERE = `
  select distinct p ->> 'id' as id from eec_host, json_array_elements(plugins) p
  where lease_until > clock_timestamp() order by id`;

const HOSTS = 'select count(*)::int as hosts from eec_host where lease_until > clock_timestamp()';

/** What `/readyz` looks at. */
export const healthChecks = ({
  hot,
  pools,
  plugins,
  confined,
  knex,
  keys,
}: {
  readonly hot: pg.Pool;
  readonly pools: Pick<ActionPool, 'state'>;
  readonly plugins: readonly RunningPlugin[];
  /** Whether permission flags hold in threads here: otherwise only trusted connectors run. */
  readonly confined: boolean;
  readonly knex: Knex;
  readonly keys: KeyRing;
}): readonly HealthCheck[] => [
  {
    name: 'database',
    async check() {
      await hot.query('select 1');
      return { status: 'ok' };
    },
  },
  {
    name: 'queue',
    async check() {
      const { rows } = await hot.query<{ hosts: number }>(HOSTS);
      return { status: 'ok', details: { kind: 'in-process', hosts: rows[0]?.hosts ?? 0 } };
    },
  },
  {
    name: 'pools',
    check: () => Promise.resolve({ status: confined ? 'ok' : 'degraded', details: { pools: pools.state().length } }),
  },
  {
    name: 'credentials',
    async check() {
      const { credentials, keyIds } = await unreadableBy(knex, keys);
      if (credentials === 0) return { status: 'ok', details: { key_id: keys.keyId } };
      return { status: 'degraded', details: { key_id: keys.keyId, unreadable: credentials, missing_key_ids: keyIds } };
    },
  },
  {
    name: 'plugins',
    async check() {
      const own = Object.fromEntries(plugins.map(({ id, version }) => [id, version]));
      const { rows } = await hot.query<{ id: string }>(ELSEWHERE);
      const lacking = rows.map(({ id }) => id).filter((id) => !(id in own));
      return lacking.length === 0
        ? { status: 'ok', details: own }
        : { status: 'degraded', details: { ...own, lacking } };
    },
  },
];
