import type { Expression, Json } from '@ductor/core';

/** Ways to ask for the number of results, which need none of them. */
const ONLY_COUNTS = /\b(?:results\.size\(\)|size\(results\))/g;

/**
 * Whether a reduction needs the outputs or errors themselves. Without it they are not read. Where the results are
 * outputs as they are, only their number can do without.
 */
export function readsResultsWhole({ source }: Expression<'results', Json>, isPlain: boolean): boolean {
  const rest = String(source).replaceAll(ONLY_COUNTS, '0');
  if (!/\bresults\b/.test(rest)) return false;
  if (isPlain) return true;
  // Each is only looked at by a macro, for its status or index.
  const looked = rest.replaceAll(
    /\bresults\.(?:map|all|exists|exists_one)\(\s*(\w+)\s*,\s*\1\.(?:status|index)\b(?:\s*[!=]=\s*(?:"\w*"|'\w*'|\d+))?\s*\)/g,
    '0',
  );
  const counted = looked.replaceAll(
    /\bresults\.filter\(\s*(\w+)\s*,\s*\1\.(?:status|index)\s*[!=]=\s*(?:"\w*"|'\w*'|\d+)\s*\)\.size\(\)/g,
    '0',
  );
  return /\bresults\b/.test(counted);
}
