import type { Problem } from '../../errors.ts';
import type { JsonObject } from '../../json.ts';
import type { Vocabulary } from '../draft-vocabulary.ts';

type Place = 'step' | 'settings' | 'graph';

/** Words that mean nothing in this version, by the document they stand in: accepted, they would be promises not kept. */
const UNSUPPORTED: { readonly [Of in Place]: { readonly [name: string]: string } } = {
  step: { concurrency: 'Limits on the concurrency of a step' },
  settings: { max_transitions: 'Limits on the transitions of a run' },
  graph: {},
};

/** Refuses those, and words of plugins that are off, by name; `rest` is the document without them. */
export function withoutUnsupported(
  {
    of,
    document,
    path,
    known,
  }: {
    readonly of: Place;
    readonly document: JsonObject;
    readonly path: string;
    /** The fields that the document's schema names. */
    readonly known: object;
  },
  { disabledFields }: Pick<Vocabulary, 'disabledFields'>,
): { readonly problems: readonly Problem[]; readonly rest: JsonObject } {
  const problems = new Map<string, Problem>();
  for (const name of Object.keys(document)) {
    const what = UNSUPPORTED[of][name];
    const plugin = disabledFields.get(`${of}.${name}`);
    if (Object.hasOwn(known, name) || (what === undefined && plugin === undefined)) continue;
    const message =
      plugin === undefined
        ? `${what} are not supported by this version.`
        : `The word ${name} comes with the plugin '${plugin}', which is off: turn it on in ductor.yaml, or leave the word out.`;
    const code = plugin === undefined ? 'unsupported' : 'plugin_missing';
    problems.set(name, { path: `${path}.${name}`, code, message });
  }
  return {
    problems: [...problems.values()],
    rest: Object.fromEntries(Object.entries(document).filter(([name]) => !problems.has(name))),
  };
}
