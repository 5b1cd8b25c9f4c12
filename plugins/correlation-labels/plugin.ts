import { defineField, definePlugin, type Origin } from '@ductor/core';
import { attributesOf, keyPattern, type Label, labelProblems, longestId } from './label.ts';
import { labelTable } from './label-table.ts';
import { optionsSchema } from './options.ts';

const label = {
  type: 'object',
  required: ['key', 'id'],
  additionalProperties: false,
  properties: {
    key: { type: 'string', pattern: keyPattern },
    id: { type: 'string', minLength: 1, maxLength: longestId },
  },
} as const;

const sent = defineField({
  of: 'trigger',
  name: 'correlation_labels',
  nameInTriggers: 'labels',
  schema: { type: 'array', items: label },
});
/** By key, so that an expression says `run.labels.order`. */
const kept = defineField({ of: 'run', name: 'labels', schema: { type: 'object' } });

export default definePlugin({
  deps: {},
  options: optionsSchema,
  migrations: './migrations',
  contribute: (_deps, { max_labels }) => ({
    fields: [sent, kept],
    tables: [labelTable],
    hooks: {
      start({ origin }) {
        const labels = labelsFrom(origin);
        const problems = origin.from === 'trigger' ? labelProblems(labels, max_labels) : [];
        if (problems.length > 0) {
          const message = problems.map(({ path, message }) => `${path}: ${message}`).join('; ');
          return {
            refuse: { code: 'invalid_argument', message, details: problems.map((problem) => ({ ...problem })) },
          };
        }
        return {
          fields: kept.set(Object.fromEntries(labels.map(({ key, id }) => [key, id]))),
          attributes: attributesOf(labels),
          rows: labels.map((row) => labelTable.row(row)),
        };
      },
    },
  }),
});

/** What a trigger sends; what any other origin's run has, for a label is set once for a whole tree of runs. */
function labelsFrom(origin: Origin): readonly Label[] {
  if (origin.from === 'trigger') return sent.in(origin.fields) ?? [];
  return Object.entries(kept.in(origin.run.fields) ?? {}).map(([key, id]) => ({ key, id: String(id) }));
}
