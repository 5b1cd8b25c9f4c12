import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, normalize } from 'node:path';
import { runChecks } from './checks.mjs';

/**
 * Runs the checks and then mocha from the repository's root, and prints the count of both as the last line.
 * With arguments only the tests they name are run, without the checks.
 */

const args = process.argv.slice(2);
const { patterns, options } = readArguments(args);
const checked = args.length === 0 ? await runChecks() : { passed: 0, failed: 0 };
const tested = await runMocha(patterns, options);

const passed = checked.passed + tested.passed;
const failed = checked.failed + tested.failed;
const skipped = tested.skipped > 0 ? `, ${tested.skipped} skipped` : '';
console.log(`${passed} passed, ${failed} failed${skipped}`);
process.exitCode = failed > 0 ? 1 : 0;

/** Splits file patterns from mocha's options; only `--grep` takes its value as a word of its own. */
function readArguments(words) {
  const isOption = (word, at) => word.startsWith('-') || words[at - 1] === '--grep' || words[at - 1] === '-g';
  const patterns = words.filter((word, at) => !isOption(word, at)).map(compiledPattern);
  return { patterns: patterns.length > 0 ? patterns : ['test/dist/**/*.test.js'], options: words.filter(isOption) };
}

/** `unit/expression`, `test/unit/expression` and a test file's path all name compiled tests. */
function compiledPattern(word) {
  const path = normalize(word).replace(/^test\/(dist\/)?/, '');
  if (/\.[jt]s$/.test(path)) return `test/dist/${path.replace(/\.ts$/, '.js')}`;
  const folder = `test/dist/${path}`;
  return existsSync(folder) && statSync(folder).isDirectory() ? `${folder}/**/*.test.js` : `${folder}*.test.js`;
}

/** Every way in which mocha can end without saying what it did counts as one failure. */
async function runMocha(patterns, options) {
  const folder = mkdtempSync(join(tmpdir(), 'ductor-tests-'));
  const summaryFile = join(folder, 'summary.json');
  try {
    const end = await run('node_modules/.bin/mocha', ['--forbid-only', ...options, ...patterns], {
      ...process.env,
      DUCTOR_TEST_SUMMARY: summaryFile,
    });
    const summary = existsSync(summaryFile) ? JSON.parse(readFileSync(summaryFile, 'utf8')) : undefined;
    if (summary === undefined) {
      return { passed: 0, failed: explain(`mocha ended without a result (${end})`), skipped: 0 };
    }
    if (summary.passed + summary.failed === 0) return { ...summary, failed: explain('no test ran') };
    if (summary.failed === 0 && end !== 'exit code 0') {
      return { ...summary, failed: explain(`mocha ended badly (${end})`) };
    }
    return summary;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function explain(problem) {
  console.log(`✖ ${problem}`);
  return 1;
}

function run(command, args, env) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { env, stdio: ['ignore', 'inherit', 'inherit'] });
    child.on('error', (error) => resolve(error.message));
    child.on('close', (code, signal) => resolve(signal === null ? `exit code ${code}` : `signal ${signal}`));
  });
}
