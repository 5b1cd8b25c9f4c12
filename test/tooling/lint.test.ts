import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { type Ended, processesMs, root, run, writeRepository } from './repository.ts';

/** Runs a tool of the repository, with the repository's own settings, on these files alone. */
async function runTool(tool: string, args: string[], files: Record<string, string>): Promise<Ended> {
  const settings = ['biome.json', 'knip.json', 'tsconfig.base.json', 'core/tsconfig.json'];
  const repository = writeRepository({
    ...Object.fromEntries(settings.map((file) => [file, readFileSync(join(root, file), 'utf8')])),
    ...files,
  });
  try {
    return await run({ command: join(root, 'node_modules/.bin', tool), args, cwd: repository.dir });
  } finally {
    repository.remove();
  }
}

describe('lint', function () {
  this.timeout(processesMs);

  const refused: [rule: string, file: string, text: string][] = [
    ['style/noDefaultExport', 'host/a.ts', 'export default 1;\n'],
    ['style/noDefaultExport', 'plugins/saga/saga.step.ts', 'export default 1;\n'],
    ['style/noRestrictedGlobals', 'core/a.ts', `export const a = () => fetch('http://localhost');\n`],
    ['style/useImportType', 'host/b.ts', `import { A } from './types.ts';\nexport const b: A = 1;\n`],
    ['suspicious/noConsole', 'host/c.ts', `console.log('c');\n`],
    ['suspicious/noExplicitAny', 'host/d.ts', 'export const d = (a: any) => a;\n'],
    ['suspicious/noTsIgnore', 'host/e.ts', '// @ts-ignore\nexport const e: string = 1;\n'],
    ['suspicious/noImportCycles', 'host/f.ts', `export { g } from './g.ts';\nexport const f = 1;\n`],
    ['nursery/noFloatingPromises', 'host/h.ts', 'const h = async () => 1;\nexport const i = () => {\n  h();\n};\n'],
    ['suspicious/noFocusedTests', 'test/a.test.ts', `it.only('runs alone', () => {});\n`],
  ];
  const accepted = {
    'host/types.ts': 'export type A = number;\n',
    'host/g.ts': `import { f } from './f.ts';\nexport const g = () => f;\n`,
    'host/cli/main.ts': `console.log('for people');\n`,
    'plugins/saga/plugin.ts': 'export default 1;\n',
    'connectors/http/index.ts': 'export default 1;\n',
  };
  let output: string;

  before(async () => {
    const files = Object.fromEntries(refused.map(([, file, text]) => [file, text]));
    const linted = await runTool('biome', ['lint', '--reporter=github', '.'], { ...accepted, ...files });
    expect(linted.code).to.equal(1);
    output = linted.output;
  });

  for (const [rule, file] of refused) {
    it(`refuses ${rule} in ${file}`, () => {
      expect(output).to.match(new RegExp(`^::error title=lint/${rule},file=[^,]*/${file},`, 'm'));
    });
  }

  it('accepts the default exports and the console where they belong', () => {
    for (const file of Object.keys(accepted)) if (file !== 'host/g.ts') expect(output).not.to.include(`/${file},`);
  });
});

describe('dead code', function () {
  this.timeout(processesMs);

  const files = {
    'package.json': JSON.stringify({
      type: 'module',
      workspaces: ['core'],
      imports: { '#core/*': './core/dist/*' },
      devDependencies: { '@ductor/core': '*' },
    }),
    'core/package.json': JSON.stringify({ name: '@ductor/core', type: 'module', exports: { '.': './dist/index.js' } }),
    'core/index.ts': `export { used } from './used.ts';\n`,
    'core/used.ts': 'export const used = 1;\n',
    'core/tested.ts': 'export const tested = 1;\n',
    'test/unit/a.test.ts': `import { tested } from '#core/tested.js';\nimport '@ductor/core';\ntested.toFixed();\n`,
  };

  it('is not what a package exports or a test uses', async () => {
    expect(await runTool('knip', ['--no-progress', '--no-config-hints'], files)).to.deep.equal({ code: 0, output: '' });
  });

  it('is a file or an export that nothing uses', async () => {
    const { code, output } = await runTool('knip', ['--no-progress'], {
      ...files,
      'core/used.ts': 'export const used = 1;\nexport const spare = 2;\n',
      'core/forgotten.ts': 'export const forgotten = 1;\n',
    });
    expect(output)
      .to.match(/^core\/forgotten\.ts/m)
      .and.match(/^spare +core\/used\.ts/m);
    expect(code).to.equal(1);
  });
});
