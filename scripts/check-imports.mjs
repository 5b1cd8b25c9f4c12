/**
 * The rules of the house that no compiler checks: who may import whom, what the core may know, what stays pure.
 * Exits with 1 and one line a violation. `node scripts/check-imports.mjs [root]`
 */
import { resolve } from 'node:path';
import { checkHouse } from './lib/house.mjs';

const { violations, longFiles } = checkHouse(resolve(process.argv[2] ?? '.'));
for (const { file, lines } of longFiles) console.log(`${file}: ${lines} lines; has it more than one reason to change?`);
for (const { rule, file, line, message } of violations) console.log(`${file}:${line} [${rule}] ${message}`);
process.exitCode = violations.length > 0 ? 1 : 0;
