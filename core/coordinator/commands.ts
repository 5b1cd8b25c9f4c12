import type { Json } from '../json.ts';
import { derivedUuid } from '../run/ids.ts';
import type { NodeAddress } from '../run/node.ts';
import type { Cause } from '../run/transition.ts';
import type { Command, RunSeed } from '../steps/command.ts';
import { fanOut } from './branch-starts.ts';
import type { Draft } from './draft.ts';

/** The node that asks; a plugin's word at a moment of the run comes from none. */
export interface Asking {
  readonly at: NodeAddress;
  readonly generation: number;
}

/** Does what a pure answer asked for. */
export function perform(
  draft: Draft,
  commands: readonly Command[],
  { cause, by }: { cause: Cause; by?: Asking },
): void {
  for (const command of commands) {
    switch (command.do) {
      case 'reply': {
        const { do: _, ...reply } = command;
        draft.changes.push({ type: 'reply', reply, cause });
        tellCheckpoint(draft, reply);
        break;
      }
      case 'end':
        draft.end(command.ending, { abort: true });
        break;
      case 'tell': {
        const { chainId, at, message } = command;
        draft.outbox.push({ kind: 'message', chainId, at, message });
        break;
      }
      case 'publish': {
        const { do: _, ...event } = command;
        draft.published.push({ id: draft.newId(), ...event });
        break;
      }
      case 'keep':
        draft.fields = { ...draft.fields, ...command.fields };
        draft.changes.push({ type: 'fields', set: command.fields, cause });
        break;
      case 'spawn':
        if (command.child.kind === 'run') spawnRun(draft, command.child.seed, { cause, by });
        else if (command.child.kind === 'branches') {
          if (by) fanOut(draft, by, command.child.of, cause);
        } else draft.ready.push({ ref: command.child.ref, branch: by?.at.branch ?? [], cause });
        break;
      case 'write': {
        const { do: _, ...write } = command;
        draft.rows.push(write);
        break;
      }
    }
  }
}

function spawnRun(draft: Draft, seed: RunSeed, { cause, by }: { cause: Cause; by: Asking | undefined }): void {
  const { ends, version } = draft.given.state;
  // What a plugin asks for may be asked for again by a later tick of the same instant.
  const place = by ? draft.executionKey(by.at, by.generation) : `${draft.header.chainId}/${ends + 1}/${version + 1}`;
  const runId = derivedUuid(draft.now, `${place}/child/${draft.spawned.length}`);
  const hears = by && seed.report !== 'nothing' ? by : null;
  draft.spawned.push({ runId, at: hears?.at ?? null, seed });
  if (!hears) return;
  const { at, generation } = hears;
  draft.setChild(runId, { at, generation, parentClose: seed.parentClose, isStopping: false }, cause);
}

/** A parent that waits for this checkpoint hears of it; of the first by that name. */
function tellCheckpoint(draft: Draft, { name, output }: { readonly name: string; readonly output?: Json }): void {
  const { parent } = draft.header.lineage;
  if (!parent?.node || typeof parent.report !== 'object' || parent.report.checkpoint !== name) return;
  if (draft.given.state.replies.some((reply) => reply.name === name)) return;
  const { chainId, node: at } = parent;
  const end = { status: 'checkpoint', name, output: output ?? null } as const;
  draft.outbox.push({ kind: 'child', chainId, at, runId: draft.header.id, end });
}
