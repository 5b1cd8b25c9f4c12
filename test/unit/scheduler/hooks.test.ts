import type { Origin, RunView } from '@ductor/core';
import { expect } from 'chai';
import { scheduleField } from '#scheduler/fields.js';
import { scheduleHooks } from '#scheduler/hooks.js';
import { definitionOf } from '../../support/workflow.ts';

const id = '0198f2a4-7c1e-7d3a-9b1f-3f2d8a6c0e11';
const schedule = { id, due_at: '2026-01-01T00:00:00.000Z', by: 'timetable' };
const definition = definitionOf({ steps: [], settings: { schedule: { cron: '* * * * *' } } });
const run: RunView = {
  id,
  chainId: id,
  tenantId: 'default',
  kind: 'workflow',
  input: null,
  traceparent: null,
  context: {},
  fields: { schedule },
  lineage: { rootRunId: id, journeyId: id, parent: null, above: [], continuedFrom: null, resetFrom: null, depth: 0 },
};

describe('A run of a schedule', () => {
  const hooks = scheduleHooks(scheduleField({ now: () => '2026-01-01T00:00:00.000Z' }));
  const start = (origin: Origin) => hooks.start?.({ run, definition, origin });

  it('is one with its successors: they hold the next occurrence back, too', () => {
    expect(start({ from: 'continued', run })).to.deep.include({
      fields: { schedule },
      rows: [{ do: 'write', table: 'eec_workflow_schedule_run', row: schedule }],
    });
  });

  it('does not count its children, its forks or other runs', () => {
    expect(start({ from: 'child', run })).to.eql({});
    expect(start({ from: 'deferred', run })).to.eql({});
    expect(start({ from: 'reset', run, sequence: 1, terminatesSource: false })).to.eql({});
    expect(start({ from: 'trigger', fields: {} })).to.eql({});
    expect(start({ from: 'continued', run: { ...run, fields: {} } })).to.eql({});
  });
});
