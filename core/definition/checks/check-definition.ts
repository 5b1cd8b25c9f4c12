import type { Problem } from '../../errors.ts';
import type { ConnectorPin } from '../../ports/action-pool.ts';
import { type DefinitionDraft, limitProblems } from '../draft.ts';
import type { ActionTraits } from '../graph.ts';
import type { ActionPosition } from '../marks.ts';
import { resolveActions } from './actions.ts';
import { attributeProblems } from './attributes.ts';
import type { CheckContext } from './context.ts';
import { edgeProblems } from './edges.ts';
import { expressionProblems } from './expressions.ts';
import { graphFieldProblems, settingsProblems } from './fields.ts';
import { orderWarnings } from './order.ts';
import { pathProblems } from './paths.ts';
import { refProblems } from './refs.ts';
import { regionProblems } from './regions.ts';
import { stepProblems } from './steps.ts';

/** What publish has to say of a draft. With problems it is not published; warnings hinder nothing. */
export interface Checked {
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
  /** What its actions were resolved to; complete only where there is no problem. */
  readonly connectors: readonly ConnectorPin[];
  readonly actions: { readonly [action: string]: ActionTraits };
  /** Where it names which action. */
  readonly uses: readonly Pick<ActionPosition, 'action' | 'path'>[];
}

/** Every check of a definition in one go, so that its author sees all problems at once. Pure. */
export function checkDefinition(draft: DefinitionDraft, context: CheckContext): Checked {
  const limits = limitProblems(draft, context.vocabulary.limits);
  // What is too large is not looked at further.
  if (limits.length > 0) return { problems: limits, warnings: [], connectors: [], actions: {}, uses: [] };
  const resolved = resolveActions(draft, context);
  return {
    problems: [
      ...refProblems(draft.graph),
      ...stepProblems(draft.graph, context),
      ...attributeProblems(draft.graph),
      ...edgeProblems(draft.graph, context.vocabulary),
      ...pathProblems(draft.graph, context.vocabulary),
      ...regionProblems(draft.graph, context.vocabulary),
      ...graphFieldProblems(draft.graph, context),
      ...settingsProblems(draft, context),
      ...resolved.problems,
      ...expressionProblems(draft, context, resolved.outputs),
    ],
    warnings: orderWarnings(draft.graph, context.vocabulary),
    connectors: resolved.connectors,
    actions: resolved.actions,
    uses: resolved.uses,
  };
}
