import { DuctorApiError, type Schemas } from '@ductor/client';
import { DuctorError, graphOf, type JsonObject } from '@ductor/core';
import { nearest } from '../../config/nearest.ts';
import { readYaml, type YamlFile } from '../../config/yaml-file.ts';
import { type Detail, UsageError } from '../errors.ts';

type Content = Pick<
  Schemas['WorkflowDefinition'],
  'family_slug' | 'title' | 'description' | 'tags' | 'graph' | 'settings'
>;

export interface DefinitionFile {
  /** Complete: what the file leaves out has its default, and step types are in their long form. */
  readonly content: Content;
  /** A refusal's findings, with the places in the file that they are about. */
  locate(error: unknown): unknown;
}

const KEYS = ['family_slug', 'title', 'description', 'tags', 'graph', 'settings'];

/** Reads a definition from YAML or JSON. Throws `UsageError`, or DuctorError `invalid_argument` with line and column. */
export function readDefinitionFile(path: string): DefinitionFile {
  const file = read(path);
  const place = (keys: readonly string[]): string => {
    const { line, column } = file.position(keys);
    return `${path}:${line}:${column}`;
  };
  const refuse = (keys: readonly string[], message: string) =>
    new DuctorError('invalid_argument', `${place(keys)}  ${message}`);

  const { content } = file;
  if (!isRecord(content)) throw refuse([], 'a definition is an object with family_slug and graph');
  for (const key of Object.keys(content)) {
    if (KEYS.includes(key)) continue;
    const meant = nearest(key, KEYS);
    const hint = meant === null ? `there are ${KEYS.join(', ')}` : `did you mean ${meant}?`;
    throw refuse([key], `unknown key ${key}; ${hint}`);
  }
  const { family_slug: slug, graph = {}, settings = {}, title = slug, description = null, tags = [] } = content;
  if (typeof slug !== 'string') throw refuse(['family_slug'], 'family_slug is missing: the name of the workflow');
  if (!isRecord(graph)) throw refuse(['graph'], 'graph has to be an object with steps and edges');
  if (!isRecord(settings)) throw refuse(['settings'], 'settings has to be an object');
  const { steps = [], edges = [] } = graph;
  if (!Array.isArray(steps) || !steps.every(isStep)) throw refuse(['graph', 'steps'], 'each step has a ref and a type');
  if (!Array.isArray(edges)) throw refuse(['graph', 'edges'], 'edges has to be a list');
  return {
    content: {
      family_slug: slug,
      title: String(title),
      // The host says what is wrong with these, as with all that lies deeper.
      description: description as string | null,
      tags: tags as string[],
      graph: graphOf({ ...graph, steps, edges }) as Content['graph'],
      settings,
    },
    locate: (error) => located(error, place),
  };
}

function read(path: string): YamlFile {
  let answer: ReturnType<typeof readYaml>;
  try {
    answer = readYaml(path);
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
  if (!('faults' in answer)) return answer;
  const lines = answer.faults.map(({ line, column, message }) => `${path}:${line}:${column}  ${message}`);
  throw new DuctorError('invalid_argument', lines.join('\n'));
}

const isRecord = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isStep = (value: unknown): value is JsonObject & { readonly ref: string; readonly type: string } =>
  isRecord(value) && typeof value.ref === 'string' && typeof value.type === 'string';

/** The graph is sent whole, by an operation or at creation: both lead to the file's own keys. */
const keysOf = (path: string): readonly string[] =>
  path
    .replace(/^operations\[\d+\]\.replace_graph/, 'graph')
    .replace(/^operations\[\d+\]\.set_settings/, 'settings')
    .match(/[^.[\]"]+/g) ?? [];

function located(error: unknown, place: (keys: readonly string[]) => string): unknown {
  if (!(error instanceof DuctorApiError) || !Array.isArray(error.details)) return error;
  const details = error.details.map((detail: Detail) =>
    detail.path === undefined
      ? detail
      : { ...detail, path: keysOf(detail.path).join('.'), place: place(keysOf(detail.path)) },
  );
  return new DuctorApiError({ ...error, message: error.message, details });
}
