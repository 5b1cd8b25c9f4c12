import { isObject, type Json, type JsonObject } from '../json.ts';

/** How much one evaluation may do. */
export interface EvaluationLimits {
  /** Elements of a list or entries of a map given to a macro; 10,000 unless said otherwise. */
  readonly maxListLength?: number;
  /** Rounds of all loops together; 1,000,000 unless said otherwise. Work on long texts and lists counts too. */
  readonly maxSteps?: number;
}

/** Characters in a text that an expression makes. */
export const MAX_TEXT_LENGTH = 4 * 1024 * 1024;

/** Characters that a result may have over what the variables have, by taking the same value in again and again. */
const MAX_REPEATED_LENGTH = 64 * 1024 * 1024;
const MAX_LIST_LENGTH = 10_000;
const MAX_STEPS = 1_000_000;

export class Budget {
  readonly maxListLength: number;
  #left: number;
  #repeatable = MAX_REPEATED_LENGTH;
  /** Of the values shared so far; known from their second mention on. */
  #lengths: Map<object, number | undefined> | undefined;

  constructor({ maxListLength = MAX_LIST_LENGTH, maxSteps = MAX_STEPS }: EvaluationLimits) {
    this.maxListLength = maxListLength;
    this.#left = maxSteps;
  }

  /** Once true it stays true: `||` may swallow the error, but not the fact. */
  get exceeded(): boolean {
    return this.#left < 0;
  }

  spend(steps: number): void {
    this.#left -= steps;
    if (this.exceeded) throw new Error('evaluation budget exceeded');
  }

  /** A shared value costs no memory until the result is written out: then each mention counts. The first is free. */
  share(json: JsonObject | readonly Json[]): void {
    this.#lengths ??= new Map();
    if (!this.#lengths.has(json)) {
      this.#lengths.set(json, undefined);
      return;
    }
    const length = this.#lengths.get(json) ?? lengthOf(json);
    this.#lengths.set(json, length);
    this.#repeatable -= length;
    if (this.#repeatable < 0) throw new Error('the result repeats too much: it would be larger than 64 MiB');
  }
}

/** Roughly, in characters of JSON text. */
const lengthOf = (json: Json): number => {
  if (typeof json === 'string') return json.length + 2;
  if (Array.isArray(json)) return json.reduce<number>((sum, item) => sum + lengthOf(item) + 1, 2);
  if (!isObject(json)) return 8;
  return Object.entries(json).reduce((sum, [key, value]) => sum + key.length + lengthOf(value) + 4, 2);
};

// Functions of the engine are called with values only, so the running evaluation's budget is found here.
// An evaluation is synchronous; there is never a second one beside it.
let current = new Budget({ maxSteps: Number.POSITIVE_INFINITY });

export const withBudget = <T>(budget: Budget, work: () => T): T => {
  const previous = current;
  current = budget;
  try {
    return work();
  } finally {
    current = previous;
  }
};

export const currentBudget = (): Budget => current;
