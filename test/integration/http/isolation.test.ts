import { Writable } from 'node:stream';
import { expect } from 'chai';
import fc from 'fast-check';
import { pino } from 'pino';
import { type Rest, routesOfRuns, startRest } from './rest.ts';

const OF_RUNS = [
  '/api/workflows/runs/{run_id}',
  '/api/workflows/runs/{run_id}/events',
  '/api/workflows/runs/{run_id}/watch',
  '/api/v2/workflow-runs/{run_id}/snapshot',
  '/api/v2/workflow-runs/{run_id}/snapshot?at=1',
  '/api/v2/workflow-runs/{run_id}/attempts',
  '/api/v2/workflow-runs/{run_id}/why',
];

describe('the routes over runs', () => {
  let rest: Rest;
  let lastFault = '';

  before(async () => {
    const destination = new Writable({
      write(chunk, _encoding, done) {
        lastFault = String(chunk);
        done();
      },
    });
    rest = await startRest({ routes: routesOfRuns, log: pino({ level: 'error' }, destination) });
  });
  after(() => rest.stop());

  it('C39 do not know another tenant’s runs, in any list or by any id', async () => {
    const definitionId = await rest.rows.definition({ tenantId: 't1', slug: 'secret' });
    const attributes = { customer: 'c-1' };
    const theirs = await rest.rows.run({
      tenantId: 't1',
      definitionId,
      subjectType: 'order',
      subjectId: 'o-1',
      attributes,
    });
    const attemptId = await rest.rows.attempt({ tenantId: 't1', runId: theirs });
    const own = await rest.rows.run({ tenantId: 't2', rootRunId: theirs });
    const asT2 = (path: string, more: object = {}) => rest.call({ path, key: rest.key.t2, ...more });
    for (const path of OF_RUNS) {
      const { status, body } = await asT2(path.replace('{run_id}', theirs));
      expect([status, body.error.code], path).to.eql([404, 'not_found']);
    }
    const filters = [
      'workflow_type=secret',
      'subject_id=o-1',
      'subject_type=order',
      'attribute.customer=c-1',
      `root_run_id=${theirs}`,
      '',
    ];
    for (const filter of filters) {
      const { body } = await asT2(`/api/workflows/runs?${filter}`);
      const expected = filter === '' || filter.startsWith('root') ? [own] : [];
      expect(
        body.items.map(({ run_id }: { run_id: string }) => run_id),
        filter,
      ).to.eql(expected);
    }
    // Their attempt under one's own run, and the other way around.
    const resolution = { request_id: 'op', resolution: { outcome: 'retry' } };
    for (const runId of [own, theirs]) {
      const path = `/api/v2/workflow-runs/${runId}/attempts/${attemptId}:resolve`;
      expect((await asT2(path, { method: 'POST', body: resolution })).status).to.equal(404);
    }
    expect((await rest.db.hot.query('select from eec_workflow_inbox')).rows).to.have.length(0);
    const { status } = await rest.call({ path: `/api/workflows/runs/${theirs}`, headers: { 'x-tenant-id': 't2' } });
    expect(status).to.equal(403);
  });

  it('answer no garbage with a fault of their own', async () => {
    const runId = await rest.rows.run({ tenantId: 't1' });
    const attemptId = await rest.rows.attempt({ tenantId: 't1', runId });
    const word = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 20 }),
      fc.constantFrom(
        '\0',
        '%00',
        '%',
        '../..',
        "' or 1=1 --",
        '{}',
        '-1',
        '1e999',
        'NaN',
        runId,
        runId.toUpperCase(),
        '9'.repeat(40),
      ),
    );
    const encoded = word.map((text) => encodeURIComponent(text.replace(/\p{Surrogate}/gu, '')));
    const name = fc.constantFrom(
      'status',
      'kind',
      'page_size',
      'page_token',
      'order',
      'attribute.x',
      'attribute.',
      'started_after',
      'at',
      'root_run_id',
      '__proto__',
      'constructor',
    );
    const query = fc.array(fc.tuple(fc.oneof(name, encoded), fc.oneof(encoded, word.map(encodeURI_))), {
      maxLength: 3,
    });
    const path = fc
      .tuple(fc.constantFrom('/api/workflows/runs', ...OF_RUNS), fc.oneof(fc.constant(runId), encoded))
      .map(([route, id]) => route.split('?')[0]!.replace('{run_id}', id));
    const headers = fc.dictionary(
      fc.constantFrom(
        'x-request-id',
        'traceparent',
        'last-event-id',
        'x-tenant-id',
        'content-type',
        'accept-encoding',
        'cookie',
        'if-none-match',
        'range',
      ),
      fc.string({ maxLength: 30 }).map((text) => text.replace(/[^\x20-\x7e]/g, '')),
    );
    const read = fc.tuple(path, query, headers).map(([path, query, headers]) => ({
      method: 'GET',
      path: `${path}?${query.map(([key, value]) => `${key}=${value}`).join('&')}`,
      headers,
    }));
    const json = fc.oneof(
      fc.json(),
      fc.string({ unit: 'binary' }),
      fc.constantFrom('{"request_id":1e999}', '[]', 'null', '"x"', '{"__proto__":1}'),
    );
    const body = fc.record(
      {
        request_id: fc.oneof(fc.string({ unit: 'binary' }), fc.integer()),
        resolution: fc.oneof(fc.jsonValue(), fc.constant({ outcome: 'retry' })),
      },
      { requiredKeys: [] },
    );
    const write = fc.tuple(fc.oneof(json, body), headers).map(([body, headers]) => ({
      method: 'POST',
      path: `/api/v2/workflow-runs/${runId}/attempts/${attemptId}:resolve`,
      body,
      headers,
    }));
    await fc.assert(
      fc.asyncProperty(fc.oneof(read, write), async (request) => {
        const { status, body } = await rest.call(request);
        expect(status, `${JSON.stringify([request, body])} ${lastFault}`).to.be.below(500);
      }),
      { numRuns: process.env.FULL === '1' ? 5_000 : 400 },
    );
  });
});

/** Not every query is well encoded. */
const encodeURI_ = (text: string): string => text.replace(/[^\w%.,:;'-]/g, '');
