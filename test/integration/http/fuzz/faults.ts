import { Agent, request } from 'node:http';
import { isObject } from '@ductor/core';
import type { DocumentedOperation } from '../../api-docs/document.ts';
import type { Call } from './arbitrary-call.ts';

export interface Answer {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

const WITHIN_MS = 10_000;
const agent = new Agent({ keepAlive: true, maxSockets: 4 });

/** Sends as it is, past what `fetch` would put right. A stream is left after its first words. */
export function send(url: string, { method, path, headers, body }: Call): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(url + path, { method, headers, agent, timeout: WITHIN_MS });
    sent.on('timeout', () => sent.destroy(new Error(`no answer within ${WITHIN_MS} ms`)));
    sent.on('error', reject);
    sent.on('response', (response) => {
      const type = response.headers['content-type'] ?? '';
      let text = '';
      const done = () => resolve({ status: response.statusCode ?? 0, type, text });
      response.setEncoding('utf8');
      response.on('error', reject).on('end', done);
      response.on('data', (chunk: string) => {
        text += chunk;
        if (!type.startsWith('text/event-stream')) return;
        done();
        sent.destroy();
      });
    });
    sent.end(body);
  });
}

/** What only the inside of a host says. */
const INSIDE =
  /eec_|node_modules|file:\/\/|node:internal|\.[jt]s:\d+|\n\s+at |syntax error at or near|violates [\w-]+ constraint/;

/** What is wrong with an answer; `null`: nothing. `secret` is part of everything that is theirs, and of nothing that was sent. */
export function faultOf(
  { operation }: DocumentedOperation,
  { status, type, text }: Answer,
  secret: string | null,
): string | null {
  if (status === 500) return 'is a fault of the host';
  if (secret !== null && text.includes(secret)) return 'shows what is another tenant’s';
  const documented = operation.responses[status];
  // Nothing is new: the answer that is documented has been sent before.
  if (documented === undefined && status !== 304) return 'has a status that is not documented';
  if (status < 400) {
    const types = Object.keys(documented?.content ?? {});
    const isMeant =
      types.length === 0 || types.some((each) => each === '*/*' || type.startsWith(each.split(';')[0] ?? ''));
    return isMeant ? null : `is ${type}, not ${types.join(' or ')}`;
  }
  if (INSIDE.test(text)) return 'shows the inside of the host';
  return isEnvelope(type, text) ? null : 'is not the envelope of errors';
}

function isEnvelope(type: string, text: string): boolean {
  if (!type.startsWith('application/json')) return false;
  const body: unknown = JSON.parse(text);
  if (!isObject(body)) return false;
  const { error, metadata } = body;
  return (
    isObject(error) &&
    typeof error.code === 'string' &&
    typeof error.message === 'string' &&
    error.message !== '' &&
    isObject(metadata) &&
    typeof metadata.request_id === 'string'
  );
}
