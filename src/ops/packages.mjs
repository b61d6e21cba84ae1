/**
 * Part of npm run build. Bundles the parts of typebox and viem that the compiled modules import into a few files of
 * dist/src/packages/. Makes the modules import these files. The packages are a thousand small files, and to find, read
 * and link them is a third of what a start costs. The types still come from the packages.
 */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { build } from 'esbuild';

const FOLDER = join(process.cwd(), 'dist/src/packages');
/** A record of the files' sources: a build with the same packages and imports need not make them again. */
const STAMP = 'made-of.json';

/** The packages, and what is imported from below them. */
const BUNDLED = '(?:typebox|viem)(?:/[^"]+)?';
export const BUNDLED_PACKAGE = new RegExp(`^${BUNDLED}$`);
const specifier = `"(${BUNDLED})"`;
/** As esbuild prints it: from the line's beginning to its end. */
const STATEMENT = new RegExp(`^((?:import|export)\\b[\\w\\s{},*$]*)${specifier}(?=;$)`, 'gm');
const CALL = new RegExp(`(\\bimport\\()${specifier}(?=\\))`, 'g');
const PATTERNS = [STATEMENT, CALL];

/** `viem/siwe` as the file that it becomes. */
const nameOf = (imported) => imported.replaceAll('/', '-');

/** Its path below dist/. */
export const fileOfPackage = (imported) => `src/packages/${nameOf(imported)}.js`;

function importedBy(texts) {
  const matches = texts.flatMap((text) => PATTERNS.flatMap((pattern) => [...text.matchAll(pattern)]));
  return [...new Set(matches.map(([, , imported]) => imported))].sort();
}

/** The text of a module with relative paths instead; no line, and no column that a source map names, moves. */
function redirected({ path, text }) {
  const folder = relative(dirname(path), FOLDER);
  const base = folder.startsWith('.') ? folder : `./${folder}`;
  const redirect = (_, before, imported) => `${before}"${base}/${nameOf(imported)}.js"`;
  return PATTERNS.reduce((result, pattern) => result.replace(pattern, redirect), text);
}

/** One class is one class whichever of the files a module has it from: what several need is in a chunk of its own. */
async function bundled(imports) {
  const { outputFiles } = await build({
    entryPoints: imports.map((imported) => ({ in: imported, out: nameOf(imported) })),
    outdir: FOLDER,
    chunkNames: 'chunk-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    // CommonJS, and asked for only where a chain is read over a WebSocket.
    external: ['ws'],
    sourcemap: 'linked',
    sourcesContent: false,
    logLevel: 'warning',
    write: false,
  });
  return outputFiles;
}

async function madeOf() {
  const parts = [join(process.cwd(), 'package-lock.json'), new URL(import.meta.url).pathname];
  const hash = createHash('sha256');
  for (const part of parts) hash.update(await readFile(part));
  return hash.digest('hex');
}

/** Whether files for these imports are there: a build of all has made more than one of the product needs. */
async function present(key, imports) {
  const stamp = await readFile(join(FOLDER, STAMP), 'utf8').catch(() => '{}');
  const { made, files, imports: there = [] } = JSON.parse(stamp);
  if (made !== key || imports.some((each) => !there.includes(each))) return false;
  const names = new Set(await readdir(FOLDER));
  return files.every((name) => names.has(name));
}

/** Groups of files in the order in which they are to be written, so that none refers to what is not there yet. */
export async function withPackages(outputFiles) {
  const modules = outputFiles.filter(({ path }) => path.endsWith('.js')).map(({ path, text }) => ({ path, text }));
  const imports = importedBy(modules.map(({ text }) => text));
  const rewritten = new Map(modules.map((module) => [module.path, Buffer.from(redirected(module))]));
  const last = outputFiles.map(({ path, contents }) => ({ path, contents: rewritten.get(path) ?? contents }));

  const made = await madeOf();
  if (await present(made, imports)) return [last];
  const files = await bundled(imports);
  const isChunk = ({ path }) => relative(FOLDER, path).startsWith('chunk-');
  const stamp = { made, imports, files: files.map(({ path }) => relative(FOLDER, path)) };
  return [
    files.filter(isChunk),
    files.filter((file) => !isChunk(file)),
    [{ path: join(FOLDER, STAMP), contents: Buffer.from(JSON.stringify(stamp)) }],
    last,
  ];
}
