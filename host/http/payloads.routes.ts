import { DuctorError, type Json } from '@ductor/core';
import type { ServerRoute } from '@hapi/hapi';
import Joi from '@hapi/joi';
import type { Knex } from 'knex';
import { rowsOf } from '../postgres/reads/rows.ts';
import { callerOf } from './caller.ts';
import { payloadAnswer } from './run.answers.ts';
import { RUN_EXAMPLES as EXAMPLES } from './run.examples.ts';
import { READ } from './run-reads.ts';
import { uuid } from './validation.ts';

const PAYLOAD = 'select id, run_id, bytes, value from eec_payload where id = :id and tenant_id = :tenantId';

/** `GET /api/payloads/{id}`: what `{"$payload": {"id", "bytes"}}` stands for. */
export const payloadRoutes = ({ knex }: { readonly knex: Knex }): readonly ServerRoute[] => [
  {
    method: 'GET',
    path: '/api/payloads/{id}',
    options: {
      id: 'getPayload',
      description: 'Read a value that is too large to stand where it belongs',
      notes: 'There `{"$payload": {"id", "bytes"}}` stands for it.',
      tags: ['Runs'],
      auth: READ,
      validate: { params: Joi.object({ id: uuid.required() }) },
      response: { schema: payloadAnswer },
      plugins: { ductor: { examples: EXAMPLES.payload } },
    },
    async handler(request) {
      const { tenantId } = callerOf(request);
      const id = String(request.params.id);
      const [payload] = await rowsOf<{ id: string; run_id: string; bytes: number; value: Json }>(knex, PAYLOAD, {
        id,
        tenantId,
      });
      if (!payload) throw new DuctorError('not_found', `There is no payload ${id}.`);
      return payload;
    },
  },
];
