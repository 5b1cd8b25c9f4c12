import { macroScope, type Program, planNode, type Scope } from './comprehension.ts';
import { parseExpression, type Syntax } from './parse.ts';
import { type References, referencesOf } from './references.ts';

export interface CompiledExpression extends References {
  readonly source: string;
  readonly syntax: Syntax;
  readonly program: Program;
  /** The results of its macros, bound lazily; the prototype of every scope it runs in. */
  readonly macros: Scope;
}

/** Characters of the sources in one generation of the cache; a plan takes some 200 bytes a character. */
const GENERATION_CHARACTERS = 256 * 1024;

// Least recently used by generations: what was not asked for during a whole one is dropped with it.
let recent = new Map<string, CompiledExpression>();
let older: ReadonlyMap<string, CompiledExpression> = new Map();
let recentCharacters = 0;

/** Parsed and planned once per source. Throws `ExpressionError` (`syntax_error`, `too_large`). */
export const compileExpression = (source: string): CompiledExpression => {
  const known = recent.get(source);
  if (known) return known;
  const compiled = older.get(source) ?? compile(source);
  recent.set(source, compiled);
  recentCharacters += source.length;
  if (recentCharacters > GENERATION_CHARACTERS) {
    older = recent;
    recent = new Map();
    recentCharacters = 0;
  }
  return compiled;
};

const compile = (source: string): CompiledExpression => {
  const syntax = parseExpression(source);
  return {
    source,
    syntax,
    program: planNode(syntax.root),
    macros: macroScope(syntax.macros),
    ...referencesOf(syntax.root),
  };
};
