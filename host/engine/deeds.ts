import type { AnyTable, Clock, Json, TickPayload } from '@ductor/core';
import type pg from 'pg';

const RECOVER_MS = 60_000;
const PAGE = 500;

/** What plugins' rows ask to be done outside: after the commit that wrote them, and again for what a crash left undone. */
export class Deeds {
  private readonly tables: ReadonlyMap<string, AnyTable>;
  private readonly hot: pg.Pool;
  private readonly clock: Clock;
  private readonly failed: (what: string, error: unknown) => void;
  private readonly stopped = new AbortController();

  constructor(options: {
    readonly tables: readonly AnyTable[];
    readonly hot: pg.Pool;
    readonly clock: Clock;
    readonly failed: (what: string, error: unknown) => void;
  }) {
    ({ hot: this.hot, clock: this.clock, failed: this.failed } = options);
    this.tables = new Map(options.tables.filter(({ deed }) => deed).map((table) => [table.name, table]));
  }

  follow({ rows }: TickPayload): void {
    if (this.tables.size === 0) return;
    for (const [name, table] of this.tables) {
      const due = rows.filter((write) => write.table === name).map(({ row }) => row);
      if (due.length > 0) void this.perform(table, due);
    }
  }

  async run(signal: AbortSignal): Promise<void> {
    signal.addEventListener('abort', () => this.stopped.abort(), { once: true });
    while (this.tables.size > 0 && !signal.aborted) {
      for (const table of this.tables.values()) await this.recover(table, signal);
      await this.clock.sleep(RECOVER_MS, signal);
    }
  }

  private async recover(table: AnyTable, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const rows = await this.due(table);
      if (rows.length === 0 || !(await this.perform(table, rows)) || rows.length < PAGE) return;
    }
  }

  private async due({ deed, name }: AnyTable): Promise<readonly Json[]> {
    try {
      const { rows } = await this.hot.query<{ row: Json }>(deed?.recover ?? '', [PAGE]);
      return rows.map(({ row }) => row);
    } catch (error) {
      this.failed(`recovering deeds of ${name}`, error);
      return [];
    }
  }

  private async perform({ deed, name }: AnyTable, rows: readonly Json[]): Promise<boolean> {
    try {
      await deed?.perform(rows, this.stopped.signal);
      return true;
    } catch (error) {
      this.failed(`deed of ${name}`, error);
      return false;
    }
  }
}
