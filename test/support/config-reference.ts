import { isObject } from '@ductor/core';
import { configSchema, notActedOn } from '#host/config/config.schema.js';
import { overrides } from '#host/config/environment.js';

const HEAD = `# Configuration

What \`ductor.yaml\` may say. It is found by \`--config\`, \`DUCTOR_CONFIG\`, or as \`ductor.yaml\` in the working directory;
without a file the defaults hold. The environment beats the file, and the file the defaults. \`\${NAME}\` in a text is
replaced from the environment (\`$\${\` stands for the characters), a variable that is not set stops the start, and an empty
one is none. Relative paths in the file start at its folder.

\`ductor config check\` names what is wrong by file, line and path, the plugins' options included, and prints what a host
would go by. Its JSON Schema is served at \`/schemas/ductor.json\`, for editors too:

\`\`\`yaml
# yaml-language-server: $schema=http://127.0.0.1:8080/schemas/ductor.json
version: 1
\`\`\`

¹ Accepted, and not acted on yet: the start and \`config check\` say so where one is set.
`;

const TAIL = `
Only in the environment, for they are secrets: \`DUCTOR_MASTER_KEY\`, \`DUCTOR_MASTER_KEY_PREVIOUS\`,
\`DUCTOR_BOOTSTRAP_API_KEY\` ([host/README.md](../README.md)).

This file is generated from [config.schema.ts](config.schema.ts): \`UPDATE=1 ./scripts/test unit/config/reference\`.
`;

/** host/config/README.md, as the schema makes it. */
export function configReference(): string {
  const rows = rowsOf([], configSchema);
  const head = ['path', 'type', 'default', 'environment', 'meaning'];
  const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  return `${HEAD}\n${lines.join('\n')}\n${TAIL}`;
}

/** Keys of maps are shown as `<name>`, items of lists as `[]`. A key that only holds others has a row where it says something. */
function rowsOf(keys: readonly string[], schema: unknown): readonly (readonly string[])[] {
  if (!isObject(schema)) return [];
  const own = keys.length === 0 ? [] : [rowOf(keys, schema)];
  const alternatives = Array.isArray(schema.oneOf) ? schema.oneOf : [];
  const properties = [schema, ...alternatives].flatMap((one) =>
    isObject(one) && isObject(one.properties) ? Object.entries(one.properties) : [],
  );
  const items = isObject(schema.items) && isObject(schema.items.properties) ? schema.items.properties : {};
  return [
    ...own,
    ...properties.flatMap(([key, inner]) => rowsOf([...keys, key], inner)),
    ...(isObject(schema.additionalProperties) ? rowsOf([...keys, '<name>'], schema.additionalProperties) : []),
    ...Object.entries(items).flatMap(([key, inner]) => rowsOf([...keys, '[]', key], inner)),
  ];
}

function rowOf(keys: readonly string[], schema: Readonly<Record<string, unknown>>): readonly string[] {
  const path = keys.join('.').replaceAll('.[]', '[]');
  if (typeof schema.description !== 'string') throw new Error(`${path} has no description in the schema`);
  const [variable = ''] = overrides.find(([, ...other]) => other.join('.') === keys.join('.')) ?? [];
  const isIdle = notActedOn.some((idle) => idle.every((key, index) => keys[index] === key));
  return [
    `\`${path}\`${isIdle ? ' ¹' : ''}`,
    typeOf(schema),
    schema.default === undefined || isObject(schema.default) ? '' : code(schema.default),
    variable && `\`${variable}\``,
    schema.description.replaceAll('|', '\\|'),
  ];
}

function typeOf(schema: Readonly<Record<string, unknown>>): string {
  if (Array.isArray(schema.enum)) return schema.enum.map(code).join(', ');
  if (schema.const !== undefined) return code(schema.const);
  if (typeof schema.title === 'string') return schema.title;
  const { minimum, maximum } = schema;
  const from = minimum === undefined ? '' : ` from ${minimum}`;
  const to = maximum === undefined ? '' : ` to ${maximum}`;
  if (schema.type !== 'array') return `${schema.type}${from}${to}`;
  const { items } = schema;
  return `list of ${isObject(items) ? (items.title ?? items.type) : 'anything'}`;
}

const code = (value: unknown): string => `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;
