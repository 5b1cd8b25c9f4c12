import { pairOf, readText } from '../arguments.ts';
import { UsageError } from '../errors.ts';

export interface ValueOptions {
  readonly values?: string;
  readonly valueFrom?: readonly (readonly [field: string, variable: string])[];
}

/** For a repeatable `--value-from field=VARIABLE`. */
export const collectVariable = (
  text: string,
  before: NonNullable<ValueOptions['valueFrom']> = [],
): NonNullable<ValueOptions['valueFrom']> => [...before, pairOf(text, 'field=VARIABLE, such as token=CRM_TOKEN')];

/**
 * Secrets from a file, stdin and the environment: a command line is seen by every process of the machine. `null`: none
 * were given. Throws `UsageError`, whose message holds none of them.
 */
export async function readValues({
  values: file,
  valueFrom = [],
}: ValueOptions): Promise<{ readonly [field: string]: unknown } | null> {
  if (file === undefined && valueFrom.length === 0) return null;
  return { ...(file !== undefined && (await readFileOfValues(file))), ...Object.fromEntries(valueFrom.map(fromEnv)) };
}

function fromEnv([field, variable]: readonly [string, string]): readonly [string, string] {
  const value = process.env[variable];
  if (value === undefined) throw new UsageError(`--value-from: the environment has no ${variable} for ${field}.`);
  return [field, value];
}

async function readFileOfValues(file: string): Promise<object> {
  const { parseDocument } = await import('yaml');
  const document = parseDocument(readText(file, '--values'), { prettyErrors: false });
  const content: unknown = document.errors.length > 0 ? null : document.toJS();
  if (typeof content === 'object' && content !== null && !Array.isArray(content)) return content;
  throw new UsageError(
    `--values: ${file === '-' ? 'stdin' : file} has to be an object in JSON or YAML, field by field.`,
  );
}
