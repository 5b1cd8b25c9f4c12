import {
  type CompiledExpression,
  type CompiledTemplate,
  compileExpression,
  compileTemplate,
} from '../expression/index.ts';
import type { JsonObject, Ref } from '../json.ts';
import type { AnyField } from '../plugin/field.ts';
import type { Deadlines, RetryPolicy } from '../run/attempt.ts';
import { cel, type JsonSchema } from '../schema.ts';
import { COMMON_STEP_FIELDS, deadlinesOf, retryOf } from '../steps/common.ts';
import type { StepTypes } from '../steps/registry.ts';
import type { AnyStepType } from '../steps/step-type.ts';
import { type Plan, planDocument } from './config.ts';
import { graphFields } from './draft.ts';
import { parseDuration } from './duration.ts';
import type { Definition, Edge, Graph, Region, Step } from './graph.ts';
import { credentialNames } from './marks.ts';
import { cutOut } from './parts.ts';
import { innermostRegions, ownersAround, regionsOf } from './regions.ts';

export interface CompiledEdge extends Edge {
  /** Its place among the outgoing edges of its step: how nodes remember what they took. */
  readonly index: number;
  readonly when: CompiledExpression | null;
  /** It ends a branch: what it leads to starts when the owner of the branches is over. */
  readonly leaves: boolean;
}

export interface CompiledStep {
  readonly ref: Ref;
  readonly step: Step;
  readonly type: AnyStepType;
  readonly config: Plan;
  /** The plugins' words in it. */
  readonly fields: Plan;
  readonly effects: Plan | null;
  readonly join: 'all' | 'any';
  /** Whose region it is in: it runs only as that step's child, or in its branches. */
  readonly owner: Ref | null;
  /** The owners of the branches around it, outermost first: what the indexes of its nodes' addresses count. */
  readonly around: readonly Ref[];
  /** Its own region. */
  readonly region: CompiledRegion | null;
  /** The owner of the branches that it is the exit of. */
  readonly exitOf: Ref | null;
  readonly incoming: number;
  /** Of an owner of branches without `region.into`, and with one that leads to their exit. */
  readonly outgoing: readonly CompiledEdge[];
  readonly deadlines: Partial<Deadlines>;
  readonly retry: Partial<RetryPolicy>;
}

export interface CompiledRegion extends Region {
  /** Its steps without those of branches within its branches. */
  readonly nearest: readonly Ref[];
  /** The owner's edges that each branch begins with. */
  readonly into: readonly CompiledEdge[];
}

/** A version made ready for ticks: everything that does not depend on a run is done once. */
export interface CompiledDefinition {
  readonly definition: Definition;
  readonly steps: ReadonlyMap<Ref, CompiledStep>;
  /** Steps of the graph that are none of its own: they run in branches that are runs. */
  readonly apart: readonly Step[];
  readonly entries: readonly Ref[];
  readonly output: CompiledTemplate | null;
  /** The plugins' words in the graph. */
  readonly fields: Plan;
  readonly failurePolicy: 'fail_fast' | 'drain';
  readonly runTimeoutMs: number | null;
  readonly cancelGraceMs: number;
  /** The credentials that its steps name. */
  readonly credentials: readonly string[];
}

/**
 * What the graph says and this host cannot do: step types that it does not know, and words of plugins that are off
 * (`step.audit`). Its runs are left alone here. Words in settings are read where a version is published or a run starts.
 */
export function missingWords(
  { graph }: Pick<Definition, 'graph'>,
  { types, disabledFields }: { readonly types: StepTypes; readonly disabledFields: ReadonlyMap<string, string> },
): readonly string[] {
  const unknown = graph.steps.map(({ type }) => type).filter((type) => !types.has(type));
  const said = [...wordsOf('graph', graph), ...graph.steps.flatMap((step) => wordsOf('step', step))];
  return [...new Set([...unknown, ...said.filter((word) => disabledFields.has(word))])];
}

const wordsOf = (of: 'graph' | 'step', document: object): readonly string[] =>
  Object.keys(document).map((name) => `${of}.${name}`);

/** Compiles a published version, whose graph and expressions were checked then. All its step types must be known. */
export function compileDefinition(
  definition: Definition,
  types: StepTypes,
  fields: readonly AnyField[] = [],
): CompiledDefinition {
  const { settings } = definition;
  const ofSteps = schemaOf('step', fields);
  const { graph, cuts } = cutOut(definition, types, (of) => evaluatedIn(of, types, ofSteps));
  const regions = regionsOf(graph, types);
  const innermost = innermostRegions(regions);
  const { outgoing, into, incoming } = compileEdges(graph, regions, innermost);
  const exits = new Map([...regions.values()].flatMap(({ owner, exit }) => (exit === null ? [] : [[exit, owner]])));
  const around = new Map(graph.steps.map(({ ref }) => [ref, ownersAround(ref, innermost)]));
  const credentials = new Set<string>();
  const steps = new Map<Ref, CompiledStep>();
  for (const step of graph.steps) {
    const cut = cuts.get(step.ref);
    const type = cut?.type ?? types.get(step.type);
    if (!type) throw new Error(`Step type ${step.type} is not known to this host.`);
    for (const name of credentialNames(type.schema, step)) credentials.add(name);
    steps.set(step.ref, {
      ref: step.ref,
      step,
      type,
      config: cut?.config ?? planDocument(type.schema, own(step, ofSteps)),
      fields: planDocument(ofSteps, only(step, ofSteps)),
      effects: step.effects === undefined ? null : planDocument(COMMON_STEP_FIELDS.effects, step.effects),
      join: step.join === 'any' ? 'any' : 'all',
      owner: innermost.get(step.ref)?.owner ?? null,
      around: around.get(step.ref) ?? [],
      exitOf: exits.get(step.ref) ?? null,
      region: compiledRegion(regions.get(step.ref), { around, into }),
      incoming: incoming.get(step.ref) ?? 0,
      outgoing: outgoing.get(step.ref) ?? [],
      deadlines: deadlinesOf(step),
      retry: retryOf(step.retry as JsonObject | undefined),
    });
  }
  return {
    definition,
    steps,
    apart: definition.graph.steps.filter(({ ref }) => !steps.has(ref)),
    entries: graph.steps.map(({ ref }) => ref).filter((ref) => !incoming.has(ref) && !innermost.has(ref)),
    output: graph.output === undefined ? null : compileTemplate(graph.output),
    failurePolicy: settings.failure_policy === 'drain' ? 'drain' : 'fail_fast',
    runTimeoutMs: settings.run_timeout === undefined ? null : parseDuration(String(settings.run_timeout)),
    fields: planDocument(schemaOf('graph', fields), only(graphFields(graph), schemaOf('graph', fields))),
    credentials: [...credentials],
    cancelGraceMs: parseDuration(String(settings.cancel_grace ?? 'PT30S')) ?? 30_000,
  };
}

interface Edges {
  readonly outgoing: ReadonlyMap<Ref, readonly CompiledEdge[]>;
  /** By the owner of the branches that they begin. */
  readonly into: ReadonlyMap<Ref, readonly CompiledEdge[]>;
  readonly incoming: ReadonlyMap<Ref, number>;
}

/** An owner of branches leads to their exit by an edge of its own; those that begin or end a branch do not. */
function compileEdges(
  { edges, part }: Graph,
  regions: ReadonlyMap<Ref, Region>,
  innermost: ReadonlyMap<Ref, Region>,
): Edges {
  const outgoing = new Map<Ref, CompiledEdge[]>();
  const into = new Map<Ref, CompiledEdge[]>();
  const incoming = new Map<Ref, number>();
  const add = (to: Map<Ref, CompiledEdge[]>, edge: Edge, leaves: boolean) => {
    const when = edge.condition === undefined ? null : compileExpression(edge.condition);
    const others = to.get(edge.from) ?? [];
    to.set(edge.from, [...others, { ...edge, index: others.length, when, leaves }]);
    if (!leaves) incoming.set(edge.to, (incoming.get(edge.to) ?? 0) + 1);
  };
  for (const edge of edges) {
    const own = regions.get(edge.from);
    const isExit = (region: Region | undefined) => region?.exit === edge.to;
    if (own?.exit && (isExit(own) || own.body.includes(edge.to))) add(into, edge, isExit(own));
    else add(outgoing, edge, (branchedRegion(edge.from, innermost)?.exit ?? part?.exit) === edge.to);
  }
  for (const { owner: from, exit: to } of regions.values()) {
    if (to !== null) add(outgoing, { from, to, type: 'SUCCESS' }, false);
  }
  return { outgoing, into, incoming };
}

/** The region whose branches the step is in. */
function branchedRegion(ref: Ref, innermost: ReadonlyMap<Ref, Region>): Region | undefined {
  const region = innermost.get(ref);
  return region?.exit === null ? branchedRegion(region.owner, innermost) : region;
}

function compiledRegion(
  region: Region | undefined,
  { around, into }: { readonly around: ReadonlyMap<Ref, readonly Ref[]>; readonly into: Edges['into'] },
): CompiledRegion | null {
  if (!region) return null;
  const depth = (around.get(region.owner)?.length ?? 0) + (region.exit === null ? 0 : 1);
  const nearest = region.body.filter((ref) => around.get(ref)?.length === depth);
  return { ...region, nearest, into: into.get(region.owner) ?? [] };
}

type FieldsSchema = JsonSchema & { readonly properties: { readonly [name: string]: JsonSchema } };

const schemaOf = (of: AnyField['of'], fields: readonly AnyField[]): FieldsSchema => ({
  type: 'object',
  properties: Object.fromEntries(fields.filter((field) => field.of === of).map(({ name, schema }) => [name, schema])),
});

/** All of a step, or of an edge, that sees the run. */
const evaluatedIn = (of: Step | 'edge', types: StepTypes, { properties }: FieldsSchema): JsonSchema =>
  of === 'edge'
    ? { properties: { condition: cel({ type: 'boolean' }) } }
    : { properties: { ...types.get(of.type)?.schema.properties, effects: COMMON_STEP_FIELDS.effects, ...properties } };

const only = (document: JsonObject, { properties }: FieldsSchema): JsonObject =>
  Object.fromEntries(Object.entries(document).filter(([name]) => name in properties));

/** A step without the engine's own words, and the plugins'. */
const own = (step: Step, { properties }: FieldsSchema): JsonObject =>
  Object.fromEntries(Object.entries(step).filter(([name]) => !(name in COMMON_STEP_FIELDS) && !(name in properties)));
