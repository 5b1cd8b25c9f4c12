import { expect } from 'chai';
import fc from 'fast-check';
import { Calendar } from '#scheduler/calendar.js';
import { parseCron } from '#scheduler/cron.js';
import { zoneOf } from '#scheduler/zone.js';

const calendar = (cron: string, timezone = 'UTC', bounds = {}) =>
  new Calendar({ cron: parseCron(cron), zone: zoneOf(timezone) }, bounds);

/** The occurrences after `from`, in UTC to the minute. */
function upcoming(cron: string, timezone: string, { from, count }: { from: string; count: number }): readonly string[] {
  const found: string[] = [];
  for (const due of calendar(cron, timezone).coming(Date.parse(from))) {
    if (found.push(new Date(due).toISOString().replace(':00.000Z', 'Z')) === count) break;
  }
  return found;
}

describe('A schedule’s calendar', () => {
  describe('follows its fields', () => {
    // 2026-01-01 is a Thursday.
    const cases: readonly [string, readonly string[]][] = [
      ['* * * * *', ['2026-01-01T00:01Z', '2026-01-01T00:02Z']],
      ['*/5 * * * *', ['2026-01-01T00:05Z', '2026-01-01T00:10Z']],
      ['10-20/5,50 6 * * *', ['2026-01-01T06:10Z', '2026-01-01T06:15Z', '2026-01-01T06:20Z', '2026-01-01T06:50Z']],
      ['0 9 * * MON-FRI', ['2026-01-01T09:00Z', '2026-01-02T09:00Z', '2026-01-05T09:00Z']],
      ['0 9-17/4 * * sun', ['2026-01-04T09:00Z', '2026-01-04T13:00Z', '2026-01-04T17:00Z', '2026-01-11T09:00Z']],
      ['0 0 * * 7', ['2026-01-04T00:00Z', '2026-01-11T00:00Z']],
      ['0 0 * * 5-7', ['2026-01-02T00:00Z', '2026-01-03T00:00Z', '2026-01-04T00:00Z', '2026-01-09T00:00Z']],
      ['0 0 31 * *', ['2026-01-31T00:00Z', '2026-03-31T00:00Z', '2026-05-31T00:00Z']],
      ['0 0 30 1,2,3 *', ['2026-01-30T00:00Z', '2026-03-30T00:00Z', '2027-01-30T00:00Z']],
      ['0 0 L * *', ['2026-01-31T00:00Z', '2026-02-28T00:00Z', '2026-03-31T00:00Z']],
      ['0 0 L,15 2 *', ['2026-02-15T00:00Z', '2026-02-28T00:00Z', '2027-02-15T00:00Z']],
      ['0 0 29 2 *', ['2028-02-29T00:00Z', '2032-02-29T00:00Z']],
      ['0 0 29 FEB *', ['2028-02-29T00:00Z']],
      ['0 12 * * 5L', ['2026-01-30T12:00Z', '2026-02-27T12:00Z']],
      ['0 12 * * MON#2', ['2026-01-12T12:00Z', '2026-02-09T12:00Z']],
      ['0 12 * * 1#5', ['2026-03-30T12:00Z', '2026-06-29T12:00Z']],
      ['@hourly', ['2026-01-01T01:00Z', '2026-01-01T02:00Z']],
      ['@yearly', ['2027-01-01T00:00Z']],
      ['@weekly', ['2026-01-04T00:00Z']],
    ];
    for (const [cron, expected] of cases) {
      it(cron, () => {
        expect(upcoming(cron, 'UTC', { from: '2026-01-01T00:00:00Z', count: expected.length })).to.eql(expected);
      });
    }
  });

  it('takes either of day of month and day of week where both are restricted, and both where one begins with *', () => {
    const from = '2026-01-01T00:00:00Z';
    expect(upcoming('0 0 13 * 5', 'UTC', { from, count: 4 })).to.eql([
      '2026-01-02T00:00Z',
      '2026-01-09T00:00Z',
      '2026-01-13T00:00Z',
      '2026-01-16T00:00Z',
    ]);
    // Mondays on odd days.
    expect(upcoming('0 0 */2 * 1', 'UTC', { from, count: 3 })).to.eql([
      '2026-01-05T00:00Z',
      '2026-01-19T00:00Z',
      '2026-02-09T00:00Z',
    ]);
    expect(upcoming('0 0 ? * 1', 'UTC', { from, count: 1 })).to.eql(['2026-01-05T00:00Z']);
  });

  describe('follows the clock of its zone', () => {
    const cases: readonly [string, string, string, string, readonly string[]][] = [
      // name, cron, zone, from, expected
      [
        'half an hour off UTC',
        '0 9 * * *',
        'Asia/Kolkata',
        '2026-06-01T00:00:00Z',
        ['2026-06-01T03:30Z', '2026-06-02T03:30Z'],
      ],
      [
        'winter and summer',
        '0 9 * * *',
        'Europe/Berlin',
        '2026-03-28T00:00:00Z',
        ['2026-03-28T08:00Z', '2026-03-29T07:00Z'],
      ],
      [
        'a skipped time moves on',
        '30 2 * * *',
        'Europe/Berlin',
        '2026-03-28T12:00:00Z',
        ['2026-03-29T01:30Z', '2026-03-30T00:30Z'],
      ],
      [
        'in New York',
        '30 2 * * *',
        'America/New_York',
        '2026-03-07T12:00:00Z',
        ['2026-03-08T07:30Z', '2026-03-09T06:30Z'],
      ],
      [
        'in an earlier year',
        '30 2 * * *',
        'America/New_York',
        '2010-03-13T12:00:00Z',
        ['2010-03-14T07:30Z', '2010-03-15T06:30Z'],
      ],
      [
        'merging with one that is there',
        '30 2,3 * * *',
        'Europe/Berlin',
        '2026-03-28T12:00:00Z',
        ['2026-03-29T01:30Z', '2026-03-30T00:30Z', '2026-03-30T01:30Z'],
      ],
      [
        'with every minute of it',
        '*/30 2 * * *',
        'Europe/Berlin',
        '2026-03-28T12:00:00Z',
        ['2026-03-29T01:00Z', '2026-03-29T01:30Z', '2026-03-30T00:00Z'],
      ],
      [
        'a gap of half an hour',
        '15 2 * * *',
        'Australia/Lord_Howe',
        '2026-10-03T00:00:00Z',
        ['2026-10-03T15:45Z', '2026-10-04T15:15Z'],
      ],
      [
        'by the hour there is no skipped one',
        '0 * * * *',
        'Europe/Berlin',
        '2026-03-28T23:30:00Z',
        ['2026-03-29T00:00Z', '2026-03-29T01:00Z', '2026-03-29T02:00Z'],
      ],
      [
        'each second hour neither',
        '0 */2 * * *',
        'Europe/Berlin',
        '2026-03-28T22:30:00Z',
        ['2026-03-28T23:00Z', '2026-03-29T02:00Z', '2026-03-29T04:00Z'],
      ],
      [
        'a repeated time comes once, the first time',
        '30 2 * * *',
        'Europe/Berlin',
        '2026-10-24T12:00:00Z',
        ['2026-10-25T00:30Z', '2026-10-26T01:30Z'],
      ],
      [
        'of a list of hours too',
        '0 1,2,3 * * *',
        'Europe/Berlin',
        '2026-10-24T12:00:00Z',
        ['2026-10-24T23:00Z', '2026-10-25T00:00Z', '2026-10-25T02:00Z'],
      ],
      [
        'of a range too',
        '30 1-2 * * *',
        'America/New_York',
        '2026-11-01T00:00:00Z',
        ['2026-11-01T05:30Z', '2026-11-01T07:30Z', '2026-11-02T06:30Z'],
      ],
      [
        'by the hour both times',
        '30 * * * *',
        'Europe/Berlin',
        '2026-10-24T23:45:00Z',
        ['2026-10-25T00:30Z', '2026-10-25T01:30Z', '2026-10-25T02:30Z'],
      ],
      [
        'each second hour both times',
        '0 */2 * * *',
        'Europe/Berlin',
        '2026-10-24T22:30:00Z',
        ['2026-10-25T00:00Z', '2026-10-25T01:00Z', '2026-10-25T03:00Z'],
      ],
      [
        'from an hour by /n both times',
        '0 2-6/2 * * *',
        'Europe/Berlin',
        '2026-10-24T22:30:00Z',
        ['2026-10-25T00:00Z', '2026-10-25T01:00Z', '2026-10-25T03:00Z'],
      ],
      [
        'half an hour repeated, named',
        '45 1 * * *',
        'Australia/Lord_Howe',
        '2026-04-04T00:00:00Z',
        ['2026-04-04T14:45Z', '2026-04-05T15:15Z'],
      ],
      [
        'half an hour repeated, by the hour',
        '45 * * * *',
        'Australia/Lord_Howe',
        '2026-04-04T14:00:00Z',
        ['2026-04-04T14:45Z', '2026-04-04T15:15Z', '2026-04-04T16:15Z'],
      ],
      [
        'a day that was skipped',
        '0 9 * * *',
        'Pacific/Apia',
        '2011-12-29T00:00:00Z',
        ['2011-12-29T19:00Z', '2011-12-30T19:00Z', '2011-12-31T19:00Z'],
      ],
      [
        'a date that was skipped',
        '0 9 30 12 *',
        'Pacific/Apia',
        '2011-01-01T00:00:00Z',
        ['2011-12-30T19:00Z', '2012-12-29T19:00Z'],
      ],
      [
        'midnight skipped',
        '0 0 * * *',
        'America/Sao_Paulo',
        '2018-11-03T12:00:00Z',
        ['2018-11-04T03:00Z', '2018-11-05T02:00Z'],
      ],
      [
        'midnight repeated over two days',
        '* * * * *',
        'America/St_Johns',
        '2010-11-07T02:29:00Z',
        ['2010-11-07T02:30Z', '2010-11-07T02:31Z', '2010-11-07T02:32Z'],
      ],
      [
        '31 December in UTC is 1 January',
        '0 0 1 1 *',
        'Pacific/Auckland',
        '2026-06-01T00:00:00Z',
        ['2026-12-31T11:00Z'],
      ],
    ];
    for (const [name, cron, zone, from, expected] of cases) {
      it(`${name}: ${cron} in ${zone}`, () => {
        expect(upcoming(cron, zone, { from, count: expected.length })).to.eql(expected);
      });
    }
  });

  it('has nothing before its start or after its end, both included', () => {
    const start = Date.parse('2026-01-02T00:00:00Z');
    const end = Date.parse('2026-01-03T00:00:00Z');
    const bounded = calendar('0 */12 * * *', 'UTC', { startMs: start, endMs: end });
    expect([...bounded.coming(0)]).to.eql([start, start + 43_200_000, end]);
    expect(bounded.next(end)).to.equal(null);
  });

  it('finds out that a day never comes, or in many years', () => {
    expect(() => parseCron('0 2 30 2 *')).to.throw('none of its months has such a day');
    const end = Date.parse('2027-12-31T00:00:00Z');
    expect(calendar('0 0 29 2 *', 'UTC', { endMs: end }).next(Date.parse('2026-01-01T00:00:00Z'))).to.equal(null);
    // The first or the last day of a leap year’s February on a Sunday.
    expect(upcoming('0 0 */28 2 0', 'UTC', { from: '2026-03-01T00:00:00Z', count: 1 })).to.eql(['2032-02-01T00:00Z']);
  });

  describe('refuses', () => {
    for (const [cron, why] of [
      ['', 'five fields'],
      ['* * * *', 'five fields'],
      ['0 0 * * * *', 'five fields'],
      ['@reboot', 'five fields'],
      ['61 * * * *', "minute '61': got value 61 expected range 0-59"],
      ['* 24 * * *', "hour '24'"],
      ['5-1 * * * *', 'range'],
      ['*/0 * * * *', "minute '*/0': cannot repeat at every 0 time"],
      ['H * * * *', 'no certain time'],
      ['0 H(0-7) * * *', 'no certain time'],
      ['a b c d e', 'a'],
      ['0 0 0 * *', "day of month '0'"],
      ['0 0 * 13 *', "month '13'"],
      ['0 0 * * 8', "day of week '8'"],
      ['1,,2 * * * *', 'list'],
    ] as const) {
      it(`'${cron}'`, () => expect(() => parseCron(cron)).to.throw(why));
    }

    it('zones that are none', () => {
      for (const name of ['Mars/Olympus', '+02:00', '', 'Europe'])
        expect(() => zoneOf(name), name).to.throw('no time zone');
    });
  });

  describe('for any spec', () => {
    const zone = fc.constantFrom(
      ...['UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kolkata', 'Pacific/Apia'],
      ...['America/St_Johns', 'America/Sao_Paulo', 'Africa/Casablanca', 'Asia/Kathmandu'],
    );
    const field = (min: number, max: number) =>
      fc.oneof(
        fc.constant('*'),
        fc.integer({ min: 1, max }).map((step) => `*/${step}`),
        fc.uniqueArray(fc.integer({ min, max }), { minLength: 1, maxLength: 3 }).map((values) => values.join()),
      );
    const cron = fc
      .tuple(
        field(0, 59),
        field(0, 23),
        fc.oneof(fc.constant('*'), field(1, 28)),
        fc.constant('*'),
        fc.oneof(fc.constant('*'), field(0, 6)),
      )
      .map((fields) => fields.join(' '));
    const from = fc.integer({ min: Date.parse('2006-01-01T00:00:00Z'), max: Date.parse('2030-01-01T00:00:00Z') });
    const runs = process.env.FULL === '1' ? 1_000 : 100;

    it('each comes once, in order, and is the next one after all that lies before it', () => {
      fc.assert(
        fc.property(cron, zone, from, (text, name, after) => {
          const found = calendar(text, name);
          const until = after + 40 * 86_400_000;
          let before = after;
          let count = 0;
          for (const due of found.between(after, until)) {
            if (due <= before) throw new Error(`${due} after ${before}`);
            if (calendar(text, name).next(before) !== due) throw new Error(`not the next after ${before}`);
            before = due;
            if (++count === 30) break;
          }
          return true;
        }),
        { numRuns: runs },
      );
    });

    it('the clock of the zone shows a time that the spec names, unless it was moved out of a gap', () => {
      fc.assert(
        fc.property(cron, zone, from, (text, name, after) => {
          const { hours, minutes, isOn, followsClock } = parseCron(text);
          const due = calendar(text, name).next(after);
          if (due === null) return true;
          const format = new Intl.DateTimeFormat('sv-SE', { timeZone: name, dateStyle: 'short', timeStyle: 'medium' });
          const shown = new Date(`${format.format(due).replace(' ', 'T')}Z`);
          const daysInMonth = new Date(Date.UTC(shown.getUTCFullYear(), shown.getUTCMonth() + 1, 0)).getUTCDate();
          const day = {
            month: shown.getUTCMonth() + 1,
            day: shown.getUTCDate(),
            weekday: shown.getUTCDay(),
            daysInMonth,
          };
          const fits = hours.includes(shown.getUTCHours()) && minutes.includes(shown.getUTCMinutes()) && isOn(day);
          if (fits || followsClock) return fits;
          // A clock that was put forward within the day before shows it.
          const offset = (at: number) => new Date(`${format.format(at).replace(' ', 'T')}Z`).getTime() - at;
          return offset(due) > offset(due - 86_400_000);
        }),
        { numRuns: runs },
      );
    });
  });
});
