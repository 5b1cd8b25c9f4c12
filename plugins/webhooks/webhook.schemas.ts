import { SLUG_PATTERN } from '@ductor/core';
import Joi from '@hapi/joi';
import type { Answer } from './webhook.ts';

/** The form of what callers send and get; what templates mean is checked by `check-webhook.ts`. */

const id = Joi.string().lowercase().uuid();
const template = Joi.string().min(1).max(4_096);
const slug = Joi.string().pattern(SLUG_PATTERN, 'slug');
const header = Joi.string()
  .max(128)
  .pattern(/^[A-Za-z\d!#$%&'*+.^_`|~-]+$/, 'header name');

const known = { header: header.required(), credential: slug.required() };

const verify = Joi.alternatives()
  .try(
    Joi.object({
      type: Joi.valid('hmac_sha256').required(),
      ...known,
      format: Joi.string()
        .valid('body', 'timestamped')
        .default('body')
        .description(
          'timestamped: `<t>.<body>` is signed, and the header is `t=<seconds>,v1=<hex>`, five minutes old at most',
        ),
    })
      .id('WebhookSignature')
      .description(
        'The header is the signature, in hex (`sha256=` may stand before it) or base64; the credential its key',
      ),
    Joi.object({ type: Joi.valid('header').required(), ...known })
      .id('WebhookHeader')
      .description('The header is the value of the credential'),
    Joi.object({ type: Joi.valid('none').required() })
      .id('WebhookOpen')
      .description('Whoever knows the address'),
  )
  .match('one')
  .messages({
    'alternatives.any':
      '{{#label}} is type hmac_sha256 with header, credential and perhaps format (body, timestamped), type header with ' +
      'header and credential, or type none',
  })
  .id('WebhookVerify');

const action = Joi.object({
  publish: Joi.object({
    event_name: template.required(),
    correlation_key: Joi.string().max(4_096).allow('').default(''),
    payload: Joi.any().default('${request.body}'),
    event_id: template.description('Default: by the delivery'),
  }),
  trigger: Joi.object({
    workflow: Joi.object({
      slug: slug.required(),
      version: Joi.alternatives(Joi.number().integer().min(1), Joi.valid('latest')).default('latest'),
    }).required(),
    input: Joi.any().default('${request.body}'),
    idempotency_key: template.description('Default: by the delivery'),
  })
    .unknown()
    .description('Also the plugins’ words of a trigger, such as correlation_labels'),
})
  .xor('publish', 'trigger')
  .description('Texts in it are templates over `request.body`, `request.headers` and `request.query`')
  .id('WebhookAction');

/** What senders are answered where a webhook says nothing of it. */
export const ACCEPTED: Answer = { status: 202, body: { accepted: true } };

const response = Joi.object({
  status: Joi.number().integer().min(200).max(299).default(ACCEPTED.status),
  body: Joi.any().default(ACCEPTED.body).description('A template over `request`'),
}).id('WebhookResponse');

const settings = {
  name: Joi.string().max(128).description('Unique in the tenant'),
  enabled: Joi.boolean().description('false: deliveries are answered with 404'),
  verify,
  delivery_header: header
    .allow(null)
    .description(
      'Names a delivery and its repetitions. Default: webhook-id, X-GitHub-Delivery, X-Shopify-Webhook-Id or ' +
        'Idempotency-Key; where there is none, the hash of the body',
    ),
  action,
  response,
};

export const webhookParams = Joi.object({ id: id.required() });

export const createPayload = Joi.object({
  ...settings,
  name: settings.name.required(),
  enabled: settings.enabled.default(true),
  verify: verify.required(),
  delivery_header: settings.delivery_header.default(null),
  action: action.required(),
})
  .required()
  .id('CreateWebhook');

export const editPayload = Joi.object(settings).min(1).required().id('UpdateWebhook');

export const listQuery = Joi.object({
  page_size: Joi.number().integer().min(1).max(500).default(50),
  page_token: Joi.string().max(2_048),
  order: Joi.string().valid('asc', 'desc'),
});

const failure = Joi.object({
  at: Joi.string().isoDate().required(),
  code: Joi.string().required(),
  message: Joi.string().required(),
  details: Joi.any(),
}).id('WebhookFailure');

export const webhook = Joi.object({
  id: id.required(),
  path: Joi.string().required().description('Where deliveries go'),
  name: Joi.string().required(),
  enabled: Joi.boolean().required(),
  verify: verify.required(),
  delivery_header: Joi.string().allow(null).required(),
  action: action.required(),
  response: response.required(),
  failures: Joi.array()
    .items(failure)
    .required()
    .description('The last 20 deliveries that were refused or could not be used, newest first'),
  created_at: Joi.string().isoDate().required(),
  updated_at: Joi.string().isoDate().required(),
}).id('Webhook');

export const webhookList = Joi.object({
  items: Joi.array().items(webhook).required(),
  next_page_token: Joi.string().allow(null).required(),
}).id('WebhookList');

export const deletedWebhook = Joi.object({
  id: id.required(),
  name: Joi.string().required(),
  deleted: Joi.valid(true).required(),
}).id('DeletedWebhook');
