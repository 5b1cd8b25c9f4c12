// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are our templates, not JavaScript’s

import { type AnyStepType, defineStep, type Edge } from '@ductor/core';
import { expect } from 'chai';
import fc from 'fast-check';
import { pathProblems } from '#core/definition/checks/paths.js';
import { codesOf, draftOf, edge, problemsOf, value, vocabulary, vocabularyWith } from './helpers.js';

const runs = process.env.FULL === '1' ? 3000 : 300;

describe('the paths of a graph', () => {
  it('begin somewhere', () => {
    expect(codesOf(problemsOf(draftOf([])))).to.deep.equal(['graph.steps: no_steps']);
    const circle = draftOf([value('a'), value('b')], [edge('a', 'b'), edge('b', 'a')]);
    expect(codesOf(problemsOf(circle))).to.deep.equal(['graph.edges: no_entry', 'graph.edges[1]: cycle']);
  });

  it('name the steps of a circle, and those that only it leads to', () => {
    const draft = draftOf(
      [value('a'), value('b'), value('c'), value('d')],
      [edge('b', 'c'), edge('c', 'b', 'ERROR'), edge('c', 'd')],
    );
    const problems = problemsOf(draft);
    expect(codesOf(problems)).to.deep.equal([
      'graph.edges[1]: cycle',
      'graph.steps[1]: unreachable',
      'graph.steps[2]: unreachable',
      'graph.steps[3]: unreachable',
    ]);
    expect(problems[0]?.message).to.contain('b → c → b');
  });

  it('refuse an edge from a step to itself', () => {
    expect(codesOf(problemsOf(draftOf([value('a'), value('b')], [edge('a', 'b'), edge('b', 'b')])))).to.deep.equal([
      'graph.edges[1]: cycle',
    ]);
  });

  it('lead from the owner of a region to the steps that it runs', () => {
    const owner: AnyStepType = defineStep({
      type: 'STEP_TYPE_OWNER',
      schema: { type: 'object', properties: { owns: { type: 'string' } } },
      region: ({ owns }) => ({ entry: [String(owns)], body: [String(owns)], exit: null, variables: ['item'] }),
      start: () => ({ to: 'completed', outcome: 'SUCCESS', output: null }),
    });
    const more = { vocabulary: vocabularyWith({ types: [owner] }) };
    const steps = [{ ref: 'o', type: 'OWNER', owns: 'a' }, value('a', '${item}'), value('b', '${item}')];
    expect(codesOf(problemsOf(draftOf(steps, [edge('o', 'b')]), more))).to.deep.equal([
      'graph.steps[2].value: unknown_variable',
    ]);
    const back = draftOf(steps.slice(0, 2), [edge('a', 'o')]);
    expect(codesOf(problemsOf(back, more))).to.include('graph.edges: no_entry');
  });

  it('agree with a naive search about circles in any graph', () => {
    const refs = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    const ref = fc.constantFrom(...refs);
    const graph = fc.uniqueArray(fc.tuple(ref, ref), { maxLength: 14, selector: ([from, to]) => `${from}${to}` });
    fc.assert(
      fc.property(graph, (pairs) => {
        const edges = pairs.map(([from, to]) => edge(from, to));
        const problems = pathProblemsOf(refs, edges);
        const cyclic = refs.filter((each) => reaches(each, each, edges));
        expect(problems.some(({ code }) => code === 'cycle')).to.equal(cyclic.length > 0);
        for (const { code, message } of problems) {
          if (code !== 'cycle') continue;
          const circle = message.replace(/.*: (.*)\./, '$1').split(' → ');
          expect(circle[0]).to.equal(circle.at(-1));
          circle.slice(1).forEach((to, index) => {
            expect(edges.some((each) => each.from === circle[index] && each.to === to)).to.equal(true);
          });
        }
      }),
      { numRuns: runs },
    );
  });

  it('of a thousand steps in a row are searched without a deep stack', () => {
    const refs = Array.from({ length: 1000 }, (_, index) => `s${index}`);
    const row = refs.slice(1).map((ref, index) => edge(refs[index] ?? '', ref));
    expect(pathProblemsOf(refs, row)).to.deep.equal([]);
  });
});

const pathProblemsOf = (refs: readonly string[], edges: readonly Edge[]) =>
  pathProblems(
    draftOf(
      refs.map((ref) => value(ref)),
      edges,
    ).graph,
    vocabulary,
  );

/** All that can be reached in as many moves as there are edges. */
function reaches(from: string, to: string, edges: readonly Edge[]): boolean {
  let front = new Set([from]);
  for (let moves = 0; moves < edges.length; moves++) {
    front = new Set(edges.filter((each) => front.has(each.from)).map((each) => each.to));
    if (front.has(to)) return true;
  }
  return false;
}
