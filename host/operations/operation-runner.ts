import { setTimeout as delay } from 'node:timers/promises';
import { DuctorError } from '@ductor/core';
import type { Knex } from 'knex';
import {
  type DueOperation,
  failOperation,
  lockDueOperation,
  saveProgress,
  saveTotal,
  tryAgain,
} from '../postgres/operations-pages.ts';
import type { OperationKind } from './operation-kind.ts';

/** How often a host looks for what others were asked for, or left. */
const LOOK_MS = 2_000;
/** Pages in a row that may fail, over about two minutes; while the database is away none is counted. */
const MOST_FAULTS = 8;
const FIRST_RETRY_MS = 1_000;
/** So many failures are kept by name; the others are counted. */
const MOST_FAILURES = 100;

/**
 * Moves operations on, a page at a time; the one that has waited longest comes next. Any number of hosts do so side by
 * side: a page holds its operation's row, and a host that dies lets go of it.
 */
export class OperationRunner {
  private readonly knex: Knex;
  private readonly kinds: ReadonlyMap<string, OperationKind>;
  private readonly failed: (operationId: string | null, error: unknown) => void;
  private news = new AbortController();

  constructor(options: {
    readonly knex: Knex;
    readonly kinds: readonly OperationKind[];
    readonly failed: (operationId: string | null, error: unknown) => void;
  }) {
    this.knex = options.knex;
    this.kinds = new Map(options.kinds.map((kind) => [kind.name, kind]));
    this.failed = options.failed;
  }

  /** Until told to stop; the page under way is finished. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      this.news = new AbortController();
      const wasDue = await this.page().catch((error: unknown) => {
        this.failed(null, error);
        return false;
      });
      if (wasDue) continue;
      const woken = AbortSignal.any([signal, this.news.signal]);
      await delay(LOOK_MS, undefined, { signal: woken, ref: false }).catch(() => undefined);
    }
  }

  /** There is a new operation: a hint. */
  wake(): void {
    this.news.abort();
  }

  /** `false`: none was due. Rejects if the database is away. */
  private async page(): Promise<boolean> {
    const page: { due: DueOperation | null; committed?: (() => void) | undefined } = { due: null };
    try {
      await this.knex.transaction(async (transaction) => {
        page.due = await lockDueOperation(transaction, [...this.kinds.keys()]);
        if (page.due !== null) page.committed = await this.advance(transaction, page.due);
      });
      page.committed?.();
    } catch (error) {
      if (page.due === null) throw error;
      await this.afterFault(page.due, error);
    }
    return page.due !== null;
  }

  private async advance(
    transaction: Knex.Transaction,
    { id, tenantId, kind: name, params, actor, ...due }: DueOperation,
  ): Promise<(() => void) | undefined> {
    const kind = this.kinds.get(name);
    if (!kind) throw new Error(`There is no kind ${name} of operations.`);
    const operation = { id, tenantId, params, actor };
    if (due.status === 'pending' && kind.total) {
      await saveTotal(transaction, id, await kind.total(transaction, operation));
    }
    const { cursor, done, failures, committed } = await kind.step(transaction, operation, due.cursor);
    await saveProgress(transaction, id, {
      cursor,
      done,
      failed: failures.length,
      failures: [...due.failures, ...failures].slice(0, MOST_FAILURES),
    });
    return committed;
  }

  private async afterFault({ id, faults }: DueOperation, error: unknown): Promise<void> {
    this.failed(id, error);
    if (error instanceof DuctorError) {
      const { code, message } = error;
      await failOperation(this.knex, id, { code, message });
    } else if (faults + 1 >= MOST_FAULTS) {
      const message = `A page failed ${MOST_FAULTS} times; the log of the host has more.`;
      await failOperation(this.knex, id, { code: 'internal', message });
    } else {
      await tryAgain(this.knex, id, FIRST_RETRY_MS * 2 ** faults);
    }
  }
}
