import type { Outcome } from '../definition/graph.ts';
import type { Failure } from '../errors.ts';
import type { Json, RunId } from '../json.ts';
import type { Task } from '../run/attempt.ts';
import type { Wait } from '../run/wait.ts';
import type { Command } from './command.ts';

/** A step type's whole say: where its node goes, what it keeps in mind, and what else shall happen in the same commit. */
export type Move<Memo extends Json = null, Out extends Outcome = 'SUCCESS'> = {
  readonly commands?: readonly Command[];
} & (
  | { readonly to: 'running'; readonly task: Task; readonly memo: Memo }
  | { readonly to: 'waiting'; readonly wait: Wait; readonly memo: Memo }
  /** Stays parked as it is, and knows more. */
  | { readonly to: 'same'; readonly memo: Memo }
  /** `unrouted`: the failure code it becomes when no edge takes this outcome. */
  | {
      readonly to: 'completed';
      readonly output: Json;
      readonly outcome: Out | 'SUCCESS';
      readonly case?: string;
      readonly unrouted?: string;
    }
  | { readonly to: 'failed'; readonly error: Failure; readonly outcome?: 'ERROR' | 'TIMEOUT' }
  /** Completes with null, and its run ends `merged`: neither its effects nor its edges are looked at. */
  | { readonly to: 'merged'; readonly into: RunId }
);
