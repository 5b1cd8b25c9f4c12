import type { JsonObject, Problem } from '@ductor/core';

/** One of a run's identities in the world of whoever triggered it: an order, a ticket, a conversation. */
export type Label = {
  /** The kind of thing. */
  readonly key: string;
  /** Which one. Opaque here, and visible to whoever may list runs. */
  readonly id: string;
};

/** As a field of CEL's `run.labels` it needs no brackets. */
export const keyPattern = '^[a-z][a-z0-9_]{0,62}$';
const isKey = new RegExp(keyPattern);
/** In characters, not in UTF-16 units. */
export const longestId = 256;

/** What is wrong with the labels that a trigger brings; all of it. */
export function labelProblems(labels: readonly Label[], maxLabels: number): readonly Problem[] {
  const problems: Problem[] = [];
  if (labels.length > maxLabels) {
    const message = `a run has at most ${maxLabels} labels, and these are ${labels.length}`;
    problems.push({ path: 'correlation_labels', code: 'too_many', message });
  }
  const seen = new Set<string>();
  for (const [index, { key, id }] of labels.entries()) {
    const path = `correlation_labels[${index}]`;
    if (!isKey.test(key)) {
      const message = 'a key is a lower case letter and up to 62 lower case letters, digits and underscores';
      problems.push({ path: `${path}.key`, code: 'invalid_value', message, allowed: [keyPattern] });
    } else if (seen.has(key)) {
      problems.push({ path: `${path}.key`, code: 'duplicate', message: `the key ${key} is there twice` });
    }
    seen.add(key);
    const length = [...id].length;
    if (length === 0 || length > longestId) {
      const message = `an id has from 1 to ${longestId} characters, and this one ${length}`;
      problems.push({ path: `${path}.id`, code: 'invalid_value', message });
    }
  }
  return problems;
}

/** What a run shows of its labels, and is found by: the list, and each label by its key. */
export const attributesOf = (labels: readonly Label[]): JsonObject => ({
  'ductor.correlation_labels': labels,
  ...Object.fromEntries(labels.map(({ key, id }) => [`ductor.correlation.${key}`, id])),
});
