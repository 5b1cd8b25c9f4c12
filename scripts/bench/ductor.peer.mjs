/** Ductor as one of the peers; see README.md. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isFinal } from '@ductor/core';
import { startBenchHost } from './host.mjs';
import { chain, fan, publish } from './workflows.mjs';

export async function open({ url, database, scratch, sizes }) {
  const dataDir = join(scratch, `${database}-data`);
  await mkdir(dataDir, { recursive: true });
  const host = await startBenchHost({ url, dataDir });
  const { engine, triggers } = host;
  for (const n of [1, 10]) await publish(host, `chain-${n}`, chain(n));
  for (const n of sizes.w3) await publish(host, `fan-${n}`, fan(n));

  const start = (slug) =>
    triggers.start('default', {
      address: slug,
      input: {},
      subjectType: null,
      subjectId: null,
      idempotencyKey: null,
      externalDeploymentId: null,
      startAt: null,
      priority: 'normal',
      fields: {},
      traceparent: null,
    });

  /** The result as the host tells those who watch a run: once its end is committed. */
  const ended = ({ runId }) =>
    new Promise((resolve, reject) => {
      const unsubscribe = engine.coordinator.feed.subscribe(runId, (_, { status, ending }) => {
        if (!isFinal(status)) return;
        unsubscribe();
        if (status === 'completed') resolve(ending.output);
        else reject(new Error(`run ${runId} is ${status}: ${JSON.stringify(ending)}`));
      });
    });
  const run = async (slug) => ended(await start(slug));

  return {
    notes: [
      'start: the service behind the REST route, by slug; end: the run is committed as completed',
      'every step is an action in a thread of a real pool; chains pass values on by expressions',
      'W3: a graph of n steps and one that joins them and gathers their outputs; compiled before it is timed',
    ],
    runToEnd: (n) => run(`chain-${n}`),
    runInFlight: (n) => run(`chain-${n}`),
    fanOut: async (n) => Object.keys(await run(`fan-${n}`)).length,
    async burst(n, limit) {
      const startedAt = performance.now();
      const ends = [];
      let next = 0;
      const lane = async () => {
        while (next++ < n) ends.push(ended(await start('chain-1')));
      };
      await Promise.all(Array.from({ length: limit }, lane));
      const seconds = (performance.now() - startedAt) / 1000;
      await Promise.all(ends);
      return seconds;
    },
    listen: () => host.listen(),
    /** Every run that was started has ended, as the store says. */
    async settled() {
      const open =
        "select exists (select from eec_workflow_run where tenant_id = 'default' and ended_at is null) is_open";
      while ((await host.hot.query(open)).rows[0].is_open) await delay(5);
    },
    close: () => host.close(),
  };
}
