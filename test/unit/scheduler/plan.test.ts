import { expect } from 'chai';
import fc from 'fast-check';
import { Calendar } from '#scheduler/calendar.js';
import { parseCron } from '#scheduler/cron.js';
import { plan } from '#scheduler/plan.js';
import { zoneOf } from '#scheduler/zone.js';

const at = (text: string) => Date.parse(`2026-01-01T${text}Z`);
const timing = (cron: string, jitterMs = 0) => ({
  calendar: new Calendar({ cron: parseCron(cron), zone: zoneOf('UTC') }),
  jitterMs,
  id: 'a',
});

describe('A look at a schedule', () => {
  const look = (afterMs: number, nowMs: number, windowMs = 60_000) =>
    plan(timing('*/5 * * * *'), { afterMs, nowMs, windowMs });

  it('starts what is due, and knows what comes next', () => {
    expect(look(at('00:00:00'), at('00:05:01'))).to.eql({
      start: { dueMs: at('00:05:00'), startMs: at('00:05:00') },
      missed: null,
      afterMs: at('00:05:00'),
      next: { dueMs: at('00:10:00'), startMs: at('00:10:00') },
    });
    expect(look(at('00:00:00'), at('00:04:59')).start).to.equal(null);
  });

  it('starts the newest of many if it is inside the window, and it is on time within ten seconds whatever the window', () => {
    const missed = (count: number, last: string) => ({ firstMs: at('00:05:00'), lastMs: at(last), count });
    expect(look(at('00:00:00'), at('01:01:00'))).to.deep.include({ missed: missed(11, '00:55:00') });
    expect(look(at('00:00:00'), at('01:01:00.001'))).to.deep.include({ start: null, missed: missed(12, '01:00:00') });
    expect(look(at('00:00:00'), at('01:00:10'), 0).start?.dueMs).to.equal(at('01:00:00'));
    expect(look(at('00:00:00'), at('01:00:10.001'), 0).start).to.equal(null);
  });

  it('deals with each occurrence once, whenever it is looked', () => {
    const run = fc.record({
      cron: fc.constantFrom('* * * * *', '*/7 * * * *', '0 */3 * * *', '5,6 4 * * *'),
      jitterMs: fc.constantFrom(0, 30_000, 3_600_000),
      pauses: fc.array(fc.integer({ min: 1, max: 4 * 3_600_000 }), { minLength: 1, maxLength: 12 }),
    });
    fc.assert(
      fc.property(run, ({ cron, jitterMs, pauses }) => {
        const spec = timing(cron, jitterMs);
        const from = at('00:00:00');
        let [nowMs, afterMs, seen] = [from, from, 0];
        for (const pause of pauses) {
          nowMs += pause;
          const { start, missed, next, ...planned } = plan(spec, { afterMs, nowMs, windowMs: 60_000 });
          afterMs = planned.afterMs;
          seen += (start === null ? 0 : 1) + (missed?.count ?? 0);
          if (start !== null && (start.startMs > nowMs || start.startMs < start.dueMs)) return false;
          if (next === null || next.startMs <= nowMs) return false;
          if (next.startMs >= (spec.calendar.next(next.dueMs) ?? Infinity)) return false;
        }
        return seen === [...spec.calendar.between(from, afterMs)].length;
      }),
      { numRuns: process.env.FULL === '1' ? 2_000 : 200 },
    );
  });
});
