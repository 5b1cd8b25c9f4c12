import { expect } from 'chai';
import { pino } from 'pino';
import { openDatabase } from '#host/postgres/connection.js';
import { deleteEvents } from '#host/postgres/events/delete-events.js';
import { publishGraph, startTestHost, type TestHost } from '../../support/host.ts';
import { until } from '../../support/until.ts';

interface ListedEvent {
  readonly id: string;
  readonly event_id: string;
  readonly matched: number;
  readonly matched_at: string | null;
  readonly matches: readonly { run_id?: string; step_ref?: string; trigger?: string; error?: { code: string } }[];
}
interface Refused {
  readonly error: {
    readonly code: string;
    readonly details: readonly { readonly path: string; readonly code: string }[];
  };
}

const noteOf = (value: string) => ({
  steps: [{ ref: 'note', type: 'TRANSFORM', value }],
  edges: [],
  output: '${input}',
});

describe('Events over REST', function () {
  this.timeout(60_000);
  let host: TestHost;
  before(async () => {
    host = await startTestHost();
    await publishGraph(host, 'waits', {
      graph: {
        steps: [
          {
            ref: 'paid',
            type: 'WAIT',
            event: {
              event_name: 'payment',
              correlation_key: 'input.order',
              match: 'event.payload.amount >= input.amount',
            },
            timeout: 'PT1H',
          },
        ],
        edges: [],
        output: '${steps.paid.output}',
      },
    });
  });
  after(() => host.stop());

  const publish = (body: object, key?: string) =>
    host.call<{ matched: number; event_id: string }>('POST', '/api/v2/workflow-events:publish', body, key);
  const start = async (slug: string, input: object, key?: string): Promise<string> => {
    const path = `/api/v2/workflow-definitions/${slug}:trigger`;
    return (await host.call<{ run_id: string }>('POST', path, { input }, key)).body.run_id;
  };
  const ended = (runId: string) =>
    until(async () => {
      const { body } = await host.call<{ ended_at: string | null; output: unknown }>(
        'GET',
        `/api/workflows/runs/${runId}`,
      );
      return body.ended_at === null ? null : body;
    }, `run ${runId} to end`);
  const why = (runId: string) =>
    until(async () => {
      const { body } = await host.call<{ reasons: readonly { code: string; step_ref: string | null }[] }>(
        'GET',
        `/api/v2/workflow-runs/${runId}/why`,
      );
      return body.reasons.find(({ step_ref }) => step_ref !== null) ?? null;
    }, 'the reason');
  const list = async (query: string, key?: string) =>
    (
      await host.call<{ items: readonly ListedEvent[]; next_page_token: string | null }>(
        'GET',
        `/api/workflow-events?${query}`,
        undefined,
        key,
      )
    ).body;
  const runsOf = async (slug: string) =>
    (
      await host.call<{ items: readonly { run_id: string; attributes: object }[] }>(
        'GET',
        `/api/workflows/runs?workflow_type=${slug}`,
      )
    ).body.items;

  it('reach the steps that wait, which say what for', async () => {
    const runId = await start('waits', { order: 'o-1', amount: 10 });
    expect(await why(runId)).to.include({ code: 'waiting_for_event', name: 'payment', key: 'o-1', have: 0, need: 1 });
    const event = { event_name: 'payment', correlation_key: 'o-1' };
    expect((await publish({ ...event, payload: { amount: 9 } })).body.matched).to.equal(0);
    expect((await publish({ ...event, event_id: 'p', payload: { amount: 10 } })).body).to.include({
      matched: 1,
      event_id: 'p',
    });
    expect((await publish({ ...event, event_id: 'p', payload: { amount: 10 } })).body.matched).to.equal(0);
    expect((await ended(runId)).output).to.deep.equal({ amount: 10 });
    const { items } = await list('event_name=payment&correlation_key=o-1');
    expect(items.map(({ matched, matches }) => [matched, matches])).to.deep.equal([
      [1, [{ run_id: runId, step_ref: 'paid', branch: [], subscription: 'event' }]],
      [0, []],
    ]);
    expect(items.every(({ matched_at }) => matched_at !== null)).to.equal(true);
  });

  it('for a paused run are kept until it is resumed; of a cancelled one nothing waits', async () => {
    const paused = await start('waits', { order: 'o-2', amount: 1 });
    await why(paused);
    await host.call('POST', `/api/v2/workflow-runs/${paused}:pause`, { request_id: 'p' });
    await until(
      async () => (await host.call('GET', `/api/workflows/runs/${paused}`)).body.status === 'paused',
      'a pause',
    );
    expect(
      (await publish({ event_name: 'payment', correlation_key: 'o-2', payload: { amount: 2 } })).body.matched,
    ).to.equal(1);
    await host.call('POST', `/api/v2/workflow-runs/${paused}:resume`, { request_id: 'r' });
    expect((await ended(paused)).output).to.deep.equal({ amount: 2 });
    const cancelled = await start('waits', { order: 'o-3', amount: 1 });
    await why(cancelled);
    await host.call('POST', `/api/v2/workflow-runs/${cancelled}:cancel`, { request_id: 'c' });
    await ended(cancelled);
    expect(
      (await publish({ event_name: 'payment', correlation_key: 'o-3', payload: { amount: 2 } })).body.matched,
    ).to.equal(0);
  });

  it('are listed page by page, newest first, to their own tenant', async () => {
    const since = new Date().toISOString();
    for (const n of [1, 2, 3]) await publish({ event_name: 'listed', correlation_key: 'k', event_id: `e${n}` });
    const first = await list(`event_name=listed&page_size=2&since=${since}`);
    expect(first.items.map(({ event_id }) => event_id)).to.deep.equal(['e3', 'e2']);
    const rest = await list(`event_name=listed&page_size=2&since=${since}&page_token=${first.next_page_token}`);
    expect(rest.items.map(({ event_id }) => event_id)).to.deep.equal(['e1']);
    expect((await list('event_name=listed', await host.tenantKey('other'))).items).to.deep.equal([]);
    expect((await list('since=2999-01-01T00:00:00Z')).items).to.deep.equal([]);
  });

  it('that are none are refused', async () => {
    const code = async (body: object) => {
      const { status, body: answer } = await publish(body);
      return [status, (answer as unknown as Refused).error.code];
    };
    expect(await code({ correlation_key: 'k' })).to.deep.equal([400, 'invalid_argument']);
    expect(await code({ event_name: 'x', correlation_key: 'k', payload: { a: 'b\u0000' } })).to.deep.equal([
      400,
      'invalid_argument',
    ]);
    expect(await code({ event_name: 'x', payload: 'y'.repeat(1024 * 1024) })).to.deep.equal([413, 'payload_too_large']);
  });

  describe('that triggers are for', () => {
    it('start runs of the latest published version, once for each event', async () => {
      const settings = {
        input_schema: { type: 'object', properties: { total: { type: 'integer' } } },
        triggers: [
          {
            event_name: 'ordered',
            condition: 'event.payload.total > 100',
            input: { total: '${event.payload.total}' },
            labels: [{ key: 'order', id: '${event.correlation_key}' }],
          },
        ],
      };
      await publishGraph(host, 'big-order', { graph: noteOf('x'), settings });
      const ordered = (event_id: string, total: unknown) =>
        publish({ event_name: 'ordered', correlation_key: 'o-9', event_id, payload: { total } });
      expect((await ordered('small', 100)).body.matched).to.equal(0);
      expect(await runsOf('big-order')).to.deep.equal([]);
      await ordered('big', 101);
      await ordered('big', 101);
      const [run, ...more] = await runsOf('big-order');
      expect(more).to.deep.equal([]);
      expect((await ended(run!.run_id)).output).to.deep.equal({ total: 101 });
      expect(run!.attributes).to.include({ 'ductor.correlation.order': 'o-9' });
      const [found] = (await list('event_name=ordered')).items;
      expect(found).to.deep.include({ matched: 0, matches: [{ trigger: 'big-order', run_id: run!.run_id }] });
      await ordered('other', 'much');
      await ordered('wrong', 100.5);
      const faults = (await list('event_name=ordered&page_size=1')).items[0]?.matches;
      expect(faults?.[0]).to.deep.include({ trigger: 'big-order' });
    });

    it('that cannot start one say why, and keep no other from starting', async () => {
      const trigger = { event_name: 'several' };
      const settings = { input_schema: { type: 'object', required: ['needed'] }, triggers: [trigger] };
      await publishGraph(host, 'a-fault', { graph: noteOf('x'), settings });
      await publishGraph(host, 'b-fault', {
        graph: noteOf('x'),
        settings: { triggers: [{ ...trigger, condition: 'event.payload.no.no' }] },
      });
      await publishGraph(host, 'c-fine', { graph: noteOf('x'), settings: { triggers: [trigger] } });
      await publish({ event_name: 'several', correlation_key: 'k' });
      expect(await runsOf('c-fine')).to.have.length(1);
      const [event] = (await list('event_name=several')).items;
      expect(event?.matches.map(({ trigger, error }) => [trigger, error?.code])).to.deep.equal([
        ['a-fault', 'invalid_argument'],
        ['b-fault', 'expression_error'],
        ['c-fine', undefined],
      ]);
    });

    it('share a run where their idempotency_key says so', async () => {
      const triggers = [
        { event_name: 'keyed', idempotency_key: 'event.payload.order', input: { n: '${event.payload.n}' } },
      ];
      await publishGraph(host, 'keyed', { graph: noteOf('x'), settings: { triggers } });
      for (const n of [1, 2]) await publish({ event_name: 'keyed', correlation_key: '', payload: { order: 'one', n } });
      const [run, ...more] = await runsOf('keyed');
      expect(more).to.deep.equal([]);
      const { items } = await list('event_name=keyed');
      expect(items.map(({ matches }) => matches)).to.deep.equal(
        [1, 2].map(() => [{ trigger: 'keyed', run_id: run!.run_id }]),
      );
    });

    it('follow publish and archive', async () => {
      const withTrigger = (event_name: string) => ({ graph: noteOf('x'), settings: { triggers: [{ event_name }] } });
      await publishGraph(host, 'follows', withTrigger('old'));
      const { body: draft } = await host.call<{ id: string; draft_revision: number }>(
        'GET',
        '/api/workflow-definitions/follows',
      );
      const saved = await host.call('PATCH', `/api/workflow-definitions/${draft.id}/draft`, {
        expected_draft_revision: draft.draft_revision,
        operations: [{ set_settings: { triggers: [{ event_name: 'new' }] } }],
      });
      expect(saved.status, JSON.stringify(saved.body)).to.equal(200);
      const second = await host.call<{ published: { id: string } }>(
        'POST',
        `/api/workflow-definitions/${draft.id}/publish`,
      );
      expect(second.status).to.equal(200);
      await publish({ event_name: 'old' });
      expect(await runsOf('follows')).to.have.length(0);
      await publish({ event_name: 'new' });
      expect(await runsOf('follows')).to.have.length(1);
      const archived = await host.call('POST', '/api/workflow-definitions/follows/archive');
      expect(archived.status, JSON.stringify(archived.body)).to.equal(200);
      await publish({ event_name: 'new' });
      expect(await runsOf('follows')).to.have.length(1);
      expect((await list('event_name=new&page_size=1')).items[0]?.matches).to.deep.equal([]);
    });

    it('whose run a limit has kept from starting are tried again, and start it once there is room', async () => {
      const key = await host.tenantKey('limited');
      const call = (method: string, path: string, body?: object) => host.call(method, path, body, key);
      const make = async (slug: string, graph: object, settings: object = {}) => {
        const body = { family_slug: slug, title: slug, graph, settings };
        const { id } = (await host.call<{ id: string }>('POST', '/api/workflow-definitions', body, key)).body;
        await call('POST', `/api/workflow-definitions/${id}/publish`);
      };
      await make('holds', { steps: [{ ref: 'w', type: 'WAIT', signal: 'go' }], edges: [] });
      await make('started', noteOf('x'), { triggers: [{ event_name: 'full' }] });
      await call('PATCH', '/api/tenants/limited', { entitlements: { max_open_runs: 1 } });
      await start('holds', {}, key);
      await publish({ event_name: 'full' }, key);
      const matches = async () => (await list('event_name=full', key)).items[0]?.matches;
      expect(await matches()).to.deep.include({ trigger: 'started', error: (await matches())?.[0]?.error });
      expect((await matches())?.[0]?.error?.code).to.equal('resource_exhausted');
      await call('PATCH', '/api/tenants/limited', { entitlements: { max_open_runs: null } });
      const database = openDatabase({ connection: host.database.url, poolSize: 1, log: pino({ level: 'silent' }) });
      await database.knex.raw("update eec_workflow_event set start_again_at = now() where event_name = 'full'");
      await database.close();
      await until(async () => (await matches())?.[0]?.run_id !== undefined, 'the run to be started');
      expect(await matches()).to.have.length(1);
    });

    it('are checked at publish: expressions see the event and nothing else', async () => {
      const triggers = [
        { condition: 'true' },
        {
          event_name: 'x',
          condition: "'text'",
          input: '${input.a}',
          idempotency_key: 'event.',
          labels: 'none',
          what: 1,
        },
      ];
      const created = await host.call<{ id: string }>('POST', '/api/workflow-definitions', {
        family_slug: 'bad-triggers',
        title: 'x',
        graph: noteOf('x'),
        settings: { triggers },
      });
      const answer = await host.call<Refused>('POST', `/api/workflow-definitions/${created.body.id}/publish`);
      expect(answer.status).to.equal(400);
      const paths = answer.body.error.details.map(({ path }) => path);
      expect(paths).to.include.members([
        'settings.triggers[0].event_name',
        'settings.triggers[1].condition',
        'settings.triggers[1].input',
        'settings.triggers[1].idempotency_key',
        'settings.triggers[1].labels',
        'settings.triggers[1].what',
      ]);
    });
  });

  it('are deleted when they have been kept long enough, but for those that are not matched', async () => {
    const database = openDatabase({ connection: host.database.url, poolSize: 1, log: pino({ level: 'silent' }) });
    const { knex } = database;
    try {
      for (const n of [1, 2, 3, 4]) await publish({ event_name: 'old-ones', event_id: `e${n}` });
      const age = "published_at = now() - interval '8 days'";
      await knex.raw(`update eec_workflow_event set ${age} where event_name = 'old-ones' and event_id <> 'e4'`);
      // Held, so that no host matches it meanwhile.
      const holder = await knex.transaction();
      await holder.raw(
        "update eec_workflow_event set matched_at = null where event_name = 'old-ones' and event_id = 'e3'",
      );
      expect(await deleteEvents(holder, { keptMs: 7 * 86_400_000, limit: 1 })).to.equal(1);
      expect(await deleteEvents(holder, { keptMs: 7 * 86_400_000, limit: 10 })).to.equal(1);
      await holder.commit();
      expect((await list('event_name=old-ones')).items.map(({ event_id }) => event_id)).to.deep.equal(['e4', 'e3']);
    } finally {
      await database.close();
    }
  });
});
