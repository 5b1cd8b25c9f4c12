import {
  type AnyField,
  type AnyStepType,
  BUILT_IN_STEPS,
  type CheckContext,
  checkDefinition,
  type DefinitionDraft,
  type Edge,
  type EdgeType,
  graphOf,
  type JsonObject,
  type Problem,
  stepTypes,
  type Vocabulary,
  vocabularyOf,
  type WrittenStep,
} from '@ductor/core';
import { catalogueOf, type EnabledConnector } from '#host/definitions/action-catalogue.js';
import { createSchemaValidator } from '#host/json-schema/schema-validator.js';
import type { ConnectorManifest, ManifestAction } from '#host/pool/manifest.js';

export const vocabulary = vocabularyOf({ types: stepTypes(BUILT_IN_STEPS) });

/** The built-in words, with more. */
export const vocabularyWith = ({
  types = [],
  fields = [],
  disabled = {},
}: {
  readonly types?: readonly AnyStepType[];
  readonly fields?: readonly AnyField[];
  readonly disabled?: { readonly [type: string]: string };
}): Vocabulary =>
  vocabularyOf({
    types: stepTypes(BUILT_IN_STEPS, types),
    fields,
    disabledStepTypes: new Map(Object.entries(disabled)),
  });

const billing: ManifestAction = {
  name: 'list_due',
  displayName: 'List due invoices',
  input: {
    type: 'object',
    additionalProperties: false,
    required: ['day'],
    properties: {
      day: { type: 'string', format: 'date' },
      limit: { type: 'integer', maximum: 1000 },
      order: { oneOf: [{ type: 'string' }, { type: 'object', properties: { by: { type: 'integer' } } }] },
      tags: { type: 'array', uniqueItems: true, items: { type: 'string', minLength: 3 } },
    },
  },
  output: {
    type: 'object',
    additionalProperties: false,
    properties: { total: { type: 'number' }, invoices: { type: 'array', items: { type: 'object' } } },
  },
  auth: ['none', 'token'],
  effect: 'read',
  idempotency: 'none',
  defaults: { timeout: { start_to_close: 'PT20S', heartbeat: 'PT5S' }, retry: { max_attempts: 7 } },
  errors: [],
  examples: [],
};

const manifest = (id: string, version: string, actions: readonly ManifestAction[] = [billing]): ConnectorManifest => ({
  package: `@acme/${id.replaceAll('.', '-')}`,
  version,
  id,
  displayName: id,
  categories: [],
  connectorApi: '1.0.0',
  runtime: 'native',
  entry: 'index.js',
  auth: [
    { id: 'none', type: 'none', schema: {}, secretFields: [] },
    { id: 'token', type: 'bearer', schema: {}, secretFields: ['token'] },
    { id: 'basic', type: 'basic', schema: {}, secretFields: ['password'] },
  ],
  actions,
  permissions: { network: { hosts: [] }, fs: 'none', childProcess: false, native: false },
  resources: { concurrency: 1 },
  isolation: { minimum: 'thread' },
  config: {},
});

export const enabled = (id: string, version: string): EnabledConnector => ({
  manifest: manifest(id, version),
  integrity: `sha512-${version}`,
});

const schemas = createSchemaValidator();

export const context = (more: Partial<CheckContext> = {}): CheckContext => ({
  vocabulary,
  schemas,
  actions: catalogueOf([
    enabled('acme.billing', '1.3.0'),
    enabled('acme.billing', '1.4.2'),
    enabled('acme.billing', '2.0.0'),
  ]),
  credentials: new Map([
    ['billing-prod', { connector: 'acme.billing', auth: 'token' }],
    ['mail-prod', { connector: 'acme.mail', auth: 'token' }],
  ]),
  ...more,
});

export const edge = (from: string, to: string, type: EdgeType = 'SUCCESS', more: Partial<Edge> = {}): Edge => ({
  from,
  to,
  type,
  ...more,
});

export const value = (ref: string, written: JsonObject[string] = null): WrittenStep => ({
  ref,
  type: 'TRANSFORM',
  value: written,
});

export const draftOf = (
  steps: readonly WrittenStep[],
  edges: readonly Edge[] = [],
  {
    settings = {},
    ...graph
  }: { readonly settings?: JsonObject; readonly output?: JsonObject[string] } & JsonObject = {},
): DefinitionDraft => ({ graph: graphOf({ steps, edges, ...graph }), settings });

export const checked = (draft: DefinitionDraft, more: Partial<CheckContext> = {}) =>
  checkDefinition(draft, context(more));

export const problemsOf = (draft: DefinitionDraft, more: Partial<CheckContext> = {}): readonly Problem[] =>
  checked(draft, more).problems;

/** `path: code` of each problem. */
export const codesOf = (problems: readonly Problem[]): readonly string[] =>
  problems.map(({ path, code }) => `${path}: ${code}`);
