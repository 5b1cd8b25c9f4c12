import { isAbsolute } from 'node:path';

/** Which kinds of package each kind may import; imports of types count as well. */
const arrows = {
  core: [],
  client: [],
  sdk: [],
  connector: ['sdk'],
  plugin: ['core', 'plugin'],
  host: ['core', 'plugin', 'sdk', 'client'],
};

/** host → plugins → core; connectors → connectors/sdk; a plugin knows another by its `api.ts` only. */
export function arrowRule({ sources, resolve }) {
  return sources.flatMap((source) =>
    source.imports.flatMap((imported) => {
      // A computed import leads to what is installed at run time; only the core is forbidden those.
      const message = imported.specifier && problemWith(source, imported.specifier, resolve(source, imported));
      return message === undefined ? [] : [{ rule: 'arrows', file: source.file, line: imported.line, message }];
    }),
  );
}

function problemWith({ owner }, specifier, target) {
  if (specifier.startsWith('#') || isAbsolute(specifier)) {
    return `'${specifier}': inside a package import by relative path, across packages by name`;
  }
  if (target.byPath && target.workspace !== owner) {
    return `'${specifier}' leaves the package: import another package by its name`;
  }
  const { workspace } = target;
  if (workspace === undefined || workspace === owner) return undefined;
  if (!arrows[owner.kind].includes(workspace.kind)) {
    const may = arrows[owner.kind].map((kind) => `a package of kind ${kind}`).join(' or ') || 'none of our packages';
    return `${owner.dir} must not import ${workspace.name}: a package of kind ${owner.kind} may import ${may}`;
  }
  if (owner.kind === 'plugin' && workspace.kind === 'plugin' && target.file !== `${workspace.dir}/api.ts`) {
    return `'${specifier}': a plugin imports another only through its api.ts`;
  }
  return undefined;
}
