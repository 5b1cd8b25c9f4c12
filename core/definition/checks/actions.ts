import type { Problem } from '../../errors.ts';
import type { JsonSchemaLike } from '../../expression/index.ts';
import { joinPath } from '../../expression/template-text.ts';
import { isObject, type Ref } from '../../json.ts';
import type { ConnectorPin } from '../../ports/action-pool.ts';
import { connectorOf, credentialOf } from '../actions.ts';
import { type DefinitionDraft, graphFields } from '../draft.ts';
import type { ActionTraits } from '../graph.ts';
import { type ActionPosition, actionPositions } from '../marks.ts';
import { argsOpenness } from './args.ts';
import type { CatalogueAction, CatalogueConnector, CheckContext } from './context.ts';

export interface ResolvedActions {
  readonly problems: readonly Problem[];
  readonly connectors: readonly ConnectorPin[];
  readonly actions: { readonly [action: string]: ActionTraits };
  readonly uses: readonly ActionPosition[];
  /** By step; null where nothing is known of its output. */
  readonly outputs: ReadonlyMap<Ref, JsonSchemaLike | null>;
}

/** Finds for every action the connector version that this definition will run on, and holds its step against it. */
export function resolveActions({ graph, settings }: DefinitionDraft, context: CheckContext): ResolvedActions {
  const ranges = isObject(settings.connectors) ? settings.connectors : {};
  const connectors = new Connectors(ranges, context);
  const traits: Record<string, ActionTraits> = {};
  const outputs = new Map<Ref, JsonSchemaLike | null>();
  const uses: ActionPosition[] = [];
  const problemsAt = (position: ActionPosition): readonly Problem[] => {
    uses.push(position);
    const found = connectors.action(position.action, `${position.path}.action`);
    const { credentials } = context;
    if ('problem' in found) return [found.problem, ...credentialProblems(position, { credentials, action: null })];
    const { action } = found;
    traits[position.action] = action.traits;
    return [
      ...argsProblems(position, action, context),
      ...credentialProblems(position, {
        credentials,
        action: { connector: connectorOf(position.action), ...action.credential },
      }),
    ];
  };
  const { vocabulary } = context;
  const inSteps = graph.steps.flatMap((step, index) => {
    outputs.set(step.ref, null);
    const path = `graph.steps[${index}]`;
    const positions = [...actionPositions(vocabulary.steps.get(step.type) ?? vocabulary.anyStep, step, path)];
    const own = positions.find((position) => position.path === path);
    const found = own && connectors.action(own.action, path);
    if (found && 'action' in found) outputs.set(step.ref, found.action.output);
    return positions.flatMap((position) =>
      problemsAt(position === own ? own : { ...position, credential: credentialOf(step, position) }),
    );
  });
  const inGraph = [...actionPositions(vocabulary.graph, graphFields(graph), 'graph')].flatMap(problemsAt);
  const problems = [...inSteps, ...inGraph];
  return {
    problems: [...connectors.rangeProblems(), ...problems],
    connectors: connectors.pins(),
    actions: traits,
    uses,
    outputs,
  };
}

type Found = { readonly action: CatalogueAction } | { readonly problem: Problem };

/** The connectors of one definition: each is looked for once. */
class Connectors {
  readonly #ranges: { readonly [connectorId: string]: unknown };
  readonly #context: CheckContext;
  readonly #found = new Map<string, CatalogueConnector | null>();
  readonly #used = new Map<string, ConnectorPin>();

  constructor(ranges: { readonly [connectorId: string]: unknown }, context: CheckContext) {
    this.#ranges = ranges;
    this.#context = context;
  }

  action(name: string, path: string): Found {
    const id = connectorOf(name);
    const connector = this.#find(id);
    if (!connector) return { problem: this.#unknownConnector(id, path) };
    const action = connector.actions.get(name.slice(id.length + 1));
    if (!action) {
      const message = `The connector '${id}' (${connector.pin.version}) has no action '${name}'.`;
      const allowed = [...connector.actions.keys()].map((each) => `${id}.${each}`);
      return { problem: { path, code: 'unknown_action', message, allowed } };
    }
    this.#used.set(id, connector.pin);
    return { action };
  }

  /** Also of connectors that no step uses: such a range is a mistake too. */
  rangeProblems(): readonly Problem[] {
    return Object.keys(this.#ranges)
      .filter((id) => this.#find(id) === null)
      .map((id) => this.#unknownConnector(id, joinPath('settings.connectors', id)));
  }

  pins(): readonly ConnectorPin[] {
    return [...this.#used.values()];
  }

  #find(id: string): CatalogueConnector | null {
    const known = this.#found.get(id);
    if (known !== undefined) return known;
    const found = this.#context.actions.find(id, this.#range(id));
    this.#found.set(id, found);
    return found;
  }

  #range(id: string): string | null {
    const range = Object.hasOwn(this.#ranges, id) ? this.#ranges[id] : null;
    return typeof range === 'string' ? range : null;
  }

  #unknownConnector(id: string, path: string): Problem {
    const { actions } = this.#context;
    const range = this.#range(id);
    const newest = range === null ? null : actions.find(id, null);
    if (newest) {
      const message = `No enabled version of the connector '${id}' fits ${range}; the newest is ${newest.pin.version}.`;
      return { path, code: 'connector_version', message };
    }
    const message = id === '' ? 'An action is written connector.action.' : `No connector '${id}' is enabled here.`;
    return { path, code: 'unknown_connector', message, allowed: actions.ids() };
  }
}

/** What is constant in `args` fits the action's input; what is computed is judged by the action's pool, when it is known. */
function argsProblems(
  { args = {}, path }: ActionPosition,
  { input }: CatalogueAction,
  { schemas }: CheckContext,
): readonly Problem[] {
  // A connector may use more of JSON Schema than this validator lets authors use: then its pool judges it all.
  if (schemas.check(input, path).length > 0) return [];
  return schemas.validate({ schema: input, value: args, path: `${path}.args`, openness: argsOpenness });
}

/** Of an action that was not found it is only asked whether there is such a credential. */
function credentialProblems(
  { credential: name, path }: ActionPosition,
  { credentials, action }: Pick<CheckContext, 'credentials'> & { readonly action: Accepting | null },
): readonly Problem[] {
  const problem = (code: string, message: string) => [
    { path: `${path}.credential`, code, message, allowed: [...credentials.keys()].filter((each) => fits(each)) },
  ];
  const fits = (each: string): boolean => {
    const found = credentials.get(each);
    if (!found || !action) return found !== undefined;
    return found.connector === action.connector && action.kinds.includes(found.auth);
  };
  if (typeof name !== 'string') {
    if (name !== undefined || !action?.required) return [];
    return problem('required', `The action needs a credential of the kind ${action.kinds.join(' or ')}.`);
  }
  if (!credentials.has(name)) return problem('unknown_credential', `No credential '${name}'.`);
  if (fits(name)) return [];
  if (action?.kinds.length === 0) return problem('unfit_credential', 'The action takes no credential.');
  return problem('unfit_credential', `The credential '${name}' is not of a kind that the action takes.`);
}

interface Accepting {
  readonly connector: string;
  readonly kinds: readonly string[];
  readonly required: boolean;
}
