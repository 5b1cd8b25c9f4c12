/** Regions whose branches are runs of their own: each is cut out, and one step that runs it stands in its place. */
import { compileExpression, compileTemplate, type Path, pathsOf } from '../expression/index.ts';
import type { JsonObject, Ref } from '../json.ts';
import type { JsonSchema } from '../schema.ts';
import { BRANCH_STEP, branchStep } from '../steps/branch.step.ts';
import type { StepTypes } from '../steps/registry.ts';
import type { AnyStepType } from '../steps/step-type.ts';
import { type Plan, seenAt } from './config.ts';
import type { Definition, Edge, Graph, Region, Step } from './graph.ts';
import { celPositions } from './marks.ts';
import { regionsOf } from './regions.ts';

/** The step that stands for a region. */
export interface Cut {
  readonly type: AnyStepType;
  readonly config: Plan;
}

export interface Remainder {
  /** With those steps instead of what was cut out. */
  readonly graph: Graph;
  /** By their refs. */
  readonly cuts: ReadonlyMap<Ref, Cut>;
}

/** What no author can write: the step that runs the branches of this one. */
export const branchRef = (owner: Ref): Ref => `${owner}[]`;

/** `schemaOf`: of all that may be evaluated in a step, or in an edge. */
export function cutOut(
  definition: Pick<Definition, 'graph' | 'settings'>,
  types: StepTypes,
  schemaOf: (of: Step | 'edge') => JsonSchema,
): Remainder {
  const { graph, settings } = definition;
  const apart = [...regionsOf(graph, types).values()].filter(({ isApart }) => isApart);
  const isWithin = ({ owner }: Region) => apart.some(({ body }) => body.includes(owner));
  const { cancel_grace } = settings;
  const cuts = new Map<Ref, Cut>();
  let rest = graph;
  for (const region of apart.filter((each) => !isWithin(each))) {
    const { exit } = region;
    if (exit === null) continue;
    const part = partOf(graph, { ...region, exit });
    const workflow = { graph: part, ...(cancel_grace !== undefined && { settings: { cancel_grace } }) };
    const paths = [...region.variables.map((name): Path => [name]), ...readFromAround(part, schemaOf)];
    const config: Plan = { kind: 'object', fields: [['input', seenAt(paths)]] };
    cuts.set(branchRef(region.owner), { type: branchStep(workflow), config });
    rest = without(rest, { ...region, exit });
  }
  return { graph: rest, cuts };
}

type Branched = Region & { readonly exit: Ref };

function partOf({ steps, edges }: Graph, { owner, body, exit }: Branched): Graph {
  const isInside = (ref: Ref) => body.includes(ref);
  const first: Step = { ref: owner, type: 'STEP_TYPE_TRANSFORM', value: null };
  return {
    steps: [first, ...steps.filter(({ ref }) => isInside(ref))],
    edges: edges.filter(({ from, to }) => isInside(from) || (from === owner && isInside(to))),
    part: { owner, exit },
  };
}

function without(graph: Graph, { owner, body, exit }: Branched): Graph {
  const isInside = (ref: Ref) => body.includes(ref);
  const ref = branchRef(owner);
  const leads = ({ from, to }: Edge) => isInside(from) || isInside(to) || (from === owner && to === exit);
  return {
    ...graph,
    steps: [...graph.steps.filter((step) => !isInside(step.ref)), { ref, type: BRANCH_STEP }],
    edges: [
      ...graph.edges.filter((edge) => !leads(edge)),
      { from: owner, to: ref, type: 'SUCCESS' },
      { from: ref, to: exit, type: 'SUCCESS' },
    ],
  };
}

/** What the expressions of a part read, but for its own steps, and the run, which is its own too. */
function readFromAround({ steps, edges }: Graph, schemaOf: (of: Step | 'edge') => JsonSchema): readonly Path[] {
  const own = new Set(steps.map(({ ref }) => ref));
  const documents: readonly (readonly [JsonSchema, JsonObject])[] = [
    ...steps.map((step) => [schemaOf(step), step] as const),
    ...edges.map((edge) => [schemaOf('edge'), { ...edge }] as const),
  ];
  const isOwn = ([name, ref]: Path) => name === 'run' || (name === 'steps' && typeof ref === 'string' && own.has(ref));
  return documents
    .flatMap(([schema, document]) => [...celPositions(schema, document, '')])
    .flatMap(({ cel, written }) =>
      cel.as === 'bare' ? [compileExpression(String(written))] : compileTemplate(written).expressions,
    )
    .flatMap(({ syntax }) => pathsOf(syntax.root))
    .filter((path) => !isOwn(path));
}
