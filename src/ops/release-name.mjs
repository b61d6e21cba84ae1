/**
 * Part of npm run build: the name of a release, by what its processes say to each other and what they store. Builds of
 * one name fit together; a change of a message, of its wire or of the schema makes another name. Comments and blanks do
 * not count.
 */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Folders and files with all types of messages between processes, threads and clients. */
const WIRE = ['src/protocol', 'src/nodes', 'src/shard/messages.ts', 'src/shard/wire.ts', 'src/table/api.ts'];
const NAME_LENGTH = 12;

const plain = (text) =>
  text
    .replace(/\/\*[\s\S]*?\*\//g, ' ')
    .replace(/\/\/.*$/gm, ' ')
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

/** The name of what stands in the folder `root`. */
export async function releaseOf(root) {
  const folders = await Promise.all(
    WIRE.map(async (place) => {
      if (place.endsWith('.ts')) return [place];
      const names = await readdir(join(root, place), { recursive: true });
      return names.filter((name) => name.endsWith('.ts')).map((name) => `${place}/${name.replaceAll('\\', '/')}`);
    }),
  );
  const sources = folders.flat().map(async (path) => ({ path, text: await readFile(join(root, path), 'utf8') }));
  const migrations = (await readdir(join(root, 'sql'))).filter((name) => name.endsWith('.sql'));
  return releaseName(await Promise.all(sources), migrations);
}
