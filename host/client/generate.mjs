/** Reads an OpenAPI document from stdin, writes its types to stdout. TypeScript 5 is here for this alone. */
import { text } from 'node:stream/consumers';
import openapiTS, { astToString } from 'openapi-typescript';

const document = JSON.parse(await text(process.stdin), (_key, value) => withoutNeeds(value));
const nodes = await openapiTS(document, {
  alphabetize: true,
  defaultNonNullable: false,
  emptyObjectsUnknown: true,
  silent: true,
});
process.stdout.write(`// Made from the OpenAPI document; a test keeps it true.\n\n${astToString(nodes)}`);

/** "At least one of these fields" would become a union with `unknown`, which is no type at all. */
function withoutNeeds(value) {
  if (!Array.isArray(value?.anyOf) || !value.anyOf.every((each) => Object.keys(each).join() === 'required'))
    return value;
  const { anyOf: _, ...rest } = value;
  return rest;
}
