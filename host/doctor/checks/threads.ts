import { threadsAreConfined } from '../../pool/canary.ts';
import { type Check, ok, warning } from '../check.ts';

export const threads: Check<unknown> = {
  name: 'connector threads',
  async look() {
    if (await threadsAreConfined()) return ok("confined by Node's permission flags");
    return warning(
      "Node's permission flags do not hold in threads here: only trusted connectors run",
      'use another release of Node.js 20 or newer, or trusted connectors alone',
    );
  },
};
