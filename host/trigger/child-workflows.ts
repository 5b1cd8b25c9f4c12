import {
  type ChildPorts,
  type Definition,
  type DefinitionId,
  isObject,
  type SchemaValidator,
  type UnlistedWorkflow,
} from '@ductor/core';
import type { Addresses } from './addresses.ts';

/** The workflows that steps start, as the coordinator asks for them. */
export const childWorkflows = ({
  addresses,
  definitions,
  validator,
  maxDepth,
}: {
  readonly addresses: Pick<Addresses, 'resolve'>;
  readonly definitions: {
    versionId(tenantId: string, which: { readonly slug: string; readonly version: number }): Promise<string | null>;
    define(workflow: UnlistedWorkflow, of: Definition): Promise<DefinitionId>;
  };
  readonly validator: SchemaValidator;
  readonly maxDepth: number;
}): ChildPorts => ({
  async resolve(tenantId, { slug, version }) {
    const address = version === 'latest' ? slug : await definitions.versionId(tenantId, { slug, version });
    const found = address === null ? null : await addresses.resolve(tenantId, address);
    return found?.archived === false && found.definition !== null ? found.definition.id : null;
  },
  define: (workflow, of) => definitions.define(workflow, of),
  checkInput({ settings }, input) {
    const schema = settings.input_schema;
    return isObject(schema) ? validator.validate({ schema, value: input, path: 'input' }) : [];
  },
  maxDepth,
});
