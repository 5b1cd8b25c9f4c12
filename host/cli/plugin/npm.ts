import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { DuctorError, isObject } from '@ductor/core';
import { errorCode } from '../../embedded/error-code.ts';

/** No code of a package runs while it is installed; all else is as the operator has configured npm. */
const QUIETLY = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];

/** Runs npm in a folder and answers with its output. Throws DuctorError `failed_precondition` with what npm says. */
async function npm(cwd: string, [command = '', ...args]: readonly string[]): Promise<string> {
  const child = spawn('npm', [command, ...QUIETLY, ...args], { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  let complaint = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  child.stderr.on('data', (chunk) => (complaint += chunk));
  const code = await new Promise<number | null>((done, failed) =>
    child.once('error', failed).once('close', done),
  ).catch((error: unknown) => {
    if (errorCode(error) !== 'ENOENT') throw error;
    throw new DuctorError('failed_precondition', 'npm is not here: it comes with Node.js, and has to be in PATH.');
  });
  if (code === 0) return output;
  throw new DuctorError('failed_precondition', `npm ${command} failed:\n${complaint.trimEnd()}`);
}

/** `@acme/audit@^1.0.0`: what is neither a folder, a file, a URL nor a git address. */
const fromRegistry = /^((?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*)(?:@[^/:]*)?$/i;

/** Installs one package below `folder`, in an exact version, and answers with its name. */
export async function installPackage(folder: string, spec: string): Promise<string> {
  const [, name] = (!isLocal(spec) && fromRegistry.exec(spec)) || [];
  const packed = name === undefined ? await pack(folder, spec) : null;
  const what = packed === null ? spec : `./packages/${packed.filename}`;
  await npm(folder, ['install', '--save-exact', '--omit=dev', '--install-links=false', what]);
  return packed?.name ?? name ?? '';
}

/** What is not in a registry is packed first: a copy, which the author's folder can be changed without. */
async function pack(folder: string, spec: string): Promise<{ readonly name: string; readonly filename: string }> {
  const output = await npm(folder, [
    ...['pack', '--json', '--pack-destination', 'packages'],
    isLocal(spec) ? resolve(spec) : spec,
  ]);
  const [packed]: readonly unknown[] = JSON.parse(output);
  if (isObject(packed) && typeof packed.name === 'string' && typeof packed.filename === 'string') {
    return { name: packed.name, filename: packed.filename };
  }
  throw new DuctorError('failed_precondition', `npm pack has answered with something else than a package: ${output}`);
}

export async function uninstallPackage(folder: string, name: string): Promise<void> {
  await npm(folder, ['uninstall', '--install-links=false', name]);
}

const isLocal = (spec: string): boolean => /^[./]/.test(spec) || /\.(tgz|tar\.gz)$/.test(spec) || existsSync(spec);
