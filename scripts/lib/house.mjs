import { arrowRule } from './rules/arrows.mjs';
import { containerRule } from './rules/container.mjs';
import { coreImportRule, coreWordRule } from './rules/core.mjs';
import { purityRule } from './rules/purity.mjs';
import { readSources, readTexts } from './sources.mjs';
import { ownerOf, readWorkspaces, resolveImport } from './workspaces.mjs';

const rules = [arrowRule, coreImportRule, coreWordRule, purityRule, containerRule];
/** Most files here have one reason to change, and fewer lines. */
const longFileLines = 300;

/**
 * Holds the repository at `root` against the rules.
 * @returns {{violations: {rule: string, file: string, line: number, message: string}[],
 *   longFiles: {file: string, lines: number}[]}} long files are no violation
 */
export function checkHouse(root) {
  const house = readHouse(root);
  return {
    violations: rules.flatMap((rule) => rule(house)),
    longFiles: house.sources
      .map(({ file, text }) => ({ file, lines: text.split('\n').length - 1 }))
      .filter(({ file, lines }) => lines > longFileLines && !file.includes('.generated.')),
  };
}

/** What the rules look at: every parsed source with the workspace that owns it, and the words of the core. */
function readHouse(root) {
  const workspaces = readWorkspaces(root);
  const dirs = workspaces.map(({ dir }) => dir);
  const coreDirs = workspaces.filter(({ kind }) => kind === 'core').map(({ dir }) => dir);
  return {
    sources: readSources(root, dirs).map((source) => ({ ...source, owner: ownerOf(workspaces, source.file) })),
    coreTexts: readTexts(root, coreDirs),
    resolve: ({ file }, { specifier }) => resolveImport({ root, workspaces, from: file, specifier }),
  };
}
