import type { Definition } from '../definition/graph.ts';
import type { DefinitionId } from '../json.ts';

/** Versions never move, so one that was read once is good for ever. */
export interface DefinitionStore {
  version(id: DefinitionId): Promise<Definition | null>;
}
