import { CronExpressionParser } from 'cron-parser';

/** When a day's runs are due by the clock on the wall, and on which days. */
export interface Cron {
  readonly hours: readonly number[];
  readonly minutes: readonly number[];
  /** Its hour has `*` or `/n`: it goes with the clock's hands, rather than naming hours. */
  readonly followsClock: boolean;
  isOn(day: WallDay): boolean;
}

/** A day of the calendar. */
export interface WallDay {
  readonly month: number;
  readonly day: number;
  /** 0: Sunday. */
  readonly weekday: number;
  readonly daysInMonth: number;
}

const MACROS: { readonly [name: string]: string } = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
};

const FIELDS = ['minute', 'hour', 'day of month', 'month', 'day of week'];

/** Throws an `Error` that says what is wrong. */
export function parseCron(text: string): Cron {
  const [minute, hour, day, month, weekday, ...more] = (MACROS[text.trim().toLowerCase()] ?? text).trim().split(/\s+/);
  if (!minute || !hour || !day || !month || !weekday || more.length > 0) {
    throw new Error(`it has five fields: ${FIELDS.join(', ')}; or is one of ${Object.keys(MACROS).join(', ')}`);
  }
  const written = [minute, hour, day, month, weekday];
  // The parser reads it as a random number.
  if (written.some((field) => /(^|,)H/i.test(field))) throw new Error('H stands for no certain time');
  const fields = parsed(written);
  const isOnDay = dayOfMonth(fields.dayOfMonth.values.map(String));
  const isOnWeekday = dayOfWeek(fields.dayOfWeek.values.map(String), fields.dayOfWeek.nthDay);
  const months: readonly number[] = fields.month.values;
  // Where both are restricted, either will do. One that begins with `*` restricts nothing by that rule.
  const either = [day, weekday].every((field) => !/^[*?]/.test(field));
  return {
    hours: fields.hour.values,
    minutes: fields.minute.values,
    followsClock: /[*/]/.test(hour),
    isOn: (date) =>
      months.includes(date.month) && (either ? isOnDay(date) || isOnWeekday(date) : isOnDay(date) && isOnWeekday(date)),
  };
}

function parsed(written: readonly string[]) {
  for (const [index, name] of FIELDS.entries()) {
    const alone = FIELDS.map((_, i) => (i === index ? (written[i] ?? '') : '*'));
    parse(alone.join(' '), (message) => `${name} '${written[index]}': ${message}`);
  }
  return parse(written.join(' '), () => 'none of its months has such a day');
}

/** `say`: what the parser's word means to the author. */
function parse(fields: string, say: (message: string) => string) {
  try {
    return CronExpressionParser.parse(fields).fields;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const bare = message.replace(/^\w+ error, /, '').replace(/\.+$/, '');
    throw new Error(say(`${bare.charAt(0).toLowerCase()}${bare.slice(1)}`));
  }
}

const dayOfMonth =
  (values: readonly string[]) =>
  ({ day, daysInMonth }: WallDay): boolean =>
    values.includes(String(day)) || (day === daysInMonth && values.includes('L'));

/** `5L` is the last Friday, `5#2` (`nth`) the second one. */
const dayOfWeek =
  (values: readonly string[], nth: number) =>
  ({ day, weekday, daysInMonth }: WallDay): boolean => {
    const names = weekday === 0 ? ['0', '7'] : [String(weekday)];
    if (day > daysInMonth - 7 && names.some((name) => values.includes(`${name}L`))) return true;
    return names.some((name) => values.includes(name)) && (nth === 0 || Math.ceil(day / 7) === nth);
  };
