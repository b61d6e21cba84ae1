/**
 * npm run sdk:generate: writes the generated halves of both kits, which are committed. With --check it only compares,
 * and its exit code says whether they are those of src/protocol.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { command, flag } from '../../src/command/options.js';
import { protocolModel, type Files } from './model.js';
import { pythonFiles } from './python.js';
import { typescriptFiles } from './typescript.js';

/** The folder sdk/ of the project, seen from dist/sdk/generator/. */
export const SDK = fileURLToPath(new URL('../../../sdk/', import.meta.url));

export async function generatedFiles(): Promise<Files> {
  const model = protocolModel();
  return { ...(await typescriptFiles(model)), ...pythonFiles(model) };
}

/** Those whose committed text is another one, or is missing. */
export async function outdated(files: Files): Promise<string[]> {
  const present = await Promise.all(Object.keys(files).map((path) => readFile(join(SDK, path), 'utf8').catch(missing)));
  return Object.keys(files).filter((path, n) => present[n] !== files[path]);
}

function missing(error: unknown): null {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
  throw error;
}

async function main(): Promise<void> {
  const { values } = command({
    name: 'npm run sdk:generate',
    purpose: 'Writes the generated files of the kits. With --check the exit code is 1 where they are not up to date.',
    takes: 'a few seconds',
    options: { check: flag('compares only') },
  });
  const files = await generatedFiles();
  const old = await outdated(files);
  if (values.check) {
    for (const path of old) console.log(`sdk/${path} is not what src/protocol says: npm run sdk:generate`);
    process.exitCode = old.length > 0 ? 1 : 0;
    return;
  }
  for (const path of old) {
    await mkdir(dirname(join(SDK, path)), { recursive: true });
    await writeFile(join(SDK, path), files[path]!);
    console.log(`sdk/${path}`);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
