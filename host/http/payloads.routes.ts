import { DuctorError, type Json } from '@ductor/core';
import type { ServerRoute } from '@hapi/hapi';
import Joi from '@hapi/joi';
import type { Knex } from 'knex';
import { rowsOf } from '../postgres/reads/rows.ts';
import { callerOf } from './caller.ts';
import { READ } from './run-reads.ts';
import { uuid } from './validation.ts';

const PAYLOAD = 'select id, run_id, bytes, value from eec_payload where id = :id and tenant_id = :tenantId';

/** `GET /api/payloads/{id}`: what `{"$payload": {"id", "bytes"}}` stands for. */
export const payloadRoutes = ({ knex }: { readonly knex: Knex }): readonly ServerRoute[] => [
  {
    method: 'GET',
    path: '/api/payloads/{id}',
    options: { auth: READ, validate: { params: Joi.object({ id: uuid.required() }) } },
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
