/**
 * npm run build: transpiles every .ts of the project to dist/, one file each; the main program, the workers and
 * `npm run admin` have what they need with them (entries.mjs). A file is replaced only when its content changed, and by a rename, so that a
 * build beside a running server or test suite disturbs neither. Two packages of a thousand files become a few
 * (packages.mjs). The pages of web/ are bundled beside it (web.mjs), and their modules are there one by one, too, for
 * tests.
 */
import './node-version.mjs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { buildWeb } from './web.mjs';

// esbuild is loaded once the version is known to be new enough.
const { build } = await import('esbuild');
const { withPackages } = await import('./packages.mjs');
const { bundledEntries } = await import('./entries.mjs');

const folders = ['src', 'workers', 'bench', 'test', 'examples', 'sdk/generator', 'sdk/typescript/src'];

const pages = buildWeb();
const entries = bundledEntries();
const { outputFiles } = await build({
  entryPoints: [...folders.map((folder) => `${folder}/**/*.ts`), 'web/**/*.ts', 'web/**/*.tsx'],
  outdir: 'dist',
  outbase: '.',
  format: 'esm',
  platform: 'node',
  target: 'node20',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  sourcemap: 'linked',
  sourcesContent: false,
  logLevel: 'warning',
  write: false,
});

async function replace({ path, contents }) {
  const present = await readFile(path).catch(() => null);
  if (present !== null && present.equals(contents)) return;
  const fresh = `${path}.${process.pid}`;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(fresh, contents);
  await rename(fresh, path);
}

const bundles = await entries;
const bundled = new Set(bundles.flat().map(({ path }) => path));
const modules = outputFiles.filter(({ path }) => !bundled.has(path));
for (const files of [...(await withPackages(modules)), ...bundles]) await Promise.all(files.map(replace));
await pages;
