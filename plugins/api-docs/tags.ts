import type { JsonObject } from '@ductor/core';

/** The groups of our own routes, in the order in which one meets them. */
const GROUPS: { readonly [tag: string]: string } = {
  Definitions: 'Workflows as they are written: a draft is edited, and published as an immutable version.',
  Trigger: 'Starting runs.',
  Runs: 'What runs do, have done and wait for.',
  'Run control': 'An operator’s word on a run or one of its steps.',
  Compensation: 'What failed and cancelled runs have done and is undone, and what of that somebody has to see to.',
  Signals: 'Words from outside to one step of a run.',
  Events: 'What happens elsewhere, told to the steps that wait for it and the triggers that start runs.',
  Schedules: 'What a calendar starts: when it is due next, and what became of it.',
  Tenants: 'Whose rows they are, and what holds for them: limits, and whether triggers are pinned to a release.',
  'API keys': 'Who may call, for which tenant and with which scopes.',
  Releases: 'Which deployment of a tenant’s own software may start runs.',
  'Audit log': 'Who changed what, and when.',
  Credentials: 'What connectors need to reach other systems, kept encrypted.',
  Webhooks: 'Addresses that other systems send to: a delivery publishes an event or starts a run.',
  Operations: 'Work that takes longer than its call.',
  Health: 'Whether a host answers, and can do its work.',
  Documents: 'This API, and the files that operators and authors write, described for programs.',
};

/** Each tag that a route has, ours first, then others by name. */
export function tagsOf(used: readonly string[]): readonly JsonObject[] {
  const own = Object.entries(GROUPS).filter(([name]) => used.includes(name));
  const others = [...new Set(used)].filter((name) => !(name in GROUPS)).sort();
  return [...own.map(([name, description]) => ({ name, description })), ...others.map((name) => ({ name }))];
}
