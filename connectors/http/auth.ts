/** The credential kinds of the manifest, told apart by their fields. */
export type HttpAuth =
  | null
  | { readonly username: string; readonly password: string }
  | { readonly token: string }
  | { readonly header?: string; readonly value: string }
  | { readonly [field: string]: never };

const DEFAULT_HEADER = 'X-Api-Key';

/** The one header that carries a credential, or `null` for kind `none`. */
export const authHeader = (auth: HttpAuth): readonly [name: string, value: string] | null => {
  if (auth === null) return null;
  if ('token' in auth) return ['authorization', `Bearer ${auth.token}`];
  if ('value' in auth) return [auth.header ?? DEFAULT_HEADER, auth.value];
  if ('username' in auth) {
    return ['authorization', `Basic ${Buffer.from(`${auth.username}:${auth.password}`).toString('base64')}`];
  }
  return null;
};
