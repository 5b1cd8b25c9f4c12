import { KeyRing } from '../../credentials/key-ring.ts';
import { countByOtherKeys } from '../../postgres/credentials.ts';
import { broken, type Check, type Opened, ok } from '../check.ts';
import { masterKeyThere } from './master-key.ts';

/** Whether the master keys of this machine open what is stored. */
export const credentials: Check<Opened> = {
  name: 'credentials',
  async look({ config, knex }) {
    if (!(await knex.schema.hasTable('eec_credential'))) return ok('none');
    const current = await masterKeyThere(config);
    const keyIds = current === null ? [] : new KeyRing(current, config.secrets.previousMasterKeys).keyIds;
    const strange = await countByOtherKeys(knex, keyIds);
    if (strange.length === 0) return ok('a master key of this machine opens each');
    const count = strange.reduce((sum, each) => sum + each.count, 0);
    return broken(
      `${count} are sealed by master keys that are not here (${strange.map(({ key_id }) => key_id).join(', ')})`,
      'set DUCTOR_MASTER_KEY, or DUCTOR_MASTER_KEY_PREVIOUS, to the key that sealed them, or enter them anew',
    );
  },
};
