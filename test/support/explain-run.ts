import { embeddedUrlOfRunning } from '#host/embedded/embedded-postgres.js';
import type { HostProcess } from './host-process.ts';
import { openSession } from './session.ts';

/** What is stored of a run, in the order in which one asks: how it stands, what it has in flight, what would wake it. */
const ROWS: { readonly [name: string]: string } = {
  run: 'select * from eec_workflow_run where id = $1',
  transitions: 'select version, tick_id, at, changes from eec_workflow_transition where run_id = $1 order by version',
  attempts: 'select * from eec_workflow_step_attempt where run_id = $1 order by scheduled_at, id',
  waits: 'select * from eec_workflow_wait where run_id = $1',
  inbox: 'select * from eec_workflow_inbox where run_id = $1 order by received_at',
  branches: 'select * from eec_workflow_branch where run_id = $1 order by node, generation, index',
  hosts: 'select *, clock_timestamp() as now from eec_host where $1::uuid is not null',
};

/** All that is known of a run that does not go on, as text: what the host says of it, its rows, and the host's log. */
export async function explainRun(host: HostProcess, runId: string): Promise<string> {
  const why = await host.call('GET', `/api/v2/workflow-runs/${runId}/why`).catch(String);
  const parts = [
    `why: ${JSON.stringify(why)}`,
    ...(await rowsOf(host.dataDir, runId).catch((error) => [String(error)])),
  ];
  return `run ${runId}\n${parts.join('\n')}\nlog of the host ${host.child.pid}:\n${host.output()}`;
}

async function rowsOf(dataDir: string, runId: string): Promise<readonly string[]> {
  const url = await embeddedUrlOfRunning(dataDir);
  if (url === null) return ['nobody serves its database'];
  const client = await openSession(url);
  try {
    const parts: string[] = [];
    for (const [name, text] of Object.entries(ROWS)) {
      const { rows } = await client.query<object>(text, [runId]);
      parts.push(`${name}: ${rows.map((row) => `\n  ${JSON.stringify(row)}`).join('')}`);
    }
    return parts;
  } finally {
    await client.end();
  }
}
