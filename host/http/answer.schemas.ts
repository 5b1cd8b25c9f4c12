import Joi from '@hapi/joi';

/** The form of answers: for the API's documents, and for tests to hold answers against. */

interface Fields {
  readonly [name: string]: Joi.Schema;
}

/** An object whose fields are all there; `optional` are those that may be missing. */
export const answer = (fields: Fields, optional: Fields = {}): Joi.ObjectSchema => {
  // One copy of each: Joi wants schemas of one id in one object to be the same.
  const present = new Map(Object.values(fields).map((field) => [field, field.required()]));
  const required = Object.entries(fields).map(([name, field]) => [name, present.get(field)]);
  return Joi.object({ ...Object.fromEntries(required), ...optional });
};

export const id = Joi.string().uuid();
export const at = Joi.string().isoDate();
export const text = Joi.string().allow('');
export const count = Joi.number().integer().min(0);
/** Any JSON value. */
export const json = Joi.any();
export const jsonObject = Joi.object().unknown();

/** As `problemsJson` shows it. */
const problem = answer(
  { path: text.description('Where it is, such as graph.edges[1].type'), code: text, message: text },
  {
    position: answer({ line: count, column: count }).description('In an expression; both count from 1'),
    allowed: Joi.array().items(text).description('What could stand there'),
  },
).id('Problem');

export const warnings = Joi.array().items(problem);

export const connectorPin = answer({ id: text, package: text, version: text, integrity: text.allow(null) }).id(
  'ConnectorPin',
);

/** Why a node or run failed. */
export const failure = answer(
  { code: text, message: text },
  {
    party: Joi.string().valid('user', 'connector', 'operator', 'engine').description('Who has to act'),
    details: json,
  },
).id('Failure');
