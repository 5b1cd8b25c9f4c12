import type { Graph, Step } from '../definition/graph.ts';
import type { Failure, Problem } from '../errors.ts';
import type { Ref } from '../json.ts';
import { defineStep } from './step-type.ts';

type Arms = { readonly open: readonly Ref[] };

const armsOf = ({ arms }: Step): readonly Ref[] =>
  Array.isArray(arms) ? arms.filter((ref): ref is Ref => typeof ref === 'string') : [];

/** The first of its arms to complete wins; the others are stopped in the winner's commit. */
export const raceStep = defineStep({
  type: 'STEP_TYPE_RACE',
  schema: {
    type: 'object',
    required: ['arms'],
    properties: {
      arms: {
        type: 'array',
        items: { type: 'string', format: 'step_ref' },
        minItems: 1,
        maxItems: 100,
        uniqueItems: true,
      },
    },
  },
  check: (step, graph) => armsOf(step).flatMap((arm, i) => armProblems(arm, { path: `arms[${i}]`, step, graph })),
  region(step) {
    const arms = armsOf(step);
    return { entry: arms, body: arms, exit: null, variables: [] };
  },
  start: ({ config: { arms } }) => ({
    to: 'waiting',
    wait: { kind: 'children' },
    memo: { open: arms } as Arms,
    commands: arms.map((ref) => ({ do: 'spawn', child: { kind: 'node', ref } }) as const),
  }),
  on: {
    child({ memo }, { child, end }) {
      if (child.kind !== 'node') return null;
      if (end.status === 'completed') {
        return { to: 'completed', outcome: 'SUCCESS', output: { winner: child.ref, output: end.output } };
      }
      const open = memo.open.filter((ref) => ref !== child.ref);
      if (open.length > 0) return { to: 'same', memo: { open } };
      return { to: 'failed', error: end.status === 'failed' ? end.error : NO_WINNER };
    },
  },
  why: (_wait, { open }) => ({ code: 'arms_open', arms: open }),
});

const NO_WINNER: Failure = { code: 'race_no_winner', message: 'None of its arms completed.', party: 'user' };

/** An arm is one step without edges, of one race only. */
function armProblems(
  arm: Ref,
  { path, step, graph }: { readonly path: string; readonly step: Step; readonly graph: Graph },
): readonly Problem[] {
  if (!graph.steps.some(({ ref }) => ref === arm)) {
    const allowed = graph.steps.map(({ ref }) => ref).filter((ref) => ref !== step.ref);
    return [{ path, code: 'unknown_step', message: `There is no step ${arm}.`, allowed }];
  }
  if (arm === step.ref) return [{ path, code: 'invalid_arm', message: 'A race is not an arm of itself.' }];
  const edge = graph.edges.find(({ from, to }) => from === arm || to === arm);
  if (edge) {
    const message = `${arm} has an edge (${edge.from} → ${edge.to}); an arm has none: a longer one is a SUBWORKFLOW.`;
    return [{ path, code: 'invalid_arm', message }];
  }
  const other = graph.steps.find(
    (race) => race.type === step.type && race.ref !== step.ref && armsOf(race).includes(arm),
  );
  return other ? [{ path, code: 'invalid_arm', message: `${arm} is an arm of ${other.ref} already.` }] : [];
}
