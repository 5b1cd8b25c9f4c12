import { DuctorError, type Route } from '@ductor/core';
import type { Request, ResponseObject, ResponseToolkit } from '@hapi/hapi';
import Joi from '@hapi/joi';
import { assetNames, assetReader, etagOf, readOwn } from './assets.ts';
import { documentOf } from './document.ts';
import { routeTable } from './route-table.ts';

/** Nothing from elsewhere, nothing inline, and in nobody's frame; Swagger UI's icons are images in its style sheet. */
const POLICY = [
  "default-src 'self'",
  "img-src 'self' data:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const tags = ['Documents'];
const isDocument = true;

/** `/openapi.json`, and `/docs` which shows it. Open without a key, as they say nothing of any tenant. */
export function docsRoutes(): readonly Route[] {
  const asset = assetReader();
  let document: Promise<string> | undefined;
  return [
    {
      method: 'GET',
      path: '/openapi.json',
      options: {
        auth: false,
        id: 'getOpenApi',
        description: 'This API as an OpenAPI 3.1 document',
        tags,
        plugins: { ductor: { isDocument } },
      },
      async handler({ server }: Request, h: ResponseToolkit) {
        // The route table is complete once the server answers.
        document ??= describe(server);
        const text = await document;
        return safely(h.response(text).type('application/json').etag(etagOf(text)));
      },
    },
    {
      method: 'GET',
      path: '/docs',
      options: {
        auth: false,
        id: 'getDocs',
        description: 'This API as a page',
        notes:
          'A guide first, then each call, which can be tried with a key. The page asks no other host for anything.',
        tags,
        plugins: { ductor: { isDocument, mediaType: 'text/html' } },
      },
      async handler(_request: Request, h: ResponseToolkit) {
        const page = await readOwn('index.html');
        return safely(h.response(page).type('text/html').etag(etagOf(page)));
      },
    },
    {
      method: 'GET',
      path: '/docs/{file}',
      options: {
        auth: false,
        id: 'getDocsFile',
        description: 'A script, style sheet or image of the page',
        notes: `One of ${assetNames.map((name) => `\`${name}\``).join(', ')}.`,
        tags,
        validate: { params: Joi.object({ file: Joi.string().max(64) }) },
        plugins: { ductor: { isDocument, mediaType: '*/*' } },
      },
      async handler({ params }: Request, h: ResponseToolkit) {
        const name = String(params.file);
        const file = await asset(name);
        if (file === null) throw new DuctorError('not_found', `There is no /docs/${name}.`);
        return safely(h.response(file.body).type(file.type).etag(file.etag));
      },
    },
  ];
}

/** A browser asks again each time, and is told that nothing is new: a host of another version is seen at once. */
const safely = (response: ResponseObject): ResponseObject =>
  response
    .header('content-security-policy', POLICY)
    .header('x-content-type-options', 'nosniff')
    .header('referrer-policy', 'no-referrer')
    .header('cache-control', 'no-cache');

async function describe(server: Request['server']): Promise<string> {
  const [guide, packageJson] = await Promise.all([readOwn('guide.md'), readOwn('../package.json')]);
  const { version } = JSON.parse(packageJson) as { readonly version: string };
  return JSON.stringify(documentOf({ routes: routeTable(server), version, guide }));
}
