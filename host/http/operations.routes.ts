import { DuctorError } from '@ductor/core';
import type { Request, ServerRoute } from '@hapi/hapi';
import Joi from '@hapi/joi';
import type { Knex } from 'knex';
import {
  cancelOperation,
  listOperations,
  OPERATION_STATUSES,
  type OperationRow,
  type OperationStatus,
  readOperation,
} from '../postgres/operations.ts';
import { callerOf } from './caller.ts';
import { pageOf, pageQuery, pageRequest } from './paging.ts';
import { CONTROL, READ } from './run-reads.ts';
import { uuid } from './validation.ts';

const status = Joi.string().valid(...OPERATION_STATUSES);
const answer = Joi.object({
  operation_id: uuid.required(),
  kind: Joi.string().required().description('What is done: run_control, …'),
  params: Joi.object().unknown().required().description('What was asked for, in the words of the kind'),
  actor: Joi.string().required().description('Who asked for it: key:<name of the key>'),
  status: status.required(),
  total: Joi.number().integer().allow(null).required().description('Things to do; null while, or where, it is unknown'),
  done: Joi.number().integer().required().description('Things dealt with, those that failed included'),
  failed: Joi.number().integer().required(),
  failures: Joi.array()
    .items(Joi.object({ id: Joi.string(), code: Joi.string(), message: Joi.string() }).id('OperationFailure'))
    .required()
    .description('The first hundred'),
  error: Joi.object({ code: Joi.string(), message: Joi.string() })
    .allow(null)
    .required()
    .description('Why it failed as a whole'),
  created_at: Joi.string().isoDate().required(),
  started_at: Joi.string().isoDate().allow(null).required(),
  ended_at: Joi.string().isoDate().allow(null).required(),
}).id('Operation');

const params = Joi.object({ id: uuid.required() });

const EXAMPLE = {
  operation_id: '01935f6e-1c00-7000-8000-000000000001',
  kind: 'run_control',
  params: { filter: { workflow_type: 'refund_desk' }, control: 'pause', reason: 'the ledger is down' },
  actor: 'key:ops',
  status: 'done',
  total: 2,
  done: 2,
  failed: 0,
  failures: [],
  error: null,
  created_at: '2026-01-02T03:04:05.678Z',
  started_at: '2026-01-02T03:04:05.690Z',
  ended_at: '2026-01-02T03:04:05.702Z',
};

/** Long work that was asked for: how far it is, and an end before its end. */
export const operationRoutes = ({ knex }: { readonly knex: Knex }): readonly ServerRoute[] => [
  {
    method: 'GET',
    path: '/api/operations',
    options: {
      id: 'listOperations',
      auth: READ,
      description: 'Lists operations, newest first',
      tags: ['Operations'],
      validate: {
        query: Joi.object({ ...pageQuery, kind: Joi.string().min(1).max(64), status }),
      },
      response: {
        schema: Joi.object({
          items: Joi.array().items(answer).required(),
          next_page_token: Joi.string().allow(null).required(),
        }).id('OperationList'),
      },
    },
    async handler(request) {
      const { tenantId } = callerOf(request);
      const page = pageRequest(request, 'desc');
      const { kind = null, status = null } = request.query as { kind?: string; status?: OperationStatus };
      const after = typeof page.after === 'string' ? page.after : null;
      const { order, size } = page;
      const rows = await listOperations(knex, { tenantId, kind, status, order, after, limit: size + 1 });
      return pageOf(page, rows, { keyOf: ({ id }) => id, show: showOperation });
    },
  },
  {
    method: 'GET',
    path: '/api/operations/{id}',
    options: {
      id: 'getOperation',
      auth: READ,
      description: 'Shows an operation and how far it is',
      tags: ['Operations'],
      validate: { params },
      response: { schema: answer },
      plugins: {
        ductor: {
          examples: [{ summary: 'A finished one', params: { id: EXAMPLE.operation_id }, answer: EXAMPLE }],
        },
      },
    },
    handler: async (request) => showOperation(await operationOf(knex, request)),
  },
  {
    method: 'POST',
    path: '/api/operations/{id}:cancel',
    options: {
      id: 'cancelOperation',
      auth: CONTROL,
      description: 'Ends an operation after the page under way',
      notes: 'What it has done stays done. Cancelling it again changes nothing; one that is done or failed is a 409.',
      tags: ['Operations'],
      validate: { params },
      response: { schema: answer },
    },
    async handler(request) {
      const { tenantId } = callerOf(request);
      await cancelOperation(knex, { tenantId, id: String(request.params.id) });
      const operation = await operationOf(knex, request);
      if (operation.status === 'cancelled') return showOperation(operation);
      throw new DuctorError('failed_precondition', `The operation is ${operation.status} already.`);
    },
  },
];

async function operationOf(knex: Knex, request: Request): Promise<OperationRow> {
  const id = String(request.params.id);
  const operation = await readOperation(knex, { tenantId: callerOf(request).tenantId, id });
  if (operation === null) throw new DuctorError('not_found', `There is no operation ${id}.`);
  return operation;
}

const showOperation = ({ id, ...row }: OperationRow) => ({ operation_id: id, ...row });
