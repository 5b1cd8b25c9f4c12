import type { CompiledDefinition } from '../definition/compiled.ts';
import type { Reads } from '../definition/config.ts';
import { type Instant, isObject, type Json, type JsonObject, type Ref } from '../json.ts';
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
  const { roots } = reads;
  // A part sees what it was cut out of as that was when it began.
  const around = definition.graph.part && isObject(run.header.input) ? run.header.input : null;
  const variables: Record<string, unknown> = {};
  for (const name of roots) if (around && Object.hasOwn(around, name)) variables[name] = around[name];
  if (roots.has('input') && !around) variables.input = run.header.input;
  if (roots.has('context') && !around) variables.context = run.context;
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
    const outer = isObject(variables.steps) ? variables.steps : {};
    const refs = reads.steps === 'all' ? definition.graph.steps.map(({ ref }) => ref) : [...reads.steps];
    const own = refs.filter((ref) => steps.has(ref) || !Object.hasOwn(outer, ref));
    variables.steps = Object.assign(
      { ...outer },
      Object.fromEntries(own.map((ref) => [ref, stepVariable(run.node(ref))])),
    );
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
    variables[namespace] = { ...(variables[namespace] ?? {}), [owner]: own };
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
