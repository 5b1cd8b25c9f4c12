import type { Problem } from '../../errors.ts';
import type { Graph, Step } from '../graph.ts';
import type { CheckContext } from './context.ts';
import { below, fieldProblems } from './fields.ts';
import { withoutUnsupported } from './unsupported.ts';

/** Each step says what its type and the plugins understand, and nothing else. */
export function stepProblems(graph: Graph, context: CheckContext): readonly Problem[] {
  return graph.steps.flatMap((step, index) => {
    const path = `graph.steps[${index}]`;
    const { vocabulary, schemas } = context;
    const type = vocabulary.types.get(step.type);
    const schema = vocabulary.steps.get(step.type);
    if (!type || !schema) {
      return [unknownType(step, path, context), ...schemas.validate({ schema: vocabulary.anyStep, value: step, path })];
    }
    const unsupported = withoutUnsupported({ of: 'step', document: step, path, known: schema.properties }, vocabulary);
    const faults = schemas.validate({ schema, value: unsupported.rest, path });
    return [
      ...unsupported.problems,
      ...faults,
      ...(faults.length === 0 ? below(path, type.check?.(step, graph) ?? []) : []),
      ...fieldProblems({ of: 'step', document: step, graph, path, faults }, context),
    ];
  });
}

function unknownType({ type }: Step, path: string, { vocabulary }: CheckContext): Problem {
  const plugin = vocabulary.disabledStepTypes.get(type);
  return {
    path: `${path}.type`,
    code: plugin === undefined ? 'unknown_step_type' : 'plugin_missing',
    message:
      plugin === undefined
        ? `No step type ${type}.`
        : `The step type ${type} comes with the plugin '${plugin}', which is off: turn it on in ductor.yaml, or use another type.`,
    allowed: [...vocabulary.types.keys()],
  };
}
