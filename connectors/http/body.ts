import { ActionError, type Json } from '@ductor/connector-sdk';

export type BodyType = 'json' | 'form' | 'multipart' | 'text';

export interface EncodedBody {
  readonly content: string | URLSearchParams | FormData;
  /** `null`: `fetch` writes it itself, with the multipart boundary. */
  readonly contentType: string | null;
}

/** Throws `invalid_input` if the body does not fit its type. */
export const encodeBody = (body: Json, type: BodyType): EncodedBody => {
  switch (type) {
    case 'json':
      return { content: JSON.stringify(body), contentType: 'application/json' };
    case 'text':
      if (typeof body !== 'string') throw unfit('body_type text needs a string');
      return { content: body, contentType: 'text/plain; charset=utf-8' };
    case 'form':
      return {
        content: new URLSearchParams(scalars(body, 'body')),
        contentType: 'application/x-www-form-urlencoded;charset=UTF-8',
      };
    case 'multipart':
      return { content: multipart(body), contentType: null };
  }
};

/** Name and value pairs of an object whose lists repeat their name and whose nulls are left out. */
export const scalars = (fields: Json, where: string): [string, string][] =>
  pairs(fields, where).map(([name, value]) => [name, text(value, `${where}.${name}`)]);

const pairs = (fields: Json, where: string): [string, Json][] => {
  if (!isObject(fields)) throw unfit(`${where} must be an object of names and values`);
  return Object.entries(fields)
    .flatMap(([name, value]) => [value].flat().map((one): [string, Json] => [name, one]))
    .filter(([, value]) => value !== null);
};

const multipart = (body: Json): FormData => {
  const form = new FormData();
  for (const [name, value] of pairs(body, 'body')) {
    if (isObject(value)) form.append(name, file(value, name), fileName(value, name));
    else form.append(name, text(value, `body.${name}`));
  }
  return form;
};

/** A file part: `{filename, content | content_base64, content_type}`. */
const file = (part: Fields, name: string): Blob => {
  const { content, content_base64: base64, content_type: type } = part;
  const options = typeof type === 'string' ? { type } : {};
  if (typeof base64 === 'string') return new Blob([Buffer.from(base64, 'base64')], options);
  if (typeof content === 'string') return new Blob([content], options);
  throw unfit(`body.${name} is a file and needs content or content_base64`);
};

const fileName = (part: Fields, name: string): string => (typeof part.filename === 'string' ? part.filename : name);

const text = (value: Json, where: string): string => {
  if (typeof value === 'object') throw unfit(`${where} must be a string, number or boolean`);
  return String(value);
};

type Fields = { readonly [key: string]: Json };

const isObject = (value: Json): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);

const unfit = (message: string): ActionError => new ActionError('invalid_input', { message });
