import { expect } from 'chai';
import { startTestHost } from '../support/host.js';
import { rejection } from '../support/rejection.js';

describe('Two hosts on one database', () => {
  it('see each other, each with a data directory of its own', async () => {
    const first = await startTestHost();
    const second = await startTestHost({ database: first.database });
    try {
      const { body } = await second.call<{ checks: { queue: { details: object } } }>('GET', '/readyz');
      expect(body.checks.queue.details).to.deep.include({ hosts: 2 });
    } finally {
      await second.stop({ keep: true });
      await first.stop();
    }
  });

  it('are refused one data directory, and the first is left in peace', async () => {
    const first = await startTestHost();
    try {
      const { database, dataDir } = first;
      const error = await rejection(startTestHost({ database, dataDir }));
      expect(error.message).to.include(dataDir).and.include('in use by another host');
      expect((await first.call('GET', '/readyz')).status).to.equal(200);
    } finally {
      await first.stop();
    }
  });
});
