import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import { pluginManifestSchema } from '#host/boot/plugin-manifest.schema.js';
import { configSchema } from '#host/config/config.schema.js';
import { compileForeign, compileOwn } from '#host/json-schema/own-schemas.js';
import { connectorManifestSchema } from '#host/pool/connector-manifest.schema.js';

describe('schemas of the host’s own documents', () => {
  it('are JSON Schema, which no start checks again', () => {
    const ajv = new Ajv2020();
    for (const schema of [configSchema, connectorManifestSchema, pluginManifestSchema]) {
      expect(ajv.validateSchema(schema), ajv.errorsText()).to.equal(true);
    }
  });

  it('fill defaults in', () => {
    const document = {};
    expect(compileOwn({ type: 'object', properties: { a: { default: 1 } } })(document)).to.equal(true);
    expect(document).to.deep.equal({ a: 1 });
  });
});

describe('schemas that plugins bring', () => {
  it('may have one id, and stay apart', () => {
    const [text, number] = ['string', 'number'].map((type) => compileForeign({ $id: 'https://x.example/a', type }));
    expect([text?.('a'), text?.(1), number?.('a'), number?.(1)]).to.deep.equal([true, false, false, true]);
  });

  it('are refused where they are no JSON Schema', () => {
    expect(() => compileForeign({ type: 'nonsense' })).to.throw('schema is invalid');
    expect(() => compileForeign({ $ref: 'https://x.example/nowhere' })).to.throw('nowhere');
  });
});
