import { definePlugin } from '@ductor/core';
import { docsRoutes } from './routes.ts';

export default definePlugin({
  deps: {},
  options: { type: 'object', additionalProperties: false, properties: {} },
  contribute: () => ({ routes: docsRoutes() }),
});
