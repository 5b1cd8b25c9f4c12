/**
 * The demo's program; `./scripts/demo` starts it once everything is built. It uses what is built and nothing else: the
 * host as `ductor start` runs it, and the REST API as the command line calls it.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createClient } from '@ductor/client';
import { clientSettings } from '#host/cli/client.js';
import { applyDefinition } from '#host/cli/definition/apply.js';
import { readDefinitionFile } from '#host/cli/definition/definition-file.js';
import { report } from '#host/cli/report.js';
import { untilStopSignal } from '#host/cli/start/stop-signal.js';
import { pathText, prettyJson } from '#host/cli/text.js';
import { showRunLive } from '#host/cli/watch/live.js';
import { startCrm } from '../test/dist/examples/crm.js';
import { startDemoHost } from './lib/demo-host.mjs';

const workflow = 'test/examples/lead-router.json';
const lead = { email: 'ada@globex.test', source: 'webinar' };
const say = (...lines) => console.log(lines.join('\n'));

try {
  const { values } = parseArgs({ options: { once: { type: 'boolean', default: false } } });
  process.exitCode = await demo(values);
} catch (error) {
  report(error, { json: false });
  process.exitCode = 1;
}

/** Answers with the exit code. */
async function demo({ once }) {
  const stopSignal = untilStopSignal();
  const crm = await startCrm();
  try {
    const { host, config, note } = await startDemoHost();
    try {
      say(`Ductor answers at ${host.url}, a CRM at ${crm.url}.${note}`, '');
      const client = createClient({ ...clientSettings(keyOf(config)), url: host.url });
      const run = await routeLead(client, crm);
      const completed = run.status === 'completed';
      if (!completed) say(`The run is ${run.status}: ${prettyJson(run.error)}`);
      if (once) return completed ? 0 : 1;
      say('', ...whereToLook({ run, host, dataDir: config.dataDir }), '', 'Ctrl-C ends host, CRM and database.');
      await stopSignal;
      say('', 'stopping …');
      return 0;
    } finally {
      await host.stop();
    }
  } finally {
    await crm.close();
  }
}

/** The file has the key that the host has made; where there is none, one was given. */
function keyOf({ dataDir }) {
  const given = process.env.DUCTOR_BOOTSTRAP_API_KEY ?? process.env.DUCTOR_API_KEY;
  return { DUCTOR_DATA_DIR: dataDir, DUCTOR_API_KEY: existsSync(keyFile(dataDir)) ? undefined : given };
}

function keyFile(dataDir) {
  return join(dataDir, 'bootstrap-key');
}

async function routeLead(client, crm) {
  const { draft, version, isNewVersion } = await applyDefinition({
    client,
    definition: readDefinitionFile(workflow),
    publish: true,
  });
  say(
    `${draft.family_slug} v${version.version} ${isNewVersion ? 'is published' : 'was published before'} (${workflow}).`,
  );
  const { data: triggered } = await client.POST('/api/v2/workflow-definitions/{definition_id}:trigger', {
    params: { path: { definition_id: draft.family_slug } },
    body: { input: { ...lead, crm_url: crm.url }, correlation_labels: [{ key: 'lead', id: lead.email }] },
  });
  const { run_id } = triggered;
  say(`Triggered for ${lead.email}; the CRM is out of order for each lead's first request.`, '');
  const run = await showRunLive({ client, runId: run_id, stream: process.stdout });
  const { data: why } = await client.GET('/api/v2/workflow-runs/{run_id}/why', { params: { path: { run_id } } });
  const { reasons } = why;
  say(
    '',
    `Output: ${prettyJson(run.output)}`,
    `It waits for ${reasons.length === 0 ? 'nothing' : prettyJson(reasons)}.`,
    '',
    'What the CRM saw; a retry carries the same Idempotency-Key:',
    ...crm.calls.map(({ path, status, idempotencyKey }) => `  POST ${path.padEnd(8)} ${status}  ${idempotencyKey}`),
  );
  return run;
}

function whereToLook({ run, host, dataDir }) {
  const key = existsSync(keyFile(dataDir)) ? `$(cat ${pathText(keyFile(dataDir))})` : '$DUCTOR_API_KEY';
  const curl = `curl -H "Authorization: Bearer ${key}" ${host.url}`;
  const env = [
    ...(host.url === 'http://127.0.0.1:8080' ? [] : [`DUCTOR_URL=${host.url} `]),
    ...(pathText(dataDir) === '.ductor' ? [] : [`DUCTOR_DATA_DIR=${pathText(dataDir)} `]),
  ];
  return [
    'Look further:',
    `  ${curl}/api/workflows/runs/${run.run_id}`,
    `  ${curl}/api/workflows/runs/${run.run_id}/events`,
    `  ${curl}/api/v2/workflow-runs/${run.run_id}/snapshot`,
    `  ${env.join('')}node host/bin/ductor.js run list`,
  ];
}
