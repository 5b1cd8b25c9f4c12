import type { Route } from '@ductor/core';
import type { ServerRoute } from '@hapi/hapi';
import { isScope, SCOPES } from '../keys/scopes.ts';

/** A plugin's route as one of the server's own. Throws, naming it, if it neither asks for a scope that keys have nor is open. */
export function pluginRoute(plugin: string, route: Route): ServerRoute {
  const { method, path, options } = route;
  const scope = options.auth === false ? null : options.auth.scope;
  const problem =
    scope?.length === 0
      ? 'has no scope'
      : scope?.filter((name) => !isScope(name)).map((name) => `asks for the scope ${name}`)[0];
  if (problem !== undefined) {
    throw new Error(`Plugin ${plugin}: route ${method} ${path} ${problem}; scopes are ${SCOPES.join(', ')}.`);
  }
  // Core knows only this much of hapi's routes; the rest is the plugin's word, and hapi checks it.
  return route as unknown as ServerRoute;
}
