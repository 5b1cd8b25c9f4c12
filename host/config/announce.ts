import type { BaseLogger } from 'pino';
import type { Config } from './config.ts';
import { redacted } from './redacted.ts';

/** Says at the start what the host goes by, and what of it has no effect. */
export function announce(config: Config, log: BaseLogger): void {
  log.info({ config: redacted(config) }, config.file === null ? 'no ductor.yaml: defaults' : `read ${config.file}`);
  if (config.redis.url !== null) {
    log.warn('redis.url is not used by this version: wakeups travel in-process and by the database sweep');
  }
}
