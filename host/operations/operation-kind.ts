import type { Actor, Json, JsonObject, TenantId } from '@ductor/core';
import type { Knex } from 'knex';
import type { OperationFailure } from '../postgres/operations.ts';

export interface Operation {
  /** A UUIDv7: what was there when the operation was asked for has smaller ids. */
  readonly id: string;
  readonly tenantId: TenantId;
  readonly params: JsonObject;
  /** Who asked for it. */
  readonly actor: Actor;
}

/** What one page came to. */
export interface Page {
  /** Where the next page begins; `null`: that was all. */
  readonly cursor: Json;
  /** How many things the page has dealt with, those that failed included. */
  readonly done: number;
  readonly failures: readonly OperationFailure[];
  /** Told once the page is committed; a hint, which is lost with the host. */
  readonly committed?: () => void;
}

/**
 * Long work that goes on page by page. A page's writes and its cursor are committed together by `transaction`: a host
 * that dies leaves the page undone, and another one does it. What a page does elsewhere may so be done twice.
 */
export interface OperationKind {
  /** As the API shows it. */
  readonly name: string;
  /** How many things there are, asked before the first page; `null`: it cannot be told. */
  total?(transaction: Knex.Transaction, operation: Operation): Promise<number | null>;
  /**
   * One page, of a second at most: a cancellation waits for it. `cursor`: of the page before, `null` for the first.
   * Throws a `DuctorError` to fail the operation; after anything else it is called again, a few times.
   */
  step(transaction: Knex.Transaction, operation: Operation, cursor: Json): Promise<Page>;
}
