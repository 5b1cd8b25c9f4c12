import type { ErrorCode, JsonObject } from '@ductor/core';
import { METADATA } from './answer.ts';

/** What each status means; the codes of one status are alternatives. */
const ANSWERS: {
  readonly [status: number]: {
    readonly name: string;
    readonly codes: readonly [ErrorCode, ...ErrorCode[]];
    readonly what: string;
  };
} = {
  400: {
    name: 'InvalidArgument',
    codes: ['invalid_argument'],
    what: 'Something in the request is wrong; `details` name each place, what is wrong there, and what is allowed.',
  },
  401: { name: 'Unauthenticated', codes: ['unauthenticated'], what: 'There is no API key, or it is not valid.' },
  403: {
    name: 'PermissionDenied',
    codes: ['permission_denied'],
    what: 'The key lacks the scope, or is of another tenant; or the tenant may not do this.',
  },
  404: { name: 'NotFound', codes: ['not_found'], what: 'There is no such thing, or it is another tenant’s.' },
  409: {
    name: 'Conflict',
    codes: ['already_exists', 'failed_precondition', 'conflict'],
    what: 'It is there already, is not in a state for this, or was changed in between.',
  },
  413: { name: 'PayloadTooLarge', codes: ['payload_too_large'], what: 'The body is larger than the host accepts.' },
  429: {
    name: 'ResourceExhausted',
    codes: ['resource_exhausted'],
    what: 'A limit is reached; `Retry-After` says when to ask again.',
  },
  500: { name: 'Internal', codes: ['internal'], what: 'A fault in the host; its log has more under the `request_id`.' },
  503: {
    name: 'Unavailable',
    codes: ['unavailable'],
    what: 'The database cannot be reached, or the host is stopping; `Retry-After` says when to ask again.',
  },
};

const RETRY_AFTER = {
  'Retry-After': { description: 'Seconds until it makes sense to ask again.', schema: { type: 'integer' } },
};

/** Which of them a call can answer with, as references. What a header or a body names may not be there. */
export function errorAnswers(call: {
  readonly isOpen: boolean;
  readonly takesTenant: boolean;
  readonly hasParams: boolean;
  readonly writes: boolean;
}): JsonObject {
  const statuses = [
    400,
    ...(call.isOpen ? [] : [401, 403]),
    ...(call.hasParams || call.takesTenant || call.writes ? [404] : []),
    ...(call.writes ? [409, 413] : []),
    ...(call.isOpen ? [] : [429]),
    500,
    503,
  ];
  return Object.fromEntries(
    statuses.map((status) => [status, { $ref: `#/components/responses/${ANSWERS[status]?.name}` }]),
  );
}

export const errorComponents: {
  readonly responses: JsonObject;
  readonly schemas: { readonly [name: string]: JsonObject };
} = {
  responses: Object.fromEntries(
    Object.entries(ANSWERS).map(([status, { name, codes, what }]) => [
      name,
      {
        description: `${what} Code: ${codes.map((code) => `\`${code}\``).join(', ')}.`,
        ...((status === '429' || status === '503') && { headers: RETRY_AFTER }),
        content: {
          'application/json': {
            schema: {
              allOf: [
                { $ref: '#/components/schemas/ErrorAnswer' },
                { type: 'object', properties: { error: { type: 'object', properties: { code: { enum: codes } } } } },
              ],
            },
            example: { error: { code: codes[0], message: what.replaceAll('`', '') }, metadata: METADATA },
          },
        },
      },
    ]),
  ),
  schemas: {
    ErrorAnswer: {
      type: 'object',
      description: 'What every error answers.',
      required: ['error', 'metadata'],
      properties: {
        error: {
          type: 'object',
          required: ['code', 'message'],
          properties: {
            code: { type: 'string', enum: Object.values(ANSWERS).flatMap(({ codes }) => codes) },
            message: { type: 'string' },
            details: {
              description: 'Usually one `Problem` for each thing that is wrong.',
              anyOf: [{ type: 'array', items: { $ref: '#/components/schemas/Problem' } }, {}],
            },
          },
        },
        metadata: { $ref: '#/components/schemas/Metadata' },
      },
    },
    Problem: {
      type: 'object',
      required: ['path', 'code', 'message'],
      properties: {
        path: { type: 'string', description: 'Where it is, such as `graph.edges[1].type`.' },
        code: { type: 'string' },
        message: { type: 'string' },
        allowed: { type: 'array', items: { type: 'string' }, description: 'What could stand there.' },
        position: {
          type: 'object',
          description: 'In an expression.',
          properties: { line: { type: 'integer' }, column: { type: 'integer' } },
        },
      },
    },
  },
};
