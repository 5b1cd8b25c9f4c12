import type pg from 'pg';

export interface HostLease {
  readonly hostId: string;
  readonly name: string;
  /** Of the data directory: a host that starts on it again replaces the one before. */
  readonly dataId: string;
  readonly plugins: readonly { readonly id: string; readonly version: string }[];
  readonly offset: () => string;
}

/** A host that has not been heard of for so long is gone, and its open attempts are lost. */
const LEASE_MS = 10_000;

/** This host is there. Whoever was there on the same data directory is not. */
export async function takeLease(hot: pg.Pool, { hostId, name, dataId, plugins, offset }: HostLease): Promise<void> {
  await hot.query(
    `with gone as (update eec_host set lease_until = clock_timestamp() + $5::interval where data_id = $3::uuid and id <> $1::uuid)
     insert into eec_host (id, name, data_id, plugins, lease_until)
     values ($1, $2, $3, $4, clock_timestamp() + $5::interval + $6 * interval '1 millisecond')`,
    [hostId, name, dataId, JSON.stringify(plugins), offset(), LEASE_MS],
  );
}

/** Still there, also for those who took it for gone and forgot it. Answers how many are not, and what time it is. */
export async function renewLease(hot: pg.Pool, lease: HostLease): Promise<{ gone: number; now: string }> {
  const { hostId, name, dataId, plugins, offset } = lease;
  const { rows } = await hot.query<{ gone: number; now: string }>({
    name: 'renew_lease',
    text: `with renewed as (
        insert into eec_host (id, name, data_id, plugins, lease_until)
        values ($1, $4, $5, $6, clock_timestamp() + $2::interval + $3 * interval '1 millisecond')
        on conflict (id) do update set lease_until = excluded.lease_until)
      select count(*)::int gone, clock_timestamp() + $2::interval now from eec_host
      where id <> $1 and lease_until <= clock_timestamp() + $2::interval`,
    values: [hostId, offset(), LEASE_MS, name, dataId, JSON.stringify(plugins)],
  });
  return rows[0]!;
}

/** Forgets hosts that are gone and have left nothing behind. */
export async function forgetGone(hot: pg.Pool, offset: string): Promise<void> {
  await hot.query(`delete from eec_host where lease_until <= clock_timestamp() + $1::interval`, [offset]);
}

export async function endLease(hot: pg.Pool, hostId: string): Promise<void> {
  await hot.query('delete from eec_host where id = $1', [hostId]);
}
