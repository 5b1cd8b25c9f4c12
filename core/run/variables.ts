import type { CompiledDefinition } from '../definition/compiled.ts';
import type { Reads } from '../definition/config.ts';
import type { Instant, Json, JsonObject, Ref } from '../json.ts';
import type { NodeState } from './node.ts';
import type { RunHeader } from './run.ts';

/** What a run looks like to an expression, before the part that a place adds (`output`, `event`, …). */
export interface Readable {
  readonly header: RunHeader;
  readonly startedAt: Instant;
  readonly context: JsonObject;
  readonly fields: JsonObject;
  /** The branches around the place, outermost first. */
  readonly around: readonly { readonly owner: Ref; readonly variables: JsonObject }[];
  node(ref: Ref): NodeState | undefined;
}

/** Builds only what is read: a graph of a thousand steps costs an expression over two of them nothing. */
export function runVariables(
  { definition, steps }: CompiledDefinition,
  run: Readable,
  now: Instant,
  reads: Reads,
): Record<string, unknown> {
  const variables: Record<string, unknown> = {};
  const { roots } = reads;
  if (roots.has('input')) variables.input = run.header.input;
  if (roots.has('context')) variables.context = run.context;
  if (roots.has('run')) {
    variables.run = {
      id: run.header.id,
      tenant: run.header.tenantId,
      definition: definition.familySlug,
      started_at: run.startedAt,
      now,
      ...run.fields,
    };
  }
  if (roots.has('steps')) {
    const refs = reads.steps === 'all' ? steps.keys() : reads.steps;
    variables.steps = Object.fromEntries([...refs].map((ref) => [ref, stepVariable(run.node(ref))]));
  }
  addBranches(variables, steps, run, roots);
  return variables;
}

/** Those of the innermost branch by their names, those of all branches by owner. */
function addBranches(
  variables: Record<string, unknown>,
  steps: CompiledDefinition['steps'],
  { around }: Readable,
  roots: Reads['roots'],
): void {
  for (const { owner, variables: own } of around) {
    const region = steps.get(owner)?.region;
    for (const name of region?.variables ?? []) if (roots.has(name)) variables[name] = own[name];
    const namespace = region?.namespace;
    if (namespace === undefined || !roots.has(namespace)) continue;
    variables[namespace] = Object.assign(variables[namespace] ?? {}, { [owner]: own });
  }
}

function stepVariable(node: NodeState | undefined): Json {
  return {
    status: node?.status ?? 'pending',
    output: node?.status === 'completed' ? node.output : null,
    error:
      node?.status === 'failed'
        ? { code: node.error.code, message: node.error.message, details: node.error.details ?? null }
        : null,
  };
}
