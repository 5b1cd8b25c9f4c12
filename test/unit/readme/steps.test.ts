import { BUILT_IN_STEPS, type JsonSchema } from '@ductor/core';
import { expect } from 'chai';
import { edgeProblems } from '#core/definition/checks/edges.js';
import { EDGE_TYPES } from '#core/definition/draft.js';
import type { Edge, StepTypeName } from '#core/definition/graph.js';
import { DEFAULT_RETRY } from '#core/run/retry.js';
import { COMMON_STEP_FIELDS, DEFAULT_START_TO_CLOSE_MS } from '#core/steps/common.js';
import { fieldRows, writtenRows } from '../../support/field-rows.ts';
import { codesIn, readReadme, rowsOf, sectionsOf } from '../../support/readme.ts';
import { vocabulary } from '../definition/helpers.ts';

const text = readReadme('core/steps/README.md');
const sections = sectionsOf(text);

const fieldTable = (section: string) => rowsOf(sections.get(section) ?? '', 'field');

function expectFields(section: string, schema: JsonSchema): void {
  const rows = fieldTable(section);
  expect(writtenRows(rows, schema)).to.have.deep.members([...fieldRows(schema)]);
  for (const [path, , , meaning] of rows) expect(meaning, path).to.not.equal('');
}

describe('core/steps/README.md', () => {
  it('has a section for every built-in type, and for no other', () => {
    const titles = [...sections.keys()].filter((title) => title.startsWith('STEP_TYPE_'));
    expect(titles).to.have.members(BUILT_IN_STEPS.map(({ type }) => type));
  });

  for (const { type, schema } of BUILT_IN_STEPS) {
    it(`says of ${type} the fields that its schema has`, () => expectFields(type, schema));
  }

  it('says of every step the fields that the engine reads, with its defaults', () => {
    expectFields('Fields of every step', {
      type: 'object',
      required: ['ref', 'type'],
      properties: COMMON_STEP_FIELDS,
    });
    const defaults = new Map(fieldTable('Fields of every step').map(([path, , value]) => [path, value]));
    for (const [name, value] of Object.entries({
      max_attempts: DEFAULT_RETRY.maxAttempts,
      initial_interval_ms: DEFAULT_RETRY.initialIntervalMs,
      backoff_coefficient: DEFAULT_RETRY.backoffCoefficient,
      max_interval_ms: DEFAULT_RETRY.maxIntervalMs,
      jitter: DEFAULT_RETRY.jitter,
      non_retryable: JSON.stringify(DEFAULT_RETRY.nonRetryable),
    })) {
      expect(defaults.get(`\`retry.${name}\``), name).to.equal(`\`${value}\``);
    }
    expect(DEFAULT_START_TO_CLOSE_MS, 'PT1M').to.equal(60_000);
  });

  it('says which edges may leave each type', () => {
    const written = rowsOf(text, 'type').map(([type = '', , edges = '']) => [
      `STEP_TYPE_${codesIn(type)[0]}`,
      codesIn(edges),
    ]);
    expect(written).to.have.deep.members(BUILT_IN_STEPS.map(({ type }) => [type, edgesFrom(type)]));
  });

  it('says of every edge type when it is taken', () => {
    const written = rowsOf(text, 'edge type').flatMap(([types = '']) => codesIn(types));
    expect(written).to.have.members([...EDGE_TYPES]);
  });
});

/** As the check of edges tells it to an author who has chosen none of them. */
function edgesFrom(type: StepTypeName): readonly string[] {
  const steps = [
    { ref: 'a', type },
    { ref: 'b', type },
  ];
  const edge = { from: 'a', to: 'b', type: 'NONE' } as unknown as Edge;
  return edgeProblems({ steps, edges: [edge] }, vocabulary)[0]?.allowed ?? [];
}
