import { readFileSync } from 'node:fs';
import satisfies from 'semver/functions/satisfies.js';
import { broken, type Check, ok } from '../check.ts';

export const node: Check<null> = {
  name: 'Node.js',
  look() {
    const { engines }: { engines: { node: string } } = JSON.parse(
      readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
    );
    return satisfies(process.version, engines.node)
      ? ok(process.version)
      : broken(`${process.version}, and Ductor needs ${engines.node}`, 'install a newer Node.js: https://nodejs.org');
  },
};
