import type { JsonSchema } from '@ductor/core';

/** What a table of fields says of one: its path, its type, and `required` or its default where the schema has one. */
export interface FieldRow {
  readonly path: string;
  readonly type: string;
  readonly default: string | null;
}

/** A row for each field of an object's schema, and for those within them: `rules`, `rules[].when`. */
export function fieldRows(schema: JsonSchema, prefix = ''): readonly FieldRow[] {
  const alternatives = schema.oneOf ?? [];
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, field]): readonly FieldRow[] => {
    const path = `${prefix}${name}`;
    const row = { path, type: typeOf(field), default: defaultOf(field, schema.required?.includes(name) === true) };
    return [row, ...fieldRows(field, `${path}.`), ...(field.items ? fieldRows(field.items, `${path}[].`) : [])];
  });
  return [...own, ...alternatives.flatMap((alternative) => fieldRows(alternative, prefix))];
}

function defaultOf({ default: value }: JsonSchema, isRequired: boolean): string | null {
  if (value !== undefined) return code(value);
  return isRequired ? 'required' : null;
}

function typeOf(schema: JsonSchema & { readonly minimum?: number; readonly maximum?: number }): string {
  const { cel, type, format, minimum, maximum } = schema;
  if (cel) {
    const over = cel.awaits.length > 0 ? ` over ${cel.awaits.map(code).join(', ')}` : '';
    return `${cel.as === 'bare' ? 'expression' : 'template'}${over}${cel.value.type ? ` → ${cel.value.type}` : ''}`;
  }
  if (schema.oneOf) return schema.oneOf.map(typeOf).join(' or ');
  if (schema.enum) return schema.enum.map(code).join(', ');
  if (schema.const !== undefined) return code(schema.const);
  if (format === 'duration') return 'duration';
  if (type === 'array') return `list of ${schema.items ? typeOf(schema.items) : 'anything'}`;
  const range = minimum === undefined ? '' : maximum === undefined ? ` from ${minimum}` : ` ${minimum}–${maximum}`;
  return `${type ?? 'any'}${range}`;
}

const code = (value: unknown): string => `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;

/** The same of a README's table `| field | type | default | meaning |`; a default of ours beside the schema's is left out. */
export const writtenRows = (rows: readonly (readonly string[])[], schema: JsonSchema): readonly FieldRow[] => {
  const known = new Map(fieldRows(schema).map((row) => [row.path, row]));
  return rows.map(([field = '', type = '', value = '']) => {
    const path = field.replaceAll('`', '');
    const isOurs = known.get(path)?.default === null && value !== 'required';
    return { path, type, default: isOurs ? null : value };
  });
};
