import { type CelFunc, CelScalar, type CelValue, celMethod, objectType } from '@bufbuild/cel';
import { engineFunction } from './engine.ts';

const TIMESTAMP = objectType('google.protobuf.Timestamp');
const { INT, STRING } = CelScalar;
const DAY_MS = 86_400_000;

const asText = engineFunction('string');

/** The engine's own depend on the host's time zone (in its skipped hour they are off); these do not. */
const fields: readonly (readonly [string, (local: Date) => number])[] = [
  ['getFullYear', (local) => local.getUTCFullYear()],
  ['getMonth', (local) => local.getUTCMonth()],
  ['getDate', (local) => local.getUTCDate()],
  ['getDayOfMonth', (local) => local.getUTCDate() - 1],
  ['getDayOfWeek', (local) => local.getUTCDay()],
  ['getDayOfYear', (local) => Math.floor((local.getTime() - Date.UTC(local.getUTCFullYear(), 0, 1)) / DAY_MS)],
  ['getHours', (local) => local.getUTCHours()],
  ['getMinutes', (local) => local.getUTCMinutes()],
  ['getSeconds', (local) => local.getUTCSeconds()],
  ['getMilliseconds', (local) => local.getUTCMilliseconds()],
];

const instant = (timestamp: CelValue): number => Date.parse(String(asText(timestamp)));

/** A date whose UTC fields are the local ones of `zone`: `UTC`, `+02:00` or an IANA name. */
const inZone = (atMs: number, zone: string): Date => {
  const offset = /^([+-]?)(\d\d):(\d\d)$/.exec(zone);
  if (offset) {
    const ms = (Number(offset[2]) * 60 + Number(offset[3])) * 60_000;
    return new Date(atMs + (offset[1] === '-' ? -ms : ms));
  }
  const parts = new Map(
    zoneFormat(zone)
      .formatToParts(atMs)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const part = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
  const wholeSecond = Date.UTC(
    part('year'),
    part('month') - 1,
    part('day'),
    part('hour'),
    part('minute'),
    part('second'),
  );
  return new Date(wholeSecond + (((atMs % 1000) + 1000) % 1000));
};

const zoneFormat = (timeZone: string): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });

export const timeFunctions: readonly CelFunc[] = fields.flatMap(([name, read]) => [
  celMethod(name, TIMESTAMP, [], INT, function () {
    return BigInt(read(new Date(instant(this))));
  }),
  celMethod(name, TIMESTAMP, [STRING], INT, function (zone) {
    return BigInt(read(inZone(instant(this), zone)));
  }),
]);
