/** `npm run house`: how large the house is, beside its goals. Exit code 0 always: CI prints it as a report. */
import ts from 'typescript';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { columns } from '../src/command/columns.js';
import { command, flag } from '../src/command/options.js';

const { values } = command({
  name: 'npm run house',
  purpose: 'Tells how large the project is, beside its goals.',
  takes: 'a second',
  options: { names: flag('names what stands behind the figures') },
});

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** A file below so many lines that one other imports belongs into that one. */
const SMALL = 40;

interface Source {
  path: string;
  text: string;
  lines: number;
}

const sourcesIn = (...folders: string[]): Source[] =>
  folders
    .flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
    )
    .filter((path) => /\.(ts|tsx|mjs)$/.test(path))
    .map((path) => {
      const text = readFileSync(join(ROOT, path), 'utf8');
      return { path, text, lines: text.split('\n').length - 1 };
    });

const product = sourcesIn('src', 'workers');
const tests = sourcesIn('test');

/** Importers by file. Exports of an index count as its own. */
function importersOf(sources: readonly Source[]): Map<string, Set<string>> {
  const importers = new Map<string, Set<string>>();
  for (const { path, text } of sources) {
    for (const [, from] of text.matchAll(/(?:from|import\() ?'(\.{1,2}\/[^']+)\.js'/g)) {
      const target = relative(ROOT, join(ROOT, dirname(path), `${from}.ts`));
      importers.set(target, (importers.get(target) ?? new Set()).add(path));
    }
  }
  return importers;
}

/** Exported names by the files that declare them. A name that is declared twice means two things. */
function declaredTwice(): string[] {
  const homes = new Map<string, string[]>();
  for (const { path, text } of product) {
    const declared = text.matchAll(
      /^export (?:declare |abstract |async )*(?:const|let|function\*?|class|interface|type|enum) (\w+)/gm,
    );
    // A schema and its type, and the signatures of a function, have one name.
    for (const name of new Set([...declared].map(([, each]) => each!)))
      homes.set(name, [...(homes.get(name) ?? []), path]);
  }
  return [...homes].filter(([, paths]) => paths.length > 1).map(([name, paths]) => `${name}: ${paths.join(', ')}`);
}

/** Folders whose functions assert what they need and promise. */
const ASSERTING = ['table', 'shard', 'credits', 'cluster'] as const;
/** The encoding path has no assertions. */
const ENCODING = /^src\/table\/(frames|replay)\//;

/** Calls of src/ops/assert.ts by function. An arrow that is one expression has no place for a call, and is not counted. */
function assertionsOf(folder: string): number {
  let [calls, functions] = [0, 0];
  for (const { path, text } of product) {
    if (!path.startsWith(`src/${folder}/`) || ENCODING.test(path)) continue;
    const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
    const visit = (node: ts.Node): void => {
      if (ts.isFunctionLike(node) && 'body' in node && node.body !== undefined && ts.isBlock(node.body)) functions++;
      if (ts.isCallExpression(node) && ts.isIdentifier(node.expression)) {
        if (/^assert(Whole)?$/.test(node.expression.text)) calls++;
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return calls / functions;
}

const importers = importersOf([...product, ...sourcesIn('bench', 'web', 'sdk/generator')]);
const small = product
  .filter(({ path, lines }) => lines < SMALL && path.startsWith('src/') && importers.get(path)?.size === 1)
  .map(({ path }) => `${path} ← ${[...importers.get(path)!].join()}`);
const rooms = readdirSync(join(ROOT, 'src'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: object };
const twice = declaredTwice();
const linesOf = (sources: readonly Source[]) => sources.reduce((sum, { lines }) => sum + lines, 0);
const count = (number: number) => number.toLocaleString('en-US');

const figures: readonly [name: string, value: number, goal: number][] = [
  ['src + workers, lines', linesOf(product), 60_000],
  ['src + workers, files', product.length, 560],
  ['test, lines', linesOf(tests), 60_000],
  ['scripts of package.json', Object.keys(scripts).length, 20],
  ['exported names declared twice', twice.length, 0],
  [`files under ${SMALL} lines with one importer`, small.length, 10],
  ['rooms of src', rooms.length, 36],
];
const LEAST_ASSERTIONS = 0.3;
const rows = [
  ...figures.map(([name, value, goal]) => [name, count(value), `≤ ${count(goal)}`, value <= goal ? '' : 'missed']),
  ...ASSERTING.map((folder) => {
    const value = assertionsOf(folder);
    const missed = value >= LEAST_ASSERTIONS ? '' : 'missed';
    return [`assertions a function of ${folder}/`, value.toFixed(2), `≥ ${LEAST_ASSERTIONS}`, missed];
  }),
];
console.log(columns(rows, 1).join('\n'));
if (values.names) console.log(['', ...twice, '', ...small].join('\n'));
