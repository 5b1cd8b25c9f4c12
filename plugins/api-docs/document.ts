import type { JsonObject } from '@ductor/core';
import { answerComponents } from './answer.ts';
import { Components } from './components.ts';
import { errorComponents } from './errors.ts';
import { operationOf } from './operation.ts';
import type { TableRoute } from './route-table.ts';
import { tagsOf } from './tags.ts';

/** An OpenAPI 3.1 document of the routes, in their order; the same routes make the same document. */
export function documentOf({
  routes,
  version,
  guide,
}: {
  readonly routes: readonly TableRoute[];
  readonly version: string;
  /** Markdown. */
  readonly guide: string;
}): JsonObject {
  const components = new Components(Object.assign({}, ...routes.map((route) => route.components)));
  // What is sent is stricter than what is answered: it gives its names first.
  for (const { payload } of routes) if (payload) components.of(payload, { open: false });
  const paths: { [path: string]: JsonObject } = {};
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method]: operationOf(route, components) };
  }
  return {
    openapi: '3.1.1',
    info: { title: 'Ductor', version, description: guide, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    servers: [{ url: '/', description: 'This host' }],
    tags: tagsOf(routes.flatMap(({ tags }) => tags)),
    paths,
    components: {
      schemas: components.all({ ...answerComponents, ...errorComponents.schemas }),
      responses: errorComponents.responses,
      parameters: {
        TenantId: {
          name: 'X-Tenant-ID',
          in: 'header',
          description: 'An operator’s key is of no tenant and names one here; a tenant’s key needs it not.',
          schema: { type: 'string' },
        },
      },
      securitySchemes: {
        ApiKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key. Each call names the scope that the key needs.',
        },
      },
    },
  };
}
