import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { root } from './repository.ts';

const OTHERS = new Set(['.git', '.ductor', 'dist', 'node_modules']);

function readmesBelow(folder: string): readonly string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    if (OTHERS.has(entry.name)) return [];
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return readmesBelow(path);
    return entry.name === 'README.md' ? [path] : [];
  });
}

interface Link {
  /** By its path from the repository's root. */
  readonly file: string;
  /** Without `#`; empty: the file as a whole. */
  readonly anchor: string;
}

/** A README's links to what is in the repository. */
const linksIn = (readme: string): readonly Link[] =>
  [...proseOf(readme).matchAll(/\]\((?!https?:)([^)#\s]*)#?([^)\s]*)\)/g)].map(([, target = '', anchor = '']) => ({
    file: target === '' ? readme : join(dirname(readme), target),
    anchor,
  }));

/** What is not in a fenced block. */
const proseOf = (file: string): string => readFileSync(join(root, file), 'utf8').replace(/^```.*?^```$/gms, '');

/** The anchors that a Markdown page gets from its headings. */
const anchorsIn = (file: string): readonly string[] =>
  [...proseOf(file).matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\p{Letter}\p{Number}_ -]/gu, '')
      .replaceAll(' ', '-'),
  );

const isDead = ({ file, anchor }: Link): boolean =>
  !existsSync(join(root, file)) || (anchor !== '' && !anchorsIn(file).includes(anchor));

describe('the READMEs', () => {
  const readmes = readmesBelow('.');

  it('link to what is there', () => {
    expect(readmes.length).to.be.greaterThan(20);
    const dead = readmes.flatMap((readme) =>
      linksIn(readme)
        .filter(isDead)
        .map(({ file, anchor }) => `${readme}: ${file}#${anchor}`),
    );
    expect(dead).to.deep.equal([]);
  });

  it('are all linked from the first, or from the one of the folder above', () => {
    const isLinked = (readme: string): boolean =>
      ['README.md', join(dirname(readme), '..', 'README.md')]
        .filter((above) => existsSync(join(root, above)))
        .some((above) => linksIn(above).some(({ file }) => file === readme));
    expect(readmes.filter((readme) => readme !== 'README.md' && !isLinked(readme))).to.deep.equal([]);
  });
});
