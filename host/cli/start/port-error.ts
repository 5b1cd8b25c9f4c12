import { DuctorError } from '@ductor/core';
import type { Config } from '../../config/config.ts';

/** An error of a host's start; one of the system's about listening becomes one that says which setting to change. */
export function namingThePort(error: unknown, { server: { host, port } }: Pick<Config, 'server'>): unknown {
  if (!(error instanceof Error && 'syscall' in error && error.syscall === 'listen' && 'code' in error)) return error;
  const isTaken = error.code === 'EADDRINUSE';
  const why = isTaken ? 'another process listens there already' : error.message;
  return new DuctorError(
    'failed_precondition',
    `Cannot listen on ${host}, port ${port}: ${why}. Set PORT (server.port in the configuration) to a free port` +
      `${isTaken ? '' : ', and HOST (server.host) to an address of this machine'}.`,
  );
}
