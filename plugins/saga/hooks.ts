import { type Command, credentialOf, type Hooks, type JsonObject } from '@ductor/core';
import { compensation, finalizers, owes } from './fields.ts';
import { claims, duties, ends } from './tables.ts';
import { compensationRun, inputOf, outcomeOf, undoGraph } from './undoing.ts';

type Moment<Name extends 'settle' | 'end'> = Parameters<NonNullable<Hooks[Name]>>[0];

/** What completes is owed its undo from then on; at the end a run of its own sees to that. */
export const hooks: Hooks = {
  settle(moment) {
    const { outcome, isUnknown, ended, definition, run, number, fields } = moment;
    const declared = compensation.in(fields);
    if (!declared || (outcome.status !== 'completed' && !isUnknown)) return [];
    const commands: Command[] = [dutyOf(moment, declared)];
    if (outcome.status !== 'completed') return commands;
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

  end({ run, definition, ending, number, fields }) {
    if (ending.status === 'merged' || ending.status === 'continued_as_new') return [];
    const undoes = owes.in(run.fields)?.some((each) => each === ending.status) ?? false;
    const last = finalizers.in(fields) ?? [];
    if (!undoes && last.length === 0) return [];
    const graph = undoGraph(definition, { undoes, finalizes: true });
    const more = { number, outcome: outcomeOf(ending), finally: last.map(({ args = null }) => args) };
    return [ends.row({ run: run.id, number, claim: null }), compensationRun(graph, inputOf(run, more))];
  },

  control: {
    needs: ({ control }, { id: run }) => (control === 'redrive' ? [{ table: ends.name, key: { run } }] : []),
    decide({ control, facts }) {
      if (control.control !== 'redrive') return [];
      const [end] = ends.of(facts);
      if (end?.claim === 'undo') {
        const message = 'What its steps have done is being undone, or has been.';
        return { refuse: { code: 'failed_precondition', message } };
      }
      return end?.claim === null ? [claims.row({ ...end, claim: 'redrive' }, end)] : [];
    },
  },
};

function dutyOf(moment: Moment<'settle'>, declared: NonNullable<ReturnType<typeof compensation.in>>): Command {
  const { run, at, generation, executionKey: execution, step, outcome, keptBy, now, version, ordinal } = moment;
  const { action, args = null, on: endings, retry, failure_policy: policy } = declared;
  const credential = credentialOf(step, declared);
  return duties.row({
    ...{ execution, chain: run.chainId, ref: at.ref, branch: at.branch, generation },
    ...{ action, credential: typeof credential === 'string' ? credential : null, args, endings, policy },
    retry: (retry as JsonObject | undefined) ?? null,
    attempt: keptBy,
    output: outcome.status === 'completed' && keptBy === null ? outcome.output : null,
    ...{ at: now, version, ordinal },
    state: outcome.status === 'completed' ? 'owed' : 'unknown',
  });
}
