import { randomFillSync, randomUUID } from 'node:crypto';
import type { Ids } from '@ductor/core';

/** UUIDv7 from this host's clock: ids made later sort later, whatever the database's clock says. */
function uuidv7(): string {
  const time = Date.now().toString(16).padStart(12, '0');
  const random = randomUUID();
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(15)}`;
}

const word = new Uint32Array(1);

export const randomIds: Ids = {
  uuidv7,
  random: () => randomFillSync(word)[0]! / 2 ** 32,
};
