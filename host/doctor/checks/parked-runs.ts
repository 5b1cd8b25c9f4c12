import { pluginsOf, registryOf } from '../../boot/contributed.ts';
import { parkedRuns as parkedRunsOf } from '../../boot/parked-runs.ts';
import { type Check, type Opened, ok, skipped, warning } from '../check.ts';

/** Open runs that a host of this configuration leaves alone. */
export const parkedRuns: Check<Opened> = {
  name: 'parked runs',
  async look({ knex, contributed }) {
    if (contributed === null) return skipped('not looked for: the plugins cannot be loaded');
    if (!(await knex.schema.hasTable('eec_workflow_run'))) return ok('none');
    const known = [...registryOf(contributed).steps.keys()];
    const parked = await parkedRunsOf(knex, { known, off: [...contributed.disabledFields.keys()] });
    if (parked.length === 0) return ok('none');
    const lacking = [...new Set(parked.flatMap(({ words }) => words))];
    const off = pluginsOf(lacking, contributed);
    const count = parked.reduce((sum, { open_runs }) => sum + open_runs, 0);
    return warning(
      `${count} open runs wait for a host that knows ${lacking.join(', ')}`,
      off.length > 0
        ? `turn on in ductor.yaml: ${off.join(', ')}`
        : 'install the plugin that brings them, or terminate the runs',
    );
  },
};
