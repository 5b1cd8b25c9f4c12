import type { Dispatch } from '@ductor/core';

/** The connector and action of an attempt; `engine` for what the engine does itself. */
export const actionOf = ({ connector, task }: Dispatch): { readonly connector: string; readonly action: string } => ({
  connector: connector?.id ?? 'engine',
  action: task.action.slice(task.action.lastIndexOf('.') + 1),
});
