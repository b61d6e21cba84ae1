/** npm run web -- --sizes: what a browser loads before it can draw a page, compressed, by page; ends with 1 above the limit. */
import { readFileSync } from 'node:fs';

const LIMIT_KB = 100;

const sizes = JSON.parse(readFileSync('dist/web/sizes.json', 'utf8'));
const bytesOf = (path) => readFileSync(`dist/web${path}.br`).length;
const first = [...sizes['web/main.tsx'], ...sizes['web/theme.ts']];

let most = 0;
// Files that a page loads once it is drawn, such as its worker, belong to no first view.
const pages = Object.entries(sizes).filter(([source]) => source.startsWith('web/pages/'));
for (const [source, files] of pages) {
  const bytes = [...new Set([...first, ...files])].reduce((sum, path) => sum + bytesOf(path), 0);
  most = Math.max(most, bytes);
  console.log(`${(bytes / 1000).toFixed(1).padStart(7)} kB  ${source}`);
}
console.log(`first view: at most ${(most / 1000).toFixed(1)} kB of script and style, brotli (limit ${LIMIT_KB} kB)`);
if (most > LIMIT_KB * 1000) process.exitCode = 1;
