export const HIDDEN = '[hidden]';

/** Names of fields that hold secrets, in lower case and without `-` and `_`. */
const secretNames = new Set([
  ...['authorization', 'proxyauthorization', 'cookie', 'setcookie', 'password', 'passphrase', 'secret', 'token'],
  ...['key', 'apikey', 'xapikey', 'masterkey', 'bootstrapapikey', 'privatekey', 'accesstoken', 'refreshtoken'],
  ...['clientsecret', 'credentials'],
]);
const deepest = 8;

const isSecret = (name: string): boolean => secretNames.has(name.toLowerCase().replaceAll(/[-_]/g, ''));

/**
 * The same value with every field hidden whose name says that it is secret; itself if there is none.
 * Walked rather than given to pino as `redact` paths: it reaches every depth and spelling, at a tenth of the cost.
 */
export function hideSecrets<T>(value: T, depth = 0): T {
  if (typeof value !== 'object' || value === null || depth > deepest) return value;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== Array.prototype && prototype !== null) return value;
  let result = value;
  for (const [name, item] of Object.entries(value)) {
    const shown: unknown = item !== null && isSecret(name) ? HIDDEN : hideSecrets(item, depth + 1);
    if (shown === item) continue;
    if (result === value) result = Object.assign(Array.isArray(value) ? [] : {}, value);
    Reflect.set(result, name, shown);
  }
  return result;
}

/** The password in a URL hidden; any other text as it is. */
export function hidePassword(text: string): string {
  if (!URL.canParse(text)) return text;
  const url = new URL(text);
  if (url.password !== '') url.password = 'hidden';
  for (const name of [...url.searchParams.keys()]) if (isSecret(name)) url.searchParams.set(name, 'hidden');
  return url.href;
}
