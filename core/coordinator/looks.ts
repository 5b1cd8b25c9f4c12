import type { InputQuery, LoadedInputs } from '../ports/run-store.ts';
import type { Control } from '../run/arrival.ts';
import { type RunState, viewOf } from '../run/run.ts';
import { BatchQueue } from './batch.ts';
import type { CoordinatorPorts } from './coordinator-ports.ts';
import { inputQuery } from './mailbox.ts';
import type { Session } from './sessions.ts';

/** Reads what only the store knows of a run, many runs at a time. */
export class Looks {
  private readonly ports: Pick<CoordinatorPorts, 'store' | 'registry'>;
  private readonly queue: BatchQueue<InputQuery, LoadedInputs | null>;

  constructor(ports: Pick<CoordinatorPorts, 'store' | 'registry'>) {
    this.ports = ports;
    this.queue = new BatchQueue((queries) => ports.store.inputs(queries));
  }

  /** How many wait for their turn. */
  get size(): number {
    return this.queue.size;
  }

  /** `stale`: the run has moved since this state was read. */
  async look(session: Session, state: RunState): Promise<LoadedInputs | 'stale'> {
    session.mustLook = false;
    try {
      const query = inputQuery(state, session.branches);
      const loaded = await this.queue.add(query);
      const needs = loaded?.inputs.control ? this.controlNeeds(loaded.inputs.control, state) : [];
      const complete =
        needs.length === 0 ? loaded : await this.queue.add({ ...query, needs: [...query.needs, ...needs] });
      return complete?.version === state.version ? complete : 'stale';
    } catch (error) {
      session.mustLook = true;
      throw error;
    }
  }

  /** Rows that plugins want to see before they agree to a control; handed over under the empty node. */
  private controlNeeds(control: Control, state: RunState): InputQuery['needs'] {
    const run = viewOf(state);
    const needs = this.ports.registry.hooks.flatMap((hooks) => hooks.control?.needs?.(control, run) ?? []);
    return needs.map((need) => ({ node: '', need }));
  }
}
