import type { Problem } from '../errors.ts';
import type { JsonObject } from '../json.ts';
import { longForm } from '../steps/registry.ts';
import type { Edge, EdgeType, Graph, Step } from './graph.ts';

/** What its author may still change. It may be unfinished: only publish asks for sense. */
export interface DefinitionDraft {
  readonly graph: Graph;
  readonly settings: JsonObject;
}

/** How large a definition may become. */
export interface DraftLimits {
  readonly steps: number;
  readonly edges: number;
  readonly depth: number;
}
export const DRAFT_LIMITS: DraftLimits = { steps: 1_000, edges: 10_000, depth: 64 };

export const EDGE_TYPES: readonly EdgeType[] = [
  'SUCCESS',
  'ERROR',
  'ALWAYS',
  'TIMEOUT',
  'TRUE',
  'FALSE',
  'CASE',
  'DEFAULT',
  'APPROVED',
  'REJECTED',
];

/** A step as it comes in: its type may be in the short form. */
export type WrittenStep = JsonObject & { readonly ref: string; readonly type: string };

/** A graph as it comes in. */
export interface WrittenGraph {
  readonly steps?: readonly WrittenStep[];
  readonly edges?: readonly Edge[];
  readonly [field: string]: unknown;
}

export const stepOf = (written: WrittenStep): Step => ({ ...written, type: longForm(written.type) });

export const graphOf = ({ steps = [], edges = [], ...rest }: WrittenGraph): Graph => ({
  steps: steps.map(stepOf),
  edges,
  ...rest,
});

/** What stands in a graph beside its steps and edges. It came as JSON; its type only says nothing of these fields. */
export const graphFields = ({ steps: _steps, edges: _edges, ...fields }: Graph): JsonObject => fields as JsonObject;

/** Everything about a draft that is larger than it may be. */
export function limitProblems({ graph, settings }: DefinitionDraft, limits: DraftLimits): readonly Problem[] {
  return [
    ...tooMany('steps', graph.steps.length, limits),
    ...tooMany('edges', graph.edges.length, limits),
    ...tooDeep('graph', graph, limits),
    ...tooDeep('settings', settings, limits),
  ];
}

const tooMany = (what: 'steps' | 'edges', count: number, limits: DraftLimits): readonly Problem[] =>
  count <= limits[what]
    ? []
    : [
        {
          path: `graph.${what}`,
          code: `too_many_${what}`,
          message: `${count} ${what}; a definition has at most ${limits[what]}.`,
        },
      ];

/** Looks level by level: as deep as the document is, the stack is not. */
function tooDeep(path: string, document: unknown, limits: DraftLimits): readonly Problem[] {
  let level: readonly unknown[] = [document];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > limits.depth) {
      return [{ path, code: 'too_deep', message: `Nested more than ${limits.depth} levels deep.` }];
    }
    level = level.flatMap((value) => (typeof value === 'object' && value !== null ? Object.values(value) : []));
  }
  return [];
}
