/**
 * npm run build: transpiles every .ts of the product to dist/, one file each. With --all (npm run build -- --all) it
 * takes those of tests, benches and generators, too. The main program, the workers and `npx agent-poker admin` have
 * their modules with them (entries.mjs). A file is replaced only when its content changed, and by a rename. So a build
 * beside a running server or test suite disturbs neither. Two packages of a thousand files become a few (packages.mjs).
 * The pages of web/ are bundled beside it (web.mjs), and their modules are there one by one, too, for tests.
 */
import './node-version.mjs';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { buildWeb } from './web.mjs';

// esbuild is loaded once the version is known to be new enough.
const { build } = await import('esbuild');
const { withPackages } = await import('./packages.mjs');
const { bundledEntries } = await import('./entries.mjs');

const PRODUCT = ['src/**/*.ts', 'workers/**/*.ts', 'examples/**/*.ts', 'sdk/typescript/src/**/*.ts'];
/** Files that only tests, benches and generators load. */
const OTHERS = [
  'bench/**/*.ts',
  'test/**/*.ts',
  'sdk/generator/**/*.ts',
  'sdk/reference/**/*.ts',
  'web/**/*.ts',
  'web/**/*.tsx',
];
/** The folders of dist/ that mirror sources. */
const TREES = ['src', 'workers', 'examples', 'sdk', 'bench', 'test', 'web'];
const SUFFIXES = ['.ts', '.tsx', '.mjs', '.js'];
/** Bundles, which have no source of their own name. */
const MADE_OTHERWISE = /^(src\/packages|web\/assets)\//;
const isAll = process.argv.includes('--all');
const began = Date.now();
/** Files that are open at a time: a build works where few may be. */
const AT_ONCE = 64;

const pages = buildWeb();
const entries = bundledEntries();
const { outputFiles } = await build({
  entryPoints: [...PRODUCT, ...(isAll ? OTHERS : [])],
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

async function replaceAll(files) {
  const waiting = files.values();
  const lane = async () => {
    for (const file of waiting) await replace(file);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
}

/** A module goes with its source: nothing works here that a clean checkout lacks. */
async function dropModulesWithoutSource() {
  for (const root of TREES) {
    const names = await readdir(join('dist', root), { recursive: true }).catch(() => []);
    for (const name of names) {
      const module = join(root, name.replace(/\.js(\.map)?$/, ''));
      if (!/\.js(\.map)?$/.test(name) || MADE_OTHERWISE.test(module)) continue;
      if (!SUFFIXES.some((suffix) => existsSync(module + suffix))) await rm(join('dist', root, name), { force: true });
    }
  }
}

const bundles = await entries;
const bundled = new Set(bundles.flat().map(({ path }) => path));
const modules = outputFiles.filter(({ path }) => !bundled.has(path));
for (const files of [...(await withPackages(modules)), ...bundles]) await replaceAll(files);
await pages;
await dropModulesWithoutSource();

// A change while this runs is built the next time (fresh.mjs).
const STAMP = 'dist/built.json';
const { all = 0 } = JSON.parse(await readFile(STAMP, 'utf8').catch(() => '{}'));
await replace({ path: STAMP, contents: Buffer.from(JSON.stringify({ product: began, all: isAll ? began : all })) });
