import {
  type Command,
  cel,
  defineStep,
  duration,
  type Facts,
  type Failure,
  type Instant,
  type RunId,
  type RunView,
  type Table,
  type Wait,
} from '@ductor/core';
import { merged } from './digest-arriving.ts';
import { type Arrival, endOf, type Window, windowTable } from './digest-tables.ts';

declare module '@ductor/core' {
  interface Reasons {
    /** `led_by`: the run that takes the window up; `null` while it is not known. */
    digest_window_until: { at: Instant; led_by: RunId | null };
  }
}

type Memo = { readonly window: string | null; readonly at: Instant };

/** What an arrival is told of its window; its leader again, when the window is full before its time. */
type Told = {
  readonly arrival: string;
  readonly window: string;
  readonly at: Instant;
  readonly leads: boolean;
  readonly into: RunId;
};

const LONGEST_KEY = 256;
/** Without `max_count`. */
const MOST_ITEMS = 10_000;

/** Runs of one key that come within a window become one: the first goes on with what all of them brought. */
export const digestStep = (arrivals: Table<Arrival>) =>
  defineStep({
    type: 'STEP_TYPE_DIGEST',
    schema: {
      type: 'object',
      required: ['digest_key', 'window'],
      properties: {
        digest_key: cel({ type: 'string' }),
        window: duration,
        max_count: { type: 'integer', minimum: 1, maximum: MOST_ITEMS, default: MOST_ITEMS },
        dedupe_key: cel({ type: 'string' }),
      },
    },
    outsideRegions: true,
    start({ config, run: { chainId }, at: { ref }, now, after, executionKey: id }) {
      const { digest_key: key, window: windowMs, max_count: maxCount, dedupe_key: dedupe = null } = config;
      if (!isKey(key)) return { to: 'failed', error: noKey('digest_key', key) };
      if (dedupe !== null && !isKey(dedupe)) return { to: 'failed', error: noKey('dedupe_key', dedupe) };
      const until = after(windowMs);
      return {
        to: 'waiting',
        memo: { window: null, at: until } as Memo,
        wait: waitFor({ at: until, led_by: null }),
        commands: [arrivals.row({ id, chainId, ref, key, dedupe, windowMs, maxCount, at: now })],
      };
    },
    on: {
      message({ memo, executionKey }, { topic, body }) {
        const told = body as Told;
        if (told.arrival !== executionKey) return null;
        const { window, at, leads, into } = told;
        if (topic === 'merged') return { to: 'merged', into };
        // Told twice, or late.
        if (memo.window === window && at >= memo.at) return null;
        const reason = { at, led_by: into };
        return {
          to: 'waiting',
          memo: { window, at },
          wait: leads
            ? { ...waitFor(reason), wakeAt: at, needs: [{ table: windowTable.name, key: window }] }
            : waitFor(reason),
        };
      },
      /** The window is over, by the database's clock. */
      wake({ facts, run, now }) {
        const window = windowOf(facts);
        const items = firstOfEach(window.arrivals).map(({ item }) => item);
        return {
          ...{ to: 'completed', outcome: 'SUCCESS', output: { count: items.length, items } },
          commands: flush(window, { into: run, now }),
        };
      },
      timeout: ({ executionKey, now }) => ({
        ...{ to: 'failed', outcome: 'TIMEOUT', error: TIMEOUT },
        commands: leave(executionKey, now),
      }),
      signal: ({ executionKey, now }, { verb, payload }) =>
        verb === 'resolve'
          ? { to: 'completed', outcome: 'SUCCESS', output: payload, commands: leave(executionKey, now) }
          : null,
    },
    cancelled: ({ executionKey, now }) => leave(executionKey, now),
  });

const isKey = ({ length }: string): boolean => length > 0 && length <= LONGEST_KEY;

const noKey = (name: string, key: string): Failure => ({
  code: 'invalid_digest_key',
  message: `${name} yields a text of ${key.length} characters; it has from 1 to ${LONGEST_KEY}.`,
  party: 'user',
});

const waitFor = (until: { readonly at: Instant; readonly led_by: RunId | null }) =>
  ({ kind: 'message', reason: { code: 'digest_window_until', ...until } }) as const satisfies Wait;

function windowOf(facts: Facts): Window {
  const [window] = facts.get(windowTable.name) ?? [];
  if (window === undefined) throw new Error('The leader of a window did not find it.');
  return window as Window;
}

/** The commit has to find the window as it was read. */
function flush(
  { id, revision, arrivals }: Window,
  { into, now: at }: { readonly into: Pick<RunView, 'id' | 'chainId'>; readonly now: Instant },
): readonly Command[] {
  const row = { id, revision, at };
  return [
    windowTable.row(row, row),
    ...arrivals.map((one) => endOf({ id: one.id, outcome: 'flushed', at })),
    ...arrivals
      .filter(({ chainId }) => chainId !== into.chainId)
      .map((one): Command => {
        const { chainId, ref } = one;
        return { do: 'tell', chainId, at: { ref, branch: [] }, message: merged(one.id, into.id) };
      }),
  ];
}

/** Of arrivals with one dedupe_key the first. */
function firstOfEach(arrivals: Window['arrivals']): Window['arrivals'] {
  const seen = new Set<string>();
  return arrivals.filter(({ dedupe }) => {
    if (dedupe === null) return true;
    const isFirst = !seen.has(dedupe);
    seen.add(dedupe);
    return isFirst;
  });
}

/** It goes from its window, as if it had not come; if it led the window, that is over. */
const leave = (id: string, at: Instant): readonly Command[] => [endOf({ id, outcome: 'left', at })];

const TIMEOUT: Failure = {
  code: 'timeout',
  message: 'The window was not over within the step’s timeout.',
  party: 'user',
};
