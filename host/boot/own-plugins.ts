import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Our own plugins. Each is on unless `ductor.yaml` says `false`. */
const ownPlugins: readonly string[] = [
  '@ductor/plugin-api-docs',
  '@ductor/plugin-correlation-labels',
  '@ductor/plugin-event-sets',
  '@ductor/plugin-metrics',
  '@ductor/plugin-saga',
  '@ductor/plugin-scatter-gather',
  '@ductor/plugin-scheduler',
  '@ductor/plugin-webhooks',
];

/** The folders of their packages. */
export const ownPluginFolders = (): readonly string[] =>
  ownPlugins.map((name) => dirname(fileURLToPath(import.meta.resolve(`${name}/package.json`))));
