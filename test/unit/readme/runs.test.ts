import { join } from 'node:path';
import { effectOf, RUN_CONTROLS } from '@ductor/core';
import { expect } from 'chai';
import type { Party } from '#core/errors.js';
import type { NodeStatus } from '#core/run/node.js';
import { isFinal, type RunStatus } from '#core/run/run.js';
import { codesIn, readReadme, rowsOf, sectionsOf } from '../../support/readme.ts';
import { sourcesBelow } from '../../support/source-codes.ts';

const text = readReadme('core/run/README.md');
const sections = sectionsOf(text);

/** Complete, as the compiler sees to it. */
const RUN_STATUSES: { readonly [Status in RunStatus]: true } = {
  pending: true,
  running: true,
  waiting: true,
  paused: true,
  cancelling: true,
  completed: true,
  failed: true,
  cancelled: true,
  terminated: true,
  continued_as_new: true,
  merged: true,
};
const NODE_STATUSES: { readonly [Status in NodeStatus]: true } = {
  pending: true,
  running: true,
  backoff: true,
  waiting: true,
  paused: true,
  completed: true,
  failed: true,
  skipped: true,
  cancelled: true,
};
const PARTIES: { readonly [Name in Party]: true } = { user: true, connector: true, operator: true, engine: true };

const statuses = Object.keys(RUN_STATUSES) as RunStatus[];

describe('core/run/README.md', () => {
  it('has every status of a run, and says which are final', () => {
    const written = rowsOf(text, 'run status').flatMap(([names = '', ended]) =>
      codesIn(names).map((name) => [name, ended === 'yes']),
    );
    expect(written).to.have.deep.members(statuses.map((status) => [status, isFinal(status)]));
  });

  it('has every status of a node, and every party', () => {
    const firstCells = (heading: string) => rowsOf(text, heading).flatMap(([names = '']) => codesIn(names));
    expect(firstCells('node status')).to.have.members(Object.keys(NODE_STATUSES));
    expect(firstCells('party')).to.have.members(Object.keys(PARTIES));
  });

  it('says which controls a run takes in which status', () => {
    const [effects, consequences] = [true, false].map((isEffect) =>
      rowsOf(sections.get('Controls') ?? '', 'control').filter((row) => (row.length === 4) === isEffect),
    );
    for (const control of RUN_CONTROLS) {
      const [, applied = '', nothing = '', refused = ''] = effects?.find(([name]) => name === `\`${control}\``) ?? [];
      const statusesOf = (effect: ReturnType<typeof effectOf>) =>
        statuses.filter((status) => effectOf(control, status) === effect);
      expect(codesIn(applied), control).to.have.members([...statusesOf('applied')]);
      expect(codesIn(nothing), control).to.have.members([...statusesOf('no_effect')]);
      const said = refused.includes('every other')
        ? statuses.filter((status) => !codesIn(applied).includes(status))
        : [...codesIn(refused), ...(refused.includes('ended') ? statuses.filter(isFinal) : [])];
      expect(said, control).to.have.members([...statusesOf(null)]);
    }
    expect(consequences?.map(([name]) => name)).to.deep.equal(RUN_CONTROLS.map((control) => `\`${control}\``));
  });

  it('has every reason of the engine with its fields', () => {
    const written = rowsOf(text, 'reason').map(([code = '', fields = '']) => [codesIn(code)[0], codesIn(fields)]);
    expect(written).to.have.deep.members([...reasonsIn(sourcesBelow('core'))]);
  });

  it('leaves the reasons of a plugin to its README', () => {
    const missing = [...sourcesBelow('plugins')].flatMap(([file, source]) => {
      const readme = readReadme(join(...file.split('/').slice(0, 2), 'README.md'));
      return reasonsIn(new Map([[file, source]])).filter(([code]) => !codesIn(readme).includes(code));
    });
    expect(missing).to.deep.equal([]);
  });
});

/** The members of `interface Reasons`, wherever it is declared. */
const reasonsIn = (sources: ReadonlyMap<string, string>): readonly (readonly [string, readonly string[]])[] =>
  [...sources.values()].flatMap((source) =>
    [...source.matchAll(/interface Reasons \{(.*?)\n\s*\}\n/gs)].flatMap(([, body = '']) =>
      [...body.matchAll(/^\s+(\w+): \{ (.*) \};$/gm)].map(
        ([, code = '', fields = '']) => [code, [...fields.matchAll(/(\w+):/g)].map(([, name = '']) => name)] as const,
      ),
    ),
  );
