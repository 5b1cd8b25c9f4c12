import { SLUG_PATTERN } from '@ductor/core';
import Joi from '@hapi/joi';
import { pageQuery } from './paging.ts';
import type { RouteExample } from './route-notes.ts';
import { uuid } from './validation.ts';

/** The form of what callers send and get; values are checked by the connector's manifest. */

const name = Joi.string().pattern(SLUG_PATTERN, 'slug').description('unique in the tenant; what steps name');
const connector = Joi.string().max(128).description('the id of a connector');
const auth = Joi.string().max(64).description('a kind of credential, by its id in the connector’s manifest');
const values = Joi.object().unknown().description('as the kind’s schema has them; written, never read');
const config = Joi.object().unknown().description('settings of the connector that are not secret');

export const credentialParams = Joi.object({ id: uuid.required() });

export const createPayload = Joi.object({
  name: name.required(),
  connector: connector.required(),
  auth: auth.required(),
  values: values.default({}),
  config: config.default({}),
})
  .required()
  .id('CreateCredential');

export const editPayload = Joi.object({ values, config }).or('values', 'config').required().id('UpdateCredential');

export const listQuery = Joi.object({ ...pageQuery, connector });

export const deleteQuery = Joi.object({
  force: Joi.boolean().default(false).description('also while published workflows name it'),
});

const shown = {
  id: uuid.required(),
  name: name.required(),
  connector: connector.required(),
  auth: auth.required(),
  fields: Joi.array().items(Joi.string()).required().description('names of the values that are set'),
  config: config.required(),
  key_id: Joi.string().required().description('the master key that it is encrypted with'),
  readable: Joi.boolean().required().description('whether this host has that key'),
  created_at: Joi.string().isoDate().required(),
  updated_at: Joi.string().isoDate().required(),
};

export const credential = Joi.object(shown).id('Credential');

const warning = Joi.object({ path: Joi.string(), code: Joi.string(), message: Joi.string() }).unknown();

export const savedCredential = Joi.object({ ...shown, warnings: Joi.array().items(warning).required() }).id(
  'SavedCredential',
);

export const credentialList = Joi.object({
  items: Joi.array().items(credential).required(),
  next_page_token: Joi.string().allow(null).required(),
}).id('CredentialList');

export const deletedCredential = Joi.object({
  id: uuid.required(),
  name: name.required(),
  deleted: Joi.valid(true).required(),
}).id('DeletedCredential');

export const testResult = Joi.object({
  status: Joi.string()
    .valid('passed', 'failed', 'untested')
    .required()
    .description('untested: the connector has no action that proves this kind'),
  error: Joi.object({ code: Joi.string().required(), message: Joi.string().required() }),
}).id('CredentialTestResult');

export const resealed = Joi.object({
  resealed: Joi.number().integer().required().description('how many credentials'),
  unreadable: Joi.number().integer().required().description('those that no key of this host opens; they stay'),
}).id('ResealedCredentials');

export const CREATE_EXAMPLE: RouteExample = {
  summary: 'A bearer token for HTTP requests',
  payload: { name: 'billing-api', connector: 'http', auth: 'bearer', values: { token: 'eyJhbGciOi' } },
  answer: {
    id: '019b7600-0000-7000-8000-000000000001',
    name: 'billing-api',
    connector: 'http',
    auth: 'bearer',
    fields: ['token'],
    config: {},
    key_id: '6c1f0a4be2d97358',
    readable: true,
    created_at: '2026-01-01T00:00:00.000Z',
    updated_at: '2026-01-01T00:00:00.000Z',
    warnings: [],
  },
};
