/** The sizes that the house keeps, and what stands behind them. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

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
function declaredTwice(product: readonly Source[]): string[] {
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

/** Folders with functions that assert their conditions. */
const ASSERTING = ['table', 'shard', 'credits', 'cluster'] as const;
const LEAST_ASSERTIONS = 0.3;
/** The encoding path has no assertions. */
const ENCODING = /^src\/table\/(frames|replay)\//;

/** Calls of src/ops/assert.ts by function. An arrow that is one expression has no place for a call, and is not counted. */
function assertionsOf(folder: string, product: readonly Source[]): number {
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

export interface HouseFigure {
  name: string;
  value: number;
  /** The most, or with `least` the least, that it may be. */
  goal: number;
  least?: true;
}

/** The figures, and the names of what is declared twice or too small. */
export function house(): { figures: HouseFigure[]; names: { twice: string[]; small: string[] } } {
  const [product, tests] = [sourcesIn('src', 'workers'), sourcesIn('test')];
  const importers = importersOf([...product, ...sourcesIn('bench', 'web', 'sdk/generator')]);
  const small = product
    .filter(({ path, lines }) => lines < SMALL && path.startsWith('src/') && importers.get(path)?.size === 1)
    .map(({ path }) => `${path} ← ${[...importers.get(path)!].join()}`);
  const rooms = readdirSync(join(ROOT, 'src'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: object };
  const twice = declaredTwice(product);
  const linesOf = (sources: readonly Source[]) => sources.reduce((sum, { lines }) => sum + lines, 0);
  const figures: HouseFigure[] = [
    { name: 'src + workers, lines', value: linesOf(product), goal: 60_000 },
    { name: 'src + workers, files', value: product.length, goal: 560 },
    { name: 'test, lines', value: linesOf(tests), goal: 60_000 },
    { name: 'scripts of package.json', value: Object.keys(scripts).length, goal: 20 },
    { name: 'exported names declared twice', value: twice.length, goal: 0 },
    { name: `files under ${SMALL} lines with one importer`, value: small.length, goal: 10 },
    { name: 'rooms of src', value: rooms.length, goal: 36 },
    ...ASSERTING.map((folder): HouseFigure => {
      const value = assertionsOf(folder, product);
      return { name: `assertions a function of ${folder}/`, value, goal: LEAST_ASSERTIONS, least: true };
    }),
  ];
  return { figures, names: { twice, small } };
}
