/** The runs that a tick starts: found, checked and made ready, to be inserted by that tick's own commit. */
import type { Definition } from '../definition/graph.ts';
import type { Failure, Problem } from '../errors.ts';
import type { DefinitionId, Json, TenantId } from '../json.ts';
import { type RunState, viewOf } from '../run/run.ts';
import type { ListedWorkflow, UnlistedWorkflow } from '../steps/command.ts';
import type { CoordinatorPorts, Missing } from './coordinator-ports.ts';
import { missingCredentials } from './credentials.ts';
import { firstTick } from './first-tick.ts';
import { NO_INPUTS } from './inputs.ts';
import { missingText } from './missing.ts';
import type { Company, Letter, Spawned, TickPayload } from './payload.ts';

/** What the host knows of workflows that steps start by name. */
export interface ChildPorts {
  /** A published version that takes new runs; of `latest`, the newest of these. */
  resolve(tenantId: TenantId, workflow: ListedWorkflow): Promise<DefinitionId | null>;
  /** A definition that nobody finds by an address, on what `of` was published with; the same graph again has the same id. */
  define(workflow: UnlistedWorkflow, of: Definition): Promise<DefinitionId>;
  /** Against the definition's `input_schema`. */
  checkInput(definition: Definition, input: Json): readonly Problem[];
  /** How deep workflows may start each other. */
  readonly maxDepth: number;
}

type Ports = Pick<CoordinatorPorts, 'registry' | 'prepare' | 'missingCredentials' | 'children'>;

interface Parent {
  readonly state: RunState;
  readonly definition: Definition;
}

/** A run that cannot be started is reported to its node like a child that has ended; throws for one without a node. */
export async function companyOf(ports: Ports, payload: TickPayload, parent: Parent): Promise<Company> {
  const starts: TickPayload[] = [];
  const letters: Letter[] = [];
  const { chainId, id } = parent.state.header;
  for (const spawned of payload.spawned) {
    const made = await tryToStart(ports, spawned, { ...parent, payload });
    const { at, runId, seed } = spawned;
    if ('transition' in made) starts.push(made);
    // Nobody hears of it, and it is owed: then this tick is not committed either, and tried again.
    else if (at === null) throw new Error(`A run of kind ${seed.kind} that ${id} asks for: ${made.message}`);
    if (at === null || ('transition' in made && seed.report !== 'start')) continue;
    const end = 'transition' in made ? ({ status: 'started' } as const) : ({ status: 'refused', error: made } as const);
    letters.push({ kind: 'child', chainId, at, runId, end });
  }
  return { starts, letters };
}

type Asking = Parent & { readonly payload: TickPayload };

async function tryToStart(
  ports: Ports,
  { runId, at, seed }: Spawned,
  { state, definition, payload }: Asking,
): Promise<TickPayload | Failure> {
  const { header } = state;
  const { lineage, tenantId, chainId, priority, traceparent } = header;
  const { workflow } = seed;
  const slug = 'graph' in workflow ? definition.familySlug : workflow.slug;
  const above = [...lineage.above, definition.familySlug];
  const { maxDepth } = ports.children;
  // A graph that comes from this definition cannot start it again by its name.
  if (above.length > maxDepth && !('graph' in workflow)) return tooDeep([...above, slug], maxDepth);
  const definitionId =
    'graph' in workflow
      ? await ports.children.define(workflow, definition)
      : await ports.children.resolve(tenantId, workflow);
  if (definitionId === null) return notFound(workflow as ListedWorkflow);
  const prepared = await ports.prepare(definitionId);
  if (!prepared.ok) return lacksPlugin(slug, prepared);
  const { compiled } = prepared;
  const problems = ports.children.checkInput(compiled.definition, seed.input);
  if (problems.length > 0) return badInput(slug, problems);
  const missing = await missingCredentials(ports, tenantId, compiled);
  const first = firstTick(
    {
      id: runId,
      tenantId,
      definitionId,
      kind: seed.kind,
      input: seed.input,
      origin: { from: seed.report === 'start' ? 'deferred' : 'child', run: viewOf(state) },
      kinship: { chainId, slug: definition.familySlug, node: at, report: seed.report },
      createdAt: payload.transition.at,
      startAt: seed.startAt ?? null,
      priority,
      traceparent,
      subjectType: null,
      subjectId: null,
      externalDeploymentId: null,
      idempotency: null,
      isHeldBack: true,
    },
    { registry: ports.registry, compiled, inputs: { ...NO_INPUTS, missingCredentials: missing } },
  );
  return 'refuse' in first ? { party: 'operator', ...first.refuse } : first.payload;
}

const tooDeep = (chain: readonly string[], maxDepth: number): Failure => ({
  code: 'nesting_limit',
  message: `Workflows start each other more than ${maxDepth} deep: ${chain.join(' → ')}.`,
  party: 'user',
  details: { limit: maxDepth, chain: [...chain] },
});

const notFound = ({ slug, version }: ListedWorkflow): Failure => ({
  code: 'workflow_not_found',
  message:
    version === 'latest'
      ? `There is no published version of ${slug} that takes new runs.`
      : `There is no version ${version} of ${slug} that takes new runs.`,
  party: 'user',
});

const lacksPlugin = (slug: string, missing: Missing): Failure => ({
  code: 'plugin_missing',
  message: missingText(slug, missing),
  party: 'operator',
  details: { plugins: missing.plugins, words: missing.words },
});

const badInput = (slug: string, problems: readonly Problem[]): Failure => ({
  code: 'invalid_argument',
  message: `The input does not fit the input_schema of ${slug}.`,
  party: 'user',
  details: problems as unknown as Json,
});
