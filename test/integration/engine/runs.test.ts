import { expect } from 'chai';
import { startTestEngine, type TestEngine } from '../../support/engine.ts';
import { chainOf } from '../../support/workflow.ts';

describe('A run', () => {
  let test: TestEngine;
  before(async () => {
    test = await startTestEngine({
      actions: {
        'test.echo': (args) => args,
        'test.boom': () => Promise.reject(Object.assign(new Error('no'), { retryable: false, code: 'boom' })),
      },
    });
  });
  after(() => test.stop());

  it('of pure steps is completed by its first tick', async () => {
    const id = test.define({
      ...chainOf([
        { ref: 'a', type: 'TRANSFORM', value: '${input.n + 1}' },
        { ref: 'b', type: 'TRANSFORM', value: { twice: '${steps.a.output * 2}' } },
      ]),
    });
    const run = await test.ended(await test.start(id, { n: 20 }));
    expect(run.status).to.equal('completed');
    expect(run.ending).to.deep.equal({ status: 'completed', output: { twice: 42 } });
    expect(run.version).to.equal(1);
  });

  it('runs actions one after the other, each seeing what came before', async () => {
    const id = test.define(
      chainOf([
        { ref: 'a', type: 'ACTION', action: 'test.echo', args: { n: '${input.n}' } },
        { ref: 'b', type: 'ACTION', action: 'test.echo', args: { m: '${steps.a.output.n + 1}' } },
      ]),
    );
    const run = await test.ended(await test.start(id, { n: 1 }));
    expect(run.ending).to.deep.equal({ status: 'completed', output: { m: 2 } });
  });

  it('fails with its step named when nothing takes the error', async () => {
    const id = test.define(
      chainOf([
        { ref: 'a', type: 'ACTION', action: 'test.boom' },
        { ref: 'b', type: 'TRANSFORM', value: 1 },
      ]),
    );
    const run = await test.ended(await test.start(id));
    expect(run.ending).to.deep.equal({
      status: 'failed',
      error: { code: 'boom', message: 'no', party: 'connector', details: { step_ref: 'a' } },
    });
    expect(run.ended.get('b')?.status).to.equal('skipped');
  });
});
