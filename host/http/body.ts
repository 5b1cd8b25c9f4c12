import { isUtf8 } from 'node:buffer';
import { Readable } from 'node:stream';
import { DuctorError, type ErrorCode, type Json, type RawBody } from '@ductor/core';
import type { Request } from '@hapi/hapi';
import { checkPlainJson, checkText } from './plain-json.ts';
import './route-notes.ts';

const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(?:;|$)/i;
const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i;

export interface BodyLimits {
  readonly maxBytes: number;
  readonly withinMs: number;
}

/** hapi hands bodies over as streams, so that nothing is lost before it is looked at, and no more is kept than may be. */
export async function readBody(request: Request, limits: BodyLimits): Promise<void> {
  const { payload, headers } = request;
  if (!(payload instanceof Readable)) return;
  const encoding: unknown = headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') {
    throw new DuctorError('invalid_argument', 'The body must come as it is, without a Content-Encoding.');
  }
  const bytes = await collect(payload, limits);
  const type = headers['content-type'];
  const read = () => (bytes.length === 0 ? null : parsed(bytes, type));
  Object.assign(request, {
    payload: request.route.settings.plugins?.ductor?.hasRawBody ? rawBody(bytes, type) : read(),
  });
}

/** What is beyond the limit is read and dropped: a client that still sends would not see an answer. */
function collect(stream: Readable, { maxBytes, withinMs }: BodyLimits): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] = [];
    let size = 0;
    const fail = (code: ErrorCode, message: string) => done(() => reject(new DuctorError(code, message)));
    const done = (settle: () => void) => {
      clearTimeout(timer);
      stream.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onClose);
      settle();
    };
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      if (size <= maxBytes) chunks.push(chunk);
      else chunks = [];
    };
    const onEnd = () => {
      const [first] = chunks;
      if (size > maxBytes) fail('payload_too_large', `The body is larger than ${maxBytes} bytes.`);
      else done(() => resolve(chunks.length === 1 && first ? first : Buffer.concat(chunks)));
    };
    const onClose = () => fail('invalid_argument', 'The body ended too early.');
    const timer = setTimeout(
      () => fail('invalid_argument', `The body took longer than ${withinMs} ms to arrive.`),
      withinMs,
    );
    stream.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose);
  });
}

function parsed(bytes: Buffer, contentType: unknown): Json {
  if (!isOf(JSON_TYPE, contentType)) {
    throw new DuctorError('invalid_argument', 'The body must be JSON: Content-Type: application/json.');
  }
  return plain(parseJson(textOf(bytes)));
}

const rawBody = (bytes: Buffer, contentType: unknown): RawBody => ({
  bytes,
  read() {
    if (bytes.length === 0) return null;
    const text = textOf(bytes);
    if (isOf(JSON_TYPE, contentType)) return plain(parseJson(text));
    return plain(isOf(FORM_TYPE, contentType) ? fieldsOf(text) : text);
  },
});

const isOf = (type: RegExp, contentType: unknown) => typeof contentType === 'string' && type.test(contentType);

function textOf(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new DuctorError('invalid_argument', 'The body is not valid UTF-8.');
  return bytes.toString('utf8');
}

function plain(body: Json): Json {
  checkPlainJson(body);
  return body;
}

function fieldsOf(text: string): Json {
  const form = new URLSearchParams(text);
  return Object.fromEntries(
    [...new Set(form.keys())].map((name) => {
      const values = form.getAll(name);
      return [name, values.length === 1 ? (values[0] ?? '') : values];
    }),
  );
}

function parseJson(text: string): Json {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new DuctorError('invalid_argument', `The body is not valid JSON: ${reasonOf(error)}`);
  }
}

/** V8 repeats the text around the error, which may be long, or a secret. */
const reasonOf = (error: unknown): string => {
  const message = error instanceof Error ? error.message : '';
  const position = /at position (\d+)/.exec(message)?.[1];
  return position === undefined
    ? 'it ends too early or has a character where none may be.'
    : `see position ${position}.`;
};

/** What else reaches the database as text. */
export function checkAddress({ params, query }: Request): void {
  for (const source of [params, query]) {
    for (const [name, values] of Object.entries(source)) {
      checkText(name, []);
      for (const value of [values].flat()) if (typeof value === 'string') checkText(value, [name]);
    }
  }
}
