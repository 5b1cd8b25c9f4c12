import { ActionError, type Json } from '@ductor/connector-sdk';

export type ResponseType = 'json' | 'text' | 'base64';

/** The body after decompression. Throws `response_too_large` as soon as the limit is passed. */
export const readBytes = async (response: Response, limit: number): Promise<Buffer> => {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    // Leaving the loop cancels the stream, and with it the transfer.
    if (size > limit) throw tooLarge(limit);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
};

const tooLarge = (limit: number): ActionError =>
  new ActionError('response_too_large', {
    message: `the response is larger than max_response_bytes (${limit})`,
    details: { limit },
  });

/** The body as `response_type` asks, or as the content type says. Throws `invalid_response` for JSON that is none. */
export const decode = (bytes: Buffer, contentType: string, type: ResponseType | undefined): Json => {
  const wanted = type ?? (/[/+]json\b/i.test(contentType) ? 'json' : 'text');
  if (wanted === 'base64') return bytes.toString('base64');
  const text = decoder(contentType).decode(bytes);
  if (wanted === 'text') return text;
  if (text.trim() === '') return null;
  try {
    return JSON.parse(text) as Json;
  } catch (error) {
    throw new ActionError('invalid_response', { message: 'the response is not JSON', cause: error });
  }
};

/** A body for an error's details: never fails, and only its beginning. */
export const excerpt = (bytes: Buffer, contentType: string): string =>
  decoder(contentType)
    .decode(bytes.subarray(0, 4096))
    .replace(/\uFFFD?$/u, '');

const decoder = (contentType: string): TextDecoder => {
  const charset = /charset="?([^\s;"]+)/i.exec(contentType)?.[1];
  try {
    return new TextDecoder(charset);
  } catch {
    return new TextDecoder();
  }
};
