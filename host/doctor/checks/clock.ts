import { type Check, type Opened, ok, warning } from '../check.ts';

const TOLERATED_MS = 2_000;

/** The engine goes by the database's clock alone; log lines and HTTP dates by this machine's. */
export const clock: Check<Opened> = {
  name: 'clock',
  async look({ knex }) {
    const before = Date.now();
    const { rows } = await knex.raw<{ rows: { now: number }[] }>(
      'select cast(extract(epoch from clock_timestamp()) * 1000 as float8) as now',
    );
    const after = Date.now();
    const now = rows[0]?.now ?? 0;
    const aheadMs = Math.round((before + after) / 2 - now);
    const found = `this machine is ${Math.abs(aheadMs)} ms ${aheadMs < 0 ? 'behind' : 'ahead of'} the database`;
    return Math.abs(aheadMs) - (after - before) / 2 <= TOLERATED_MS
      ? ok(found)
      : warning(found, 'set both clocks by NTP: the instants of logs and rows do not fit together');
  },
};
