import type { BaseLogger } from 'pino';
import type { Config } from './config.ts';
import { redacted } from './redacted.ts';

/** One line on the keys that have no effect. */
export const notActedOnText = ({ notActedOn }: Pick<Config, 'notActedOn'>): string =>
  `accepted, not acted on yet: ${notActedOn.join(', ')}`;

/** Says at the start what the host goes by, and what of it has no effect. */
export function announce(config: Config, log: BaseLogger): void {
  log.info({ config: redacted(config) }, config.file === null ? 'no ductor.yaml: defaults' : `read ${config.file}`);
  if (config.notActedOn.length > 0) log.warn({ keys: config.notActedOn }, notActedOnText(config));
}
