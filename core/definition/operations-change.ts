import type { Problem } from '../errors.ts';
import type { JsonObject, Ref } from '../json.ts';
import type { DefinitionDraft } from './draft.ts';
import type { Vocabulary } from './draft-vocabulary.ts';
import type { Step } from './graph.ts';

/** What one operation makes of a draft. */
export type Change =
  | { readonly ok: true; readonly draft: DefinitionDraft; readonly warnings: readonly Problem[] }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** Where an operation stands, and what its words mean. */
export interface Place {
  /** `operations[2].add_step` */
  readonly path: string;
  readonly vocabulary: Vocabulary;
}

export const changed = (draft: DefinitionDraft, warnings: readonly Problem[] = []): Change => ({
  ok: true,
  draft,
  warnings,
});

export const refused = (problem: Problem): Change => ({ ok: false, problems: [problem] });

export const unknownStep = (path: string, ref: string): Change =>
  refused({ path, code: 'unknown_step', message: `No step '${ref}'.` });

export const hasStep = (steps: readonly Step[], ref: Ref): boolean => steps.some((step) => step.ref === ref);

/** Fields merged over those there were; `null` takes one away. */
export const cleared = (fields: JsonObject, set: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries({ ...fields, ...set }).filter(([name]) => set[name] !== null));
