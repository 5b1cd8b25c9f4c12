import type { DuctorClient, Schemas } from '@ductor/client';
import type { Command } from 'commander';
import { readText } from '../arguments.ts';
import { UsageError } from '../errors.ts';
import { wantsJson } from '../screen.ts';
import { printable } from '../text.ts';

/** What a host takes at once, in items and well within its limit of bytes. */
const MOST_ITEMS = 1_000;
const MOST_BYTES = 500_000;

interface Item {
  readonly line: number;
  readonly bytes: number;
  readonly value: unknown;
}

type Result = Schemas['TriggerBatchAnswer']['items'][number];

/** Starts a run for each line of a file; prints a line for each, or for those that were refused and how many were not. */
export async function triggerBatch({
  client,
  address,
  file,
  command,
}: {
  readonly client: Pick<DuctorClient, 'POST'>;
  readonly address: string;
  readonly file: string;
  readonly command: Command;
}): Promise<void> {
  const items = itemsIn(readText(file, '--batch'), file);
  const json = wantsJson(command);
  let refused = 0;
  for (const chunk of chunksOf(items)) {
    const { data } = await client.POST('/api/v2/workflow-definitions/{definition_id}:triggerBatch', {
      params: { path: { definition_id: address } },
      body: { items: chunk.map(({ value }) => value) },
    });
    for (const [index, result] of data.items.entries()) {
      const line = chunk[index]?.line;
      if ('error' in result) refused += 1;
      if (json) console.log(JSON.stringify({ line, ...result }));
      else if ('error' in result) console.log(refusalText(`${file}:${line}`, result));
    }
  }
  if (!json) console.log(`${items.length - refused} started, ${refused} refused`);
  if (refused > 0) process.exitCode = 1;
}

const refusalText = (place: string, { error }: Extract<Result, { error?: unknown }>): string =>
  printable(`${place}  ${error?.message} (${error?.code})`);

function itemsIn(text: string, file: string): readonly Item[] {
  const lines = text.split('\n').flatMap((line, index) => (line.trim() === '' ? [] : [{ line, number: index + 1 }]));
  if (lines.length === 0) throw new UsageError(`--batch: ${file} has no lines; each is the trigger of one run.`);
  return lines.map(({ line, number }) => {
    try {
      return { line: number, bytes: Buffer.byteLength(line), value: JSON.parse(line) };
    } catch (error) {
      throw new UsageError(`${file}:${number}  no JSON: ${error instanceof Error ? error.message : String(error)}`);
    }
  });
}

/** Items in their order, in as few parts as a host takes. */
export function* chunksOf<Each extends Pick<Item, 'bytes'>>(items: readonly Each[]): Generator<readonly Each[]> {
  let chunk: Each[] = [];
  let bytes = 0;
  for (const item of items) {
    if (chunk.length === MOST_ITEMS || (chunk.length > 0 && bytes + item.bytes > MOST_BYTES)) {
      yield chunk;
      chunk = [];
      bytes = 0;
    }
    chunk.push(item);
    bytes += item.bytes;
  }
  yield chunk;
}
