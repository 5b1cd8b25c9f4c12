import type { Problem } from '../errors.ts';
import type { JsonObject } from '../json.ts';
import { type DefinitionDraft, graphOf, limitProblems, type WrittenGraph, type WrittenStep } from './draft.ts';
import type { EdgeKey } from './draft-edges.ts';
import type { Vocabulary } from './draft-vocabulary.ts';
import type { Edge } from './graph.ts';
import { type Change, changed, cleared, type Place } from './operations-change.ts';
import { addEdge, type EdgeUpdate, removeEdge, updateEdge } from './operations-edges.ts';
import { renameStep } from './operations-rename.ts';
import { addStep, removeStep, updateStep } from './operations-steps.ts';

/** What each operation says, by its name. */
export interface OperationBodies {
  readonly add_step: WrittenStep;
  /** In `set`, as in every edit, null clears a field. */
  readonly update_step: { readonly ref: string; readonly set: JsonObject };
  /** Takes the step's edges with it. */
  readonly remove_step: { readonly ref: string };
  /** Rewrites edges and expressions too. */
  readonly rename_step: { readonly ref: string; readonly to: string };
  readonly add_edge: Edge;
  readonly update_edge: EdgeUpdate;
  readonly remove_edge: EdgeKey;
  readonly set_settings: JsonObject;
  readonly replace_graph: WrittenGraph;
}

/** An object with one key, the operation's name. */
export type Operation = {
  [Name in keyof OperationBodies]: { readonly [Key in Name]: OperationBodies[Key] };
}[keyof OperationBodies];

export type Edited =
  | { readonly ok: true; readonly draft: DefinitionDraft; readonly warnings: readonly Problem[] }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/**
 * Applies operations in their order, each to what the one before left: all of them or none.
 * An operation that cannot be applied is skipped to find the problems of the others; their paths begin with
 * `operations[2].add_step`.
 */
export function applyOperations({
  draft,
  operations,
  vocabulary,
}: {
  readonly draft: DefinitionDraft;
  readonly operations: readonly Operation[];
  readonly vocabulary: Vocabulary;
}): Edited {
  // A caller's draft may be a row that knows more.
  let current: DefinitionDraft = { graph: draft.graph, settings: draft.settings };
  const warnings: Problem[] = [];
  const problems: Problem[] = [];
  for (const [index, operation] of operations.entries()) {
    const path = `operations[${index}].${Object.keys(operation)[0]}`;
    const change = apply(current, operation, { path, vocabulary });
    if (change.ok) {
      current = change.draft;
      warnings.push(...change.warnings);
    } else problems.push(...change.problems);
  }
  problems.push(...limitProblems(current, vocabulary.limits));
  return problems.length > 0 ? { ok: false, problems } : { ok: true, draft: current, warnings };
}

function apply(draft: DefinitionDraft, operation: Operation, place: Place): Change {
  if ('add_step' in operation) return addStep(draft, operation.add_step, place);
  if ('update_step' in operation) return updateStep(draft, operation.update_step, place);
  if ('remove_step' in operation) return removeStep(draft, operation.remove_step, place);
  if ('rename_step' in operation) return renameStep(draft, operation.rename_step, place);
  if ('add_edge' in operation) return addEdge(draft, operation.add_edge, place);
  if ('update_edge' in operation) return updateEdge(draft, operation.update_edge, place);
  if ('remove_edge' in operation) return removeEdge(draft, operation.remove_edge, place);
  if ('set_settings' in operation) {
    return changed({ ...draft, settings: cleared(draft.settings, operation.set_settings) });
  }
  return changed({ ...draft, graph: graphOf(operation.replace_graph) });
}
