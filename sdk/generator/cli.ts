/**
 * `npm run generate`: writes the generated halves of both kits, the reference pages, the tables of the evaluator and the
 * figures of the pages. All are committed. With --check it only compares, and its exit code tells whether they are up to
 * date.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { renderTables } from '../../src/cards/generate.js';
import { command, flag } from '../../src/command/options.js';
import { figurePages } from './figures.js';
import { protocolModel, type Files } from './model.js';
import { commandsReference, referencePages } from '../reference/pages.js';
import { pythonFiles } from './python.js';
import { typescriptFiles } from './typescript.js';

/** The folder of the project, seen from dist/sdk/generator/. */
export const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** Texts by path from the project's folder, but for the page of commands, which needs every command to be run. */
export async function generatedFiles(): Promise<Files> {
  const model = protocolModel();
  const kits = Object.entries({ ...(await typescriptFiles(model)), ...pythonFiles(model) });
  return {
    ...Object.fromEntries(kits.map(([path, text]) => [`sdk/${path}`, text])),
    ...(await referencePages(ROOT)),
    'src/cards/tables.generated.ts': renderTables(),
    ...(await figurePages(ROOT)),
  };
}

/** Files with another committed text, or without one. */
export async function outdated(files: Files): Promise<string[]> {
  const present = await Promise.all(
    Object.keys(files).map((path) => readFile(join(ROOT, path), 'utf8').catch(missing)),
  );
  return Object.keys(files).filter((path, n) => present[n] !== files[path]);
}

function missing(error: unknown): null {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
  throw error;
}

async function main(): Promise<void> {
  const { values } = command({
    name: 'npm run generate',
    purpose:
      'Writes the generated files of the kits, the reference pages, the tables of the evaluator and the figures of the pages. With --check the exit code is 1 where they are not up to date.',
    takes: 'half a minute',
    options: { check: flag('compares only') },
  });
  const files = { ...(await generatedFiles()), ...(await commandsReference(ROOT)) };
  const old = await outdated(files);
  if (values.check) {
    for (const path of old) console.log(`${path} is not up to date: npm run generate`);
    process.exitCode = old.length > 0 ? 1 : 0;
    return;
  }
  for (const path of old) {
    await mkdir(dirname(join(ROOT, path)), { recursive: true });
    await writeFile(join(ROOT, path), files[path]!);
    console.log(path);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
