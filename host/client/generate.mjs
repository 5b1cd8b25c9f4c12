/** Reads an OpenAPI document from stdin, writes its types to stdout. TypeScript 5 is here for this alone. */
import { readFileSync, writeFileSync } from 'node:fs';
import openapiTS, { astToString } from 'openapi-typescript';

const document = JSON.parse(readFileSync(0, 'utf8'), (_key, value) => withoutNeeds(value));
const nodes = await openapiTS(document, {
  alphabetize: true,
  defaultNonNullable: false,
  emptyObjectsUnknown: true,
  silent: true,
});
writeFileSync(1, `// Made from the OpenAPI document; a test keeps it true.\n\n${astToString(nodes)}`);

/** "At least one of these fields" would become a union with `unknown`, which is no type at all. */
function withoutNeeds(value) {
  if (!Array.isArray(value?.anyOf) || !value.anyOf.every((each) => Object.keys(each).join() === 'required'))
    return value;
  const { anyOf: _, ...rest } = value;
  return rest;
}
