import { expect } from 'chai';
import { publishGraph, startTestHost, type TestHost } from '../../support/host.ts';
import { until } from '../../support/until.ts';
import { createHook, createSecret, deliver, type Refused, SECRET, shown, signed } from './deliveries.ts';

interface Run {
  readonly run_id: string;
  readonly status: string;
  readonly output: unknown;
  readonly attributes: { readonly [name: string]: unknown };
}

describe('deliveries to webhooks', function () {
  this.timeout(60_000);
  let host: TestHost;

  before(async () => {
    host = await startTestHost();
    await createSecret(host, 'github');
    await publishGraph(host, 'refund', {
      graph: {
        steps: [{ ref: 'note', type: 'TRANSFORM', value: '${input.amount}' }],
        edges: [],
        output: '${steps.note.output}',
      },
      settings: {
        input_schema: { type: 'object', required: ['amount'], properties: { amount: { type: 'number' } } },
      },
    });
    await publishGraph(host, 'ship', {
      graph: {
        steps: [{ ref: 'paid', type: 'WAIT', event: { event_name: 'pay.settled', correlation_key: 'input.order' } }],
        edges: [],
        output: '${steps.paid.output}',
      },
    });
  });
  after(() => host.stop());

  const list = async <T>(path: string): Promise<readonly T[]> =>
    (await host.call<{ items: readonly T[] }>('GET', path)).body.items;
  const eventsNamed = (name: string) =>
    list<{ event_id: string; correlation_key: string }>(`/api/workflow-events?event_name=${name}`);
  const refunds = (order: string) => list<Run>(`/api/workflows/runs?label.order=${order}`);
  const becomes = (runId: string, status: string) =>
    until(async () => {
      const { body } = await host.call<Run>('GET', `/api/workflows/runs/${runId}`);
      return body.status === status && body;
    }, `run ${runId} to be ${status}`);
  const refund = {
    action: {
      trigger: {
        workflow: { slug: 'refund' },
        input: { amount: '${request.body.amount}' },
        correlation_labels: [{ key: 'order', id: '${request.body.order}' }],
      },
    },
  };
  const echo = (body: unknown) => ({
    action: { publish: { event_name: 'echo' } },
    response: { status: 200, body },
  });

  it('signed as GitHub does it publish an event that a waiting run takes', async () => {
    const hook = await createHook(host, {
      verify: { type: 'hmac_sha256', header: 'X-Hub-Signature-256', credential: 'github' },
      action: {
        publish: {
          event_name: 'pay.${request.headers["x-github-event"]}',
          correlation_key: '${request.body.order}',
          payload: { amount: '${request.body.amount}' },
        },
      },
    });
    const started = await host.call<Run>('POST', '/api/v2/workflow-definitions/ship:trigger', {
      input: { order: '77' },
    });
    await becomes(started.body.run_id, 'waiting');
    const body = '{"order": 77,\n "amount": 12.5}';
    const headers = { ...signed(body), 'x-github-event': 'settled', 'x-github-delivery': 'd-1' };
    expect(await deliver(host, hook, { body, headers })).to.deep.equal({ status: 202, text: '{"accepted":true}' });
    const run = await becomes(started.body.run_id, 'completed');
    expect(run.output).to.deep.equal({ amount: 12.5 });
    const [event] = await eventsNamed('pay.settled');
    expect(event).to.deep.include({ correlation_key: '77', event_id: `webhook/${hook.id}/d-1` });
  });

  it('with a wrong signature, or with none, are refused before anything is made of them', async () => {
    const hook = await createHook(host, {
      verify: { type: 'hmac_sha256', header: 'X-Hub-Signature-256', credential: 'github' },
      action: { publish: { event_name: 'never' } },
    });
    const body = '{"a":1}';
    const attempts = [
      { body, headers: signed(body, 'guessed') },
      { body: '{"a":2}', headers: signed(body) },
      { body: 'no JSON', headers: signed(body) },
      { body },
    ];
    const texts = new Set<string>();
    for (const attempt of attempts) {
      const { status, text } = await deliver(host, hook, attempt);
      expect(status).to.equal(401);
      texts.add(JSON.stringify((JSON.parse(text) as Refused).error));
    }
    expect([...texts], 'nothing tells one from another').to.have.length(1);
    expect(await eventsNamed('never')).to.deep.equal([]);
    const { failures } = await shown(host, hook);
    expect(failures.map(({ message }) => message)).to.deep.equal([
      'The header X-Hub-Signature-256 is missing.',
      ...Array(3).fill('The signature is not of this body by this secret.'),
    ]);
  });

  it('may prove themselves by a fixed header, which templates do not see', async () => {
    const hook = await createHook(host, {
      verify: { type: 'header', header: 'X-Gitlab-Token', credential: 'github' },
      ...echo('${request.headers}'),
    });
    const headers = { 'x-gitlab-token': SECRET, cookie: 'a=b', authorization: 'Bearer x', 'x-kind': 'push' };
    const { status, text } = await deliver(host, hook, { headers });
    expect(status).to.equal(200);
    expect(JSON.parse(text))
      .to.include({ 'x-kind': 'push' })
      .and.not.have.any.keys('x-gitlab-token', 'cookie', 'authorization');
    expect(await deliver(host, hook, { headers: { 'x-gitlab-token': `${SECRET}!` } })).to.include({ status: 401 });
  });

  it('that come again, also at the same time, start one run and get the same answer', async () => {
    const hook = await createHook(host, refund);
    const body = '{"order":"o-1","amount":5}';
    const answers = await Promise.all(Array.from({ length: 5 }, () => deliver(host, hook, { body })));
    answers.push(await deliver(host, hook, { body }));
    for (const answer of answers) expect(answer).to.deep.equal({ status: 202, text: '{"accepted":true}' });
    const runs = await refunds('o-1');
    expect(runs).to.have.length(1);
    expect(runs[0]?.attributes).to.deep.include({ 'ductor.correlation.order': 'o-1' });
    await deliver(host, hook, { body: '{"order":"o-1","amount":6}' });
    expect(await refunds('o-1'), 'another body is another delivery').to.have.length(2);
  });

  it('are told apart by a header, or by a template', async () => {
    const byHeader = await createHook(host, { ...refund, delivery_header: 'X-Request-Number' });
    const body = '{"order":"o-2","amount":5}';
    for (const number of ['1', '2', '2'])
      await deliver(host, byHeader, { body, headers: { 'x-request-number': number } });
    expect(await refunds('o-2')).to.have.length(2);
    const trigger = { ...refund.action.trigger, idempotency_key: 'refund-${request.body.order}' };
    const byTemplate = await createHook(host, { action: { trigger } });
    for (const amount of [1, 2]) {
      const answer = await deliver(host, byTemplate, { body: JSON.stringify({ order: 'o-3', amount }) });
      expect(answer).to.include({ status: 202 });
    }
    expect(await refunds('o-3')).to.have.length(1);
  });

  it('are once for each webhook, not once for all of them', async () => {
    const body = '{"order":"o-4","amount":5}';
    for (const hook of [await createHook(host, refund), await createHook(host, refund)]) {
      await deliver(host, hook, { body, headers: { 'webhook-id': 'msg-1' } });
    }
    expect(await refunds('o-4')).to.have.length(2);
  });

  it('may be forms and text, have a query, and shape their answer', async () => {
    const hook = await createHook(host, echo({ body: '${request.body}', query: '${request.query}' }));
    const asked = { path: `${hook.path}?a=1&b=2&b=3` };
    const form = { type: 'application/x-www-form-urlencoded; charset=utf-8', body: 'From=%2B49&tag=x&tag=y&empty=' };
    expect(await deliver(host, asked, form)).to.deep.equal({
      status: 200,
      text: '{"body":{"From":"+49","tag":["x","y"],"empty":""},"query":{"a":"1","b":["2","3"]}}',
    });
    expect(JSON.parse((await deliver(host, hook, { type: 'text/plain', body: 'hi' })).text).body).to.equal('hi');
    expect(JSON.parse((await deliver(host, hook, { body: '' })).text).body).to.equal(null);
    const challenge = await createHook(host, echo('${request.body.challenge}'));
    expect(await deliver(host, challenge, { body: '{"challenge":"<b>"}' })).to.deep.equal({ status: 200, text: '<b>' });
  });

  it('of which a template can make nothing are 400, and their owner sees where', async () => {
    const hook = await createHook(host, {
      action: { publish: { event_name: 'x', payload: { list: ['${request.body.secret_field.id}'] } } },
    });
    const { status, text } = await deliver(host, hook);
    expect(status).to.equal(400);
    expect(text).to.not.include('secret_field');
    const { failures } = await shown(host, hook);
    expect(failures[0]).to.deep.include({ code: 'invalid_argument' });
    expect(failures[0]?.details?.[0]).to.deep.include({
      path: 'action.publish.payload.list[0]',
      position: { line: 1, column: 15 },
    });
  });

  it('that do not fit the workflow’s input are 400, and their owner sees why', async () => {
    const hook = await createHook(host, refund);
    const { status, text } = await deliver(host, hook, { body: '{"order":"o-5","amount":"many"}' });
    expect(status).to.equal(400);
    expect(text).to.not.include('amount');
    expect((await shown(host, hook)).failures[0]?.details?.[0]?.path).to.equal('input.amount');
  });

  it('to a workflow or with a credential that is not there are 409 until it is', async () => {
    const hook = await createHook(host, { action: { trigger: { workflow: { slug: 'later' } } } });
    const refused = await deliver(host, hook);
    expect(refused.status).to.equal(409);
    expect(refused.text).to.not.include('later');
    await publishGraph(host, 'later', { graph: { steps: [{ ref: 'go', type: 'STOP' }], edges: [] } });
    expect(await deliver(host, hook)).to.include({ status: 202 });
  });

  it('are 400 if the body is broken, or holds what the database would lose', async () => {
    const hook = await createHook(host, echo('ok'));
    for (const body of ['{"a":', '{"a":9007199254740993}', '"\\u0000"']) {
      const { status, text } = await deliver(host, hook, { body });
      expect(status, text).to.equal(400);
    }
    const form = 'application/x-www-form-urlencoded';
    for (const body of ['a=%00', '__proto__=1']) {
      expect(await deliver(host, hook, { type: form, body }), body).to.include({ status: 400 });
    }
    expect(await deliver(host, hook, { body: `"${'x'.repeat(1_100_000)}"` })).to.include({ status: 413 });
  });

  it('leave their owner the last twenty failures', async () => {
    const hook = await createHook(host, echo('${request.body.n / (request.body.n - 22)}'));
    for (let n = 1; n <= 22; n++) await deliver(host, hook, { body: JSON.stringify({ n: n < 22 ? `${n}` : n }) });
    const { failures } = await shown(host, hook);
    expect(failures).to.have.length(20);
    expect(new Set(failures.map(({ message }) => message))).to.have.length(2);
  });
});
