import { connect } from 'node:net';
import { Writable } from 'node:stream';
import { expect } from 'chai';
import fc from 'fast-check';
import { pino } from 'pino';
import { SCOPES } from '#host/keys/scopes.js';
import { type Database, openDatabase } from '#host/postgres/connection.js';
import { startTestHost, type TestHost } from '../../support/host.ts';
import { type DocumentedOperation, type OpenApi, operationsOf } from '../api-docs/document.ts';
import { callsOf, type Sound } from './fuzz/arbitrary-call.ts';
import { faultOf, send } from './fuzz/faults.ts';
import { hostAs, idsOf, keyOfTenant, markedData, rowsOf, soundCalls, untilQuiet } from './fuzz/tenants.ts';

const OURS = 'tenant-a';
const THEIRS = 'tenant-b';
const SECRET = 'zq7marked';
const RUNS = process.env.FULL === '1' ? 120 : 12;

describe('every call of the API, whatever is sent', function () {
  this.timeout(RUNS * 20_000);
  let host: TestHost;
  let database: Database;
  let key: string;
  let theirs: TestHost;
  let operations: readonly DocumentedOperation[];
  let sound: ReadonlyMap<string, Sound>;
  let ids: readonly string[];
  let theirIds: readonly string[];
  const errors: string[] = [];

  before(async () => {
    const destination = new Writable({
      write(line, _encoding, done) {
        errors.push(String(line));
        done();
      },
    });
    host = await startTestHost({ log: pino({ level: 'error' }, destination) });
    database = openDatabase({ connection: host.database.url, poolSize: 2, log: pino({ level: 'silent' }) });
    const document = (await (await fetch(`${host.url}/openapi.json`)).json()) as OpenApi;
    operations = operationsOf(document);
    const scopes = SCOPES.filter((scope) => scope !== 'operator');
    key = await keyOfTenant(host, OURS, scopes);
    theirs = hostAs(host, await keyOfTenant(host, THEIRS, scopes));
    await markedData(theirs, SECRET);
    [sound] = await Promise.all([soundCalls(hostAs(host, key), document), soundCalls(theirs, document)]);
    ids = await idsOf(database.knex, OURS);
    theirIds = (await idsOf(database.knex, THEIRS)).filter((id) => !id.includes(SECRET));
    await untilQuiet(theirs, database.knex, THEIRS);
  });
  after(async () => {
    await database?.close();
    await host?.stop();
  });
  beforeEach(() => {
    errors.length = 0;
  });

  /** Each operation, as the holder of a key; answers with what went wrong. */
  async function faultsAs(bearer: string, secret: string | null): Promise<readonly string[]> {
    const faults: string[] = [];
    for (const described of operations) {
      const { operationId } = described.operation;
      const right = sound.get(operationId) ?? { params: {}, query: {}, body: undefined };
      // Whoever knows a webhook may deliver to it: a call without a key gets no ids of theirs.
      const known = '401' in described.operation.responses ? [...ids, ...theirIds] : ids;
      const property = fc.asyncProperty(
        callsOf(described, { sound: right, ids: known, theirTenant: THEIRS }),
        async (call) => {
          const answer = await send(host.url, {
            ...call,
            headers: { authorization: `Bearer ${bearer}`, ...call.headers },
          });
          const fault = faultOf(described, answer, secret);
          if (fault !== null) throw new Error(`${answer.status} ${fault}: ${answer.text.slice(0, 1_000)}`);
        },
      );
      const result = await fc.check(property, { numRuns: RUNS, endOnFailure: true });
      if (result.failed) {
        const error = result.errorInstance instanceof Error ? result.errorInstance.message : '';
        faults.push(`${operationId} ${JSON.stringify(result.counterexample).slice(0, 2_000)}\n    ${error}`);
      }
    }
    return faults;
  }

  it('is answered as documented, in time, without a fault of the host or a word of another tenant', async () => {
    const before = await rowsOf(database.knex, THEIRS);
    for (const path of ['/api/credentials', '/api/workflow-events', '/api/workflows/runs']) {
      expect(JSON.stringify((await theirs.call('GET', path)).body), path).to.include(SECRET);
    }
    const faults = await faultsAs(key, SECRET);
    expect(faults, `\n${faults.join('\n')}\n${errors.join('')}`).to.deep.equal([]);
    expect(await rowsOf(database.knex, THEIRS)).to.deep.equal(before);
    expect(errors).to.deep.equal([]);
    expect((await host.call('GET', '/readyz')).body.status).to.equal('ok');
  });

  it('is answered as well for an operator', async () => {
    const operator = await keyOfOperator(host);
    const faults = await faultsAs(operator, null);
    expect(faults, `\n${faults.join('\n')}\n${errors.join('')}`).to.deep.equal([]);
    expect(errors).to.deep.equal([]);
    expect((await host.call('GET', '/readyz')).body.status).to.equal('ok');
  });

  it('ends with its connection, however broken it is', async () => {
    const head = `POST /api/workflow-definitions HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n`;
    const json = 'Content-Type: application/json\r\n';
    const broken = [
      `${head}${json}Content-Length: 100\r\n\r\n{`,
      `${head}${json}Content-Length: 1\r\n\r\n{"family_slug":"x"}`,
      `${head}${json}Content-Length: -1\r\n\r\n{}`,
      `${head}${json}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`,
      `${head}${json}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}`,
      `${head}${json}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`,
      `${head}${json}Transfer-Encoding: chunked\r\n\r\n5\r\n{"a":`,
      `${head}${json}Expect: nonsense\r\nContent-Length: 2\r\n\r\n{}`,
      `${head}X: ${'y'.repeat(100_000)}\r\n\r\n`,
      `${head}Bad Header: \x01\r\n\r\n`,
      'GET /api/workflows/runs HTTP/9.9\r\n\r\n',
      'GET http://other.example/api/workflows/runs HTTP/1.1\r\nHost: x\r\n\r\n',
      'GET //x/..//%2e%2e/%c0%af HTTP/1.1\r\nHost: x\r\n\r\n',
      'GET /api/workflows/runs/%E0%A4%A HTTP/1.1\r\nHost: x\r\n\r\n',
      'BREW /coffee HTTP/1.1\r\nHost: x\r\n\r\n',
      'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n',
      'OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n',
      '\0\0\0\0',
    ];
    const answers = await Promise.all(broken.map((text) => exchange(host.url, text)));
    for (const [index, answer] of answers.entries()) {
      expect(answer, broken[index]?.slice(0, 300)).to.match(/^(HTTP\/1\.1 (100|4\d\d|417)|$)/);
      expect(answer).not.to.match(/node_modules|\.js:\d|eec_/);
    }
    expect(errors).to.deep.equal([]);
    expect((await host.call('GET', '/readyz')).body.status).to.equal('ok');
  });
});

async function keyOfOperator(host: TestHost): Promise<string> {
  const asked = { name: 'operator', tenant_id: null, scopes: [...SCOPES] };
  return (await host.call<{ key: string }>('POST', '/api/api-keys', asked)).body.key;
}

/** What comes back until the host has closed; the sender has no more to say. */
function exchange(url: string, text: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect({ host: hostname, port: Number(port), timeout: 10_000 });
    socket.on('timeout', () => socket.destroy(new Error(`no end to ${JSON.stringify(text.slice(0, 200))}`)));
    socket.on('data', (chunk) => {
      answer += chunk.toString('latin1');
    });
    socket.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ECONNRESET' ? resolve(answer) : reject(error),
    );
    socket.on('close', () => resolve(answer));
    socket.end(text, 'latin1');
  });
}
