import { type AnyField, COMMON_STEP_FIELDS } from '@ductor/core';

/** What a document says already without any plugin, by the kind of document. */
const reserved: Readonly<Record<AnyField['of'], readonly string[]>> = {
  step: Object.keys(COMMON_STEP_FIELDS),
  graph: ['steps', 'edges', 'output'],
  settings: ['input_schema', 'failure_policy', 'run_timeout', 'cancel_grace', 'max_transitions', 'connectors'],
  trigger: [
    ...['input', 'subject_type', 'subject_id', 'idempotency_key', 'external_deployment_id', 'start_at', 'priority'],
    ...['wait_for_checkpoint', 'checkpoint_name', 'checkpoint_timeout_seconds'],
  ],
  // A run's fields are laid over CEL's `run`.
  run: ['id', 'tenant', 'definition', 'started_at', 'now'],
};

export const isReserved = ({ of, name }: Pick<AnyField, 'of' | 'name'>): boolean =>
  reserved[of]?.includes(name) ?? false;
