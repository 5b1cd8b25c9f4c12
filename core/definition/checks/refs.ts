import type { Problem } from '../../errors.ts';
import type { Graph } from '../graph.ts';
import { isStepRef, STEP_REF_RULE } from '../slug.ts';

/** Every step has a name of its own. */
export function refProblems({ steps }: Graph): readonly Problem[] {
  const seen = new Set<string>();
  return steps.flatMap(({ ref }, index) => {
    const path = `graph.steps[${index}].ref`;
    if (seen.has(ref)) return [{ path, code: 'duplicate_ref', message: `There is another step '${ref}'.` }];
    seen.add(ref);
    return isStepRef(ref) ? [] : [{ path, code: 'invalid_ref', message: STEP_REF_RULE }];
  });
}
