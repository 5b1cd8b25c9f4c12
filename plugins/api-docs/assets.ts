import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** A file of the page, as it is answered. */
export interface Asset {
  readonly body: Buffer;
  readonly type: string;
  readonly etag: string;
}

const own = (name: string) => new URL(`../page/${name}`, import.meta.url);
const theirs = (name: string) => new URL(import.meta.resolve(`swagger-ui-dist/${name}`));

/** All that is served below `/docs/`: nothing else is, whatever a path says. */
const FILES: ReadonlyMap<string, { readonly at: URL; readonly type: string }> = new Map([
  ['docs.css', { at: own('docs.css'), type: 'text/css' }],
  ['docs.js', { at: own('docs.js'), type: 'text/javascript' }],
  ['icon.svg', { at: own('icon.svg'), type: 'image/svg+xml' }],
  ['swagger-ui.css', { at: theirs('swagger-ui.css'), type: 'text/css' }],
  ['swagger-ui-bundle.js', { at: theirs('swagger-ui-bundle.js'), type: 'text/javascript' }],
]);

export const assetNames: readonly string[] = [...FILES.keys()];

/** Reads a file once, for as long as the host lives; null where there is none of that name. */
export function assetReader(): (name: string) => Promise<Asset | null> {
  const read = new Map<string, Promise<Asset>>();
  return async (name) => {
    const file = FILES.get(name);
    if (file === undefined) return null;
    const asset = read.get(name) ?? readAsset(file.at, file.type);
    read.set(name, asset);
    return asset;
  };
}

async function readAsset(at: URL, type: string): Promise<Asset> {
  const body = await readFile(at);
  return { body, type, etag: etagOf(body) };
}

export const etagOf = (body: Buffer | string): string =>
  createHash('sha256').update(body).digest('base64url').slice(0, 27);

export const readOwn = (name: string): Promise<string> => readFile(fileURLToPath(own(name)), 'utf8');
