import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { type Ended, processesMs, root, run, writeRepository } from './repository.ts';

/** Runs `scripts/test`'s runner on a repository that has only these compiled tests. */
async function runTests(tests: Record<string, string>, ...args: string[]): Promise<Ended> {
  const files = Object.entries(tests).map(([path, text]) => [`test/dist/${path}`, text]);
  const repository = writeRepository({
    'package.json': '{ "type": "module" }',
    '.mocharc.json': readFileSync(join(root, '.mocharc.json'), 'utf8'),
    // Named there.
    'test/dist/support/hooks.js': '',
    ...Object.fromEntries(files),
  });
  for (const folder of ['node_modules', 'scripts']) symlinkSync(join(root, folder), join(repository.dir, folder));
  try {
    return await run({
      command: process.execPath,
      args: ['scripts/lib/run-tests.mjs', ...args],
      cwd: repository.dir,
    });
  } finally {
    repository.remove();
  }
}

const passing = `it('passes', () => {});\n`;
const failing = `it('fails', () => { throw new Error('on purpose'); });\n`;

function lastLine(output: string): string | undefined {
  return output.trimEnd().split('\n').at(-1);
}

describe('the test runner', function () {
  this.timeout(processesMs);

  it('ends with the counts alone on the last line', async () => {
    const { code, output } = await runTests({ 'unit/a.test.js': passing + passing }, 'unit');
    expect(lastLine(output)).to.equal('2 passed, 0 failed');
    expect(code).to.equal(0);
  });

  it('shows failures, counts skipped tests and exits non-zero', async () => {
    const { code, output } = await runTests({ 'unit/a.test.js': `${passing}${failing}it.skip('waits');\n` }, 'unit');
    expect(output).to.include('on purpose');
    expect(lastLine(output)).to.equal('1 passed, 1 failed, 1 skipped');
    expect(code).to.equal(1);
  });

  it('runs the tests that the arguments name', async () => {
    const tests = { 'unit/a/one.test.js': passing, 'unit/b/two.test.js': passing + failing };
    expect(lastLine((await runTests(tests, 'unit/a')).output)).to.equal('1 passed, 0 failed');
    expect(lastLine((await runTests(tests, 'test/unit/a/one.test.ts')).output)).to.equal('1 passed, 0 failed');
    expect(lastLine((await runTests(tests, 'unit', '--grep', 'passes')).output)).to.equal('2 passed, 0 failed');
  });

  it('loads the root hooks, and fails when the global teardown does', async () => {
    const hooks = `export const mochaHooks = { beforeAll() { console.log('hooks are here'); } };\n`;
    const teardown = `export function mochaGlobalTeardown() { throw new Error('cannot stop'); }\n`;
    const tests = { 'unit/a.test.js': passing, 'support/hooks.js': hooks };
    const { code, output } = await runTests(tests, 'unit');
    expect(output).to.include('hooks are here');
    expect(code).to.equal(0);

    const broken = await runTests({ ...tests, 'support/hooks.js': hooks + teardown }, 'unit');
    expect(broken.output).to.include('cannot stop');
    expect(lastLine(broken.output)).to.equal('1 passed, 1 failed');
    expect(broken.code).to.equal(1);
  });

  it('fails when no test ran', async () => {
    const { code, output } = await runTests({ 'unit/a.test.js': passing }, '--grep', 'nothing');
    expect(lastLine(output)).to.equal('0 passed, 1 failed');
    expect(code).to.equal(1);
  });

  it('fails when a test file cannot be loaded', async () => {
    const { code, output } = await runTests({ 'unit/a.test.js': `import './absent.js';\n` }, 'unit');
    expect(output).to.include('absent.js');
    expect(lastLine(output)).to.equal('0 passed, 1 failed');
    expect(code).to.equal(1);
  });

  it('fails when a test is marked to run alone', async () => {
    const { code } = await runTests({ 'unit/a.test.js': `it.only('passes', () => {});\n` }, 'unit');
    expect(code).to.equal(1);
  });

  it('fails when the process is killed in the middle', async () => {
    const killed = `it('dies', () => { process.kill(process.pid, 'SIGKILL'); });\n`;
    const { code, output } = await runTests({ 'unit/a.test.js': passing + killed }, 'unit');
    expect(output).to.include('mocha ended without a result (signal SIGKILL)');
    expect(lastLine(output)).to.equal('0 passed, 1 failed');
    expect(code).to.equal(1);
  });

  it('fails when something is left open, and names it', async () => {
    const leak = `import { createServer } from 'node:net';\nit('leaks', (done) => createServer().listen(0, done));\n`;
    const { code, output } = await runTests({ 'unit/a.test.js': passing + leak }, 'unit');
    expect(output).to.include('open handles: TCPServerWrap\n');
    expect(lastLine(output)).to.equal('2 passed, 1 failed');
    expect(code).to.equal(1);
  });
});

describe('bootstrap', function () {
  this.timeout(processesMs);

  it('says which Node it needs', async () => {
    const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const least = engines.node.replace('>=', '');
    const old = writeRepository({ 'node/node': '#!/bin/sh\necho v20.18.3\n' });
    try {
      const { code, output } = await run({
        command: 'sh',
        args: ['-c', 'chmod +x "$0/node/node" && PATH="$0/node:$PATH" exec ./scripts/bootstrap', old.dir],
      });
      expect(output).to.equal(
        `Ductor needs Node.js ${least} or newer, but 'node' is v20.18.3. See https://nodejs.org\n`,
      );
      expect(code).to.equal(1);
    } finally {
      old.remove();
    }
  });
});
