/** The host that `scatter.mjs` measures, in a process of its own: it starts runs and tells of its memory when it is asked. */
import { inspect } from 'node:util';
import { startBenchHost } from './host.mjs';
import { publish } from './workflows.mjs';

const { url, dataDir, dataId, graphs } = JSON.parse(process.argv[2]);
const host = await startBenchHost({ url, dataDir, dataId });
for (const [slug, graph] of Object.entries(graphs)) await publish(host, slug, graph);

const answers = {
  async start({ slug, n }) {
    // About as much as a row of an import.
    const items = Array.from({ length: n }, (_, i) => ({ i, name: `item ${i}`, note: 'x'.repeat(60) }));
    const { runId } = await host.triggers.start('default', {
      address: slug,
      input: { items },
      subjectType: null,
      subjectId: null,
      idempotencyKey: null,
      externalDeploymentId: null,
      startAt: null,
      priority: 'normal',
      fields: {},
      traceparent: null,
    });
    return runId;
  },
  /** What is left when all garbage is gone. */
  memory() {
    globalThis.gc();
    globalThis.gc();
    const { rss, heapUsed } = process.memoryUsage();
    return { rss, heapUsed };
  },
  /** Of this process so far, in seconds; a busy machine disturbs it less than time on the wall. */
  processor() {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  },
};

process.on('message', ({ id, ask, of }) => {
  Promise.resolve(answers[ask](of)).then(
    (answer) => process.send({ id, answer }),
    (error) => process.send({ id, error: inspect(error) }),
  );
});
process.on('disconnect', () => process.exit());
process.send('ready');
