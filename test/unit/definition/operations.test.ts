// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are our templates, not JavaScript’s

import { applyOperations, checkDefinition, type DefinitionDraft, type Operation } from '@ductor/core';
import { expect } from 'chai';
import fc from 'fast-check';
import { codesOf, context, draftOf, edge, value, vocabulary } from './helpers.js';

const runs = process.env.FULL === '1' ? 2000 : 200;

const apply = (draft: DefinitionDraft, ...operations: readonly Operation[]) =>
  applyOperations({ draft, operations, vocabulary });

function applied(draft: DefinitionDraft, ...operations: readonly Operation[]) {
  const edited = apply(draft, ...operations);
  if (!edited.ok) throw new Error(`refused: ${JSON.stringify(edited.problems)}`);
  return edited;
}

function refusals(draft: DefinitionDraft, ...operations: readonly Operation[]) {
  const edited = apply(draft, ...operations);
  return edited.ok ? [] : codesOf(edited.problems);
}

const chain = () => draftOf([value('a', 1), value('b', '${steps.a.output}')], [edge('a', 'b')]);

describe('draft operations', () => {
  it('add a step and keep its type in the long form', () => {
    const { draft } = applied(chain(), { add_step: { ref: 'c', type: 'STOP' } });
    expect(draft.graph.steps.at(-1)).to.deep.equal({ ref: 'c', type: 'STEP_TYPE_STOP' });
  });

  it('refuse a ref that is taken or is none, by the path of the operation', () => {
    const operations: Operation[] = [
      { add_step: value('a') },
      { add_step: value('1st') },
      { rename_step: { ref: 'a', to: 'b' } },
      { rename_step: { ref: 'a', to: 'größe' } },
    ];
    expect(refusals(chain(), ...operations)).to.deep.equal([
      'operations[0].add_step.ref: duplicate_ref',
      'operations[1].add_step.ref: invalid_ref',
      'operations[2].rename_step.to: duplicate_ref',
      'operations[3].rename_step.to: invalid_ref',
    ]);
  });

  it('update a step, where null clears a field', () => {
    const draft = draftOf([{ ...value('a', 1), title: 'A', timeout: 'PT1S' }]);
    const edited = applied(draft, { update_step: { ref: 'a', set: { title: null, timeout: 'PT2S', join: 'any' } } });
    expect(edited.draft.graph.steps).to.deep.equal([
      { ref: 'a', type: 'STEP_TYPE_TRANSFORM', value: 1, timeout: 'PT2S', join: 'any' },
    ]);
  });

  it('change the type of a step, but never take it away or change its ref', () => {
    const { draft } = applied(chain(), { update_step: { ref: 'a', set: { type: 'STOP', value: null } } });
    expect(draft.graph.steps[0]).to.deep.equal({ ref: 'a', type: 'STEP_TYPE_STOP' });
    expect(
      refusals(
        chain(),
        { update_step: { ref: 'a', set: { type: null } } },
        { update_step: { ref: 'a', set: { ref: 'z' } } },
      ),
    ).to.deep.equal([
      'operations[0].update_step.set.type: invalid_value',
      'operations[1].update_step.set.ref: invalid_value',
    ]);
  });

  it('remove a step with its edges, and say which went', () => {
    const { draft, warnings } = applied(chain(), { remove_step: { ref: 'a' } });
    expect(draft.graph.edges).to.deep.equal([]);
    expect(warnings).to.deep.equal([
      {
        path: 'operations[0].remove_step',
        code: 'edge_removed',
        message: 'The edge a → b (SUCCESS) went with its step.',
      },
    ]);
  });

  it('know an edge by its ends, type and case', () => {
    const draft = draftOf(
      [value('a'), value('b')],
      [edge('a', 'b', 'CASE', { case: 'x' }), edge('a', 'b', 'CASE', { case: 'y' })],
    );
    const { draft: edited } = applied(
      draft,
      { remove_edge: edge('a', 'b', 'CASE', { case: 'x' }) },
      { update_edge: { ...edge('a', 'b', 'CASE', { case: 'y' }), set: { condition: 'true' } } },
      { add_edge: edge('a', 'b', 'DEFAULT') },
    );
    expect(edited.graph.edges).to.deep.equal([
      edge('a', 'b', 'CASE', { case: 'y', condition: 'true' }),
      edge('a', 'b', 'DEFAULT'),
    ]);
  });

  it('clear what an edge says by null, and may move it', () => {
    const draft = draftOf(
      [value('a'), value('b'), value('c')],
      [edge('a', 'b', 'CASE', { case: 'x', condition: 'true' })],
    );
    const { draft: edited } = applied(draft, {
      update_edge: {
        ...edge('a', 'b', 'CASE', { case: 'x' }),
        set: { to: 'c', type: 'DEFAULT', case: null, condition: null },
      },
    });
    expect(edited.graph.edges).to.deep.equal([edge('a', 'c', 'DEFAULT')]);
  });

  it('refuse edges that are not there, are there twice or lead nowhere', () => {
    const draft = draftOf([value('a'), value('b')], [edge('a', 'b'), edge('a', 'b', 'ERROR')]);
    expect(
      refusals(
        draft,
        { remove_edge: edge('a', 'b', 'ALWAYS') },
        { add_edge: edge('a', 'b') },
        { add_edge: edge('a', 'z') },
        { update_edge: { ...edge('a', 'b'), set: { type: 'ERROR' } } },
        { update_edge: { ...edge('a', 'b'), set: { from: 'z' } } },
      ),
    ).to.deep.equal([
      'operations[0].remove_edge: unknown_edge',
      'operations[1].add_edge: duplicate_edge',
      'operations[2].add_edge.to: unknown_step',
      'operations[3].update_edge.set: duplicate_edge',
      'operations[4].update_edge.set.from: unknown_step',
    ]);
  });

  it('merge settings, where null clears one', () => {
    const draft = draftOf([], [], { settings: { run_timeout: 'P1D', failure_policy: 'drain' } });
    const { draft: edited } = applied(draft, { set_settings: { run_timeout: null, cancel_grace: 'PT1S' } });
    expect(edited.settings).to.deep.equal({ failure_policy: 'drain', cancel_grace: 'PT1S' });
  });

  it('replace the whole graph', () => {
    const { draft } = applied(chain(), { replace_graph: { steps: [value('z')], output: '${input}' } });
    expect(draft.graph).to.deep.equal({
      steps: [{ ref: 'z', type: 'STEP_TYPE_TRANSFORM', value: null }],
      edges: [],
      output: '${input}',
    });
  });

  it('rename a step in edges, conditions, expressions, templates and the output, and nowhere else', () => {
    const draft = draftOf(
      [
        value('a', 1),
        { ref: 'c', type: 'CONDITION', expression: 'steps.a.output > 0 && input.a == "steps.a"' },
        {
          ref: 'r',
          type: 'RULE',
          title: 'steps.a',
          rules: [{ when: 'steps["a"].output == 1', value: { x: '${steps.a.output}', y: 'steps.a' } }],
          effects: { context: { last: '${steps.a.status}' } },
        },
      ],
      [edge('a', 'c'), edge('c', 'r', 'TRUE', { condition: 'has(steps.a.output)' })],
      { output: { a: '${steps.a.output}' } },
    );
    const { draft: edited } = applied(draft, { rename_step: { ref: 'a', to: 'first-one' } });
    expect(edited.graph).to.deep.equal({
      steps: [
        { ref: 'first-one', type: 'STEP_TYPE_TRANSFORM', value: 1 },
        {
          ref: 'c',
          type: 'STEP_TYPE_CONDITION',
          expression: 'steps["first-one"].output > 0 && input.a == "steps.a"',
        },
        {
          ref: 'r',
          type: 'STEP_TYPE_RULE',
          title: 'steps.a',
          rules: [
            { when: 'steps["first-one"].output == 1', value: { x: '${steps["first-one"].output}', y: 'steps.a' } },
          ],
          effects: { context: { last: '${steps["first-one"].status}' } },
        },
      ],
      edges: [edge('first-one', 'c'), edge('c', 'r', 'TRUE', { condition: 'has(steps["first-one"].output)' })],
      output: { a: '${steps["first-one"].output}' },
    });
  });

  it('rename a step where another names it, as a race its arms', () => {
    const draft = draftOf([value('a'), { ref: 'race', type: 'RACE', arms: ['a', 'b'] }, value('b')]);
    const { draft: edited } = applied(draft, { rename_step: { ref: 'a', to: 'first' } });
    expect(edited.graph.steps[1]).to.deep.include({ arms: ['first', 'b'] });
  });

  it('warn where the expressions of an unknown step type could not be rewritten', () => {
    const draft = draftOf([
      value('first'),
      { ref: 'w', type: 'UNKNOWN', until: 'steps.first.output' },
      { ref: 'x', type: 'UNKNOWN', duration: 'PT1S' },
    ]);
    const { warnings } = applied(draft, { rename_step: { ref: 'first', to: 'b' } });
    expect(codesOf(warnings)).to.deep.equal(['operations[0].rename_step: not_rewritten']);
  });

  it('refuse a definition that becomes too large or too deep', () => {
    const steps = Array.from({ length: 1000 }, (_, index) => value(`s${index}`));
    expect(refusals(draftOf(steps), { add_step: value('one_more') })).to.deep.equal(['graph.steps: too_many_steps']);
    let deep: object = {};
    for (let depth = 0; depth < 100_000; depth++) deep = { deep };
    expect(refusals(draftOf([]), { set_settings: { deep: deep as never } })).to.deep.equal(['settings: too_deep']);
  });

  it('leave the draft as it was unless all of them can be applied', () => {
    const ref = fc.constantFrom('a', 'b', 'c', 'd', '1');
    const key = fc.record({ from: ref, to: ref, type: fc.constantFrom('SUCCESS' as const, 'ERROR' as const) });
    const operation: fc.Arbitrary<Operation> = fc.oneof(
      ref.map((each) => ({ add_step: value(each) })),
      ref.map((each) => ({ remove_step: { ref: each } })),
      ref.map((each) => ({ update_step: { ref: each, set: { value: 2 } } })),
      fc.record({ ref, to: ref }).map((rename_step) => ({ rename_step })),
      key.map((add_edge) => ({ add_edge })),
      key.map((remove_edge) => ({ remove_edge })),
    );
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 6 }), (operations) => {
        const draft = chain();
        const before = structuredClone(draft);
        const edited = apply(draft, ...operations);
        expect(draft).to.deep.equal(before);
        // One by one they come to the same, or one of them is refused.
        let current = draft;
        const each = operations.every((operation) => {
          const step = apply(current, operation);
          if (step.ok) current = step.draft;
          return step.ok;
        });
        expect(edited.ok).to.equal(each);
        if (edited.ok) expect(edited.draft).to.deep.equal(current);
      }),
      { numRuns: runs },
    );
  });

  it('rename so that no check finds a step that is not there', () => {
    const ref = fc.stringMatching(/^[A-Za-z][A-Za-z0-9_-]{0,8}$/);
    const scenario = fc
      .uniqueArray(ref, { minLength: 3, maxLength: 8 })
      .chain((refs) =>
        fc.record({ refs: fc.constant(refs.slice(1)), to: fc.constant(refs[0] ?? ''), which: fc.nat(refs.length - 2) }),
      );
    const read = (ref: string) => `steps[${JSON.stringify(ref)}].output`;
    fc.assert(
      fc.property(scenario, ({ refs, to, which }) => {
        const steps = refs.map((ref, index) =>
          value(ref, index === 0 ? 1 : { all: refs.slice(0, index).map((each) => `\${${read(each)}}`) }),
        );
        const edges = refs
          .slice(1)
          .map((ref, index) =>
            edge(refs[index] ?? '', ref, 'SUCCESS', { condition: `${read(refs[index] ?? '')} != null` }),
          );
        const draft = draftOf(steps, edges, { output: refs.map((each) => `It was \${${read(each)}}`) });
        const { draft: renamed } = applied(draft, { rename_step: { ref: refs[which] ?? '', to } });
        const { problems, warnings } = checkDefinition(renamed, context());
        expect([...problems, ...warnings]).to.deep.equal([]);
        // Renamed back, it is the same again.
        const back = applied(renamed, { rename_step: { ref: to, to: refs[which] ?? '' } });
        expect(back.draft).to.deep.equal(draft);
      }),
      { numRuns: runs / 10 },
    );
  });
});
