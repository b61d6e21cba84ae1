import { readFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { plain } from './sentences.js';

/** The pages of docs/ and README.md, as tests read them. */

export const ROOT = join(import.meta.dirname, '..', '..', '..');
export const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
export const filesBelow = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((path) => `${folder}/${path}`);

export const PAGES = ['README.md', ...filesBelow('docs').filter((path) => path.endsWith('.md'))];
/** Written by `npm run generate`. */
export const isGenerated = (page: string) => page.startsWith('docs/reference/');

/** The page of a citation, by its path or by its name alone. */
export const pageNamed = (name: string): string | undefined =>
  PAGES.find((page) => page === name || page === `docs/${name}` || basename(page) === name);

export const withoutFences = (text: string) => text.replace(/^ *```[^]*?^ *```/gm, '');

export const headingsOf = (page: string) =>
  [...withoutFences(read(page)).matchAll(/^#+ (.+)$/gm)].map(([, heading]) => heading!);

/** The anchor that GitHub makes of a heading. */
export const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replace(/ /g, '-');

/** Bytes of a page without the blanks that align tables, and without generated tables. */
export const sizeOf = (page: string) =>
  Buffer.byteLength(
    read(page)
      .replace(/<!-- (\w+): written by[^]*?<!-- end of \1 -->/g, '')
      .replace(/ {2,}/g, ' ')
      .replace(/-{4,}/g, '---'),
  );

/** A page as pieces of text: paragraphs, items of lists, and cells of tables. */
export function textOf(page: string): { prose: string[]; cells: string[] } {
  const lines = withoutFences(read(page))
    .replace(/<!--[^]*?-->/g, '')
    .split('\n');
  const prose: string[] = [];
  const cells: string[] = [];
  let isOpen = false;
  for (const line of lines) {
    const item = /^\s*(?:[-*]|\d+\.)\s+(.*)$/.exec(line);
    if (/^\s*\|/.test(line)) {
      if (!/^\s*\|[\s|:-]+$/.test(line)) cells.push(...line.split(/(?<!\\)\|/).map((cell) => plain(cell.trim())));
      isOpen = false;
    } else if (line.trim() === '' || line.startsWith('#')) isOpen = false;
    else if (item !== null || !isOpen) {
      prose.push(item?.[1] ?? line.trim());
      isOpen = true;
    } else prose[prose.length - 1] += ` ${line.trim()}`;
  }
  return { prose: prose.map(plain), cells: cells.filter((cell) => cell !== '') };
}

/** The value that nine of ten do not exceed. */
export function p90(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.ceil(0.9 * sorted.length) - 1] ?? 0;
}
