/** Workflows with regions in regions, made at random, and what must come out of them. */
import type { Json, JsonObject } from '@ductor/core';
import fc from 'fast-check';
import type { TestWorkflow } from './workflow.ts';

/** What stands in a region, one after the other; `again`: a region in it. */
export interface Part {
  readonly kind: 'act' | 'fork' | 'both' | 'race' | 'wait' | 'signal' | 'fail' | 'switch' | 'child' | 'again';
  /** A failure of it is handled. */
  readonly isHandled: boolean;
  readonly isUndoable: boolean;
}

export interface RegionPlan {
  readonly parts: readonly Part[];
  readonly most: number;
  readonly onFailure: Json;
  readonly batch: JsonObject | null;
  readonly timeout: string | null;
}

/** One item: which part refuses it, and which is busy at first; -1: none. */
export interface Item extends JsonObject {
  readonly id: string;
  readonly refused: number;
  readonly busy: number;
  readonly odd: boolean;
  readonly ms: number;
  readonly deaf: boolean;
  readonly large: boolean;
  readonly items: readonly Item[];
}

export interface Plan {
  /** Outermost first; each but the last holds the next. */
  readonly regions: readonly RegionPlan[];
  readonly items: readonly Item[];
  readonly isHandled: boolean;
  readonly failsAfter: boolean;
  readonly drains: boolean;
  readonly hasGrace: boolean;
}

const KINDS = ['act', 'fork', 'both', 'race', 'wait', 'signal', 'fail', 'switch', 'child'] as const;

const part = (kinds: fc.Arbitrary<Part['kind']>): fc.Arbitrary<Part> =>
  fc.record({ kind: kinds, isHandled: fc.boolean(), isUndoable: fc.boolean() });

const anyPart = part(
  fc.oneof(
    { weight: 2, arbitrary: fc.constant<Part['kind']>('act') },
    { weight: 3, arbitrary: fc.constantFrom(...KINDS) },
  ),
);

const region = (isLast: boolean): fc.Arbitrary<RegionPlan> =>
  fc.record({
    parts: fc
      .tuple(
        fc.array(anyPart, { minLength: isLast ? 1 : 0, maxLength: 2 }),
        fc.array(part(fc.constant('again')), { minLength: isLast ? 0 : 1, maxLength: isLast ? 0 : 1 }),
        fc.array(anyPart, { maxLength: 1 }),
      )
      .map((each) => each.flat()),
    most: fc.constantFrom(1, 2, 3, 100),
    onFailure: fc.constantFrom<Json>('fail_fast', 'collect', { tolerate: { count: 1 } }, { tolerate: { percent: 50 } }),
    batch: fc.oneof(
      { weight: 3, arbitrary: fc.constant(null) },
      {
        weight: 1,
        arbitrary: fc.constantFrom<JsonObject>({ size: 1, interval: 'PT0.02S' }, { size: 2, interval: 'PT0.04S' }),
      },
    ),
    timeout: fc.oneof({ weight: 7, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: fc.constant('PT0.1S') }),
  });

const item = (items: fc.Arbitrary<readonly Item[]>): fc.Arbitrary<Item> =>
  fc.record({
    id: fc.constant(''),
    refused: fc.constantFrom(-1, -1, -1, -1, 0, 1, 2),
    busy: fc.constantFrom(-1, -1, 0, 1),
    odd: fc.boolean(),
    ms: fc.nat(15),
    deaf: fc.boolean(),
    large: fc.constantFrom(false, false, false, true),
    items,
  });

const itemsOf = (depth: number): fc.Arbitrary<readonly Item[]> =>
  depth === 0 ? fc.constant([]) : fc.array(item(itemsOf(depth - 1)), { maxLength: 1 + depth * 2 });

const numbered = (items: readonly Item[], before: readonly number[] = []): readonly Item[] =>
  items.map((each, i) => ({ ...each, id: [...before, i].join('.'), items: numbered(each.items, [...before, i]) }));

export const plan: fc.Arbitrary<Plan> = fc.integer({ min: 1, max: 3 }).chain((depth) =>
  fc.record({
    regions: fc.tuple(...Array.from({ length: depth }, (_, i) => region(i === depth - 1))),
    items: itemsOf(depth).map((items) => numbered(items)),
    isHandled: fc.boolean(),
    failsAfter: fc.boolean(),
    drains: fc.boolean(),
    hasGrace: fc.boolean(),
  }),
);

type Step = TestWorkflow['steps'][number];
type Edge = NonNullable<TestWorkflow['edges']>[number];
type Way = Omit<Edge, 'to'>;

const WRITES = { effect: 'write', idempotency: 'key' } as const;
const ACTIONS: NonNullable<TestWorkflow['actions']> = { 'test.do': WRITES, 'test.undo': WRITES };

/** The steps by which a plan is carried out. */
class Drawing {
  readonly steps: Step[] = [];
  readonly edges: Edge[] = [];

  add(ways: readonly Way[], step: Step): string {
    this.steps.push({ ...step, ...(ways.length > 1 && step.join === undefined && { join: 'any' }) });
    this.edges.push(...ways.map((way) => ({ ...way, to: step.ref })));
    return step.ref;
  }

  region(
    ways: readonly Way[],
    [own, ...inner]: readonly RegionPlan[],
    at: { depth: number; isHandled: boolean },
  ): readonly Way[] {
    if (!own) return ways;
    const { depth, isHandled } = at;
    const scatter = this.add(ways, {
      ...{ ref: `each${depth}`, type: 'SCATTER', items: depth === 0 ? 'input.items' : 'item.items' },
      ...{ max_in_flight: own.most, on_branch_failure: own.onFailure },
      ...(own.batch && { batch: own.batch }),
      ...(own.timeout !== null && { timeout: own.timeout }),
    });
    let on: readonly Way[] = [{ from: scatter }];
    for (const [i, each] of own.parts.entries()) {
      on =
        each.kind === 'again'
          ? this.region(on, inner, { depth: depth + 1, isHandled: each.isHandled })
          : this.part(on, each, { depth, i });
    }
    const holds = own.parts.some(({ kind }) => kind === 'again');
    const value = { id: '${item.id}', ...(holds && { inner: `\${steps.all${depth + 1}.output}` }) };
    const end = this.add(on, { ref: `end${depth}`, type: 'TRANSFORM', value });
    const gather = this.add([{ from: end }], { ref: `all${depth}`, type: 'GATHER', scatter });
    if (!isHandled) return [{ from: gather }];
    const saved = this.add([{ from: scatter, type: 'ERROR' }], {
      ref: `saved${depth}`,
      type: 'TRANSFORM',
      value: 'saved',
    });
    return [{ from: gather }, { from: saved }];
  }

  private act(ways: readonly Way[], ref: string, { i, isUndoable }: { i: number; isUndoable: boolean }): string {
    const undo = {
      action: 'test.undo',
      args: { n: '${output.n}', id: '${item.id}', index: '${index}', outer: '${scatters.each0.index}' },
    };
    return this.add(ways, {
      ...{ ref, type: 'ACTION', action: 'test.do' },
      args: {
        id: '${item.id}',
        refused: `\${item.refused == ${i}}`,
        busy: `\${item.busy == ${i}}`,
        ms: '${item.ms}',
        deaf: '${item.deaf}',
        large: '${item.large}',
      },
      retry: { max_attempts: 2, initial_interval_ms: 5, jitter: 0 },
      effects: { context: { last: '${item.id}' } },
      ...(isUndoable && { compensation: undo }),
    });
  }

  private part(
    ways: readonly Way[],
    { kind, isHandled, isUndoable }: Part,
    { depth, i }: { depth: number; i: number },
  ): readonly Way[] {
    const ref = `${kind}${depth}_${i}`;
    const handled = (acts: string): readonly Way[] => {
      if (!isHandled) return [{ from: acts }];
      const saved = this.add([{ from: acts, type: 'ERROR' }], {
        ref: `${acts}_saved`,
        type: 'TRANSFORM',
        value: '${item.id}',
      });
      return [{ from: acts }, { from: saved }];
    };
    switch (kind) {
      case 'act':
        return handled(this.act(ways, ref, { i, isUndoable }));
      case 'fork': {
        const from = this.add(ways, { ref, type: 'CONDITION', expression: 'item.odd' });
        const acts = this.act([{ from, type: 'TRUE' }], `${ref}_act`, { i, isUndoable });
        return [...handled(acts), { from, type: 'FALSE' }];
      }
      case 'switch': {
        const from = this.add(ways, { ref, type: 'SWITCH', expression: 'item.id' });
        const acts = this.act([{ from, type: 'DEFAULT' }], `${ref}_act`, { i, isUndoable });
        return [...handled(acts), { from, type: 'CASE', case: '0' }];
      }
      case 'both': {
        const from = this.add(ways, { ref, type: 'TRANSFORM', value: 1 });
        const a = this.act([{ from }], `${ref}_a`, { i, isUndoable });
        const b = this.act([{ from }], `${ref}_b`, { i: -2, isUndoable });
        const joined = this.add([...(isHandled ? [{ from: a, type: 'ALWAYS' }] : [{ from: a }]), { from: b }], {
          ref: `${ref}_both`,
          type: 'TRANSFORM',
          value: 2,
          join: 'all',
        });
        return [{ from: joined }];
      }
      case 'race': {
        const from = this.add(ways, { ref, type: 'RACE', arms: [`${ref}_act`, `${ref}_timer`] });
        this.act([], `${ref}_act`, { i, isUndoable });
        this.add([], { ref: `${ref}_timer`, type: 'WAIT', duration: 'PT0.01S' });
        return [{ from }];
      }
      case 'wait':
        return [{ from: this.add(ways, { ref, type: 'WAIT', duration: 'PT0.02S' }) }];
      case 'signal':
        return [{ from: this.add(ways, { ref, type: 'WAIT', signal: 'go' }) }];
      case 'fail': {
        const from = this.add(ways, { ref, type: 'CONDITION', expression: `item.refused == ${i}` });
        this.add([{ from, type: 'TRUE' }], { ref: `${ref}_no`, type: 'FAIL', code: 'no' });
        return [{ from, type: 'FALSE' }];
      }
      case 'child':
        return [{ from: this.add(ways, { ref, type: 'SUBWORKFLOW', workflow: { slug: 'child' }, input: {} }) }];
      case 'again':
        return ways;
    }
  }
}

export const CHILD: TestWorkflow = { slug: 'child', steps: [{ ref: 'c', type: 'WAIT', duration: 'PT0.02S' }] };

export function workflowOf({ regions, isHandled, failsAfter, drains, hasGrace }: Plan): TestWorkflow {
  const drawing = new Drawing();
  const ways = drawing.region([], regions, { depth: 0, isHandled });
  drawing.add(
    ways,
    failsAfter ? { ref: 'last', type: 'FAIL', code: 'last' } : { ref: 'last', type: 'TRANSFORM', value: 1 },
  );
  return {
    ...{ slug: 'regions', steps: drawing.steps, edges: drawing.edges, actions: ACTIONS },
    output: { all: '${steps.all0.output}' },
    settings: { failure_policy: drains ? 'drain' : 'fail_fast', cancel_grace: hasGrace ? 'PT30S' : 'PT0.02S' },
  };
}

/** What comes out where nobody interferes; an output without the errors of its branches. */
export type Expected = { readonly status: 'failed' } | { readonly status: 'completed'; readonly output: Json };

const FAILED = { status: 'failed' } as const;

export function expectedOf({ regions, items, isHandled, failsAfter }: Plan): Expected {
  const all = gathered(regions, items);
  if ((all.status === 'failed' && !isHandled) || failsAfter) return FAILED;
  return { status: 'completed', output: { all: all.status === 'failed' ? null : all.output } };
}

function gathered([own, ...inner]: readonly RegionPlan[], items: readonly Item[]): Expected {
  if (!own) return FAILED;
  const branches = items.map((each) => branchOf(own, inner, each));
  const failed = branches.filter(({ status }) => status === 'failed').length;
  const { onFailure } = own;
  if (failed > tolerated(onFailure, items.length)) return FAILED;
  return {
    status: 'completed',
    output: branches.map((branch, index): Json => {
      const output = branch.status === 'completed' ? branch.output : null;
      if (onFailure === 'fail_fast') return output;
      return { index, status: branch.status, ...(branch.status === 'completed' && { output }) };
    }),
  };
}

function tolerated(onFailure: Json, total: number): number {
  if (onFailure === 'fail_fast') return 0;
  if (onFailure === 'collect') return total;
  const { tolerate } = onFailure as { tolerate: { count?: number; percent: number } };
  return tolerate.count ?? Math.floor((total * tolerate.percent) / 100);
}

function branchOf({ parts }: RegionPlan, inner: readonly RegionPlan[], each: Item): Expected {
  let own: Json = null;
  for (const [i, { kind, isHandled }] of parts.entries()) {
    const isRefused = each.refused === i;
    if (kind === 'again') {
      const result = gathered(inner, each.items);
      if (result.status === 'failed' && !isHandled) return FAILED;
      own = result.status === 'completed' ? result.output : null;
    } else if (isRefused && fails(kind, each) && (kind === 'fail' || !isHandled)) return FAILED;
  }
  const holds = parts.some(({ kind }) => kind === 'again');
  return { status: 'completed', output: { id: each.id, ...(holds && { inner: own }) } };
}

/** Whether the part has something that can refuse this item. */
const fails = (kind: Part['kind'], { odd, id }: Item): boolean =>
  kind === 'act' || kind === 'both' || kind === 'fail' || (kind === 'fork' && odd) || (kind === 'switch' && id !== '0');

/** What branches failed of is not foretold. */
export const withoutErrors = (value: Json): Json => {
  if (Array.isArray(value)) return value.map(withoutErrors);
  if (value === null || typeof value !== 'object') return value;
  const { error: _, ...rest } = value as JsonObject;
  return Object.fromEntries(Object.entries(rest).map(([name, each]) => [name, withoutErrors(each)]));
};
