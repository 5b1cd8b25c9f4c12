import { type JsonObject, RUN_CONTROLS, type RunControl } from '@ductor/core';
import type { ServerRoute } from '@hapi/hapi';
import Joi from '@hapi/joi';
import type { Knex } from 'knex';
import { RUN_CONTROL, withEffect } from '../operations/run-control.operation.ts';
import { insertOperation } from '../postgres/operations.ts';
import { countRuns, listRuns } from '../postgres/reads/run-list.ts';
import { callerOf } from './caller.ts';
import { showRun } from './run.view.ts';
import type { RunFilter } from './run-filter.ts';
import { CONTROL } from './run-reads.ts';
import { uuid } from './validation.ts';

/** A dry run shows so many of the runs that match. */
const SAMPLE = 10;

interface BatchBody {
  readonly filter: JsonObject;
  readonly control: RunControl;
  readonly reason: string | null;
  readonly dry_run: boolean;
}

/** `POST /api/v2/workflow-runs:batch`: a control for every run that matches a filter. */
export const runBatchRoutes = ({
  knex,
  filter,
  ids,
  wake,
}: {
  readonly knex: Knex;
  readonly filter: RunFilter;
  readonly ids: { uuidv7(): string };
  /** There is a new operation. */
  readonly wake: () => void;
}): readonly ServerRoute[] => [
  {
    method: 'POST',
    path: '/api/v2/workflow-runs:batch',
    options: {
      id: 'controlRuns',
      auth: CONTROL,
      description: 'Sends a control to every run that matches a filter, as an operation',
      notes:
        'The filter has the words of the list of runs, and at least one. Of the runs that match, those are sent the ' +
        'control that it does something to, as they are when the operation comes to them, newest first; runs that are ' +
        'created later are left alone. A dry run answers how many they are now, and some of them.',
      tags: ['Run control'],
      validate: {
        payload: Joi.object({
          filter: filter.schema.min(1).required().id('RunFilter'),
          control: Joi.string()
            .valid(...RUN_CONTROLS)
            .required(),
          reason: Joi.string().max(1_024).allow('', null).default(null),
          dry_run: Joi.boolean().strict().default(false),
        })
          .required()
          .id('RunBatch'),
      },
      response: {
        schema: Joi.alternatives()
          .match('one')
          .try(
            Joi.object({ operation_id: uuid.required(), status: Joi.valid('pending').required() }).id('BatchAccepted'),
            Joi.object({
              matches: Joi.number().integer().allow(null).required().description('null: more than 100,000'),
              sample: Joi.array()
                .items(Joi.object().unknown())
                .required()
                .description('The newest, as lists show them'),
            }).id('BatchPreview'),
          ),
      },
      plugins: {
        ductor: {
          examples: [
            {
              summary: 'Pause the runs of one workflow',
              payload: { filter: { workflow_type: 'refund_desk' }, control: 'pause', reason: 'the ledger is down' },
              answer: { operation_id: '01935f6e-1c00-7000-8000-000000000001', status: 'pending' },
            },
            {
              summary: 'See first what would be cancelled',
              payload: { filter: { subject_id: 'nobody' }, control: 'cancel', dry_run: true },
              answer: { matches: 0, sample: [] },
            },
          ],
        },
      },
    },
    async handler(request) {
      const { tenantId, actor } = callerOf(request);
      const { filter: asked, control, reason, dry_run } = request.payload as unknown as BatchBody;
      if (dry_run) {
        const query = {
          tenantId,
          filter: withEffect(control, filter.of(asked)),
          order: 'desc',
          after: null,
        } as const;
        const [matches, sample] = await Promise.all([
          countRuns(knex, query),
          listRuns(knex, { ...query, limit: SAMPLE }),
        ]);
        return { matches, sample: sample.map(showRun) };
      }
      const id = ids.uuidv7();
      const params = { filter: asked, control, reason };
      await insertOperation(knex, { id, tenantId, kind: RUN_CONTROL, params, actor });
      wake();
      return { operation_id: id, status: 'pending' };
    },
  },
];
