import { idleServices } from '../../boot/contributions-of.ts';
import { type Inspection, inspectPlugins } from '../../boot/load-plugins.ts';
import { bootRefused, problemText } from '../../boot/problem.ts';
import type { Config, PluginSetting } from '../../config/config.ts';

/** The plugins of this configuration as a boot would find them, with all that is wrong. */
export const examine = (config: Config, installed?: string): Promise<Inspection> =>
  inspectPlugins({ config, services: idleServices, ...(installed !== undefined && { installed }) });

export function withSetting(config: Config, name: string, setting: PluginSetting | null): Config {
  const plugins = new Map(config.plugins);
  if (setting === null) plugins.delete(name);
  else plugins.set(name, setting);
  return { ...config, plugins };
}

/**
 * Answers with what there would be after a change.
 *
 * @throws DuctorError `failed_precondition` with the problems that the change would bring; those that are there already
 *   do not stand in its way.
 */
export async function examineChange(before: Config, after: Config, installed: string): Promise<Inspection> {
  const known = new Set((await examine(before)).problems.map(problemText));
  const inspection = await examine(after, installed);
  const problems = inspection.problems.filter((problem) => !known.has(problemText(problem)));
  if (problems.length > 0) throw bootRefused(problems);
  return inspection;
}
