import type { JsonSchema } from '@ductor/core';
import { expect } from 'chai';
import { graphScopes } from '#core/definition/checks/scopes.js';
import { checkExpression } from '#core/expression/check.js';
import { compileTemplate, type Scope } from '#core/expression/index.js';
import { evaluateTemplate } from '#core/expression/template.js';
import { blocksOf, codesIn, readReadme, rowsOf, sectionsOf } from '../../support/readme.ts';
import { vocabulary } from '../definition/helpers.ts';
import { evaluate } from '../expression/helpers.ts';

const sections = sectionsOf(readReadme('core/expression/README.md'));
const section = (title: string): string => sections.get(title) ?? '';
const variables = JSON.parse(blocksOf(section('Examples'))[0]?.content ?? '');
/** A cell as it was meant: its code marks off. */
const code = (cell = ''): string => cell.slice(1, -1);

describe('core/expression/README.md', () => {
  const examples = rowsOf(section('Examples'), 'expression');
  for (const [expression, value] of examples) {
    it(`${code(expression)} yields ${code(value)}`, () => {
      expect(evaluate(code(expression), variables)).to.deep.equal(JSON.parse(code(value)));
    });
  }

  const templates = rowsOf(section('Examples'), 'template');
  for (const [template, value] of templates) {
    it(`${code(template)} becomes ${code(value)}`, () => {
      const compiled = compileTemplate(JSON.parse(code(template)));
      expect(evaluateTemplate(compiled, variables)).to.deep.equal(JSON.parse(code(value)));
    });
  }

  const scope: Scope = {
    variables: new Map(Object.keys(variables).map((name) => [name, null])),
    steps: new Map(Object.keys(variables.steps).map((ref) => [ref, null])),
  };
  for (const [mistake, , remedy] of rowsOf(section('Mistakes'), 'written')) {
    it(`${code(mistake)} is a mistake, and ${code(remedy)} is none`, () => {
      const problems = (source: string) => checkExpression({ source, path: '', scope, expects: 'any' });
      const fails = () => {
        if (problems(code(mistake)).length > 0) throw new Error('refused at publish');
        return evaluate(code(mistake), variables);
      };
      expect(fails).to.throw();
      expect(problems(code(remedy))).to.deep.equal([]);
      expect(() => evaluate(code(remedy), variables)).to.not.throw();
    });
  }

  it('has every variable that a definition may read, and every field of run', () => {
    const scopeOf = graphScopes({ graph: { steps: [], edges: [] }, settings: {} }, vocabulary, new Map());
    const known = scopeOf({
      as: 'bare',
      value: {},
      awaits: awaitedIn([...vocabulary.steps.values(), vocabulary.edge, vocabulary.settings]),
    });
    const rows = rowsOf(section('Variables'), 'variable');
    expect(rows.map(([name]) => code(name))).to.have.members([...known.variables.keys(), 'steps']);
    const run = known.variables.get('run') as JsonSchema;
    const [, , said = ''] = rows.find(([name]) => name === '`run`') ?? [];
    expect(codesIn(said)).to.include.members(Object.keys(run.properties ?? {}).map((name) => `run.${name}`));
  });
});

/** Variables that are there only in some places, such as `event`. */
const awaitedIn = (schemas: readonly JsonSchema[]): readonly string[] => [
  ...new Set(
    schemas.flatMap(({ cel, properties = {}, items }): readonly string[] => [
      ...(cel?.awaits ?? []),
      ...awaitedIn([...Object.values(properties), ...(items ? [items] : [])]),
    ]),
  ),
];
