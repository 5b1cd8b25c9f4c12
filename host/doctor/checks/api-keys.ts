import { apiKeyTable } from '../../postgres/api-keys.ts';
import { broken, type Check, type Opened, ok } from '../check.ts';

export const apiKeys: Check<Opened> = {
  name: 'API keys',
  async look({ config, knex }) {
    const hasTable = await knex.schema.hasTable('eec_api_key');
    const count = hasTable ? await apiKeyTable(knex).count() : 0;
    if (count > 0) return ok(`${count} in the database`);
    if (config.mode === 'development' || config.secrets.bootstrapApiKey !== null) {
      return ok('none yet; the first start makes one');
    }
    return broken(
      'none, and production does not make one',
      'set DUCTOR_BOOTSTRAP_API_KEY, or run `ductor api-key create`',
    );
  },
};
