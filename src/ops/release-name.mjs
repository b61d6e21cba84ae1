/**
 * Part of npm run build: the name of a release, by what its processes say to each other and what they store. Builds of
 * one name fit together; a change of a message, of its wire or of the schema makes another name. Comments and blanks do
 * not count.
 */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';

/** All messages between processes, threads and clients. The types that these files import count, too. */
const MESSAGES = ['src/protocol', 'src/cluster/wire', 'src/shard/messages.ts', 'src/shard/wire.ts', 'src/table/api.ts'];
/** A statement that takes types from another file of the project. */
const TYPES_FROM = /^(?:im|ex)port\b[^;]*?\btype\b[^;]*?from '(\.[^']+)\.js';/gm;
const NAME_LENGTH = 12;

const plain = (text) =>
  text
    .replace(/\/\*[\s\S]*?\*\//g, ' ')
    .replace(/(^|\s)\/\/.*$/gm, ' ')
    .replace(/\s+/g, ' ')
    .trim();

/** @param {{ path: string, text: string }[]} sources @param {string[]} migrations names of the files in sql/ */
export function releaseName(sources, migrations) {
  const hash = createHash('sha256');
  const ordered = [...sources].sort((a, b) => (a.path < b.path ? -1 : 1));
  for (const { path, text } of ordered) hash.update(`${path}\n${plain(text)}\n`);
  for (const name of [...migrations].sort()) hash.update(`${name}\n`);
  return hash.digest('hex').slice(0, NAME_LENGTH);
}

/** The files that the name is made of, by their paths in the folder `root`. */
export async function wireSources(root) {
  const waiting = [];
  for (const place of MESSAGES) {
    if (place.endsWith('.ts')) waiting.push(place);
    else {
      const names = await readdir(join(root, place), { recursive: true });
      for (const name of names) if (name.endsWith('.ts')) waiting.push(posix.join(place, name.replaceAll('\\', '/')));
    }
  }
  const sources = new Map();
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (sources.has(path)) continue;
    const text = await readFile(join(root, path), 'utf8');
    sources.set(path, text);
    for (const [, from] of text.matchAll(TYPES_FROM)) waiting.push(posix.join(posix.dirname(path), `${from}.ts`));
  }
  return [...sources].map(([path, text]) => ({ path, text }));
}

/** The name of what stands in the folder `root`. */
export async function releaseOf(root) {
  const migrations = (await readdir(join(root, 'sql'))).filter((name) => name.endsWith('.sql'));
  return releaseName(await wireSources(root), migrations);
}
