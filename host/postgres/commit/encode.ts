import { type Commit, derivedUuid, type Letter, type TickPayload } from '@ductor/core';
import { BinaryRelation, type Columns } from '../binary-arrays.ts';
import { letterColumns } from './columns.ts';
import * as relations from './relations.ts';
import { pushAttempts } from './rows/attempts.ts';
import { pushBranches } from './rows/branches.ts';
import type { CoreRelations } from './rows/core-relations.ts';
import { encodeChanges } from './rows/payloads.ts';
import { pushStart, pushTick } from './rows/runs.ts';
import { pushWaits } from './rows/waits.ts';
import type { PluginTable, Shape } from './shape.ts';

/** Writes commits into relations. One is used again and again, by one statement at a time. */
export class CommitEncoder {
  private readonly relations: CoreRelations;
  private readonly tables: ReadonlyMap<string, PluginTable>;
  private readonly written = new Map<PluginTable, BinaryRelation<typeof relations.written>>();
  private readonly expected = new Map<PluginTable, BinaryRelation<typeof relations.expected>>();
  /** Of each commit, in order: how much text it wrote. */
  bytes: number[] = [];

  constructor(tables: ReadonlyMap<string, PluginTable>) {
    this.tables = tables;
    const { written: _, expected: __, ...core } = relations;
    this.relations = Object.fromEntries(
      Object.entries(core).map(([name, columns]) => [name, new BinaryRelation<Columns>(columns)]),
    ) as unknown as CoreRelations;
  }

  clear(): void {
    for (const relation of Object.values(this.relations)) relation.clear();
    this.written.clear();
    this.expected.clear();
    this.bytes = [];
  }

  get shape(): Shape {
    const has = (name: keyof CoreRelations) => this.relations[name].length > 0;
    const places = (map: ReadonlyMap<PluginTable, unknown>) => [...map.keys()].sort((a, b) => a.place - b.place);
    return {
      starts: has('starts'),
      children: has('children'),
      ticks: has('ticks'),
      folds: has('folds'),
      attempts: has('attempts'),
      branches: has('branches'),
      branchEnds: has('branchEnds'),
      payloads: has('payloads'),
      waitsOpened: has('waitsOpened'),
      waitsClosed: has('waitsClosed'),
      waitsMoved: has('waitsMoved'),
      consumed: has('consumed'),
      told: has('told'),
      events: has('events'),
      written: places(this.written),
      expected: places(this.expected),
    };
  }

  parametersOf(name: string): Buffer[] {
    const plugin = /^(written|expected)_(\d+)$/.exec(name);
    if (!plugin) return this.relations[name as keyof CoreRelations].parameters();
    const map = plugin[1] === 'written' ? this.written : this.expected;
    return [...map].find(([{ place }]) => place === Number(plugin[2]))![1].parameters();
  }

  push({ tickId, payload, company }: Commit): void {
    let bytes = this.pushPayload(payload, { tickId, parentId: null, letters: company.letters });
    for (const first of company.starts) {
      bytes += this.pushPayload(first, { tickId, parentId: payload.runId, letters: [] });
    }
    this.bytes.push(bytes);
  }

  /** Answers with how much text it wrote. `parentId`: the run whose tick has to be committed for this one to be. */
  private pushPayload(
    payload: TickPayload,
    {
      tickId,
      parentId,
      letters,
    }: { readonly tickId: string; readonly parentId: string | null; readonly letters: readonly Letter[] },
  ): number {
    let bytes = 0;
    const { runId, tenantId, transition, start } = payload;
    const changes = encodeChanges(this.relations, payload);
    bytes += changes.length;
    if (start) bytes += pushStart(this.relations, { payload, start, parentId });
    else pushTick(this.relations, payload);
    this.relations.transitions.push({
      run_id: runId,
      tenant_id: tenantId,
      version: transition.version,
      tick_id: tickId,
      at: transition.at,
      changes,
    });
    bytes += pushAttempts(this.relations, payload);
    pushBranches(this.relations, payload);
    pushWaits(this.relations, payload);
    for (const { id, outcome } of payload.consumed) {
      this.relations.consumed.push({ run_id: runId, id, outcome: outcome && JSON.stringify(outcome) });
    }
    for (const [i, letter] of [...payload.outbox, ...letters].entries()) {
      const id = derivedUuid(transition.at, `${runId}/${transition.version}/told/${i}`);
      const is_own = letter.chainId === payload.chainId;
      this.relations.told.push({ run_id: runId, is_own, id, tenant_id: tenantId, ...letterColumns(letter) });
    }
    for (const { id, eventName, correlationKey, payload: body } of payload.published) {
      this.relations.events.push({
        run_id: runId,
        id,
        tenant_id: tenantId,
        event_name: eventName,
        correlation_key: correlationKey,
        payload: JSON.stringify(body),
      });
    }
    for (const [ord, write] of payload.rows.entries()) this.pushPluginRow(payload, write, ord);
    return bytes;
  }

  private pushPluginRow(
    { runId, tenantId }: TickPayload,
    { table: name, row, expect }: TickPayload['rows'][number],
    ord: number,
  ): void {
    const table = this.tables.get(name);
    if (!table) throw new Error(`No plugin has a table ${name}.`);
    const text = JSON.stringify(row);
    const written = this.written.get(table) ?? new BinaryRelation(relations.written);
    this.written.set(table, written);
    written.push({ run_id: runId, tenant_id: tenantId, row: text });
    if (expect === undefined) return;
    const expected = this.expected.get(table) ?? new BinaryRelation(relations.expected);
    this.expected.set(table, expected);
    expected.push({ run_id: runId, ord, row: text, expect: JSON.stringify(expect) });
  }
}
