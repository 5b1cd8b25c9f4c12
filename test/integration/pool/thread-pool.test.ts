import type { AttemptOutcome, Json } from '@ductor/core';
import { expect } from 'chai';
import { type Harness, openHarness, pinOf, type RunOptions, until } from './harness.js';

const failure = (outcome: AttemptOutcome) => {
  if (outcome.status !== 'failed') throw new Error(`expected a failure, got ${JSON.stringify(outcome)}`);
  return outcome.error;
};

describe('a thread pool', function () {
  this.timeout(30_000);
  let harness: Harness;
  const good = (action: string, args: Json = {}, more: Partial<RunOptions> = {}) =>
    harness.run({ connector: 'good', action, args, ...more });

  before(async () => {
    harness = await openHarness({
      limits: { maxOutputBytes: 1024 * 1024, idleMs: 60_000 },
      credentials: {
        key: { values: { api_key: 'p@ss word/1', base_url: 'http://127.0.0.1:1' }, secretFields: ['api_key'] },
      },
    });
  });
  after(() => harness.pools.close());

  it('runs an action and gives its output back as plain data', async () => {
    let started = 0;
    const outcome = await good('echo', { a: [1, null, { b: 'ü' }] }, { onStarted: () => (started += 1) });
    expect(outcome).to.deep.equal({ status: 'completed', output: { a: [1, null, { b: 'ü' }] } });
    expect(started).to.equal(1);
  });

  it('hands over all that an action may know, and no environment', async () => {
    const outcome = await good('context', { x: 1 }, { credential: 'key' });
    expect(outcome).to.deep.equal({
      status: 'completed',
      output: {
        input: { x: 1 },
        auth: ['api_key', 'base_url'],
        config: {},
        idempotencyKey: 'chain/step/1',
        attempt: 1,
        env: {},
      },
    });
  });

  it('passes heartbeats on in order while the action runs', async () => {
    const seen: Json[] = [];
    await good('beats', { times: 4 }, { onHeartbeat: (progress) => seen.push(progress) });
    expect(seen).to.deep.equal([{ n: 1 }, { n: 2 }, { n: 3 }, { n: 4 }]);
  });

  it('keeps what is logged and what is printed on the attempt', async () => {
    const lines: Json[] = [];
    await good('chatter', { say: 'hello' }, { onLog: (line) => lines.push({ ...line }) });
    expect(lines).to.deep.equal([
      { level: 'info', message: 'printed hello' },
      { level: 'info', message: 'said', details: { say: 'hello' } },
    ]);
  });

  it('refuses arguments that do not fit the action, before any thread sees them', async () => {
    const error = failure(await good('strict', { n: 'many' }));
    expect(error).to.include({ code: 'invalid_input', party: 'user', retryable: false });
    expect(error.message).to.equal('args.n: An integer is needed.');
  });

  it('gives back untouched what needs a credential that is gone, and fails where none is named', async () => {
    expect(await good('echo', {}, { credential: 'other' })).to.deep.equal({ status: 'lost', neverStarted: true });
    expect(failure(await good('secretive')).code).to.equal('credential_missing');
  });

  it('fails an action that the manifest does not know', async () => {
    expect(failure(await good('nowhere')).code).to.equal('action_missing');
  });

  it('hides secrets in outputs, errors and logs, in every encoding', async () => {
    const lines: Json[] = [];
    const options = { credential: 'key', onLog: (line: unknown) => lines.push(JSON.stringify(line)) };
    const outcomes = [await good('leak', {}, options), await good('leak', { fail: true }, options)];
    const all = JSON.stringify([outcomes, lines]);
    expect(all).to.contain('raw [redacted] url [redacted] basic ');
    for (const form of ['p@ss word', 'p%40ss', Buffer.from('p@ss word/1').toString('base64').slice(2, -4)]) {
      expect(all).not.to.contain(form);
    }
    const basic = Buffer.from('user:p@ss word/1').toString('base64');
    expect(all).not.to.contain(basic.slice(8, -4));
  });

  it('C27 takes an output just under the limit and refuses one just over it, once, naming both sizes', async () => {
    const limit = 1024 * 1024;
    expect((await good('returns', { bytes: limit })).status).to.equal('completed');
    const error = failure(await good('returns', { bytes: limit + 4 }));
    expect(error).to.include({ code: 'payload_too_large', retryable: false });
    expect(error.message)
      .to.contain(`${limit + 4} bytes`)
      .and.to.contain(`${limit}`);
  });

  for (const [odd, where] of [
    ['nul', 'output.a has text with U+0000'],
    ['surrogate', 'output.b has text with a lone surrogate'],
    ['key', 'has text with U+0000'],
    ['nan', 'output.a.1 is NaN'],
    ['big', 'output.n is an integer beyond ±2^53'],
    ['proto', 'is a key named __proto__'],
    ['circular', 'is nested deeper than 64 levels'],
    ['bytes', 'output.bytes is binary data'],
    ['getter', 'trapped'],
  ] as const) {
    it(`C28 refuses an output with ${odd}, saying where`, async () => {
      const error = failure(await good('returns', { odd }));
      expect(error).to.include({ code: 'invalid_output', retryable: false, party: 'connector' });
      expect(error.message).to.contain(where);
      expect(error.message).not.to.contain('\0');
    });
  }

  it('C28 leaves valid text as it is, and makes an error text storable', async () => {
    expect(await good('returns', { odd: 'emoji' })).to.deep.equal({ status: 'completed', output: { ok: '😀' } });
    const error = failure(await good('returns', { odd: 'nul_error' }));
    expect(error.message).to.equal('Error: bad \uFFFD text \uFFFD');
    expect(error).to.include({ code: 'connector_error', retryable: true });
  });

  it('takes dates as text and nothing as null', async () => {
    const at = '1970-01-01T00:00:00.000Z';
    expect(await good('returns', { odd: 'date' })).to.deep.equal({ status: 'completed', output: { at } });
    expect(await good('returns', { odd: 'nothing' })).to.deep.equal({ status: 'completed', output: null });
  });

  it('takes an ActionError at its word', async () => {
    expect(failure(await good('returns', { odd: 'refusal' }))).to.deep.equal({
      code: 'duplicate',
      message: 'there is one',
      party: 'connector',
      retryable: false,
      details: { id: 7 },
    });
    const busy = failure(await good('returns', { odd: 'busy' }));
    expect(busy).to.include({ code: 'rate_limited', retryable: true, retryAfterMs: 1500 });
  });

  it('stops an action that listens, long before its grace is over', async () => {
    const abort = new AbortController();
    const began = performance.now();
    const outcome = await good('sleep', { ms: 60_000 }, { abort, onStarted: () => abort.abort(), graceMs: 30_000 });
    expect(outcome).to.deep.equal({ status: 'stopped' });
    expect(performance.now() - began).to.be.below(5000);
  });

  it('stops what has not begun at once, without starting it', async () => {
    const abort = new AbortController();
    let started = false;
    const run = good('sleep', { ms: 1000 }, { abort, onStarted: () => (started = true) });
    abort.abort();
    expect(await run).to.deep.equal({ status: 'stopped' });
    expect(await good('echo', {}, { abort })).to.deep.equal({ status: 'stopped' });
    expect(started).to.equal(false);
  });

  it('runs hundreds of attempts at once in few threads', async () => {
    const outcomes = await Promise.all(Array.from({ length: 400 }, () => good('sleep', { ms: 50 })));
    expect(outcomes.every(({ status }) => status === 'completed')).to.equal(true);
    expect(harness.pools.state()[0]?.threads).to.be.at.most(2);
  });

  it('never hands a thread that one tenant left dirty to another', async () => {
    const litter = (tenantId: string) => good('litter', { name: tenantId }, { tenantId });
    const outputs: Json[] = [];
    for (const tenant of ['a', 'b', 'a', 'c']) {
      const outcome = await litter(tenant);
      if (outcome.status === 'completed') outputs.push(outcome.output);
    }
    expect(outputs).to.have.length(4);
    for (const names of outputs as string[][]) expect(new Set(names).size).to.equal(1);
  });

  it('fails what waits for a connector that does not load, saying why', async () => {
    const error = failure(await harness.run({ connector: 'broken', action: 'anything' }));
    expect(error.code).to.equal('connector_load_failed');
    expect(error.message).to.contain('this module never loads');
  });

  it('ends idle threads, and starts new ones when work comes back', async () => {
    const idle = await openHarness({ limits: { idleMs: 50 } });
    try {
      await idle.run({ connector: 'good', action: 'echo' });
      await until(() => idle.pools.state().length === 0);
      expect((await idle.run({ connector: 'good', action: 'echo' })).status).to.equal('completed');
    } finally {
      await idle.pools.close();
    }
  });

  it('closes after what it has has ended, and takes nothing more', async () => {
    const closing = await openHarness();
    const last = closing.run({ connector: 'good', action: 'sleep', args: { ms: 100 } });
    await until(() => closing.pools.state().length === 1);
    const closed = closing.pools.close();
    expect(await closing.run({ connector: 'good', action: 'echo' })).to.deep.equal({ status: 'lost' });
    expect((await last).status).to.equal('completed');
    await closed;
    expect(closing.pools.state()).to.deep.equal([]);
  });

  it('says what it cannot run, and why', async () => {
    const strict = await openHarness({ trusted: false, confined: false });
    const revoked = await openHarness({ revoked: true });
    const pin = pinOf('good');
    expect(strict.pools.available(pin)).to.deep.include({ ok: false, reason: 'connector_missing' });
    expect(revoked.pools.available(pin)).to.deep.include({ ok: false, reason: 'connector_revoked' });
    expect(harness.pools.available({ ...pin, package: 'gone' })).to.deep.include({ reason: 'connector_missing' });
    expect(harness.pools.available(pin)).to.deep.equal({ ok: true });
    expect(failure(await strict.run({ connector: 'good', action: 'echo' })).code).to.equal('connector_missing');
  });
});
