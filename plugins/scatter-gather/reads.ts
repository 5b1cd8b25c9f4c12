import { COUNT, compileExpression, EACH, type Expression, type Json, type Leg, pathsOf } from '@ductor/core';

/** Whether a reduction needs the outputs or errors themselves; without it they are not read. */
export function readsResultsWhole({ source }: Expression<'results', Json>, isPlain: boolean): boolean {
  const { syntax } = compileExpression(String(source));
  return pathsOf(syntax.root).some(([name, ...way]) => name === 'results' && !isKnownWithout(way, isPlain));
}

/** Where the results are outputs as they are, only their number can do without. */
const isKnownWithout = ([leg, field]: readonly Leg[], isPlain: boolean): boolean =>
  leg === COUNT || (leg === EACH && !isPlain && (field === 'status' || field === 'index'));
