import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import { branchPath, readJson } from '../arguments.ts';
import { openClient } from '../client.ts';
import { examples } from '../examples.ts';
import { print } from '../screen.ts';
import { acceptedText } from './controls.ts';

const VERBS = {
  approve: 'approve for an APPROVAL step',
  reject: 'reject for an APPROVAL step',
  resolve: 'end a WAIT on a signal, or as an operator any parked step; the payload becomes its output',
} as const;

type Verb = keyof typeof VERBS;
const NAMES = Object.keys(VERBS) as readonly Verb[];

interface Options {
  readonly payload?: string;
  readonly approver?: string;
  readonly comment?: string;
  readonly branch?: number[];
  readonly requestId?: string;
}

/** `run approve` and its kin: words from outside to one step. */
export function addRunSignals(group: Command): void {
  for (const verb of NAMES) {
    const command = group
      .command(`${verb} <run-id> <step>`)
      .description(VERBS[verb])
      .option('--payload <json>', 'JSON, @file, or @- for stdin')
      .option('--comment <text>', 'kept with it')
      .option('--branch <indexes>', 'of a step in branches, outermost first, such as 0.2', branchPath)
      .option('--request-id <id>', 'the same id is applied once (default: a random one)')
      .addHelpText('after', examples(`run ${verb} 0198f2a4-7c1e-7d3a-9b1f-3f2d8a6c0e11 agreed --comment 'seen'`))
      .action((runId: string, step: string, options: Options, own: Command) =>
        send({ verb, runId, step, options, own }),
      );
    if (verb !== 'resolve') command.option('--approver <id>', 'in whose name (default: the key’s)');
  }
}

async function send({
  verb,
  runId,
  step,
  options: { payload, approver, comment, branch, requestId = randomUUID() },
  own,
}: {
  readonly verb: Verb;
  readonly runId: string;
  readonly step: string;
  readonly options: Options;
  readonly own: Command;
}): Promise<void> {
  const { data } = await openClient().POST(`/api/v2/workflow-runs/{run_id}/steps/{step_ref}:${verb}`, {
    params: { path: { run_id: runId, step_ref: step } },
    body: {
      request_id: requestId,
      ...(payload !== undefined && { payload: readJson(payload, '--payload') }),
      ...(approver !== undefined && { approver_id: approver }),
      ...(comment !== undefined && { comment }),
      ...(branch && { branch }),
    },
  });
  print(own, { json: data, text: () => acceptedText(data) });
}
