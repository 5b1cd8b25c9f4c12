import type { ChainId, Json } from '../json.ts';
import type { Message } from '../run/arrival.ts';
import type { NodeAddress } from '../run/node.ts';
import type { Ending, Reply } from '../run/run.ts';

/** A row for a plugin's table. `expect`: the row as it was read; if that has moved, the run does not. */
export interface Write {
  readonly table: string;
  readonly row: Json;
  readonly expect?: Json;
}

/** What a pure answer asks of the engine: written by the commit, and what needs the world follows from those rows. */
export type Command =
  | ({ readonly do: 'reply' } & Reply)
  | { readonly do: 'end'; readonly ending: Ending }
  | { readonly do: 'tell'; readonly chainId: ChainId; readonly at: NodeAddress; readonly message: Message }
  | ({ readonly do: 'write' } & Write);
