import type { Problem } from '../../errors.ts';
import type { JsonObject } from '../../json.ts';

/** Words that mean nothing in this version, by the document they stand in: accepted, they would be promises not kept. */
const UNSUPPORTED = {
  step: { concurrency: 'Limits on the concurrency of a step' },
  settings: { max_transitions: 'Limits on the transitions of a run' },
} as const;

/** Refuses those words by name, unless a plugin has given one a meaning; `rest` is the document without them. */
export function withoutUnsupported({
  of,
  document,
  path,
  known,
}: {
  readonly of: keyof typeof UNSUPPORTED;
  readonly document: JsonObject;
  readonly path: string;
  /** The fields that the document's schema names. */
  readonly known: object;
}): { readonly problems: readonly Problem[]; readonly rest: JsonObject } {
  const found = Object.entries(UNSUPPORTED[of]).filter(
    ([name]) => Object.hasOwn(document, name) && !Object.hasOwn(known, name),
  );
  const names = new Set(found.map(([name]) => name));
  return {
    problems: found.map(([name, what]) => ({
      path: `${path}.${name}`,
      code: 'unsupported',
      message: `${what} are not supported by this version.`,
    })),
    rest: Object.fromEntries(Object.entries(document).filter(([name]) => !names.has(name))),
  };
}
