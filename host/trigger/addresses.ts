import { BatchQueue, type Definition, type DefinitionStore, type TenantId } from '@ductor/core';
import type pg from 'pg';
import { type Resolved, resolveDefinitions } from '../postgres/resolve-definition.ts';

/** What a trigger's address stands for. */
export interface ResolvedDefinition {
  /** The part of an idempotency key that says what was addressed: a version's id, or the family's. */
  readonly scope: string;
  /** `null`: a family without a published version. */
  readonly definition: Definition | null;
  /** The version, or all that the family has, takes no new runs. */
  readonly archived: boolean;
}

/** Finds what addresses stand for now; those of triggers that come together are looked up together. */
export class Addresses {
  private readonly versions: DefinitionStore;
  private readonly asked: BatchQueue<{ readonly tenantId: TenantId; readonly address: string }, Resolved | null>;

  constructor({ hot, versions }: { readonly hot: pg.Pool; readonly versions: DefinitionStore }) {
    this.versions = versions;
    this.asked = new BatchQueue((asked) => resolveDefinitions(hot, asked));
  }

  /** What a run of it would run: a version by its own id, else the family's latest published one. */
  async resolve(tenantId: TenantId, address: string): Promise<ResolvedDefinition | null> {
    const found = await this.asked.add({ tenantId, address });
    if (!found) return null;
    const isVersion = found.id === address && found.status !== 'draft';
    const id = isVersion ? found.id : found.latest;
    return {
      scope: isVersion ? found.id : found.family_id,
      definition: id === null ? null : await this.versions.version(id),
      archived: isVersion ? found.status === 'archived' : id === null && found.retired,
    };
  }
}
