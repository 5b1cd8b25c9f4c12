import { expect } from 'chai';
import { type Health, type HealthCheck, healthRoutes } from '#host/http/health.routes.js';
import { type Rest, startRest } from './rest.ts';

describe('health', () => {
  const states: { [name: string]: Health | Error | 'never' } = {};
  const check = (name: string): HealthCheck => ({
    name,
    async check() {
      const state = states[name] ?? 'ok';
      if (state instanceof Error) throw state;
      if (state === 'never') return new Promise(() => undefined);
      return { status: state };
    },
  });
  let rest: Rest;

  before(async () => {
    const checks = ['database', 'queue', 'pools', 'plugins'].map(check);
    rest = await startRest({ routes: ({ log }) => healthRoutes({ checks, log }) });
  });
  after(() => rest.stop());

  it('is open without a key', async () => {
    expect((await rest.call({ path: '/healthz', key: null })).body.status).to.equal('ok');
    const { status, body } = await rest.call({ path: '/readyz', key: null });
    expect([status, body.status, body.checks.queue]).to.eql([200, 'ok', { status: 'ok' }]);
  });

  it('is 200 while degraded, and 503 where something has failed, threw or does not answer', async () => {
    states.queue = 'degraded';
    expect(await rest.call({ path: '/readyz' })).to.deep.include({ status: 200 });
    for (const state of ['failed', new Error('password is hunter2'), 'never'] as const) {
      states.database = state;
      const { status, body } = await rest.call({ path: '/readyz' });
      expect([status, body.status, body.checks.database.status]).to.eql([503, 'failed', 'failed']);
      expect(JSON.stringify(body)).to.not.contain('hunter2');
    }
  });
});
