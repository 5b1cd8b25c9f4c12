import type { Change, Graph, Instant, Json, JsonObject, RunStatus } from '@ductor/core';
import { randomIds } from '#host/engine/random-ids.js';
import type { Database } from '#host/postgres/connection.js';

/** Rows of definitions and runs as the engine would leave them, for tests of what reads them. */
export interface RunRows {
  tenant(id: string): Promise<string>;
  definition(seed: {
    readonly tenantId: string;
    readonly slug: string;
    readonly version?: number;
    readonly graph?: Graph;
  }): Promise<string>;
  run(seed: RunSeed): Promise<string>;
  transition(seed: {
    readonly tenantId: string;
    readonly runId: string;
    readonly version: number;
    readonly changes: readonly Change[];
  }): Promise<void>;
  attempt(seed: AttemptSeed): Promise<string>;
}

export interface RunSeed {
  readonly tenantId: string;
  readonly id?: string;
  readonly definitionId?: string;
  readonly kind?: string;
  readonly status?: RunStatus;
  readonly attributes?: JsonObject;
  readonly subjectType?: string;
  readonly subjectId?: string;
  readonly rootRunId?: string;
  readonly input?: Json;
  readonly output?: Json;
  readonly createdAt?: Instant;
  readonly startedAt?: Instant;
}

export interface AttemptSeed {
  readonly tenantId: string;
  readonly runId: string;
  readonly stepRef?: string;
  readonly output?: Json;
}

const OPEN: readonly RunStatus[] = ['pending', 'running', 'waiting', 'paused', 'cancelling'];
const nobody = '00000000-0000-7000-8000-000000000000';

export function runRows(knex: Database['knex']): RunRows {
  const insert = async (table: string, row: { [column: string]: unknown }) => {
    await knex(table).insert(row);
  };
  return {
    async tenant(id) {
      await insert('eec_tenant', { id });
      return id;
    },

    async definition({ tenantId, slug, version = 1, graph = { steps: [], edges: [] } }) {
      const id = randomIds.uuidv7();
      await insert('eec_workflow_definition', {
        id,
        tenant_id: tenantId,
        family_id: randomIds.uuidv7(),
        family_slug: slug,
        status: 'published',
        version,
        title: slug,
        graph: JSON.stringify(graph),
        settings: '{}',
        connectors: '[]',
        actions: '{}',
        published_at: new Date().toISOString(),
      });
      return id;
    },

    async run(seed) {
      const { id = randomIds.uuidv7(), status = 'completed', createdAt = new Date().toISOString() } = seed;
      const isOpen = OPEN.includes(status);
      const root = seed.rootRunId ?? id;
      const lineage = {
        rootRunId: root,
        journeyId: root,
        parent: null,
        above: [],
        continuedFrom: null,
        resetFrom: null,
        depth: 0,
      };
      await insert('eec_workflow_run', {
        id,
        tenant_id: seed.tenantId,
        chain_id: id,
        definition_id: seed.definitionId ?? nobody,
        kind: seed.kind ?? 'workflow',
        partition: 0,
        status,
        db_record_version: 1,
        node_states: '{}',
        run_context: '{}',
        attributes: JSON.stringify(seed.attributes ?? {}),
        fields: '{}',
        input: JSON.stringify(seed.input ?? {}),
        output: JSON.stringify(seed.output ?? null),
        lineage: JSON.stringify(lineage),
        root_run_id: root,
        subject_type: seed.subjectType ?? null,
        subject_id: seed.subjectId ?? null,
        priority: 'normal',
        created_at: createdAt,
        started_at: seed.startedAt ?? createdAt,
        ended_at: isOpen ? null : createdAt,
        final_status: isOpen ? null : status,
      });
      return id;
    },

    async transition({ tenantId, runId, version, changes }) {
      await insert('eec_workflow_transition', {
        tenant_id: tenantId,
        run_id: runId,
        version,
        tick_id: randomIds.uuidv7(),
        at: new Date().toISOString(),
        changes: JSON.stringify(changes),
      });
    },

    async attempt({ tenantId, runId, stepRef = 'step', output = null }) {
      const id = randomIds.uuidv7();
      const now = new Date().toISOString();
      await insert('eec_workflow_step_attempt', {
        tenant_id: tenantId,
        run_id: runId,
        id,
        step_ref: stepRef,
        branch: [],
        generation: 1,
        attempt: 1,
        token: randomIds.uuidv7(),
        status: 'completed',
        host_id: nobody,
        tier: 'thread',
        action: 'test.act',
        input: '{}',
        task: '{}',
        output: JSON.stringify(output),
        scheduled_at: now,
        started_at: now,
        ended_at: now,
        folded: true,
      });
      return id;
    },
  };
}
