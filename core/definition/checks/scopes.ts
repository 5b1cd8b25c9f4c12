import type { JsonSchemaLike, Scope } from '../../expression/index.ts';
import { isObject, type Ref } from '../../json.ts';
import type { CelKeyword } from '../../schema.ts';
import type { DefinitionDraft } from '../draft.ts';
import type { Vocabulary } from '../draft-vocabulary.ts';
import type { Graph } from '../graph.ts';
import { innermostRegions, regionsAround, regionsOf } from '../regions.ts';

/** The schemas of the steps' outputs; null where nothing is known of one. */
export type OutputSchemas = ReadonlyMap<Ref, JsonSchemaLike | null>;

/**
 * What an expression of this step, or of an edge that leaves it, can read. Without a step: what the graph's own can.
 * `to`: an edge that begins branches reads what the step that it leads to can.
 */
export type ScopeOf = (cel: CelKeyword, ref?: Ref, to?: Ref) => Scope;

const text = { type: 'string' };

/** What is known of variables that exist only later. */
const LATER: { readonly [variable: string]: JsonSchemaLike } = {
  event: {
    type: 'object',
    additionalProperties: false,
    properties: { event_name: text, correlation_key: text, event_id: text, payload: {}, published_at: text },
  },
};

/** One scope for all places that see the same, so that a graph of a thousand steps has few of them. */
export function graphScopes(
  { graph, settings }: DefinitionDraft,
  vocabulary: Vocabulary,
  outputs: OutputSchemas,
): ScopeOf {
  const regions = regionVariables(graph, vocabulary);
  const everywhere: readonly (readonly [string, JsonSchemaLike | null])[] = [
    ['input', isObject(settings.input_schema) ? settings.input_schema : null],
    ['context', { type: 'object' }],
    ['run', runSchema(vocabulary)],
  ];
  const known = new Map<string, Scope>();
  return ({ awaits, known: later = {} }, ref, to) => {
    const region = [...new Set([ref, to].flatMap((each) => (each === undefined ? [] : (regions.get(each) ?? []))))];
    const output = awaits.includes('output') && ref !== undefined ? (outputs.get(ref) ?? null) : null;
    const key = JSON.stringify([awaits, later, region, output === null ? null : ref]);
    const scope = known.get(key) ?? {
      variables: new Map<string, JsonSchemaLike | null>([
        ...everywhere,
        ...region.map((name) => [name, null] as const),
        ...awaits.map((name) => [name, name === 'output' ? output : (later[name] ?? LATER[name] ?? null)] as const),
      ]),
      steps: outputs,
    };
    known.set(key, scope);
    return scope;
  };
}

/** Settings are read before there is a run: their expressions see only what their field hands them. */
export const settingsScope: ScopeOf = ({ awaits, known = {} }) => ({
  variables: new Map(awaits.map((name) => [name, known[name] ?? LATER[name] ?? null])),
  steps: null,
});

function runSchema({ fields }: Vocabulary): JsonSchemaLike {
  const ofRun = fields.filter(({ of }) => of === 'run').map(({ name, schema }) => [name, schema] as const);
  return {
    type: 'object',
    additionalProperties: false,
    properties: { id: text, tenant: text, definition: text, started_at: text, now: text, ...Object.fromEntries(ofRun) },
  };
}

/** What the owners of the branches around a step hand to it. */
function regionVariables(graph: Graph, { types }: Vocabulary): ReadonlyMap<Ref, readonly string[]> {
  const innermost = innermostRegions(regionsOf(graph, types));
  return new Map(
    [...innermost.keys()].map((ref) => {
      const names = regionsAround(ref, innermost).flatMap(({ variables, namespace }) => [
        ...variables,
        ...(namespace ? [namespace] : []),
      ]);
      return [ref, [...new Set(names)]] as const;
    }),
  );
}
