import { DuctorError } from '@ductor/core';
import type { Request, ResponseToolkit, RouteOptionsResponse } from '@hapi/hapi';
import Joi from '@hapi/joi';

/**
 * For tests: an answer that is not as its route documents it becomes a 500 that says how. To be asked before `metadata`
 * is added, which no route's schema has.
 */
export function checkAnswer({ response, route }: Request, h: ResponseToolkit): symbol {
  if ('isBoom' in response || response.variety !== 'plain') return h.continue;
  const schema = schemaFor(route.settings.response ?? {}, response.statusCode);
  if (schema === null) return h.continue;
  // As it is sent, so without what JSON has no word for.
  const sent: unknown = JSON.parse(JSON.stringify(response.source ?? null));
  const { error } = schema.validate(sent, { convert: false, abortEarly: false });
  if (error === undefined) return h.continue;
  const call = `${route.method.toUpperCase()} ${route.path}`;
  throw new DuctorError('internal', `The answer of ${call} is not as it is documented: ${error.message}.`);
}

function schemaFor({ schema, status }: RouteOptionsResponse, code: number): Joi.Schema | null {
  const named: unknown = status && Object.entries(status).find(([each]) => Number(each) === code)?.[1];
  if (named !== undefined) return Joi.isSchema(named) ? named : null;
  return code < 400 && Joi.isSchema(schema) ? schema : null;
}
