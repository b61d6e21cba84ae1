/**
 * The docs can be relied on: what comments cite is there, links lead somewhere, and the paths and commands that pages
 * name exist. Their language and size are those of docs/internals/style.md.
 */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import t from 'tap';
import { BENCHES } from '../bench/benches.js';
import { COMMANDS } from '../src/admin/run.js';
import { MOVED_DOCS } from '../src/protocol/page-paths.js';
import { CAMPAIGNS } from './campaigns.js';
import { FILE_MS } from './support/limits.js';
import * as pages from './support/pages.js';
import { faultsOf, sentencesOf, wordsOf } from './support/sentences.js';

t.setTimeout(FILE_MS);

const { PAGES, ROOT, read, anchorOf, headingsOf } = pages;
const FOLDERS = ['src', 'test', 'bench', 'workers', 'examples', 'web', 'sdk'];
const KB = 1024;

const linesOf = (text: string) => text.trimEnd().split('\n').length;

/** Code in which comments cite pages, as one text a file without line breaks and the marks of comments. */
const sources = FOLDERS.flatMap(pages.filesBelow)
  .filter((path) => /\.(ts|tsx|py|mjs)$/.test(path) && !/node_modules|\/dist\//.test(path))
  .filter((path) => path !== 'test/docs.test.ts')
  .map((path) => ({ path, text: read(path).replace(/\n\s*(\*|\/\/|#)?\s*/g, ' ') }));
/** Files that people copy and read beside the pages. */
const settings = ['.env.example', 'compose.yaml', 'compose.cluster.yaml', 'nginx.example.conf', 'eslint.config.js']
  .concat(['docs/alerts.example.yml', 'docs/agent-poker.service', 'sdk/python/README.md', 'sdk/typescript/README.md'])
  .map((path) => ({ path, text: read(path).replace(/\n#?\s*/g, ' ') }));
const pageTexts = PAGES.map((path) => ({ path, text: read(path) }));

/** `protocol.md, "Resync"`, also with several: `protocol.md, "Leaving" and "Resync"`. */
const CITATION = /\b((?:[a-z-]+\/)*[a-z-]+\.md|README\.md), ("[^"]+"(?:(?:,| and) "[^"]+")*)/g;

void t.test('every section that a comment cites is on its page', (t) => {
  let cited = 0;
  for (const { path, text } of [...sources, ...settings]) {
    for (const [, name, sections] of text.matchAll(CITATION)) {
      const page = pages.pageNamed(name!);
      if (!t.ok(page, `${path} cites ${name}`)) continue;
      for (const [, section] of sections!.matchAll(/"([^"]+)"/g)) {
        cited++;
        t.ok(headingsOf(page!).includes(section!), `${path} cites ${page}, "${section}"`);
      }
    }
  }
  t.ok(cited > 50, 'citations are recognized');
  t.end();
});

void t.test('every page that code and settings name is there', (t) => {
  for (const { path, text } of [...sources, ...settings]) {
    for (const [name] of text.matchAll(/\bdocs\/[\w/-]+\.md\b/g))
      t.ok(existsSync(join(ROOT, name)), `${path}: ${name}`);
  }
  t.end();
});

void t.test('nothing cites pages that are not in the repository', (t) => {
  // Also sections without a page, but for those of an RFC; and pages in upper case, as docs/ had them.
  const foreign = /\b(RULINGS|SPEC|DESIGN)\b|(?<!RFC \d+ )§|\b(?!README|CHANGELOG)[A-Z]{3,}\.md\b/;
  t.match('OPERATIONS.md', foreign);
  t.same(
    [...sources, ...settings, ...pageTexts].filter(({ text }) => foreign.test(text)).map(({ path }) => path),
    [],
  );
  t.end();
});

void t.test('every link between pages leads to a file and a heading', (t) => {
  for (const page of PAGES) {
    for (const [, target] of pages.withoutFences(read(page)).matchAll(/\]\(([^)\s]+)\)/g)) {
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
  const named = /`((?:[\w.-]+\/)+(?:[\w.-]+\.(?:ts|py|mjs|sql|json|js|yml|lua|md))?)`/g;
  for (const page of PAGES) {
    for (const [, path] of read(page).matchAll(named)) {
      const made = /^(dist|node_modules|bench\/results|\.data)\//.test(path!);
      const found = ['', 'src', 'test', 'docs'].some((folder) => existsSync(join(ROOT, folder, path!)));
      t.ok(made || found, `${page} names ${path}`);
    }
  }
  t.end();
});

const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
const entry = read('src/agent-poker.mjs');
const agentPoker = [...entry.matchAll(/^ {2}(\w+): \['/gm)].map(([, name]) => name!);
const optionNames = new Set(
  sources.flatMap(({ text }) => [...text.matchAll(/\b'?([a-z][\w-]*)'?: (?:\w+\()/g)].map(([, name]) => name!)),
);

/** Commands of a page with their words: `npm run NAME` and `agent-poker NAME`. */
const commandsOf = (page: string) =>
  [...read(page).matchAll(/\b(npm run (?:--silent )?|agent-poker )([a-z](?:[\w-]|:(?=\w))*)([^`\n|]*)/g)].map(
    ([, runner, name, rest]) => ({ runner: runner!.startsWith('npm') ? 'npm' : 'npx', name: name!, rest: rest! }),
  );

void t.test('every command that a page names exists', (t) => {
  t.ok(agentPoker.includes('doctor') && agentPoker.length > 10, 'commands are recognized');
  const adminNames = COMMANDS.flatMap(({ name }) => [name, name.split(' ')[0]!]);
  for (const page of PAGES) {
    for (const { runner, name, rest } of commandsOf(page)) {
      const said = `${page} names ${runner} ${name}${rest}`;
      if (runner === 'npm') t.ok(name in scripts, said);
      else t.ok(agentPoker.includes(name) || /^[a-z]+\.(?:mjs|service)$/.test(name), said);
      const [first] = /^(?: --)? ([a-z][\w:-]*)/.exec(rest)?.slice(1) ?? [];
      if (first === undefined) continue;
      if (name === 'bench') t.ok(first in BENCHES, said);
      if (name === 'campaign') t.ok(first in CAMPAIGNS, said);
      if (name === 'admin') t.ok(first === 'help' || adminNames.includes(first), said);
    }
  }
  t.end();
});

void t.test('every option beside a command that a page names is one of some command', (t) => {
  const others = /^(?:--silent|--help|--watch|--sizes|--all|--check|--)$/;
  t.ok(optionNames.has('seed') && !optionNames.has('no-such-option'));
  for (const page of PAGES) {
    for (const { name, rest } of commandsOf(page)) {
      // A text in quotes is a bot's own command.
      for (const [option, word] of rest.replace(/"[^"]*"/g, '').matchAll(/(?<=\s)--([a-z][\w-]*)/g)) {
        t.ok(others.test(option) || optionNames.has(word!), `${page} names ${name} ${option}`);
      }
    }
  }
  t.end();
});

void t.test('the path of a newcomer is six files that are short, on a page that is short', (t) => {
  const page = read('docs/explanation/architecture.md');
  const [, section = ''] = /^## To follow one action$([^]*?)^## /m.exec(page) ?? [];
  const path = [...section.matchAll(/^\d\. `(src\/[^`]+)`/gm)].map(([, file]) => file!);
  t.equal(path.length, 6);
  for (const file of path) t.ok(linesOf(read(file)) < 300, `${file} can be read in one go`);
  t.ok(linesOf(page) <= 200, 'architecture.md');
  const terms = [...read('docs/internals/glossary.md').matchAll(/\*\*[^*]+\*\*/g)].length;
  t.ok(terms > 30 && terms <= 60, `glossary.md has ${terms} terms`);
  t.end();
});

/** The kinds of pages, and how many kB all pages of a kind, and one of them, may have. */
const KINDS: readonly { kind: string; of: RegExp; all: number; each: number }[] = [
  { kind: 'README', of: /^README\.md$/, all: 5, each: 5 },
  { kind: 'tutorial', of: /^docs\/first-bot\.md$/, all: 6, each: 6 },
  { kind: 'guides', of: /^docs\/guides\/[a-z-]+\.md$/, all: 72, each: 14 },
  { kind: 'reference', of: /^docs\/reference\/[a-z-]+\.md$/, all: 400, each: 200 },
  { kind: 'protocol', of: /^docs\/protocol\.md$/, all: 40, each: 40 },
  { kind: 'explanation', of: /^docs\/explanation\/[a-z-]+\.md$/, all: 58, each: 19 },
  { kind: 'internals', of: /^docs\/internals\/[a-z-]+\.md$/, all: 12, each: 6 },
];

void t.test('every page has one kind, and no page and no kind is too large', (t) => {
  for (const page of PAGES) {
    t.equal(KINDS.filter(({ of }) => of.test(page)).length, 1, `${page} has a kind`);
    t.equal(/^# /gm.exec(pages.withoutFences(read(page)))?.length, 1, `${page} has a title`);
  }
  for (const { kind, of, all, each } of KINDS) {
    const sizes = PAGES.filter((page) => of.test(page)).map((page) => ({ page, size: pages.sizeOf(page) }));
    t.ok(sizes.length > 0, `there are pages: ${kind}`);
    for (const { page, size } of sizes) t.ok(size <= each * KB, `${page} has ${size} of ${each * KB} bytes`);
    const sum = sizes.reduce((total, { size }) => total + size, 0);
    t.ok(sum <= all * KB, `${kind}: ${sum} of ${all * KB} bytes`);
  }
  const byHand = PAGES.filter((page) => !pages.isGenerated(page)).reduce((sum, page) => sum + pages.sizeOf(page), 0);
  t.ok(byHand <= 190 * KB, `by hand: ${byHand} bytes`);
  t.end();
});

void t.test('a generated page says so in its first lines', (t) => {
  for (const page of PAGES.filter(pages.isGenerated)) t.match(read(page).slice(0, 300), 'npm run generate', page);
  t.end();
});

void t.test('sentences are short, and nine of ten have at most 25 words', (t) => {
  t.equal(wordsOf(sentencesOf('A `b c` d, e. F g')[0]!), 5);
  for (const page of PAGES) {
    const { prose, cells } = pages.textOf(page);
    for (const [where, texts] of Object.entries({ prose, cells })) {
      const lengths = texts.flatMap(sentencesOf).map(wordsOf);
      t.ok(pages.p90(lengths) <= 25, `${page}: nine of ten sentences of its ${where} have ${pages.p90(lengths)} words`);
    }
  }
  t.end();
});

void t.test('no sentence has a subject without a noun, a chain, a date or a diary', (t) => {
  const faultsIn = (text: string) =>
    sentencesOf(text).flatMap((sentence) => faultsOf(sentence).map((fault) => `${fault}: ${sentence}`));
  t.equal(faultsIn('Who reads slowly waits. A run of 2026-01-02, of which two. Last run: none. What is it?').length, 4);
  for (const page of PAGES) {
    const { prose, cells } = pages.textOf(page);
    t.same([...prose, ...cells].flatMap(faultsIn), [], page);
  }
  t.end();
});

interface WebPage {
  kind: string;
  slug: string;
  title: string;
  headings: readonly { id: string }[];
  html: string;
}

void t.test('the web shows each page once, by kind, and its links lead to pages and headings', async (t) => {
  const module = pathToFileURL(join(ROOT, 'src/ops/web-docs.mjs')).href;
  const { markdownFiles } = (await import(module)) as { markdownFiles: () => Promise<WebPage[]> };
  const shown = await markdownFiles();
  // The browser makes the references of REST and messages itself, and README.md is for a checkout.
  const live = ['rest', 'messages'];
  const slugs = shown.map(({ slug }) => slug);
  t.same([...slugs, ...live].sort(), PAGES.filter((page) => page !== 'README.md').map((page) => page.slice(page.lastIndexOf('/') + 1, -3)).sort()); // prettier-ignore
  t.same([...new Set(shown.map(({ kind }) => kind))], ['Tutorial', 'Guides', 'Reference', 'Protocol', 'Explanation', 'Internals']); // prettier-ignore
  for (const { slug, html } of shown) {
    t.notMatch(html, /href="[^"]*\.md|<!--/, slug);
    for (const [, page, anchor] of html.matchAll(/href="\/docs\/([\w-]+)(?:#([^"]+))?"/g)) {
      const target = shown.find((one) => one.slug === page);
      t.ok(target ?? live.includes(page!), `${slug} leads to ${page}`);
      if (anchor !== undefined) t.ok(target?.headings.some(({ id }) => id === anchor) ?? false, `${slug}: ${anchor}`);
    }
  }
  for (const [former, now] of Object.entries(MOVED_DOCS)) {
    t.ok([...slugs, ...live].includes(now) && !slugs.includes(former), `${former} has moved to ${now}`);
  }
});
