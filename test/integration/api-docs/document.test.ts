import { compileErrors, validate } from '@readme/openapi-parser';
import { expect } from 'chai';
import { apiDocument } from '#host/api-document.js';
import { loadConfig } from '#host/config/load-config.js';
import { startTestHost, type TestHost } from '../../support/host.ts';
import { type OpenApi, operationsOf } from './document.ts';

describe('the OpenAPI document', () => {
  let host: TestHost;
  let text: string;
  let document: OpenApi;

  before(async () => {
    host = await startTestHost();
    text = await (await fetch(`${host.url}/openapi.json`)).text();
    document = JSON.parse(text);
  });
  after(() => host.stop());

  it('is valid OpenAPI 3.1', async () => {
    const result = await validate(JSON.parse(text));
    expect(result.valid, result.valid ? '' : compileErrors(result)).to.equal(true);
  });

  it('says of each call what it is for, its group and its answers, under a name of its own', () => {
    const operations = operationsOf(document);
    const unsaid = operations.filter(
      ({ operation: { summary = '', tags, responses } }) =>
        summary === '' || tags.length !== 1 || !('200' in responses) || !('500' in responses),
    );
    expect(unsaid.map(({ operation }) => operation.operationId)).to.deep.equal([]);
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(ids.filter((id, index) => ids.indexOf(id) < index)).to.deep.equal([]);
    expect(ids.filter((id) => !/^[a-z][A-Za-z]+$/.test(id))).to.deep.equal([]);
  });

  it('describes the groups of its calls', () => {
    expect(document.tags.filter(({ description }) => description === undefined)).to.deep.equal([]);
  });

  it('has a component for each step type that is on, by its fields', () => {
    const { Step, ActionStep, DraftOperation } = document.components.schemas;
    expect(JSON.stringify(Step)).to.include('#/components/schemas/ActionStep');
    expect(ActionStep?.required).to.deep.equal(['ref', 'type', 'action']);
    expect(ActionStep?.properties).to.include.keys('args', 'credential', 'retry', 'timeout');
    expect(JSON.stringify(document)).to.not.include('"cel"');
    const operations = DraftOperation?.oneOf as readonly { readonly title: string }[];
    expect(operations.map(({ title }) => title)).to.include.members(['add_step', 'rename_step', 'replace_graph']);
  });

  it('names what two calls share once, and nothing that no call has', () => {
    const referred = new Set([...text.matchAll(/#\/components\/schemas\/(\w+)/g)].map(([, name]) => name));
    expect([...referred].filter((name) => !(String(name) in document.components.schemas))).to.deep.equal([]);
    expect(Object.keys(document.components.schemas).filter((name) => !referred.has(name))).to.deep.equal([]);
  });

  it('is the same without a database and without a network', async () => {
    const config = await loadConfig({ argv: {}, env: {}, cwd: host.dataDir });
    expect(JSON.parse(await apiDocument(config))).to.deep.equal(JSON.parse(text));
  });
});
