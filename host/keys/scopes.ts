/** Every scope there is; a route asks for one of them. `operator` is what stands above tenants. */
export const SCOPES = [
  'workflow_definition:read',
  'workflow_definition:write',
  'workflow:read',
  'workflow:write',
  'workflow_run:write',
  'workflow_events:publish',
  'connector:read',
  'connector:write',
  'credential:read',
  'credential:write',
  'schedule:write',
  'webhook:write',
  'operator',
] as const;

export type Scope = (typeof SCOPES)[number];

export const isScope = (text: string): text is Scope => (SCOPES as readonly string[]).includes(text);
