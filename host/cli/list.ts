import type { Command } from 'commander';
import { wholeNumber } from './arguments.ts';
import { print } from './screen.ts';
import { table } from './text.ts';

/** For `.option(...LIMIT)`. */
export const LIMIT = ['--limit <count>', 'how many', wholeNumber, 50] as const;

/** So that one page is enough, and shows whether there is more. */
export const pageSize = (limit: number): number => Math.min(limit + 1, 500);

/** Prints the first `limit` items of a list, and whether there are more. */
export async function printList<Item>(
  command: Command,
  items: AsyncIterable<Item>,
  {
    limit,
    head,
    row,
  }: {
    readonly limit: number;
    readonly head: readonly string[];
    readonly row: (item: Item) => readonly string[];
  },
): Promise<void> {
  const taken: Item[] = [];
  let more = false;
  for await (const item of items) {
    more = taken.length === limit;
    if (more) break;
    taken.push(item);
  }
  print(command, {
    json: { items: taken, more },
    text: () => table(head, taken.map(row)) + (more ? '\nThere are more: narrow the list, or raise --limit.' : ''),
  });
}
