import {
  type CompiledTemplate,
  compileTemplate,
  evaluateTemplate,
  type Instant,
  type Json,
  type JsonObject,
  type Problem,
} from '@ductor/core';
import { Calendar } from './calendar.ts';
import { parseCron } from './cron.ts';
import { zoneOf } from './zone.ts';

/** `settings.schedule`, as its author wrote it. */
export type Spec = {
  readonly cron: string;
  readonly timezone?: string;
  readonly overlap_policy?: OverlapPolicy;
  readonly start_at?: Instant;
  readonly end_at?: Instant;
  readonly jitter_ms?: number;
  readonly catchup_window_ms?: number;
  readonly input?: Json;
  readonly paused?: boolean;
};

/** `skip`: an occurrence does not start while a run of the same schedule has not ended. */
export type OverlapPolicy = 'skip' | 'allow_all';
export const OVERLAP_POLICIES: readonly OverlapPolicy[] = ['skip', 'allow_all'];
/** The code of any other. */
export const NO_POLICY = 'ErrInvalidOverlapPolicy';

const isPolicy = (value: Json): value is OverlapPolicy => OVERLAP_POLICIES.some((policy) => policy === value);

/** A spec that can be evaluated. */
export interface Schedule {
  readonly calendar: Calendar;
  readonly overlapPolicy: OverlapPolicy;
  readonly jitterMs: number;
  /** `null`: as the plugin's option says. */
  readonly windowMs: number | null;
  readonly input: CompiledTemplate;
}

/** Throws an `Error` that says why it cannot be evaluated. */
export function scheduleOf({ input = {}, overlap_policy = 'skip', ...spec }: Spec): Schedule {
  if (!isPolicy(overlap_policy)) throw new Error(`overlap_policy: there is no ${String(overlap_policy)}`);
  return {
    calendar: calendarOf(spec),
    overlapPolicy: overlap_policy,
    jitterMs: spec.jitter_ms ?? 0,
    windowMs: spec.catchup_window_ms ?? null,
    input: compileTemplate(input),
  };
}

function calendarOf({ cron, timezone = 'UTC', start_at, end_at }: Spec): Calendar {
  return new Calendar(
    { cron: within('cron', () => parseCron(cron)), zone: within('timezone', () => zoneOf(timezone)) },
    {
      ...(start_at !== undefined && { startMs: Date.parse(start_at) }),
      ...(end_at !== undefined && { endMs: Date.parse(end_at) }),
    },
  );
}

function within<T>(field: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new Error(`${field}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** What its run is started with. Throws `ExpressionError`. */
export const inputOf = ({ input }: Schedule, dueAt: Instant): Json =>
  evaluateTemplate(input, { schedule: { due_at: dueAt } });

export const instantOf = (ms: number): Instant => new Date(ms).toISOString();

/** At publish: what of a spec whose form is right cannot be. Paths are relative to it. */
export function specProblems(spec: Spec, now: Instant): readonly Problem[] {
  const { cron, timezone = 'UTC', overlap_policy = 'skip' } = spec;
  const problems = [
    ...problemOf({ path: 'cron', code: 'invalid_cron' }, () => parseCron(cron)),
    ...problemOf({ path: 'timezone', code: 'invalid_timezone' }, () => zoneOf(timezone)),
  ];
  if (!isPolicy(overlap_policy)) {
    const message = `There is no overlap policy ${JSON.stringify(overlap_policy)}.`;
    problems.push({ path: 'overlap_policy', code: NO_POLICY, message, allowed: OVERLAP_POLICIES });
  }
  if (problems.length === 0 && calendarOf(spec).next(Date.parse(now)) === null) {
    const message = 'Nothing comes due from now on: remove the schedule, or let it end later.';
    problems.push({ path: '', code: 'no_occurrence', message });
  }
  return problems;
}

function problemOf(place: Pick<Problem, 'path' | 'code'>, read: () => unknown): Problem[] {
  try {
    read();
    return [];
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return [{ ...place, message: `${message[0]?.toUpperCase()}${message.slice(1)}.` }];
  }
}

/** What makes two specs the same timetable: its occurrences. */
export const timetableOf = ({ cron, timezone = 'UTC', start_at, end_at }: Spec): JsonObject => ({
  cron,
  timezone,
  start_at: start_at ?? null,
  end_at: end_at ?? null,
});
