import type { RouteExample } from '@ductor/core';
import Joi from '@hapi/joi';

/** The form of what callers send and get. */

const uuid = Joi.string().guid();
const instant = Joi.string().isoDate();

export const runParams = Joi.object({ run_id: uuid.required() });
export const oneParams = Joi.object({ run_id: uuid.required(), id: uuid.required() });

const pageQuery = {
  page_size: Joi.number().integer().min(1).max(500).default(50),
  page_token: Joi.string().max(2_048),
  order: Joi.string().valid('asc', 'desc'),
};
export const listQuery = Joi.object(pageQuery);
export const repairQuery = Joi.object({ ...pageQuery, status: Joi.string().valid('open', 'resolved') });

export const askPayload = Joi.object({
  request_id: Joi.string().min(1).max(256).required().description('The same again does nothing'),
  reason: Joi.string().max(1_024),
}).required();

const failure = Joi.object({ code: Joi.string().required(), message: Joi.string().required() })
  .unknown()
  .id('CompensationError');

const one = {
  id: uuid.required(),
  run_id: uuid.required(),
  step_ref: Joi.string().required(),
  branch: Joi.array().items(Joi.number().integer()).required(),
  generation: Joi.number().integer().required(),
  action: Joi.string().required().description('What undoes the execution'),
  failure_policy: Joi.string().required(),
  state: Joi.string()
    .valid('owed', 'undoing', 'undone', 'unknown', 'repair', 'ignored', 'resolved')
    .required()
    .description('`unknown`, `repair`: somebody has to see to it'),
  completed_at: instant.required().description('When the execution settled'),
  compensation_run_id: uuid.allow(null).required().description('The run that undoes it, or tried last'),
  error: failure.allow(null).required(),
  settled_at: instant.allow(null).required(),
};

export const compensation = Joi.object(one).id('Compensation');

export const repairItem = Joi.object({
  ...one,
  status: Joi.string().valid('open', 'resolved').required(),
  opened_at: instant.required(),
  resolution: Joi.object({ actor: Joi.string(), reason: Joi.string().allow(null), at: instant })
    .allow(null)
    .required()
    .description('Who has said that nothing is left to do'),
}).id('RepairItem');

export const pageOf = (item: Joi.Schema, name: string): Joi.Schema =>
  Joi.object({
    items: Joi.array().items(item).required(),
    next_page_token: Joi.string().allow(null).required(),
  }).id(name);

export const accepted = Joi.object({
  status: Joi.valid('accepted').required(),
  compensation_run_id: uuid.required().description('The run that tries again'),
}).id('CompensationRetry');

const ID = '0198f2a4-7c1e-7d3a-9b1f-3f2d8a6c0e11';
const shown = {
  ...{ id: '6f1c9a52-3a1e-4c0e-9f0b-8d2f4c7b1e55', run_id: ID, step_ref: 'pay', branch: [], generation: 1 },
  ...{ action: 'acme.billing.refund', failure_policy: 'manual_repair', state: 'repair' },
  ...{ completed_at: '2026-11-29T10:00:00.000Z', compensation_run_id: ID, settled_at: null },
  error: { code: 'connector_error', message: 'The account is closed.', party: 'connector' },
};
const item = { ...shown, status: 'open', opened_at: '2026-11-29T10:01:00.000Z', resolution: null };
const params = { run_id: ID, id: shown.id };
const asking = { request_id: 'ticket-1412', reason: 'The account is open again' };

export const EXAMPLES = {
  list: [
    {
      summary: 'One that was left for repair',
      params: { run_id: ID },
      answer: { items: [shown], next_page_token: null },
    },
  ],
  repairs: [{ summary: 'What is open', answer: { items: [item], next_page_token: null } }],
  retry: [{ summary: 'Try again', params, payload: asking, answer: { status: 'accepted', compensation_run_id: ID } }],
  resolve: [{ summary: 'It was seen to', params, payload: asking, answer: { ...shown, state: 'resolved' } }],
} satisfies { readonly [name: string]: readonly RouteExample[] };
