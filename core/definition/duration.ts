const ISO = /^P(?:(\d+)W|(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d{1,3})?)S)?)?)$/;
/** Ten thousand years: what is longer cannot be an instant any more. */
const LONGEST_MS = 315_360_000_000_000;

/**
 * Milliseconds of an ISO 8601 duration of weeks, or of days, hours, minutes and seconds; `null` if it is none.
 * Months and years are refused: they have no fixed length.
 */
export function parseDuration(text: string): number | null {
  const parts = ISO.exec(text);
  if (!parts || text.endsWith('P') || text.endsWith('T')) return null;
  const [, weeks = '0', days = '0', hours = '0', minutes = '0', seconds = '0'] = parts;
  const ms = Math.round(
    (((Number(weeks) * 7 + Number(days)) * 24 + Number(hours)) * 60 + Number(minutes)) * 60_000 +
      Number(seconds) * 1000,
  );
  return ms <= LONGEST_MS ? ms : null;
}
