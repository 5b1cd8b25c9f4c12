import type { Problem } from '../../errors.ts';
import { joinPath } from '../../expression/template-text.ts';
import { isObject } from '../../json.ts';
import type { Graph } from '../graph.ts';

/** Attributes that only the engine and plugins may write. */
const RESERVED = 'ductor.';

export const attributeProblems = ({ steps }: Graph): readonly Problem[] =>
  steps.flatMap(({ effects }, index) => {
    const attributes = isObject(effects) && isObject(effects.attributes) ? effects.attributes : {};
    return Object.keys(attributes)
      .filter((name) => name.startsWith(RESERVED))
      .map((name) => ({
        path: joinPath(`graph.steps[${index}].effects.attributes`, name),
        code: 'reserved_attribute',
        message: `Attributes that begin with '${RESERVED}' are not for steps to write.`,
      }));
  });
