import type { MaybeOptionalInit } from 'openapi-fetch';
import type { paths } from './api.generated.ts';
import type { Calls } from './calls.ts';

interface Page<Item> {
  readonly items: readonly Item[];
  readonly next_page_token: string | null;
}

type ListAnswer<Item> = {
  get: { responses: { 200: { content: { 'application/json': Page<Item> } } } };
};

/** Every path that answers page by page. */
export type ListPath = { [Path in keyof paths]: paths[Path] extends ListAnswer<unknown> ? Path : never }[keyof paths];
export type ItemOf<Path extends ListPath> = paths[Path] extends ListAnswer<infer Item> ? Item : never;
export type ListInit<Path extends ListPath> = MaybeOptionalInit<paths[Path], 'get'>;

/**
 * All items of a list, page by page as they are taken: `params.query` filters and orders them. Nothing is seen twice;
 * what is added while it reads is seen where the list has not been read yet.
 */
export type Paged = <Path extends ListPath>(
  path: Path,
  ...init: undefined extends ListInit<Path> ? [init?: ListInit<Path>] : [init: ListInit<Path>]
) => AsyncGenerator<ItemOf<Path>, void, undefined>;

interface AnyInit {
  readonly params?: { readonly query?: object };
}

export const createPaged = ({ GET }: Pick<Calls, 'GET'>): Paged => {
  // What holds for each list holds for the union of them, which is too much for the compiler.
  const read = GET as (path: ListPath, init: object) => Promise<{ readonly data: Page<never> }>;
  return async function* paged(path: ListPath, init: AnyInit = {}) {
    const { params } = init;
    let page_token: string | null | undefined;
    do {
      const { data } = await read(path, { ...init, params: { ...params, query: { ...params?.query, page_token } } });
      yield* data.items;
      page_token = data.next_page_token;
    } while (page_token !== null);
  };
};
