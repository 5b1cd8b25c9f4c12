import type { Schemas } from '@ductor/client';
import type { Command } from 'commander';
import { openClient } from '../client.ts';
import { examples } from '../examples.ts';
import { LIMIT, pageSize, printList } from '../list.ts';
import { print } from '../screen.ts';
import { spanText } from '../text.ts';
import { whoOf } from '../watch/progress.ts';
import { drawFamily } from './family.ts';

/** `run events`, `run attempts`, `run tree`: what happened, read to its end. */
export function addRunHistory(group: Command): void {
  group
    .command('events <run-id>')
    .description('list what happened in a run, oldest first')
    .option(...LIMIT)
    .addHelpText('after', examples('run events 0198f2a4-7c1e-7d3a-9b1f-3f2d8a6c0e11 --limit 500'))
    .action(async (run_id: string, { limit }: { limit: number }, command: Command) => {
      const events = openClient().paged('/api/workflows/runs/{run_id}/events', {
        params: { path: { run_id }, query: { order: 'asc', page_size: pageSize(limit) } },
      });
      const head = ['AT', 'WHAT', 'STEP', 'BECAME', 'BECAUSE'];
      await printList(command, events, { limit, head, row: eventRow });
    });
  group
    .command('attempts <run-id>')
    .description('list the executions of a run’s steps, oldest first')
    .option(...LIMIT)
    .addHelpText('after', examples('run attempts 0198f2a4-7c1e-7d3a-9b1f-3f2d8a6c0e11'))
    .action(async (run_id: string, { limit }: { limit: number }, command: Command) => {
      const attempts = openClient().paged('/api/v2/workflow-runs/{run_id}/attempts', {
        params: { path: { run_id }, query: { order: 'asc', page_size: pageSize(limit) } },
      });
      const head = ['STEP', 'NUMBER', 'ACTION', 'STATUS', 'TOOK', 'ERROR', 'ATTEMPT'];
      await printList(command, attempts, { limit, head, row: attemptRow });
    });
  group
    .command('tree <run-id>')
    .description('draw the family of a run: its root, and all that came of it')
    .addHelpText('after', examples('run tree 0198f2a4-7c1e-7d3a-9b1f-3f2d8a6c0e11'))
    .action(async (run_id: string, _options: object, command: Command) => {
      const items: Schemas['FamilyMember'][] = [];
      const family = openClient().paged('/api/workflows/runs/{run_id}/tree', { params: { path: { run_id } } });
      for await (const member of family) items.push(member);
      print(command, { json: { items }, text: () => drawFamily(items, run_id).join('\n') });
    });
}

const eventRow = (event: Schemas['RunEvent']): readonly string[] => [
  event.at,
  event.type === 'control' ? (event.control ?? event.type) : event.type,
  whoOf(event),
  event.to ?? '',
  event.error === undefined ? causeText(event) : `${event.error.code}: ${event.error.message}`,
];

const causeText = ({ cause, actor }: Schemas['RunEvent']): string => actor ?? cause.kind.replaceAll('_', ' ');

const attemptRow = (attempt: Schemas['Attempt']): readonly string[] => [
  whoOf(attempt),
  String(attempt.attempt),
  attempt.action,
  attempt.outcome_unknown ? `${attempt.status}, outcome unknown` : attempt.status,
  spanText(attempt.started_at, attempt.ended_at),
  attempt.error === null ? '' : `${attempt.error.code}: ${attempt.error.message}`,
  attempt.attempt_id,
];
