import { definePlugin } from '@ductor/core';
import { branchTable } from './branch-table.ts';
import { gatherStep } from './gather.step.ts';
import { scatterStep } from './scatter.step.ts';

export default definePlugin({
  deps: {},
  options: { type: 'object' },
  contribute: () => ({ steps: [scatterStep, gatherStep], tables: [branchTable] }),
});
