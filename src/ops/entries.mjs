/**
 * Part of npm run build. Bundles the main program, the workers and `npx agent-poker admin`, each with all its modules
 * of the project in a few files. To find, read and link hundreds of small ones is half of what a start costs, and every
 * thread pays it anew. The modules are there one by one, too, for tests and tools.
 */
import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { build } from 'esbuild';
import { BUNDLED_PACKAGE, fileOfPackage } from './packages.mjs';

const root = process.cwd();

/** All files come to lie one folder below dist/, so that paths from one to another begin alike. */
const FOLDERS = { chunkNames: 'chunks/[name]-[hash]', outbase: root, outdir: join(root, 'dist') };

/** A module finds files beside it by its place as a module, wherever its text comes to lie. */
const places = {
  name: 'places',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: BUNDLED_PACKAGE }, ({ path }) => ({
      path: `../${fileOfPackage(path)}`,
      external: true,
    }));
    onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const place = `../${relative(root, path).replace(/ts$/, 'js')}`;
      const text = await readFile(path, 'utf8');
      const contents = text.replaceAll('import.meta.url', `new URL(${JSON.stringify(place)}, import.meta.url).href`);
      return { contents, loader: 'ts' };
    });
  },
};

/** The files, to be written after all others, in this order. */
export async function bundledEntries() {
  const { outputFiles } = await build({
    ...FOLDERS,
    entryPoints: ['src/main.ts', 'src/admin/cli.ts', 'workers/*.ts'],
    bundle: true,
    splitting: true,
    packages: 'external',
    plugins: [places],
    format: 'esm',
    platform: 'node',
    target: 'node20',
    sourcemap: 'linked',
    sourcesContent: false,
    logLevel: 'warning',
    write: false,
  });
  const isChunk = ({ path }) => relative(FOLDERS.outdir, path).startsWith('chunks');
  return [outputFiles.filter(isChunk), outputFiles.filter((file) => !isChunk(file))];
}
