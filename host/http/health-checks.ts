import type { ActionPool } from '@ductor/core';
import type pg from 'pg';
import type { RunningPlugin } from '../boot/contributed.ts';
import type { HealthCheck } from './health.routes.ts';

/** What `/readyz` looks at. */
export const healthChecks = ({
  hot,
  pools,
  plugins,
  confined,
}: {
  readonly hot: pg.Pool;
  readonly pools: Pick<ActionPool, 'state'>;
  readonly plugins: readonly RunningPlugin[];
  /** Whether permission flags hold in threads here: otherwise only trusted connectors run. */
  readonly confined: boolean;
}): readonly HealthCheck[] => [
  {
    name: 'database',
    async check() {
      await hot.query('select 1');
      return { status: 'ok' };
    },
  },
  { name: 'queue', check: () => Promise.resolve({ status: 'ok', details: { kind: 'in-process' } }) },
  {
    name: 'pools',
    check: () => Promise.resolve({ status: confined ? 'ok' : 'degraded', details: { pools: pools.state().length } }),
  },
  {
    name: 'plugins',
    check: () =>
      Promise.resolve({ status: 'ok', details: Object.fromEntries(plugins.map(({ id, version }) => [id, version])) }),
  },
];
