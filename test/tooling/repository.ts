import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository that these tests belong to, with a slash at its end. */
export const root = fileURLToPath(new URL('../../../', import.meta.url));

/** How long a test that starts processes may take; they are slow on a busy machine. */
export const processesMs = 60_000;

/** Writes the files, given as path and text, below a new temporary folder. */
export function writeRepository(files: Record<string, string>): { dir: string; remove: () => void } {
  const dir = mkdtempSync(join(tmpdir(), 'ductor-tooling-'));
  for (const [path, text] of Object.entries(files)) {
    const file = join(dir, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  return { dir, remove: () => rmSync(dir, { recursive: true, force: true }) };
}

export interface Ended {
  code: number | null;
  /** Standard output and error, as they came. */
  output: string;
}

export interface Command {
  command: string;
  args?: string[];
  cwd?: string;
  /** Added to this process's environment. */
  env?: Record<string, string>;
}

/** Runs a command without input to its end. */
export function run({ command, args = [], cwd = root, env = {} }: Command): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    const collect = (chunk: Buffer) => {
      output += chunk.toString();
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output }));
  });
}
