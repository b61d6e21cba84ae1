/**
 * The docs can be relied on: what comments cite is there, links lead somewhere, and the paths and commands
 * that pages name exist.
 */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import t from 'tap';
import { FILE_MS } from './support/limits.js';

t.setTimeout(FILE_MS);

const ROOT = join(import.meta.dirname, '..', '..');
const FOLDERS = ['src', 'test', 'bench', 'workers', 'examples', 'docs'];
const files = [
  'README.md',
  ...FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((path) => `${folder}/${path}`),
  ),
];
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

const pages = files.filter((path) => /^(README|docs\/[A-Z]+)\.md$/.test(path));
const linesOf = (text: string) => text.trimEnd().split('\n').length;
const withoutCode = (text: string) => text.replace(/^```[^]*?^```/gm, '');
const headingsOf = (page: string) =>
  [...withoutCode(read(page)).matchAll(/^#+ (.+)$/gm)].map(([, heading]) => heading!);
/** As GitHub makes them of headings. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replace(/ /g, '-');

/** Code in which comments cite pages, as one text a file without line breaks and the marks of comments. */
const sources = files
  .filter((path) => /\.(ts|py|mjs)$/.test(path) && path !== 'test/docs.test.ts')
  .map((path) => ({ path, text: read(path).replace(/\n\s*(\*|\/\/|#)?\s*/g, ' ') }));

/** `PROTOCOL.md, "Resync"`, also with several: `PROTOCOL.md, "Leaving" and "Resync"`. */
const CITATION = /\b([A-Z]+\.md), ("[^"]+"(?:(?:,| and) "[^"]+")*)/g;

void t.test('every section that a comment cites is on its page', (t) => {
  let cited = 0;
  for (const { path, text } of sources) {
    for (const [, page, sections] of text.matchAll(CITATION)) {
      const known = headingsOf(page === 'README.md' ? page : `docs/${page}`);
      for (const [, section] of sections!.matchAll(/"([^"]+)"/g)) {
        cited++;
        t.ok(known.includes(section!), `${path} cites ${page}, "${section}"`);
      }
    }
  }
  t.ok(cited > 50, 'citations are recognized');
  t.end();
});

void t.test('nothing cites pages that are not in the repository', (t) => {
  // Also sections without a page, but for those of an RFC.
  const foreign = /\b(RULINGS|SPEC|DESIGN)\b|(?<!RFC \d+ )§/;
  const texts = [...sources, ...pages.map((path) => ({ path, text: read(path) }))];
  t.same(
    texts.filter(({ text }) => foreign.test(text)).map(({ path }) => path),
    [],
  );
  t.end();
});

void t.test('every link between pages leads to a file and a heading', (t) => {
  for (const page of pages) {
    for (const [, target] of withoutCode(read(page)).matchAll(/\]\(([^)\s]+)\)/g)) {
      if (target!.startsWith('http')) continue;
      const [path, anchor] = target!.split('#');
      const file = path === '' ? page : join(dirname(page), path!);
      if (!t.ok(existsSync(join(ROOT, file)), `${page} links to ${target}`)) continue;
      if (anchor !== undefined) t.ok(headingsOf(file).map(anchorOf).includes(anchor), `${page} links to ${target}`);
    }
  }
  t.end();
});

void t.test('every path in code marks exists: from the root, from src or from test', (t) => {
  const named = /`((?:[\w.-]+\/)+(?:[\w.-]+\.(?:ts|py|sql|json|js|yml|lua|md))?)`/g;
  for (const page of pages) {
    for (const [, path] of read(page).matchAll(named)) {
      const made = /^(dist|node_modules|bench\/results|\.data)\//.test(path!);
      const found = ['', 'src', 'test', 'docs'].some((folder) => existsSync(join(ROOT, folder, path!)));
      t.ok(made || found, `${page} names ${path}`);
    }
  }
  t.end();
});

void t.test('every npm command that a page names is in package.json', (t) => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  for (const page of pages) {
    for (const [, name] of read(page).matchAll(/npm run (?:--silent )?([\w:]+)/g)) {
      t.ok(name! in scripts, `${page} names npm run ${name}`);
    }
  }
  t.end();
});

void t.test('the path of a newcomer is six files that are short, on a page that is short', (t) => {
  const page = read('docs/ARCHITECTURE.md');
  const [, section = ''] = /^## To follow one action$([^]*?)^## /m.exec(page) ?? [];
  const path = [...section.matchAll(/^\d\. `(src\/[^`]+)`/gm)].map(([, file]) => file!);
  t.equal(path.length, 6);
  for (const file of path) t.ok(linesOf(read(file)) < 300, `${file} can be read in one go`);
  t.ok(linesOf(page) <= 200, 'ARCHITECTURE.md');
  t.ok(linesOf(read('docs/GLOSSARY.md')) <= 60, 'GLOSSARY.md');
  t.end();
});
