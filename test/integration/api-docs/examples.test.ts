import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { expect } from 'chai';
import { startTestHost, type TestHost } from '../../support/host.ts';
import { type Example, examplesOf, type OpenApi } from './document.ts';
import { prepare } from './world.ts';

const pointer = (...keys: readonly string[]) =>
  keys.map((key) => `/${encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('');

describe('the examples of the OpenAPI document', function () {
  this.timeout(60_000);
  let host: TestHost;
  let document: OpenApi;
  let faultsOf: (example: Example, value: unknown) => string;

  before(async () => {
    host = await startTestHost();
    document = (await (await fetch(`${host.url}/openapi.json`)).json()) as OpenApi;
    const ajv = new Ajv2020({ strict: false, allErrors: true, logger: false, schemas: { 'openapi.json': document } });
    formats.default(ajv);
    faultsOf = ({ method, path, status }, value) => {
      const at = [
        'paths',
        path,
        method.toLowerCase(),
        'responses',
        String(status),
        'content',
        'application/json',
        'schema',
      ];
      const check = ajv.compile({ $ref: `openapi.json#${pointer(...at)}` });
      return check(value) === true ? '' : ajv.errorsText(check.errors);
    };
  });
  after(() => host.stop());

  it('are answered as they say', async () => {
    const examples = examplesOf(document);
    expect(examples).to.have.length.greaterThan(15);
    const faults: string[] = [];
    for (const example of examples) {
      const fault = await faultOf(example).catch((error: Error) => error.message);
      if (fault !== null) faults.push(`${example.key}: ${fault}`);
    }
    expect(faults).to.deep.equal([]);
  });

  it('have answers that fit their schemas', () => {
    const faults = examplesOf(document).map((example) => [example.key, faultsOf(example, example.answer)]);
    expect(faults.filter(([, fault]) => fault !== '')).to.deep.equal([]);
  });

  async function faultOf(example: Example): Promise<string | null> {
    const { params, query, body } = { ...example, ...(await prepare(host, example)) };
    const path = example.path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(params[name] ?? ''));
    const asked = new URLSearchParams(
      Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
    );
    const answer = await host.call(example.method, `${path}${asked.size > 0 ? `?${asked}` : ''}`, body);
    if (answer.status !== example.status) return `${answer.status} ${JSON.stringify(answer.body)}`;
    const missing = missingIn(answer.body, example.answer);
    return faultsOf(example, answer.body) || (missing.length > 0 ? `lacks ${missing.join(', ')}` : null);
  }
});

/** Fields that an example shows and the real answer does not have; what is JSON of the users’ own may differ. */
function missingIn(answer: unknown, example: unknown): readonly string[] {
  if (typeof answer !== 'object' || answer === null || typeof example !== 'object' || example === null) return [];
  return Object.keys(example).filter((name) => !(name in answer));
}
