import type { Commit, EndedBranch, FoldedAttempt, Json, Letter, RunStart, TickPayload } from '@ductor/core';
import { derivedUuid, isFinal, plus } from '@ductor/core';
import { BinaryRelation, type Columns, type RowOf } from '../binary-arrays.ts';
import { partitionOf } from '../partition.ts';
import { errorText, letterColumns, withoutRepeats } from './columns.ts';
import * as relations from './relations.ts';
import type { PluginTable, Shape } from './statement.ts';

/** Larger values are kept in eec_payload, and referred to. */
export const INLINE_BYTES = 65_536;

type CoreRelations = {
  readonly [Name in Exclude<keyof typeof relations, 'written' | 'expected'>]: BinaryRelation<(typeof relations)[Name]>;
};

interface Kept {
  readonly id: string;
  readonly value: Json;
  readonly ofTransition: boolean;
}

type BranchEnd = Pick<RowOf<typeof relations.branches>, keyof typeof NOT_OVER>;

const NOT_OVER = { status: null, output: null, payload_id: null, error: null, branch_run_id: null, ended_at: null };

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
    const changes = this.encodeChanges(payload);
    bytes += changes.length;
    if (start) bytes += this.pushStart(payload, start, parentId);
    else this.pushTick(payload);
    this.relations.transitions.push({
      run_id: runId,
      tenant_id: tenantId,
      version: transition.version,
      tick_id: tickId,
      at: transition.at,
      changes,
    });
    for (const folded of payload.attempts.folded) bytes += this.pushFold(payload, folded);
    for (const attempt of payload.attempts.opened) {
      const { args, ...task } = attempt.task;
      const input = JSON.stringify(args);
      bytes += input.length;
      this.relations.attempts.push({
        run_id: runId,
        tenant_id: tenantId,
        id: attempt.id,
        token: attempt.token,
        step_ref: attempt.ref,
        branch: `{${attempt.branch.join(',')}}`,
        generation: attempt.generation,
        attempt: attempt.number,
        action: task.action,
        input,
        task: JSON.stringify(task),
        scheduled_at: attempt.scheduledAt,
      });
    }
    this.pushBranches(payload);
    this.pushWaits(payload);
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

  private pushStart(payload: TickPayload, start: RunStart, parentId: string | null): number {
    const { header, idempotency } = start;
    const input = JSON.stringify(header.input);
    const { after, transition } = payload;
    const row = {
      id: header.id,
      tenant_id: header.tenantId,
      chain_id: header.chainId,
      definition_id: header.definitionId,
      kind: header.kind,
      partition: partitionOf(header.chainId),
      run_context: JSON.stringify(after.context ?? {}),
      attributes: JSON.stringify(after.attributes ?? {}),
      fields: JSON.stringify(after.fields ?? start.fields),
      input,
      lineage: JSON.stringify(header.lineage),
      root_run_id: header.lineage.rootRunId,
      subject_type: start.subjectType,
      subject_id: start.subjectId,
      external_deployment_id: start.externalDeploymentId,
      priority: header.priority,
      idempotency_scope: idempotency?.scope ?? null,
      idempotency_key: idempotency?.key ?? null,
      request_hash: idempotency?.requestHash ?? null,
      start_at: header.startAt,
      traceparent: header.traceparent,
      created_at: header.createdAt,
      ...this.summaryColumns(payload),
      replies: after.replies && JSON.stringify(after.replies),
      ended_at: isFinal(after.status) ? transition.at : null,
    };
    if (parentId === null) this.relations.starts.push(row);
    else this.relations.children.push({ ...row, parent_id: parentId });
    return input.length;
  }

  private pushTick(payload: TickPayload): void {
    const { after, attempts, waits, consumed, rows, transition } = payload;
    this.relations.ticks.push({
      run_id: payload.runId,
      expected_version: payload.expectedVersion,
      folds: attempts.folded.length,
      waits: waits.closed.reduce((sum, { rows: count }) => sum + count, 0),
      wait_arrivals: waits.closed.reduce((sum, { arrivals }) => sum + arrivals, 0),
      waits_moved: waits.moved.length,
      inbox: consumed.length,
      plugin_rows: rows.filter(({ expect }) => expect !== undefined).length,
      run_context: after.context && JSON.stringify(after.context),
      attributes: after.attributes && JSON.stringify(after.attributes),
      fields: after.fields && JSON.stringify(after.fields),
      replies: after.replies && JSON.stringify(after.replies),
      ...this.summaryColumns(payload),
      ended_at: isFinal(after.status) ? transition.at : null,
    });
  }

  /** Answers with how much text it wrote. */
  private pushFold(
    payload: TickPayload,
    { attempt, outcome, report, superseded, finishedAnyway, outcomeUnknown }: FoldedAttempt,
  ): number {
    const output =
      outcome?.status === 'completed'
        ? this.kept(payload, { id: attempt.id, value: outcome.output, ofTransition: false })
        : null;
    this.relations.folds.push({
      run_id: payload.runId,
      id: attempt.id,
      token: attempt.token,
      recorded: outcome === null,
      status: outcome?.status ?? null,
      output,
      error: outcome ? errorText(outcome) : null,
      started_at: report?.startedAt ?? null,
      ended_at: report?.endedAt ?? null,
      tier: report?.tier ?? null,
      superseded,
      finished_anyway: finishedAnyway,
      outcome_unknown: outcomeUnknown,
    });
    return output?.length ?? 0;
  }

  /** The value's text, or that of a reference to it where it is too large for its row. */
  private kept(run: Pick<TickPayload, 'runId' | 'tenantId'>, value: Kept): string {
    return this.keptAt(run, value).text;
  }

  private keptAt(
    { runId, tenantId }: Pick<TickPayload, 'runId' | 'tenantId'>,
    { id, value, ofTransition }: Kept,
  ): { readonly text: string; readonly isApart: boolean } {
    const text = JSON.stringify(value);
    const bytes = text.length > INLINE_BYTES / 3 ? Buffer.byteLength(text) : 0;
    if (bytes <= INLINE_BYTES) return { text, isApart: false };
    const row = { run_id: runId, tenant_id: tenantId, id, bytes, value: text, of_transition: ofTransition };
    this.relations.payloads.push(row);
    return { text: JSON.stringify({ $payload: { id, bytes } }), isApart: true };
  }

  private summaryColumns(payload: TickPayload) {
    const { after, transition, runId } = payload;
    const { status, ending, currentStep, nodes, startedAt } = after;
    const id = derivedUuid(transition.at, `${runId}/${transition.version}/output`);
    return {
      status,
      current_step: currentStep,
      node_states: JSON.stringify(nodes),
      output:
        status === 'completed' && ending?.status === 'completed'
          ? this.kept(payload, { id, value: ending.output, ofTransition: true })
          : null,
      error: status === 'failed' && ending?.status === 'failed' ? JSON.stringify(ending.error) : null,
      ending: ending && JSON.stringify(ending.status === 'completed' ? { status: ending.status } : ending),
      started_at: startedAt,
      final_status: isFinal(status) ? status : null,
    };
  }

  private pushWaits({ runId, tenantId, waits, transition, chainId }: TickPayload): void {
    const partition = partitionOf(chainId);
    for (const { node, name, kind, dueAt, subscription, credential } of waits.opened) {
      this.relations.waitsOpened.push({
        run_id: runId,
        tenant_id: tenantId,
        chain_id: chainId,
        version: transition.version,
        node,
        name,
        kind,
        partition,
        due_at: dueAt,
        event_name: subscription?.eventName ?? null,
        correlation_key: subscription?.correlationKey ?? credential ?? null,
        subscription: subscription ? JSON.stringify(subscription) : null,
        look_back_from: subscription?.lookbackMs === undefined ? null : plus(transition.at, -subscription.lookbackMs),
      });
    }
    for (const { node, name, dueAt } of waits.moved) {
      this.relations.waitsMoved.push({ run_id: runId, node, name, due_at: dueAt });
    }
    for (const { node } of waits.closed) this.relations.waitsClosed.push({ run_id: runId, node });
  }

  private pushBranches({ runId, tenantId, transition, branches }: TickPayload): void {
    const ends = new Map<string, BranchEnd>(
      branches.ended.map((ended) => {
        const { node, generation, index } = ended;
        return [`${node} ${generation} ${index}`, this.branchEnd({ runId, tenantId, transition }, ended)] as const;
      }),
    );
    for (const { node, generation, of } of branches.opened) {
      for (const [index, variables] of of.entries()) {
        const key = `${node} ${generation} ${index}`;
        const end = ends.get(key) ?? NOT_OVER;
        ends.delete(key);
        const row = {
          run_id: runId,
          tenant_id: tenantId,
          node,
          generation,
          index,
          variables: JSON.stringify(variables),
        };
        this.relations.branches.push({ ...row, ...end });
      }
    }
    for (const { node, generation, index } of branches.ended) {
      const end = ends.get(`${node} ${generation} ${index}`);
      if (end) this.relations.branchEnds.push({ run_id: runId, node, generation, index, ...end });
    }
  }

  private branchEnd(
    run: Pick<TickPayload, 'runId' | 'tenantId' | 'transition'>,
    { node, generation, index, end, attempt, runId }: EndedBranch,
  ) {
    const place = `${run.runId}/branch/${node}/${generation}/${index}`;
    const id = attempt ?? derivedUuid(run.transition.at, place);
    const kept = end.status === 'completed' ? this.keptAt(run, { id, value: end.output, ofTransition: true }) : null;
    return {
      status: end.status,
      output: kept?.text ?? null,
      payload_id: kept?.isApart ? id : null,
      error: end.status === 'failed' ? JSON.stringify(end.error) : null,
      branch_run_id: runId,
      ended_at: run.transition.at,
    };
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

  /** A transition without what stands elsewhere already: tasks and outputs of attempts, the run's own output. */
  private encodeChanges({ transition, runId, tenantId }: TickPayload): string {
    const { changes } = transition;
    const text = JSON.stringify(changes.map(withoutRepeats));
    if (text.length <= INLINE_BYTES / 3) return text;
    const small = changes.map((change, i) => {
      if (change.type !== 'node' || change.node.status !== 'completed' || change.node.outputIn !== 'transition')
        return withoutRepeats(change);
      const value = JSON.stringify(change.node.output);
      const bytes = Buffer.byteLength(value);
      if (bytes <= INLINE_BYTES) return change;
      const id = derivedUuid(transition.at, `${runId}/${transition.version}/payload/${i}`);
      this.relations.payloads.push({ run_id: runId, tenant_id: tenantId, id, bytes, value, of_transition: true });
      return { ...change, node: { ...change.node, output: { $payload: { id, bytes } }, outputIn: 'payload' } };
    });
    return JSON.stringify(small);
  }
}
