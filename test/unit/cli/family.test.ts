import type { Schemas } from '@ductor/client';
import { expect } from 'chai';
import { drawFamily } from '#host/cli/run/family.js';

const member = (run_id: string, more: Partial<Schemas['FamilyMember']> = {}): Schemas['FamilyMember'] => ({
  run_id,
  relation: 'child',
  parent_run_id: null,
  parent_step_ref: null,
  parent_branch: [],
  continued_from_run_id: null,
  reset_from_run_id: null,
  depth: 0,
  kind: 'workflow',
  workflow_type: 'order',
  version: 1,
  status: 'completed',
  created_at: '2026-01-01T00:00:00Z',
  started_at: null,
  ended_at: null,
  ...more,
});

describe('the drawing of a run’s family', () => {
  it('has children below the run that started them, and continuations below what they continue', () => {
    const lines = drawFamily(
      [
        member('a', { relation: 'root' }),
        member('b', { parent_run_id: 'a', parent_step_ref: 'each', workflow_type: null, version: null }),
        member('c', { parent_run_id: 'b', parent_step_ref: 'pay' }),
        member('d', { relation: 'continuation', continued_from_run_id: 'a', status: 'running' }),
      ],
      'c',
    );
    expect(lines).to.deep.equal([
      'order v1  a  completed',
      '├─ (gone)  b  completed  by each',
      '│  └─ order v1  c  completed  by pay  ← asked for',
      '└─ order v1  d  running  continues it',
    ]);
  });
});
