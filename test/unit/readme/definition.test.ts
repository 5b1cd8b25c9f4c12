import { applyOperations, type Operation, type OperationBodies } from '@ductor/core';
import { expect } from 'chai';
import { fieldRows, writtenRows } from '../../support/field-rows.ts';
import { blocksOf, codesIn, readReadme, rowsOf, sectionsOf } from '../../support/readme.ts';
import { vocabulary } from '../definition/helpers.ts';

const sections = sectionsOf(readReadme('core/definition/README.md'));
const section = (title: string): string => sections.get(title) ?? '';

/** Complete, as the compiler sees to it. */
const OPERATIONS: { readonly [Name in keyof OperationBodies]: true } = {
  add_step: true,
  update_step: true,
  remove_step: true,
  rename_step: true,
  add_edge: true,
  update_edge: true,
  remove_edge: true,
  set_settings: true,
  replace_graph: true,
};

describe('core/definition/README.md', () => {
  it('has the settings that the engine reads', () => {
    const rows = rowsOf(section('Settings'), 'field');
    expect(writtenRows(rows, vocabulary.settings)).to.have.deep.members([...fieldRows(vocabulary.settings)]);
  });

  it('has the fields of a graph', () => {
    const paths = rowsOf(section('Graph'), 'field').map(([path = '']) => codesIn(path)[0]);
    expect(paths).to.have.members(Object.keys(vocabulary.graph.properties).map((name) => `graph.${name}`));
  });

  it('has an example of every edit, each of which can be applied to what the ones before left', () => {
    const graph = JSON.parse(blocksOf(section('Edits'))[0]?.content ?? '');
    const operations = rowsOf(section('Edits'), 'operation').map(
      ([operation = '']): Operation => JSON.parse(operation.slice(1, -1)),
    );
    expect(operations.flatMap(Object.keys)).to.have.members(Object.keys(OPERATIONS));
    const edited = applyOperations({ draft: { graph, settings: {} }, operations, vocabulary });
    expect(edited).to.deep.include({ ok: true, warnings: [] });
  });
});
