import type { JsonObject } from '@ductor/core';
import type { Config } from './config.ts';
import { HIDDEN, hidePassword, hideSecrets } from './hide-secrets.ts';

/** The configuration as it may be shown and logged: in the words of `ductor.yaml`, without its secrets. */
export function redacted(config: Config): JsonObject {
  const { server, database, redis, connectors, limits, secrets } = config;
  return {
    file: config.file,
    mode: config.mode,
    server: { host: server.host, port: server.port, public_url: server.publicUrl },
    database: { url: database.url === null ? null : hidePassword(database.url), pool: database.pool },
    redis: { url: redis.url === null ? null : hidePassword(redis.url) },
    plugins: Object.fromEntries(
      [...config.plugins].map(([name, setting]) => [
        name,
        setting.enabled ? { options: hideSecrets(setting.options), version: setting.version } : false,
      ]),
    ),
    connectors: { private_networks: connectors.privateNetworks },
    retention: { events_ms: config.retention.eventsMs },
    log: { level: config.log.level },
    data_dir: config.dataDir,
    limits: {
      request_body_bytes: limits.requestBodyBytes,
      step_output_bytes: limits.stepOutputBytes,
      steps_per_definition: limits.stepsPerDefinition,
      nesting_depth: limits.nestingDepth,
    },
    not_acted_on: config.notActedOn,
    master_key: secrets.masterKey === null ? null : HIDDEN,
    previous_master_keys: secrets.previousMasterKeys.map(() => HIDDEN),
    bootstrap_api_key: secrets.bootstrapApiKey === null ? null : HIDDEN,
  };
}
