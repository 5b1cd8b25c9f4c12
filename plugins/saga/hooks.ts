import {
  BRANCH_KIND,
  type Command,
  credentialOf,
  type Ending,
  type Hooks,
  isObject,
  type JsonObject,
  type Step,
} from '@ductor/core';
import { compensation, finalizers, owes, undoneWith } from './fields.ts';
import { claims, duties, ends } from './tables.ts';
import { compensationRun, inputOf, outcomeOf, undoGraph } from './undoing.ts';

type Moment<Name extends 'settle' | 'end'> = Parameters<NonNullable<Hooks[Name]>>[0];

/** What completes is owed its undo from then on; at the end a run of its own sees to that. */
export const hooks: Hooks = {
  start({ run, origin }) {
    if (run.kind !== BRANCH_KIND || origin.from !== 'child') return {};
    const { id: run_id, chainId: chain_id, fields } = origin.run;
    return { fields: undoneWith.set(undoneWith.in(fields) ?? { run_id, chain_id }) };
  },

  settle(moment) {
    const { outcome, isUnknown, ended, definition, run, number, fields } = moment;
    const declared = compensation.in(fields);
    if (!declared || (outcome.status !== 'completed' && !isUnknown)) return [];
    const commands: Command[] = [dutyOf(moment, declared)];
    if (outcome.status !== 'completed' || undoneWith.in(run.fields)) return commands;
    const known = owes.in(run.fields) ?? [];
    const all = [...known, ...declared.on.filter((ending) => !known.includes(ending))];
    if (all.length > known.length) commands.push({ do: 'keep', fields: owes.set(all) });
    // It has heard of it only after its end.
    if (ended && declared.on.some((ending) => ending === ended.status)) {
      const graph = undoGraph(definition, { undoes: true, finalizes: false });
      commands.push(ends.row({ run: run.id, number, claim: null }));
      commands.push(compensationRun(graph, inputOf(run, { number, outcome: outcomeOf(ended) })));
    }
    return commands;
  },

  end({ run, definition, ending, number, fields, apart }) {
    if (ending.status === 'merged' || ending.status === 'continued_as_new' || undoneWith.in(run.fields)) return [];
    const undoes =
      owes.in(run.fields)?.some((each) => each === ending.status) || apart.some((step) => mayOwe(step, ending));
    const last = finalizers.in(fields) ?? [];
    if (!undoes && last.length === 0) return [];
    const graph = undoGraph(definition, { undoes, finalizes: true });
    const more = { number, outcome: outcomeOf(ending), finally: last.map(({ args = null }) => args) };
    return [ends.row({ run: run.id, number, claim: null }), compensationRun(graph, inputOf(run, more))];
  },

  control: {
    needs: ({ control }, { id, fields }) =>
      control === 'redrive' ? [{ table: ends.name, key: { run: undoneWith.in(fields)?.run_id ?? id } }] : [],
    decide({ control, run, facts }) {
      if (control.control !== 'redrive') return [];
      const [end] = ends.of(facts);
      const isBranch = undoneWith.in(run.fields) !== undefined;
      if (end?.claim === 'undo' || (isBranch && end?.claim === null)) {
        const message = 'What its steps have done is being undone, or has been.';
        return { refuse: { code: 'failed_precondition', message } };
      }
      return end?.claim === null ? [claims.row({ ...end, claim: 'redrive' }, end)] : [];
    },
  },
};

/** Whether an execution of it elsewhere may have to be undone at this end: only its own run knows. */
function mayOwe(step: Step, { status }: Ending): boolean {
  const declared = step[compensation.name];
  if (!isObject(declared)) return false;
  const { on = ['failed', 'cancelled'] } = declared;
  return Array.isArray(on) && on.includes(status);
}

function dutyOf(moment: Moment<'settle'>, declared: NonNullable<ReturnType<typeof compensation.in>>): Command {
  const { run, at, generation, executionKey: execution, step, outcome, keptBy, now, version, ordinal } = moment;
  const { action, args = null, on: endings, retry, failure_policy: policy } = declared;
  const within = undoneWith.in(run.fields);
  // Heard of after the end of a branch, it may be too late for the undo.
  const isOwed = outcome.status === 'completed' && !(within && moment.ended);
  const credential = credentialOf(step, declared);
  return duties.row({
    ...{ execution, chain: within?.chain_id ?? run.chainId, ref: at.ref, branch: at.branch, generation },
    ...{ action, credential: typeof credential === 'string' ? credential : null, args, endings, policy },
    retry: (retry as JsonObject | undefined) ?? null,
    attempt: keptBy,
    output: outcome.status === 'completed' && keptBy === null ? outcome.output : null,
    ...{ at: now, version, ordinal },
    state: isOwed ? 'owed' : 'unknown',
  });
}
