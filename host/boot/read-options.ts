import { isDeepStrictEqual } from 'node:util';
import { isObject, type Json } from '@ductor/core';
import type { Config } from '../config/config.ts';
import { fromText } from '../config/from-text.ts';
import { errorText } from '../embedded/error-code.ts';
import { compileForeign, findingsOf } from '../json-schema/own-schemas.ts';
import type { LoadedPlugin } from './load-entry.ts';
import type { BootProblem } from './problem.ts';

/** A plugin's options with their defaults filled in, or what is wrong with them. */
export type OptionsAnswer = { readonly options: Json } | { readonly problems: readonly BootProblem[] };

/** A plugin whose manifest names no schema has no options. */
const noOptions = { type: 'object', additionalProperties: false };

/** Checks what `ductor.yaml` says against the schema, and that the manifest's schema is the one its code is typed by. */
export function readOptions(
  { manifest, optionsSchema, plugin, setting, settingName }: LoadedPlugin,
  { locate }: Pick<Config, 'locate'>,
): OptionsAnswer {
  const { id } = manifest;
  if (!isSameSchema(optionsSchema, plugin.options)) {
    const message = `${manifest.options ?? 'its manifest'} does not say what its code says of its options`;
    const advice = 'Its author has to generate that file from the constant in its code';
    return { problems: [{ plugin: id, code: 'stale_options', message, advice }] };
  }
  const schema = isObject(optionsSchema) ? optionsSchema : noOptions;
  const written = setting.enabled ? setting.options : {};
  const options = fromText(schema, structuredClone(written));
  let check: ReturnType<typeof compileForeign>;
  try {
    check = compileForeign(schema);
  } catch (error) {
    const message = `${manifest.options} is no valid JSON Schema: ${errorText(error)}`;
    return { problems: [{ plugin: id, code: 'invalid_manifest', message, advice: 'Its author has to correct it' }] };
  }
  if (check(options)) return { options };
  return {
    problems: findingsOf(check.errors).map(({ keys, message, allowed }) => {
      const path = ['plugins', settingName, 'options', ...keys];
      return {
        plugin: id,
        code: 'invalid_options',
        message: `${path.join('.')}: ${message}`,
        place: locate(path),
        advice: 'Correct it there',
        ...(allowed !== undefined && { allowed }),
      };
    }),
  };
}

/** The file is JSON: what has no place there (a key that is undefined) does not count. */
function isSameSchema(file: Json, constant: object): boolean {
  const written: Json = JSON.parse(JSON.stringify(constant));
  if (file !== null) return isDeepStrictEqual(file, written);
  return !(isObject(written) && isObject(written.properties) && Object.keys(written.properties).length > 0);
}
