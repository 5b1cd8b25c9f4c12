import type { EdgeType, JsonObject } from '@ductor/core';
import { expect } from 'chai';
import { gatherStep } from '#scatter-gather/gather.step.js';
import { readsResultsWhole } from '#scatter-gather/reads.js';
import { scatterStep } from '#scatter-gather/scatter.step.js';
import { checked, codesOf, draftOf, edge, problemsOf, value, vocabularyWith } from '../definition/helpers.ts';

const more = { vocabulary: vocabularyWith({ types: [scatterStep, gatherStep] }) };
const scatter = (ref: string, fields: JsonObject = {}) => ({ ref, type: 'SCATTER', items: '[1, 2]', ...fields });
const gather = (ref: string, from: string, fields: JsonObject = {}) => ({
  ref,
  type: 'GATHER',
  scatter: from,
  ...fields,
});

/** s → a → g, with more. */
const codes = (
  steps: readonly (JsonObject & { ref: string; type: string })[] = [],
  edges: readonly (readonly [string, string, EdgeType?])[] = [],
  fields: { readonly s?: JsonObject; readonly a?: JsonObject; readonly g?: JsonObject } = {},
) =>
  codesOf(
    problemsOf(
      draftOf(
        [scatter('s', fields.s), { ...value('a'), ...fields.a }, gather('g', 's', fields.g), ...steps],
        [edge('s', 'a'), edge('a', 'g'), ...edges.map(([from, to, type]) => edge(from, to, type))],
      ),
      more,
    ),
  );

describe('Publishing a SCATTER and its GATHER', () => {
  it('accepts a region of several steps, with the SCATTER’s own ways out and branches within', () => {
    expect(
      codes(
        [
          value('late'),
          value('b', '${[item, index, scatters.s.item]}'),
          scatter('t'),
          value('c', '${scatters.s.index + index}'),
          gather('h', 't'),
        ],
        [
          ['s', 'late', 'ERROR'],
          ['a', 'b', 'ERROR'],
          ['b', 'g'],
          ['a', 't'],
          ['t', 'c'],
          ['c', 'h'],
          ['h', 'g'],
        ],
        { g: { reduce: 'results.map(r, r)' } },
      ),
    ).to.deep.equal([]);
  });

  it('lets item and index be read inside only, and results in reduce only', () => {
    expect(codes([value('after', '${item}')], [['g', 'after']])).to.deep.equal([
      'graph.steps[3].value: unknown_variable',
    ]);
    expect(codes([], [], { a: { value: '${results}' } })).to.deep.equal(['graph.steps[1].value: unknown_variable']);
  });

  it('warns where a step of the region is read from outside, and not inside', () => {
    const inner = draftOf(
      [
        scatter('s'),
        value('a'),
        scatter('t', { items: 'steps.a.output' }),
        value('b', '${steps.a.output}'),
        gather('h', 't'),
        gather('g', 's', { reduce: 'results.filter(r, r == steps.a.output)' }),
        value('after', '${[steps.g.output, steps.h.output]}'),
      ],
      [
        edge('s', 'a', 'SUCCESS', { condition: 'item == steps.a.output' }),
        edge('a', 't'),
        edge('t', 'b'),
        edge('b', 'h', 'SUCCESS', { condition: 'steps.b.output == 1' }),
        edge('h', 'g'),
        edge('g', 'after'),
      ],
      { output: '${steps.b.output}' },
    );
    const { problems, warnings } = checked(inner, more);
    expect(problems).to.eql([]);
    expect(codesOf(warnings)).to.have.members([
      'graph.steps[5].reduce: in_branches',
      'graph.steps[6].value: in_branches',
      'graph.edges[0].condition: not_before',
      'graph.output: in_branches',
    ]);
    expect(warnings.find(({ path }) => path === 'graph.output')?.message).to.include("branches of 's'");
  });

  it('says of a limit on failures what is wrong with it', () => {
    const limit = (tolerate: JsonObject | number) =>
      codes([], [], { s: { on_branch_failure: { tolerate } as JsonObject } });
    expect(limit({ percent: 0.5 })).to.eql([]);
    expect(limit({ percent: 101 })).to.eql(['graph.steps[0].on_branch_failure.tolerate.percent: invalid_value']);
    expect(limit({ count: 1, percent: 1 })).to.eql(['graph.steps[0].on_branch_failure.tolerate: invalid_value']);
    expect(limit({})).to.eql(['graph.steps[0].on_branch_failure.tolerate: invalid_value']);
    expect(limit(3)).to.eql(['graph.steps[0].on_branch_failure.tolerate: wrong_type']);
  });

  it('refuses edges that enter or leave a region', () => {
    expect(codes([value('x')], [['x', 'a']])).to.include('graph.edges[2]: crosses_region');
    expect(codes([value('x')], [['x', 'g']])).to.include('graph.edges[2]: crosses_region');
    expect(codes([], [['s', 'a', 'ERROR']])).to.include('graph.edges[2]: crosses_region');
    expect(
      codes(
        [value('x'), value('y')],
        [
          ['a', 'x'],
          ['g', 'x'],
        ],
      ),
    ).to.include('graph.edges[3]: crosses_region');
  });

  it('wants one GATHER for each SCATTER, and a SCATTER for each GATHER', () => {
    expect(codes([gather('g2', 's')], [['a', 'g2']])).to.include('graph.steps[0]: one_gather');
    expect(codesOf(problemsOf(draftOf([scatter('s'), value('a')], [edge('s', 'a')]), more))).to.deep.equal([
      'graph.steps[0]: one_gather',
    ]);
    expect(codesOf(problemsOf(draftOf([value('a'), gather('g', 'a')], [edge('a', 'g')]), more))).to.deep.equal([
      'graph.steps[1].scatter: unknown_step',
    ]);
  });

  it('refuses in a region what ends or keeps the run as a whole', () => {
    for (const step of [{ type: 'STOP' }, { type: 'CHECKPOINT', name: 'here' }]) {
      expect(codes([{ ref: 'x', ...step }], [['a', 'x']])).to.include('graph.steps[3]: not_in_region');
    }
    expect(codes([{ ref: 'x', type: 'FAIL', code: 'no' }], [['a', 'x']])).to.deep.equal([]);
  });

  it('takes branches that are runs of their own, and refuses what these could not do', () => {
    const apart = { s: { mode: 'child_run' } };
    expect(codes([], [], { ...apart, a: { value: '${[item, context.x, input.y]}' } })).to.deep.equal([]);
    expect(codes([], [], { ...apart, a: { effects: { attributes: { n: 1 } } } })).to.deep.equal([]);
    expect(codes([], [], { ...apart, a: { effects: { context: { n: 1 } } } })).to.deep.equal([
      'graph.steps[1].effects.context: lost_context',
    ]);
    expect(codes([], [], { s: { mode: 'elsewhere' } })).to.deep.equal(['graph.steps[0].mode: not_allowed']);
    const written = draftOf([{ ref: 'x', type: 'BRANCH', input: 1 }], []);
    expect(codesOf(problemsOf(written, more))).to.deep.equal(['graph.steps[0].type: unknown_step_type']);
  });

  it('refuses settings that say nothing', () => {
    expect(codes([], [], { s: { max_in_flight: 0 } })).to.deep.equal(['graph.steps[0].max_in_flight: invalid_value']);
    expect(codes([], [], { s: { batch: { size: 5 } } })).to.deep.equal(['graph.steps[0].batch.interval: required']);
    expect(codes([], [], { s: { on_branch_failure: { tolerate: { percent: 101 } } } })).to.have.length.greaterThan(0);
  });
});

describe('A reduction', () => {
  const reads = (source: string, isPlain = false) =>
    readsResultsWhole({ source, as: 'bare', given: {}, awaits: ['results'] }, isPlain);

  it('that only counts results, or looks at their status, reads no outputs', () => {
    expect(reads('size(results)')).to.equal(false);
    expect(reads('results.size() * 2', true)).to.equal(false);
    expect(reads('input.n')).to.equal(false);
    expect(reads('results.filter(r, r.status == "failed").size()')).to.equal(false);
    expect(reads('results.map(r, r.status)')).to.equal(false);
    expect(reads('results.filter(r, r.status == "failed" || r.index > 5).map(r, r.index)')).to.equal(false);
    expect(reads('results.map(r, 1)', true)).to.equal(false);
    expect(reads('input.l.map(results, results.output)')).to.equal(false);
  });

  it('that shows or uses them reads them', () => {
    for (const source of [
      'results',
      'results[0]',
      'results.map(r, r.output)',
      'results.filter(r, r.status == "failed")',
      'results.filter(r, has(r.error)).size()',
      'results.filter(r, r.status == "failed" && r.error.code == "x").map(r, r.index)',
      'results.map(r, r)',
    ])
      expect(reads(source), source).to.equal(true);
    expect(reads('results.map(r, r.status)', true)).to.equal(true);
  });
});
