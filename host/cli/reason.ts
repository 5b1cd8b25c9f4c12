import type { Schemas } from '@ductor/client';

const SHOWN_APART = ['code', 'step_ref', 'branch', 'since', 'next_wake_at'];

/** `waiting for event (name order.paid, key 42, have 0, need 1)`: so a plugin's reasons are told like the others. */
export function reasonText(reason: Schemas['Reason']): string {
  const facts = Object.entries<unknown>({ ...reason })
    .filter(([name, value]) => !SHOWN_APART.includes(name) && value !== null)
    .map(
      ([name, value]) => `${name.replaceAll('_', ' ')} ${typeof value === 'string' ? value : JSON.stringify(value)}`,
    );
  return `${reason.code.replaceAll('_', ' ')}${facts.length === 0 ? '' : ` (${facts.join(', ')})`}`;
}
