/** The only packages from the registry that the core may use: the CEL evaluator. */
const evaluator = /^@bufbuild\/cel(-[a-z]+)?(\/|$)/;

/** The features that are plugins, and so have no name in the core, with the words that would name them. */
const features = [
  { feature: 'the scheduler', words: nameOf('scheduler') },
  { feature: 'saga', words: nameOf('saga') },
  { feature: 'scatter/gather', words: nameOf('scatter') },
  { feature: 'scatter/gather', words: nameOf('gather') },
  { feature: 'event sets', words: nameOf('event', 'set') },
  { feature: 'event sets', words: nameOf('digest') },
  { feature: 'correlation labels', words: nameOf('correlation', 'label') },
];

/** The core does no I/O: it imports neither Node nor a package that might. */
export function coreImportRule({ sources, resolve }) {
  return sources
    .filter(({ owner }) => owner.kind === 'core')
    .flatMap((source) =>
      source.imports.flatMap((imported) => {
        const { builtin, external } = imported.specifier === undefined ? {} : resolve(source, imported);
        const message =
          imported.specifier === undefined
            ? 'a computed import cannot be followed'
            : builtin !== undefined
              ? `the core imports no module of Node ('${builtin}'): make it a port`
              : external !== undefined && !evaluator.test(external)
                ? `the core imports no package but the CEL evaluator ('${external}')`
                : undefined;
        return message === undefined ? [] : [{ rule: 'core-imports', file: source.file, line: imported.line, message }];
      }),
    );
}

/** The core names none of the features that are plugins, not even in a comment or a file's name. */
export function coreWordRule({ coreTexts }) {
  return coreTexts.flatMap(({ file, text, lineAt }) =>
    features.flatMap(({ feature, words }) => {
      const found = [
        ...[...file.matchAll(words)].map(([word]) => ({ line: 1, word })),
        ...[...text.matchAll(words)].map((match) => ({ line: lineAt(match.index), word: match[0] })),
      ];
      return found.map(({ line, word }) => ({
        rule: 'core-words',
        file,
        line,
        message: `'${word}' names a plugin's feature (${feature}); the core knows none of them`,
      }));
    }),
  );
}

/**
 * Matches a name alone or as a part of a camelCase, snake_case or kebab-case name: for `event set` that is
 * `eventSet`, `onEventSets`, `EVENT_SET_ID` and `event sets`, but neither `eventSettled` nor `prevent set`.
 */
function nameOf(...words) {
  const capital = words.map((word) => word[0].toUpperCase() + word.slice(1)).join('');
  const atStart = words.map((word) => `[${word[0]}${word[0].toUpperCase()}]${word.slice(1)}`).join('[-_ ]?');
  const shouted = words.map((word) => word.toUpperCase()).join('[-_ ]?');
  return new RegExp(
    [
      `(?<![A-Za-z])${atStart}s?(?![a-z])`,
      `(?<=[A-Za-z])${capital}s?(?![a-z])`,
      `(?<![A-Za-z])${shouted}S?(?![A-Za-z])`,
    ].join('|'),
    'g',
  );
}
