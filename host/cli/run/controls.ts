import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import { openClient } from '../client.ts';
import { examples } from '../examples.ts';
import { print } from '../screen.ts';

const CONTROLS = {
  pause: 'start nothing new; what is in flight ends',
  resume: 'go on with a paused run',
  cancel: 'stop what is in flight, and end the run as cancelled',
  terminate: 'end the run at once, whatever is in flight',
  redrive: 'reopen a run that failed or was stopped: what failed runs again, and all after it',
} as const;

type Control = keyof typeof CONTROLS;
const NAMES = Object.keys(CONTROLS) as readonly Control[];

interface Options {
  readonly reason?: string;
  readonly requestId: string;
}

/** `run pause` and its kin. */
export function addRunControls(group: Command): void {
  for (const control of NAMES) {
    group
      .command(`${control} <run-id>`)
      .description(CONTROLS[control])
      .option('--reason <text>', 'kept in the audit log')
      .option('--request-id <id>', 'the same id is applied once (default: a random one)')
      .addHelpText('after', examples(`run ${control} 0198f2a4-7c1e-7d3a-9b1f-3f2d8a6c0e11 --reason 'as agreed'`))
      .action(async (run_id: string, { reason, requestId = randomUUID() }: Options, command: Command) => {
        const { data } = await openClient().POST(`/api/v2/workflow-runs/{run_id}:${control}`, {
          params: { path: { run_id } },
          body: { request_id: requestId, ...(reason !== undefined && { reason }) },
        });
        print(command, { json: data, text: () => acceptedText(data) });
      });
  }
}

/** Of whatever a run's next tick applies. */
export const acceptedText = ({ status, run_id }: { readonly status: string; readonly run_id: string }): string =>
  `${status}: the run takes it up with its next tick\nWatch it: ductor run watch ${run_id}`;
