/**
 * Builds what is older than its sources, in a checkout. A package has no sources, so nothing is built there.
 * `node src/ops/fresh.mjs` does it for all: the product, tests, benches.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** The sources of dist/. The pages are made of docs/. */
const SOURCES = ['src', 'workers', 'sdk/typescript/src', 'web', 'docs', 'examples', 'package-lock.json'];
const OTHERS = ['test', 'bench', 'sdk/generator'];
/** build.mjs writes it last: the time at which its work began, in ms, by what was built. */
const STAMP = join(ROOT, 'dist/built.json');

/** Time of the last change below, in ms. A folder changes when something in it goes. */
function changedAt(path) {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  const below = readdirSync(path).filter((name) => name !== 'node_modules');
  return Math.max(stat.mtimeMs, ...below.map((name) => changedAt(join(path, name))));
}

/** @param {'product' | 'all'} what */
export function ensureBuilt(what) {
  if (!existsSync(join(ROOT, 'src/main.ts'))) return;
  const built = existsSync(STAMP) ? (JSON.parse(readFileSync(STAMP, 'utf8'))[what] ?? 0) : 0;
  const sources = what === 'all' ? [...SOURCES, ...OTHERS] : SOURCES;
  if (sources.every((source) => changedAt(join(ROOT, source)) <= built)) return;
  const args = [join(ROOT, 'src/ops/build.mjs'), ...(what === 'all' ? ['--all'] : [])];
  const { status } = spawnSync(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'] });
  if (status !== 0) process.exit(status ?? 1);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) ensureBuilt('all');
