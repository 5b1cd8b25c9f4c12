import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The checks that need no test runner, run from the repository's root; types are checked by the build. */
const checks = [
  {
    name: 'lint and format',
    command: 'node_modules/.bin/biome',
    args: ['check', '--error-on-warnings', '--diagnostic-level=warn', '.'],
  },
  { name: 'dead code', command: 'node_modules/.bin/knip', args: ['--no-progress'] },
  { name: 'import rules', command: process.execPath, args: ['scripts/check-imports.mjs'] },
];

/**
 * Runs every check at once and prints each with what it had to say.
 * @returns {Promise<{passed: number, failed: number}>}
 */
export async function runChecks() {
  const results = await Promise.all(checks.map(runCheck));
  for (const { name, ok, output } of results) {
    console.log(`${ok ? '✔' : '✖'} ${name}`);
    if (output.trim() !== '') console.log(output.trimEnd());
  }
  const passed = results.filter((result) => result.ok).length;
  return { passed, failed: results.length - passed };
}

function runCheck({ name, command, args }) {
  return new Promise((resolve) => {
    let output = '';
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (output += chunk));
    child.on('error', (error) => resolve({ name, ok: false, output: `${error.message}\n` }));
    child.on('close', (code) => resolve({ name, ok: code === 0, output }));
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { failed } = await runChecks();
  if (failed > 0) process.exitCode = 1;
}
