import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
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
const tested = args.length === 0 ? await runAll() : [await runMocha(patterns, options)];

const sum = (count) => tested.reduce((total, each) => total + each[count], 0);
const passed = checked.passed + sum('passed');
const failed = checked.failed + sum('failed');
const skipped = sum('skipped') > 0 ? `, ${sum('skipped')} skipped` : '';
console.log(`${passed} passed, ${failed} failed${skipped}`);
process.exitCode = failed > 0 ? 1 : 0;

/** Tests that start hosts in processes of their own run beside the others; what these print comes after. */
async function runAll() {
  const isSlow = (folder) => ['chaos', 'e2e', 'simulation'].includes(folder);
  const folders = readdirSync('test/dist', { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? [entry.name] : [],
  );
  const all = (wanted) => folders.filter(wanted).map((folder) => `test/dist/${folder}/**/*.test.js`);
  const printed = [];
  const ended = await Promise.all([
    runMocha(
      all((folder) => !isSlow(folder) && holdsTests(folder)),
      [],
    ),
    runMocha(all(isSlow), [], (text) => printed.push(text)),
  ]);
  process.stdout.write(printed.join(''));
  return ended;
}

function holdsTests(folder) {
  return readdirSync(`test/dist/${folder}`, { recursive: true }).some((name) => name.endsWith('.test.js'));
}

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

/** Every way in which mocha can end without saying what it did counts as one failure. `print`: by default as it comes. */
async function runMocha(patterns, options, print = null) {
  const folder = mkdtempSync(join(tmpdir(), 'ductor-tests-'));
  const summaryFile = join(folder, 'summary.json');
  try {
    const env = { ...process.env, DUCTOR_TEST_SUMMARY: summaryFile };
    const end = await run('node_modules/.bin/mocha', ['--forbid-only', ...options, ...patterns], { env, print });
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

function run(command, args, { env, print }) {
  return new Promise((resolve) => {
    const output = print === null ? 'inherit' : 'pipe';
    const child = spawn(command, args, { env, stdio: ['ignore', output, output] });
    for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', print);
    child.on('error', (error) => resolve(error.message));
    child.on('close', (code, signal) => resolve(signal === null ? `exit code ${code}` : `signal ${signal}`));
  });
}
