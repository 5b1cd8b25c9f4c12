import type { RouteNotes } from '@ductor/core';

export type { RouteExample } from '@ductor/core';

declare module '@hapi/hapi' {
  interface PluginSpecificConfiguration {
    ductor?: RouteNotes;
  }
}
