/**
 * npm run sdk:build: the package of the TypeScript kit in sdk/typescript/dist/. It has one file for Node (which needs
 * `ws`), one for browsers (which needs nothing), and the types.
 */
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { build } from 'esbuild';

const here = (path) => new URL(path, import.meta.url).pathname;
rmSync(here('dist'), { recursive: true, force: true });

const common = {
  entryPoints: [here('src/index.ts')],
  bundle: true,
  format: 'esm',
  target: 'es2022',
  logLevel: 'warning',
};
/** In the browser's bundle these files replace Node's. */
const inPages = {
  name: 'platform-of-pages',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\.\/platform\.js$/ }, () => ({ path: here('src/platform-browser.ts') })),
};

await Promise.all([
  build({ ...common, platform: 'node', external: ['ws'], outfile: here('dist/index.js') }),
  build({ ...common, platform: 'browser', plugins: [inPages], outfile: here('dist/browser.js') }),
]);
const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
execFileSync(process.execPath, [tsc, '-p', here('tsconfig.json')], { stdio: 'inherit' });
