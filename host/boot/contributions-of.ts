import { refs } from '@ductor/core';
import type { Config } from '../config/config.ts';
import type { ServiceMap } from './contribute.ts';
import type { Contributed } from './contributed.ts';
import { loadPlugins } from './load-plugins.ts';

/** For plugins that are loaded and not started: what stands behind their refs is never called. */
export const idleServices: ServiceMap = new Map(Object.values(refs).map(({ id }) => [id, null]));

/** What the plugins of a host with this configuration contribute. Throws as a boot does if one cannot be loaded. */
export const contributionsOf = (config: Config): Promise<Contributed> =>
  loadPlugins({ config, services: idleServices });
