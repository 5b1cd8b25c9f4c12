import { once } from 'node:events';
import { createServer } from 'node:net';
import { isObject } from '@ductor/core';
import type { Config } from '../../config/config.ts';
import { errorCode, errorText } from '../../embedded/error-code.ts';
import { broken, type Check, type Look, ok, warning } from '../check.ts';

const ANSWER_WITHIN_MS = 5_000;

/** Whether a host could listen; if one does, what it says of itself. */
export const port: Check<Config> = {
  name: 'port',
  async look({ server: { host, port: number } }) {
    const where = `${host}, port ${number}`;
    const problem = await listening(host, number);
    if (problem === null) return ok(`${where} is free: no host runs there`);
    if (errorCode(problem) === 'EADDRINUSE') return askThere(host, number);
    return broken(`${where}: ${errorText(problem)}`, 'set HOST (server.host) to an address of this machine, and PORT');
  },
};

async function listening(host: string, number: number): Promise<unknown> {
  const server = createServer();
  try {
    server.listen(number, host);
    await once(server, 'listening');
    return null;
  } catch (error) {
    return error;
  } finally {
    server.close();
  }
}

async function askThere(host: string, number: number): Promise<Look> {
  const name = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host.includes(':') ? `[${host}]` : host;
  const url = `http://${name}:${number}`;
  const answer: unknown = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) })
    .then((response) => response.json())
    .catch(() => null);
  if (!isObject(answer) || !isObject(answer.checks)) {
    return broken(
      `another program than Ductor listens at ${host}, port ${number}`,
      'stop it, or set PORT (server.port) to a free one',
    );
  }
  const ailing = Object.entries(answer.checks).filter(([, part]) => !isObject(part) || part.status !== 'ok');
  if (ailing.length === 0) return ok(`a host answers at ${url}, and is ready`);
  const found = `the host at ${url} is ${answer.status}: ${ailing.map(([part, said]) => `${part} ${saying(said)}`).join('; ')}`;
  const remedy = "look for these parts in the host's log";
  return answer.status === 'failed' ? broken(found, remedy) : warning(found, remedy);
}

const saying = (part: unknown): string =>
  isObject(part) ? `${part.status}${part.details === undefined ? '' : ` ${JSON.stringify(part.details)}`}` : 'unknown';
