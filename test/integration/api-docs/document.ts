import type { JsonObject } from '@ductor/core';

/** As much of the document as tests look at. */
export interface OpenApi {
  readonly info: { readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: { readonly [path: string]: { readonly [method: string]: Operation } };
  readonly components: { readonly schemas: { readonly [name: string]: JsonObject } };
}

interface Examples {
  readonly [name: string]: { readonly value: unknown };
}

interface Content {
  readonly [mediaType: string]: { readonly schema: JsonObject; readonly examples?: Examples };
}

export interface Operation {
  readonly operationId: string;
  readonly summary?: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly {
    readonly $ref?: string;
    readonly name: string;
    readonly in: string;
    readonly examples?: Examples;
  }[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: { readonly [status: string]: { readonly $ref?: string; readonly content?: Content } };
}

export interface DocumentedOperation {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

export const operationsOf = ({ paths }: OpenApi): readonly DocumentedOperation[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  );

/** A call with its answer, put together from where the document has its parts. */
export interface Example {
  /** `operationId/name` */
  readonly key: string;
  readonly method: string;
  readonly path: string;
  readonly params: { readonly [name: string]: string };
  readonly query: { readonly [name: string]: unknown };
  readonly body: unknown;
  readonly status: number;
  readonly answer: unknown;
}

export function examplesOf(document: OpenApi): readonly Example[] {
  return operationsOf(document).flatMap(({ method, path, operation }) =>
    Object.entries(operation.responses).flatMap(([status, { content = {} }]) =>
      Object.entries(content['application/json']?.examples ?? {}).map(([name, { value: answer }]) => {
        const given = (place: string) =>
          Object.fromEntries(
            (operation.parameters ?? []).flatMap((parameter) =>
              parameter.in === place && parameter.examples?.[name]
                ? [[parameter.name, parameter.examples[name].value]]
                : [],
            ),
          );
        const { filters = {}, ...query } = given('query');
        return {
          key: `${operation.operationId}/${name}`,
          method: method.toUpperCase(),
          path,
          params: given('path') as Example['params'],
          query: { ...query, ...(filters as object) },
          body: operation.requestBody?.content['application/json']?.examples?.[name]?.value,
          status: Number(status),
          answer,
        };
      }),
    ),
  );
}
