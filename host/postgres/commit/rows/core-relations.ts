import type { BinaryRelation } from '../../binary-arrays.ts';
import type * as relations from '../relations.ts';

/** The relations that are the core's own, to be filled. */
export type CoreRelations = {
  readonly [Name in Exclude<keyof typeof relations, 'written' | 'expected'>]: BinaryRelation<(typeof relations)[Name]>;
};
