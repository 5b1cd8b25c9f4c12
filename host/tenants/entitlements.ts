import { type Checked, connectorOf, type Graph, type Problem } from '@ductor/core';

/** What a tenant may have; `null` is unlimited. */
export interface Entitlements {
  /** Families with a published version. */
  readonly max_definitions: number | null;
  /** Runs that have not ended, whoever started them. */
  readonly max_open_runs: number | null;
  /** Runs that were triggered within the last 60 seconds. */
  readonly runs_per_minute: number | null;
  /** Ids of the connectors that definitions may use. */
  readonly connectors: readonly string[] | null;
  /** In their long form: `STEP_TYPE_ACTION`. */
  readonly step_types: readonly string[] | null;
}

/** Whether a finding is about a limit, whose name is then its code: a refusal that has no other is 403, not 400. */
export const isOfEntitlements = ({ code }: Problem): boolean =>
  code === 'max_definitions' || code === 'connectors' || code === 'step_types';

/** The step types and actions that a tenant is not entitled to, each where it stands. */
export const wordProblems = (
  { step_types, connectors }: Entitlements,
  { graph, uses }: { readonly graph: Graph; readonly uses: Checked['uses'] },
): readonly Problem[] => [
  ...graph.steps.flatMap(({ type }, index) =>
    missing('step_types', step_types, { value: type, path: `graph.steps[${index}].type` }),
  ),
  ...uses.flatMap(({ action, path }) =>
    missing('connectors', connectors, { value: connectorOf(action), path: `${path}.action` }),
  ),
];

function missing(
  code: 'step_types' | 'connectors',
  allowed: readonly string[] | null,
  { value, path }: { readonly value: string; readonly path: string },
): readonly Problem[] {
  if (allowed === null || allowed.includes(value)) return [];
  return [{ path, code, message: `The tenant's ${code} do not have ${value}.`, allowed }];
}

/** `others`: families besides this one that have a published version. */
export const familyProblems = ({ max_definitions }: Entitlements, others: number): readonly Problem[] =>
  max_definitions === null || others < max_definitions
    ? []
    : [
        {
          path: '',
          code: 'max_definitions',
          message: `The tenant's max_definitions is ${max_definitions}: archive another workflow first.`,
        },
      ];
