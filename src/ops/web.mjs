/**
 * Builds web/ into dist/web. Names files by the hash of their content and writes compressed forms beside the plain
 * ones. Writes the documents of docs/ as data of the pages, and site.json for the gateway. Part of npm run build. With
 * --watch it builds again at every change (npm run web -- --watch; start the server with PAGES=watch).
 */
import './node-version.mjs';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { pictureStyles } from './picture-css.mjs';
import { markdownFiles, pictureFiles } from './web-docs.mjs';

const OUT = 'dist/web';
const TYPES = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webp': 'image/webp',
  '.png': 'image/png',
  '.webmanifest': 'application/manifest+json',
};
/** Files with a fixed name: asked for by programs that never saw a page of ours. */
const FIXED = ['card.png', 'favicon.svg', 'manifest.webmanifest', 'robots.txt'];

const compressed = {
  br: (bytes) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
  gz: (bytes) => promisify(gzip)(bytes, { level: 9 }),
};

const hashOf = (bytes) => createHash('sha256').update(bytes).digest('hex').slice(0, 16);

/** Written whole or not at all: a server may be reading. */
async function write(name, bytes) {
  const path = join(OUT, name);
  await mkdir(dirname(path), { recursive: true });
  const present = await readFile(path).catch(() => null);
  if (present !== null && present.equals(Buffer.from(bytes))) return;
  const fresh = `${path}.${process.pid}`;
  await writeFile(fresh, bytes);
  await rename(fresh, path);
}

/** Leaves a file and its compressed forms; `hashed` names need no second look: same name, same bytes. */
async function emit(name, bytes, hashed) {
  const forms = { br: 'br', gz: 'gzip' };
  const wanted = hashed ? [name, ...Object.keys(forms).map((end) => `${name}.${end}`)] : [];
  if (!hashed || !wanted.every((file) => existsSync(join(OUT, file)))) {
    for (const [end, compress] of Object.entries(compressed)) await write(`${name}.${end}`, await compress(bytes));
    await write(name, bytes);
  }
  return {
    name,
    path: `/${name}`,
    type: TYPES[extname(name)] ?? 'application/octet-stream',
    immutable: hashed,
    hash: hashOf(bytes),
    encodings: Object.values(forms),
  };
}

const options = {
  entryPoints: ['web/main.tsx', 'web/theme.ts', 'web/equity/worker.ts', 'web/files/worker.ts'],
  outdir: OUT,
  outbase: 'web',
  entryNames: 'assets/[name]-[hash]',
  chunkNames: 'assets/[name]-[hash]',
  assetNames: 'assets/[name]-[hash]',
  bundle: true,
  splitting: true,
  format: 'esm',
  target: ['es2022', 'chrome123', 'firefox121', 'safari17.5'],
  minify: true,
  jsx: 'automatic',
  jsxImportSource: 'preact',
  tsconfig: 'web/tsconfig.json',
  legalComments: 'none',
  metafile: true,
  write: false,
  logLevel: 'warning',
};

/** The pages' import `virtual:docs`: the place of each document, and its headings. */
const docsPlugin = (docs) => ({
  name: 'docs',
  setup(build) {
    build.onResolve({ filter: /^virtual:docs$/ }, () => ({ path: 'docs', namespace: 'docs' }));
    build.onLoad({ filter: /.*/, namespace: 'docs' }, async () => ({
      contents: JSON.stringify((await docs()).map(({ body, html, ...listed }) => listed)),
      loader: 'json',
    }));
  },
});

/** The TypeScript kit as a page has it, with the playground's look at its frames. */
const kitPlugin = {
  name: 'kit',
  setup(build) {
    const path = new URL('../../web/playground/kit-platform.ts', import.meta.url).pathname;
    build.onResolve({ filter: /^\.\/platform\.js$/ }, ({ importer }) =>
      /[\\/]sdk[\\/]typescript[\\/]src[\\/]/.test(importer) ? { path } : undefined,
    );
  },
};

/** The drawing of share pictures as a module for the server, and its styles. */
async function buildMoment(build) {
  const { outputFiles } = await build({
    ...options,
    entryPoints: ['web/share/moment.tsx'],
    outfile: join(OUT, 'moment.mjs'),
    outdir: undefined,
    splitting: false,
    platform: 'node',
    target: 'node20',
    metafile: false,
  });
  await write('moment.mjs', outputFiles[0].contents);
  await write('moment.css', await pictureStyles());
}

async function finish({ outputFiles, metafile }, documents) {
  const files = [];
  for (const { path, contents } of outputFiles) {
    files.push(await emit(`assets/${basename(path)}`, Buffer.from(contents), true));
  }
  for (const { url, body } of documents) files.push(await emit(url.slice(1), Buffer.from(body), true));
  for (const { url, bytes } of await pictureFiles()) files.push(await emit(url.slice(1), bytes, true));
  for (const name of FIXED) files.push(await emit(name, await readFile(join('web', name)), false));

  const outputOf = (entry) => Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint === entry);
  const [script, { cssBundle }] = outputOf('web/main.tsx');
  const at = (path) => `/assets/${basename(path)}`;
  const html = (await readFile('web/index.html', 'utf8'))
    .replace('{theme}', at(outputOf('web/theme.ts')[0]))
    .replace('{equity}', at(outputOf('web/equity/worker.ts')[0]))
    .replace('{files}', at(outputOf('web/files/worker.ts')[0]))
    .replace('{style}', at(cssBundle))
    .replace('{script}', at(script));
  files.push(await emit('index.html', Buffer.from(html), false));
  await removeOthers(files);
  await write('site.json', JSON.stringify({ document: '/index.html', files }));
  await write('sizes.json', JSON.stringify(sizesOf(metafile, at)));
}

/** The files of each page's first view: the entry with all its imports, and each lazy part by its source. */
function sizesOf({ outputs }, at) {
  const closure = (path, seen = new Set()) => {
    if (seen.has(path)) return seen;
    seen.add(path);
    for (const { path: next, kind } of outputs[path].imports) if (kind === 'import-statement') closure(next, seen);
    return seen;
  };
  const entries = Object.entries(outputs).filter(([, { entryPoint }]) => entryPoint !== undefined);
  return Object.fromEntries(
    entries.map(([path, { entryPoint, cssBundle }]) => [
      entryPoint,
      [...closure(path), ...(cssBundle ? [cssBundle] : [])].map(at),
    ]),
  );
}

/** Files of earlier builds, and what an interrupted one left. */
async function removeOthers(files) {
  const keep = new Set(['site.json', 'sizes.json', ...files.flatMap(({ name }) => [name, `${name}.br`, `${name}.gz`])]);
  const present = await readdir(join(OUT, 'assets'));
  for (const name of present) if (!keep.has(`assets/${name}`)) await rm(join(OUT, 'assets', name), { force: true });
}

export async function buildWeb() {
  const { build } = await import('esbuild');
  const documents = await markdownFiles();
  await buildMoment(build);
  await finish(await build({ ...options, plugins: [kitPlugin, docsPlugin(() => documents)] }), documents);
}

async function watchWeb() {
  const { build, context } = await import('esbuild');
  await buildMoment(build);
  const finishing = {
    name: 'finishing',
    setup(build) {
      build.onEnd(async (result) => {
        if (result.errors.length > 0) return;
        await finish(result, await markdownFiles());
        console.log(`${new Date().toLocaleTimeString()}  pages built`);
      });
    },
  };
  const watcher = await context({ ...options, plugins: [kitPlugin, docsPlugin(markdownFiles), finishing] });
  await watcher.watch();
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await (process.argv.includes('--watch') ? watchWeb() : buildWeb());
  if (process.argv.includes('--sizes')) await import('./web-size.mjs');
}
