import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { root, run, writeRepository } from './repository.ts';

/** A house in which every rule is kept; each test below breaks one. */
const house: Record<string, string> = {
  'package.json': JSON.stringify({ workspaces: ['core', 'host', 'plugins/*', 'connectors/*'] }),
  'core/package.json': manifest('@ductor/core', { '.': './dist/index.js' }),
  'core/index.ts': `export { start } from './run/start.ts';\n`,
  'core/run/start.ts': `import { celEnv } from '@bufbuild/cel';\nexport const start = (at: number) => [celEnv, new Date(at)];\n`,
  'core/coordinator/tick.ts': 'export const tick = () => Math.max(1, Date.parse("2026-01-01T00:00:00Z"));\n',
  'host/package.json': manifest('@ductor/host', { '.': './dist/main.js' }),
  'host/main.ts': `import '@ductor/core';\nimport '@ductor/plugin-saga';\nimport '@ductor/connector-sdk';\nimport 'node:fs';\n`,
  'host/compose.ts': `import 'tsyringe';\n`,
  'plugins/saga/package.json': manifest('@ductor/plugin-saga', { '.': './dist/plugin.js', './api': './dist/api.js' }),
  'plugins/saga/plugin.ts': `import '@ductor/core';\nexport default {};\n`,
  'plugins/saga/api.ts': 'export const undo = 1;\n',
  'plugins/scheduler/package.json': manifest('@ductor/plugin-scheduler', { '.': './dist/plugin.js' }),
  'plugins/scheduler/plugin.ts': `import '@ductor/plugin-saga/api';\nexport default {};\n`,
  'connectors/sdk/package.json': manifest('@ductor/connector-sdk', { '.': './dist/sdk.js' }),
  'connectors/sdk/sdk.ts': 'export const sdk = 1;\n',
  'connectors/http/package.json': manifest('@ductor/connector-http', {}),
  'connectors/http/connector.ts': `import '@ductor/connector-sdk';\nimport 'node:http';\nexport default {};\n`,
};

function manifest(name: string, exports: Record<string, string>): string {
  return JSON.stringify({ name, exports });
}

interface Checked {
  violations: { rule: string; file: string; line: number; message: string }[];
  longFiles: { file: string; lines: number }[];
}
const { checkHouse }: { checkHouse: (root: string) => Checked } = await import(join(root, 'scripts/lib/house.mjs'));

/** The violations in the house once the files are added or changed, one line each. */
function check(changes: Record<string, string> = {}): string[] {
  const repository = writeRepository({ ...house, ...changes });
  try {
    const { violations } = checkHouse(repository.dir);
    return violations.map(({ rule, file, line, message }) => `${file}:${line} [${rule}] ${message}`);
  } finally {
    repository.remove();
  }
}

function expectRefused(violations: string[], violation: string): void {
  expect(violations.join('\n')).to.include(violation);
}

describe('check-imports', () => {
  it('accepts a house that keeps the rules', () => {
    expect(check()).to.deep.equal([]);
  });

  it('tells by its exit code whether the rules are kept, and prints what is not', async () => {
    const repository = writeRepository(house);
    const command = { command: process.execPath, args: [join(root, 'scripts/check-imports.mjs'), repository.dir] };
    try {
      expect(await run(command)).to.deep.equal({ code: 0, output: '' });
      writeFileSync(join(repository.dir, 'core/a.ts'), `${'// a line\n'.repeat(300)}import 'node:fs';\n`);
      const { code, output } = await run(command);
      expect(code).to.equal(1);
      expect(output).to.match(/^core\/a\.ts: 301 lines.*\ncore\/a\.ts:301 \[core-imports\].*\n$/);
    } finally {
      repository.remove();
    }
  });

  it('names a file that does not parse', () => {
    expect(() => check({ 'core/broken.ts': 'export const = 1;\n' })).to.throw('core/broken.ts does not parse');
  });

  describe('arrows', () => {
    const refused: [what: string, file: string, text: string, violation: string][] = [
      ['the core importing the host', 'core/a.ts', `import '@ductor/host';\n`, 'core must not import @ductor/host'],
      ['the core importing a plugin', 'core/a.ts', `import '@ductor/plugin-saga';\n`, 'core must not import'],
      ['a plugin importing the host', 'plugins/saga/a.ts', `import '@ductor/host';\n`, 'must not import @ductor/host'],
      ['a plugin importing a connector', 'plugins/saga/a.ts', `import '@ductor/connector-sdk';\n`, 'must not import'],
      ['the host importing a connector', 'host/a.ts', `import '@ductor/connector-http';\n`, 'must not import'],
      [
        'a connector importing the core',
        'connectors/http/a.ts',
        `import '@ductor/core';\n`,
        'must not import @ductor/core',
      ],
      ['the sdk importing the core', 'connectors/sdk/a.ts', `import '@ductor/core';\n`, 'must not import @ductor/core'],
      ['a type', 'connectors/http/a.ts', `import type { A } from '@ductor/core';\n`, 'must not import @ductor/core'],
      ['a type in place', 'core/a.ts', `export type A = import('@ductor/host').A;\n`, 'must not import @ductor/host'],
      ['a re-export', 'core/a.ts', `export * from '@ductor/host';\n`, 'must not import @ductor/host'],
      ['a dynamic import', 'core/a.ts', `export const a = import('@ductor/host');\n`, 'must not import @ductor/host'],
      [
        'a plugin importing another one whole',
        'plugins/scheduler/a.ts',
        `import '@ductor/plugin-saga';\n`,
        'its api.ts',
      ],
      ['a relative path into another package', 'host/a.ts', `import '../core/index.ts';\n`, 'by its name'],
      ['a subpath that only tests have', 'host/a.ts', `import '#core/index.js';\n`, 'across packages by name'],
    ];
    for (const [what, file, text, violation] of refused) {
      it(`refuses ${what}`, () => {
        const ended = check({ [file]: text });
        expectRefused(ended, `${file}:1 [arrows]`);
        expectRefused(ended, violation);
      });
    }
  });

  describe('what the core imports', () => {
    for (const specifier of ['node:fs', 'fs', 'node:crypto', 'ajv', '@bufbuild/protobuf']) {
      it(`refuses ${specifier}`, () => {
        expectRefused(check({ 'core/a.ts': `\nimport '${specifier}';\n` }), 'core/a.ts:2 [core-imports]');
      });
    }

    it('refuses a computed import', () => {
      const text = 'export const load = (name: string) => import(name);\n';
      expectRefused(check({ 'core/a.ts': text }), 'core/a.ts:1 [core-imports]');
    });
  });

  describe('what the core names', () => {
    const named = [
      'scheduler',
      'saga',
      'scatter',
      'scatters.items',
      'gather',
      'GATHER_ALL',
      'event_set',
      'EVENT_SET',
      'onEventSet',
      'event sets',
      'digest',
      'runDigest',
      'correlation_label',
      'correlation-label',
      'CorrelationLabels',
    ];
    for (const word of named) {
      it(`refuses '${word}', even in a comment`, () => {
        expectRefused(check({ 'core/a.ts': `export {};\n// ${word}\n` }), 'core/a.ts:2 [core-words]');
      });
    }

    it('refuses the name of a file and the prose of a README', () => {
      const ended = check({
        'core/steps/saga.step.ts': 'export {};\n',
        'core/README.md': '# Core\n\nNo saga.\n',
      });
      expectRefused(ended, 'core/steps/saga.step.ts:1 [core-words]');
      expectRefused(ended, 'core/README.md:3 [core-words]');
    });

    it('accepts words that only look alike', () => {
      const text = '// usage of gathered events, set apart; eventSettled, prevent setting, label, schedule, together\n';
      expect(check({ 'core/a.ts': `export {};\n${text}` })).to.deep.equal([]);
    });

    it('accepts them outside the core', () => {
      const text = `import { createHash } from 'node:crypto';\nexport const a = createHash('md5').digest();\n`;
      expect(check({ 'host/a.ts': text })).to.deep.equal([]);
    });
  });

  describe('purity', () => {
    const impure: [problem: string, statement: string][] = [
      ['Date.now', 'export const a = Date.now();'],
      ['new Date() without an instant', 'export const a = new Date();'],
      ['Date', 'const clock = Date; export const a = clock.now();'],
      ['performance', 'export const a = performance.now();'],
      ['Math.random', 'export const a = Math.random();'],
      ['Math', 'export const { random } = Math;'],
      ['crypto', 'export const a = crypto.randomUUID();'],
      ['globalThis', 'export const a = globalThis.crypto;'],
      ['setTimeout', 'export const a = () => setTimeout(() => undefined, 1);'],
      ['an async function', 'export const a = async () => 1;'],
      ['an async function', 'export class A { async b() {} }'],
      ['await', 'export const a = await 1;'],
      ['Promise', 'export const a = Promise.resolve(1);'],
      ['Promise', 'export type A = () => Promise<void>;'],
      ['a dynamic import', `export const a = import('./start.ts');`],
    ];
    for (const [problem, statement] of impure) {
      it(`refuses \`${statement}\``, () => {
        expectRefused(check({ 'core/run/a.ts': statement }), `core/run/a.ts:1 [purity] ${problem}:`);
      });
    }

    for (const file of [
      'coordinator/tick.ts',
      'coordinator/phases/a.ts',
      'steps/a.step.ts',
      'run/a.ts',
      'expression/a.ts',
    ]) {
      it(`holds for core/${file}`, () => {
        expectRefused(check({ [`core/${file}`]: 'Date.now();\n' }), `core/${file}:1 [purity] Date.now`);
      });
    }

    it('holds for what pure code imports, at any distance', () => {
      const ended = check({
        'core/run/a.ts': `import '../b.ts';\n`,
        'core/b.ts': `export { c } from './c.ts';\n`,
        'core/c.ts': 'export const c = Date.now();\n',
      });
      expectRefused(ended, 'core/c.ts:1 [purity] Date.now');
      expectRefused(ended, 'reached by core/run/a.ts → core/b.ts → core/c.ts');
    });

    it('leaves alone what pure code only takes types from, and the types of what it imports', () => {
      const ended = check({
        'core/run/a.ts': `import type { Clock } from '../clock.ts';\nimport { b } from '../b.ts';\nexport const a = (clock: Clock) => [clock, b];\n`,
        'core/clock.ts': 'export type Clock = { now(): Promise<number> };\nexport const system = Date.now;\n',
        'core/b.ts': 'export interface B { load(): Promise<void> }\nexport const b = 1;\n',
      });
      expect(ended).to.deep.equal([]);
    });

    it('leaves alone instants, arithmetic and properties that share a name', () => {
      const text =
        'export const a = (b: { performance: number; crypto: Date }, at: number) =>\n' +
        '  b.crypto instanceof Date ? Math.min(b.performance, Date.UTC(2026, 1)) : new Date(at);\n';
      expect(check({ 'core/run/a.ts': text })).to.deep.equal([]);
    });
  });

  describe('the container', () => {
    for (const file of ['host/http/a.ts', 'plugins/saga/a.ts']) {
      it(`refuses tsyringe in ${file}`, () => {
        const text = `import { container } from 'tsyringe';\nexport { container };\n`;
        expectRefused(check({ [file]: text }), `${file}:1 [container]`);
      });
    }
  });
});
