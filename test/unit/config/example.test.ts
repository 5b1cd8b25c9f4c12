import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { announce } from '#host/config/announce.js';
import { configSchema } from '#host/config/config.schema.js';
import { editorSchema } from '#host/config/editor-schema.js';
import { loadConfig } from '#host/config/load-config.js';
import { compileOwn } from '#host/json-schema/own-schemas.js';
import { createLog } from '#host/log.js';
import { rejection } from '../../support/rejection.ts';

/** Everything that a file may say. */
const whole = `version: 1
mode: production
server: { host: 0.0.0.0, port: 8080, public_url: https://flows.acme.test }
database: { url: "\${DATABASE_URL}", pool: 10 }
redis: { url: "\${REDIS_URL}" }
plugins:
  scheduler: { options: { catchup_window_ms: 60000 } }
  console: false
  "@acme/ductor-plugin-audit": { version: 1.0.0, options: { sink: postgres } }
connectors:
  private_networks: [10.20.0.0/16]
  policy: { registries: ["https://npm.acme.test"], require_signature: false, allow_unsigned: ["@acme/*"], licences: [MIT, Apache-2.0] }
  install:
    - { package: "@acme/ductor-billing", version: 1.4.2, integrity: sha512-abc, tenants: ["*"], consent: sha256-def, isolation: process }
retention: { runs: P30D, events: P7D }
log: { level: info }
data_dir: /var/lib/ductor
limits: { request_body_bytes: 1048576, step_output_bytes: 4194304, steps_per_definition: 1000, nesting_depth: 16 }
`;
const env = { DATABASE_URL: 'postgres://db/ductor', REDIS_URL: 'redis://cache:6379' };

describe('a ductor.yaml that says everything', () => {
  let cwd: string;
  beforeEach(async () => {
    cwd = await mkdtemp(join(tmpdir(), 'ductor-config-'));
  });
  afterEach(() => rm(cwd, { recursive: true }));

  const load = async (text: string) => {
    await writeFile(join(cwd, 'ductor.yaml'), text);
    return loadConfig({ argv: {}, env, cwd });
  };

  it('is accepted, and told plainly what this version does not act on', async () => {
    const config = await load(whole);
    const idle = ['server.public_url', 'redis.url', 'connectors.policy', 'connectors.install', 'retention.runs'];
    expect(config.notActedOn).to.eql(idle);
    const lines: string[] = [];
    announce(config, createLog({ level: 'warn', destination: { write: (line) => lines.push(line) } }));
    expect(lines).to.have.length(1);
    expect(JSON.parse(lines[0] ?? '')).to.include({ msg: `accepted, not acted on yet: ${idle.join(', ')}` });
  });

  it('fits the schema that editors are given, references and all', () => {
    const fits = compileOwn(editorSchema(configSchema));
    expect(fits(parse(whole)), JSON.stringify(fits.errors)).to.equal(true);
    expect(fits({ server: { port: '${PORT}' } })).to.equal(true);
    expect(fits({ server: { port: 'many' } })).to.equal(false);
  });

  it('is checked as closely where it has no effect yet', async () => {
    const wrong = whole
      .replace('P30D', '30 days')
      .replace('1.4.2', '^1.4.2')
      .replace('isolation: process', 'isolation: thred')
      .replace('require_signature', 'require_signatures')
      .replace('https://npm.acme.test', 'npm.acme.test');
    const error = await rejection(load(wrong));
    expect(String(error)).to.include('ductor.yaml:15:14  retention.runs: expected a duration such as P30D or PT12H');
    expect(String(error)).to.match(/connectors\.install\.0\.version: expected an exact version/);
    expect(String(error)).to.include('did you mean thread?').and.include('did you mean require_signature?');
    expect(String(error)).to.include("connectors.policy.registries.0: expected a registry's URL");
  });
});
