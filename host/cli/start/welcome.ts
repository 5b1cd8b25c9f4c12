import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../config/config.ts';
import type { Host } from '../../main.ts';
import { pathText } from '../text.ts';

/** Where to look, for whoever has started a host on a terminal: nothing else may read a key. */
export function welcome({ host, config }: { readonly host: Host; readonly config: Config }): string {
  const { bootstrap, url } = host;
  const file = join(config.dataDir, 'bootstrap-key');
  const shown = pathText(file);
  const key =
    bootstrap.result === 'generated'
      ? `${bootstrap.key}  (kept in ${shown})`
      : existsSync(file)
        ? `in ${shown}`
        : 'as you gave it; `ductor api-key create` makes another';
  return [
    '',
    `Ductor answers at ${url}`,
    `  API key  ${key}`,
    '  Try      ductor definition list',
    '  Stop     Ctrl-C',
    '',
    '',
  ].join('\n');
}
