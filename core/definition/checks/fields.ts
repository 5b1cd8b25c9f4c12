import type { Problem } from '../../errors.ts';
import { isObject, type JsonObject } from '../../json.ts';
import type { AroundField } from '../../plugin/field.ts';
import { type DefinitionDraft, graphFields } from '../draft.ts';
import type { Graph } from '../graph.ts';
import { argsOpenness } from './args.ts';
import type { CheckContext } from './context.ts';
import { withoutUnsupported } from './unsupported.ts';

/** Problems whose paths were relative to `path`. */
export const below = (path: string, problems: readonly Problem[]): readonly Problem[] =>
  problems.map((problem) => {
    const separator = problem.path === '' || problem.path.startsWith('[') ? '' : '.';
    return { ...problem, path: `${path}${separator}${problem.path}` };
  });

/** What plugins say of their own fields, where the schema found no fault in them. */
export function fieldProblems(
  place: {
    readonly of: 'step' | 'graph' | 'settings';
    readonly document: JsonObject;
    readonly graph: Graph;
    readonly path: string;
    readonly faults: readonly Problem[];
    readonly around?: AroundField;
  },
  { vocabulary }: CheckContext,
): readonly Problem[] {
  return vocabulary.fields.flatMap((field) => {
    const value = field.of === place.of ? field.in(place.document) : undefined;
    const path = `${place.path}.${field.name}`;
    if (value === undefined || place.faults.some((fault) => fault.path.startsWith(path))) return [];
    return below(path, field.check?.(value, place.graph, place.around) ?? []);
  });
}

export function graphFieldProblems(graph: Graph, context: CheckContext): readonly Problem[] {
  const document = graphFields(graph);
  const { vocabulary, schemas } = context;
  const schema = vocabulary.graph;
  const unsupported = withoutUnsupported(
    { of: 'graph', document, path: 'graph', known: schema.properties },
    vocabulary,
  );
  const faults = schemas.validate({ schema, value: unsupported.rest, path: 'graph' });
  return [
    ...unsupported.problems,
    ...faults,
    ...fieldProblems({ of: 'graph', document, graph, path: 'graph', faults }, context),
  ];
}

export function settingsProblems({ graph, settings }: DefinitionDraft, context: CheckContext): readonly Problem[] {
  const { schemas, vocabulary } = context;
  const schema = vocabulary.settings;
  const unsupported = withoutUnsupported(
    { of: 'settings', document: settings, path: 'settings', known: schema.properties },
    vocabulary,
  );
  const faults = schemas.validate({ schema, value: unsupported.rest, path: 'settings' });
  const { input_schema } = settings;
  const schemaFaults = input_schema === undefined ? [] : schemas.check(input_schema, 'settings.input_schema');
  const around: AroundField = {
    inputProblems: (value, path) =>
      isObject(input_schema) && schemaFaults.length === 0
        ? schemas.validate({ schema: input_schema, value, path, openness: argsOpenness })
        : [],
  };
  return [
    ...unsupported.problems,
    ...faults,
    ...schemaFaults,
    ...fieldProblems({ of: 'settings', document: settings, graph, path: 'settings', faults, around }, context),
  ];
}
