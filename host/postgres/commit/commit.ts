import type { Commit, CommitResult, Failure } from '@ductor/core';
import type pg from 'pg';
import { isConnectionLoss, isDataError, isRetryable, isServerTrouble, isUniqueViolation, sqlState } from '../errors.ts';
import { CommitEncoder } from './encode.ts';
import type { PluginTable } from './shape.ts';
import { commitStatement, type Statement } from './statement.ts';

/** Times a statement is sent again that PostgreSQL itself broke off. */
const TRIES = 4;

/** Commits batches of ticks, each in one statement of one round trip. */
export class Committer {
  private readonly hot: pg.Pool;
  private readonly hostId: string;
  private readonly offset: () => string;
  private readonly told: (databaseNow: string) => void;
  private readonly tables: ReadonlyMap<string, PluginTable>;
  private readonly idle: CommitEncoder[] = [];
  private readonly statements = new Map<string, Statement & { readonly name: string }>();

  constructor(options: {
    readonly hot: pg.Pool;
    readonly hostId: string;
    readonly tables: ReadonlyMap<string, PluginTable>;
    /** What is added to the database's clock. */
    readonly offset: () => string;
    /** Hears the database's time with each commit. */
    readonly told: (databaseNow: string) => void;
  }) {
    ({ hot: this.hot, hostId: this.hostId, tables: this.tables, offset: this.offset, told: this.told } = options);
  }

  async commit(commits: readonly Commit[]): Promise<readonly CommitResult[]> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.send(commits);
      } catch (error) {
        if (isConnectionLoss(error) || isServerTrouble(error)) return commits.map(() => ({ result: 'unknown' }));
        if (isRetryable(error)) {
          if (attempt < TRIES) continue;
          return commits.map(() => ({ result: 'conflict' }));
        }
        return this.apart(commits, error);
      }
    }
  }

  /** One of them cannot be stored: it is found by halves, and the others are committed. */
  private async apart(commits: readonly Commit[], error: unknown): Promise<readonly CommitResult[]> {
    if (commits.length > 1) {
      const middle = commits.length >> 1;
      const first = await this.commit(commits.slice(0, middle));
      return [...first, ...(await this.commit(commits.slice(middle)))];
    }
    if (isUniqueViolation(error)) return [{ result: 'conflict' }];
    return [{ result: 'refused', failure: refusal(error) }];
  }

  private async send(commits: readonly Commit[]): Promise<readonly CommitResult[]> {
    const encoder = this.idle.pop() ?? new CommitEncoder(this.tables);
    try {
      for (const commit of commits) encoder.push(commit);
      const { name, text, parameters } = this.statement(encoder);
      const values = [this.hostId, this.offset(), ...parameters.flatMap((relation) => encoder.parametersOf(relation))];
      const { rows } = await this.hot.query<[string, string, string]>({ name, text, values, rowMode: 'array' });
      const { bytes } = encoder;
      if (rows[0]) this.told(rows[0][2]);
      const moved = new Set(rows.map(([id]) => id));
      return await this.results(commits, moved, bytes);
    } finally {
      encoder.clear();
      this.idle.push(encoder);
    }
  }

  private statement(encoder: CommitEncoder): Statement & { readonly name: string } {
    const { shape } = encoder;
    const key = JSON.stringify(shape, (_, value: unknown) =>
      value !== null && typeof value === 'object' && 'place' in value ? value.place : value,
    );
    const known = this.statements.get(key);
    if (known) return known;
    const made = { ...commitStatement(shape), name: `commit_${this.statements.size}` };
    this.statements.set(key, made);
    return made;
  }

  private async results(
    commits: readonly Commit[],
    moved: ReadonlySet<string>,
    bytes: readonly number[],
  ): Promise<readonly CommitResult[]> {
    const losers = commits.filter(({ payload }) => payload.start?.idempotency && !moved.has(payload.runId));
    // Unanswered, it leaves only these in doubt: the others are committed.
    const winners = losers.length === 0 ? new Map() : await this.winners(losers).catch(() => null);
    return commits.map(({ payload }, i): CommitResult => {
      if (moved.has(payload.runId))
        return { result: 'committed', version: payload.transition.version, bytes: bytes[i] ?? 0 };
      if (winners === null && payload.start?.idempotency) return { result: 'unknown' };
      const winner = winners?.get(payload.runId);
      return winner ? { result: 'existed', ...winner } : { result: 'conflict' };
    });
  }

  /** The runs that hold the keys which these wanted; read in a second statement, since the first one's snapshot is older. */
  private async winners(
    losers: readonly Commit[],
  ): Promise<ReadonlyMap<string, { runId: string; requestHash: string }>> {
    const starts = losers.map(({ payload }) => payload.start!);
    const { rows } = await this.hot.query<[string, string, string]>({
      name: 'commit_winners',
      rowMode: 'array',
      text: `select k.id, r.id, r.request_hash
        from unnest($1::uuid[], $2::text[], $3::text[], $4::text[]) k (id, tenant_id, scope, key)
        join eec_workflow_run r on r.tenant_id = k.tenant_id and r.idempotency_scope = k.scope and r.idempotency_key = k.key`,
      values: [
        starts.map(({ header }) => header.id),
        starts.map(({ header }) => header.tenantId),
        starts.map(({ idempotency }) => idempotency?.scope),
        starts.map(({ idempotency }) => idempotency?.key),
      ],
    });
    return new Map(rows.map(([id, runId, requestHash]) => [id, { runId, requestHash }]));
  }
}

const refusal = (error: unknown): Failure => ({
  code: 'internal',
  message: isDataError(error)
    ? 'The database cannot store what this tick would write.'
    : 'The database refused what this tick would write.',
  party: 'engine',
  details: { sqlstate: sqlState(error) },
});
