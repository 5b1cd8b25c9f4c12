import type { JsonObject, RouteExample, RouteNotes } from '@ductor/core';
import type { RequestRoute, Server } from '@hapi/hapi';
import Joi, { type Schema } from '@hapi/joi';

/** What the document takes from a route, in plain words. */
export interface TableRoute {
  /** In lower case. */
  readonly method: string;
  /** As OpenAPI writes it: `/runs/{id}`. */
  readonly path: string;
  readonly id: string | undefined;
  readonly description: string | undefined;
  readonly notes: string;
  readonly tags: readonly string[];
  /** Any one of them is enough; null: open without a key. */
  readonly scopes: readonly string[] | null;
  readonly params: Schema | null;
  readonly query: Schema | null;
  readonly payload: Schema | null;
  /** By status. */
  readonly answers: ReadonlyMap<number, Schema | null>;
  readonly mediaType: string;
  readonly isDocument: boolean;
  readonly isAboveTenants: boolean;
  readonly components: { readonly [name: string]: JsonObject };
  readonly examples: readonly RouteExample[];
}

/** The routes of a server, sorted by path and method, so that the document does not depend on their order. */
export const routeTable = (server: Server): readonly TableRoute[] =>
  server
    .table()
    .map(tableRoute)
    .sort((a, b) => compare(a.path, b.path) || compare(a.method, b.method));

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function tableRoute({ method, path, settings }: RequestRoute): TableRoute {
  const { id, description, notes = [], tags = [], validate = {}, response = {} } = settings;
  const own = (settings.plugins as { readonly ductor?: RouteNotes } | undefined)?.ductor ?? {};
  const statuses = Object.entries(response.status ?? {}).map(
    ([status, schema]) => [Number(status), schemaOf(schema)] as const,
  );
  return {
    method: method.toLowerCase(),
    path: path.replace(/[?*]\d*\}/g, '}'),
    id,
    description,
    notes: [notes].flat().join('\n\n'),
    tags,
    scopes: scopesOf(settings.auth),
    params: schemaOf(validate.params),
    query: schemaOf(validate.query),
    payload: schemaOf(validate.payload),
    answers: new Map([[200, schemaOf(response.schema)], ...statuses]),
    mediaType: own.mediaType ?? 'application/json',
    isDocument: own.isDocument === true,
    isAboveTenants: own.isAboveTenants === true,
    components: own.components ?? {},
    examples: own.examples ?? [],
  };
}

const schemaOf = (rule: unknown): Schema | null => (Joi.isSchema(rule) ? rule : null);

/** As hapi keeps them once it has compiled them. */
interface Access {
  readonly scope?: false | { readonly selection?: readonly string[]; readonly required?: readonly string[] };
}

function scopesOf(auth: unknown): readonly string[] | null {
  if (typeof auth !== 'object' || auth === null) return null;
  const { access = [] } = auth as { readonly access?: readonly Access[] };
  return access.flatMap(({ scope }) => (scope ? [...(scope.selection ?? []), ...(scope.required ?? [])] : []));
}
