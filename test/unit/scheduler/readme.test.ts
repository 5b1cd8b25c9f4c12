import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { Calendar } from '#scheduler/calendar.js';
import { parseCron } from '#scheduler/cron.js';
import { type Spec, specProblems } from '#scheduler/spec.js';
import { zoneOf } from '#scheduler/zone.js';

const text = readFileSync(new URL('../../../../plugins/scheduler/README.md', import.meta.url), 'utf8');

describe('the README of the scheduler', () => {
  it('shows a schedule that can be published', () => {
    const [, json = ''] = /```json\n(.*?)```/s.exec(text) ?? [];
    const { schedule } = JSON.parse(json) as { schedule: Spec };
    expect(specProblems(schedule, '2026-01-01T00:00:00.000Z')).to.eql([]);
  });

  const rows = [...text.matchAll(/^\| `([^`]+)` \| `([^`]+)` \| (\S+) \| (.*) \|$/gm)];
  it('has examples of the calendar', () => expect(rows).to.have.length.greaterThan(5));

  for (const [, cron = '', zone = '', after = '', said = ''] of rows) {
    it(`says when ${cron} is due in ${zone} after ${after}`, () => {
      const expected = said.split(', ').map((each) => Date.parse(each.replace(/ \(.*/, '')));
      const coming = new Calendar({ cron: parseCron(cron), zone: zoneOf(zone) }).coming(Date.parse(after));
      expect(expected.map(() => coming.next().value)).to.eql(expected);
    });
  }
});
