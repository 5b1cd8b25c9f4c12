import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { AttemptOutcome, Json } from '@ductor/core';
import { expect } from 'chai';
import { threadsAreConfined } from '#host/pool/canary.js';
import { type Harness, openHarness, type RunOptions } from './harness.js';

const EACH = process.env.FULL === '1' ? 10 : 2;
const TIMEOUT_MS = 400;
const GRACE_MS = 300;

const codeOf = (outcome: AttemptOutcome): string => (outcome.status === 'failed' ? outcome.error.code : outcome.status);

describe('a pool with a hostile connector', function () {
  this.timeout(120_000);
  let harness: Harness;
  const hostile = (action: string, more: Partial<RunOptions> = {}) =>
    harness.run({ connector: 'hostile', action, graceMs: GRACE_MS, ...more });
  const goods = (count: number, ms: number) =>
    Array.from({ length: count }, (_, n) => hostile('good', { args: { n, ms } }));
  const expectAllGood = (outcomes: readonly AttemptOutcome[]) => {
    const outputs: Json[] = outcomes.map((_, n) => ({ n }));
    expect(outcomes).to.deep.equal(outputs.map((output) => ({ status: 'completed', output })));
  };

  afterEach(() => harness.pools.close());

  it('C31 fails each misbehaving attempt with a fitting code, and every good step among them passes', async () => {
    harness = await openHarness({ limits: { threads: 2 } });
    const fitting = {
      exit: 'worker_exited',
      really_exit: 'worker_exited',
      loop: 'stopped',
      reject: 'connector_error',
      late_throw: 'connector_error',
      hoard: 'out_of_memory',
      hand_out: 'invalid_output',
      instance: 'completed',
      throw_odd: 'connector_error',
      hang: 'stopped',
    };
    const misdeeds = Object.keys(fitting).filter((action) => action !== 'hoard');
    const lag = monitorEventLoopDelay({ resolution: 10 });
    lag.enable();
    const good: Promise<AttemptOutcome>[] = [];
    const bad: Promise<readonly [string, string]>[] = [];
    const misbehave = async (action: string, timeoutMs: number) =>
      [action, codeOf(await hostile(action, { timeoutMs }))] as const;
    for (let round = 0; round < EACH; round += 1) {
      for (const action of misdeeds) bad.push(misbehave(action, TIMEOUT_MS));
      bad.push(misbehave('hoard', 60_000));
      for (let n = 0; n < 20 / EACH; n += 1) good.push(hostile('good', { args: { n: good.length } }));
    }
    const [codes, outcomes] = await Promise.all([Promise.all(bad), Promise.all(good)]);
    lag.disable();
    for (const [action, code] of codes)
      expect(`${action}: ${code}`).to.equal(`${action}: ${Reflect.get(fitting, action)}`);
    expectAllGood(outcomes);
    expect(harness.pools.state()[0]?.threads).to.be.at.most(2);
    expect(lag.percentile(99) / 1e6).to.be.below(200);
  });

  it('C31 spares the neighbours in a shared thread from exits, escaped errors and hanging code', async () => {
    harness = await openHarness({ concurrency: 16, limits: { threads: 1 } });
    const neighbours = goods(8, 1500);
    const actions = ['exit', 'reject', 'late_throw', 'hang', 'throw_odd'];
    const bad = await Promise.all(actions.map((action) => hostile(action, { timeoutMs: TIMEOUT_MS })));
    expect(bad.map(codeOf)).to.deep.equal([
      'worker_exited',
      'connector_error',
      'connector_error',
      'stopped',
      'connector_error',
    ]);
    expectAllGood(await Promise.all(neighbours));
  });

  it('C31 moves what a blocked thread has not begun, and runs the blocking action alone from then on', async () => {
    harness = await openHarness({ concurrency: 16, limits: { threads: 2 } });
    expectAllGood(await Promise.all(goods(2, 1)));
    const loop = hostile('loop', { timeoutMs: TIMEOUT_MS });
    expectAllGood(await Promise.all(goods(12, 1)));
    expect(codeOf(await loop)).to.equal('stopped');
    const again = hostile('loop', { timeoutMs: TIMEOUT_MS });
    expectAllGood(await Promise.all(goods(12, 300)));
    expect(codeOf(await again)).to.equal('stopped');
  });

  it('charges nobody with a thread’s end that any of several may have caused, and finds the one at the next try', async () => {
    harness = await openHarness({ concurrency: 4, limits: { threads: 1 } });
    const tried = new Map<string, string[]>();
    const tryUntilKnown = async (action: string, args: Json): Promise<void> => {
      const codes = tried.get(action) ?? [];
      tried.set(action, codes);
      do codes.push(codeOf(await hostile(action, { args })));
      while (codes.at(-1) === 'lost');
    };
    await Promise.all([tryUntilKnown('good', { n: 1, ms: 3000 }), tryUntilKnown('hoard', {})]);
    expect(tried.get('good')).to.deep.equal(['lost', 'completed']);
    expect(tried.get('hoard')).to.deep.equal(['lost', 'out_of_memory']);
  });

  it('ends an action that ignores its abort when the grace is over, not before', async () => {
    harness = await openHarness();
    for (const action of ['hang', 'loop']) {
      let startedAt = 0;
      const onStarted = () => {
        startedAt = performance.now();
      };
      expect(await hostile(action, { timeoutMs: TIMEOUT_MS, onStarted })).to.deep.equal({ status: 'stopped' });
      const took = performance.now() - startedAt;
      expect(took).to.be.within(TIMEOUT_MS + GRACE_MS - 20, TIMEOUT_MS + GRACE_MS + 2000);
    }
  });

  it('keeps a connector within its own folder and from starting processes', async () => {
    harness = await openHarness();
    const file = join(tmpdir(), 'ductor-secret');
    await writeFile(file, 'secret');
    expect(await hostile('spy', { args: { file } })).to.deep.equal({ status: 'completed', output: [] });
    await rm(file);
  });

  it('gives a connector that asks for it a temporary folder of its own, and takes it away in the end', async () => {
    harness = await openHarness();
    const outcome = await hostile('scratch');
    if (outcome.status !== 'completed') throw new Error(JSON.stringify(outcome));
    const { file, text } = outcome.output as { readonly file: string; readonly text: string };
    expect(text).to.equal('kept');
    expect(existsSync(file)).to.equal(true);
    await harness.pools.close();
    expect(existsSync(file)).to.equal(false);
  });

  it('finds out at start whether threads are confined, and is not fooled without the flags', async () => {
    harness = await openHarness();
    expect(await threadsAreConfined()).to.equal(true);
    expect(await threadsAreConfined(() => [])).to.equal(false);
  });
});
