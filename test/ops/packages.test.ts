import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { getAddress } from 'viem';
import { getAddress as ofUtils } from 'viem/utils';

/**
 * Promises that no compiled module asks for typebox or viem as they are, file by file: the build bundles what is imported
 * of them (src/ops/packages.mjs). And that what two of these files give is one thing, so that instanceof can be trusted.
 */

const root = new URL('../../../', import.meta.url).pathname;
const sources = ['src', 'workers', 'bench', 'examples', 'test', 'sdk/generator'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => join(folder, path)),
);
const bare = /(?:\bfrom|\bimport)\s*\(?\s*["'](?:typebox|viem)(?:\/[^"']*)?["']/;

await t.test('no compiled module imports the packages themselves', async (t) => {
  t.match('import Type from "typebox";', bare);
  t.match("await import('viem/accounts')", bare);
  const importing = sources.filter((path) => bare.test(readFileSync(join(root, path), 'utf8')));
  t.ok(importing.includes('src/protocol/common.ts') && importing.includes('src/credits/chain/chain.ts'));
  const compiled = sources
    .filter((path) => path !== 'test/ops/packages.test.ts')
    .map((path) => join('dist', path.replace(/\.ts$/, '.js')));
  t.same(
    compiled.filter((path) => bare.test(readFileSync(join(root, path), 'utf8'))),
    [],
  );
});

await t.test('what several sub-paths of a package give is one thing', async (t) => {
  t.match(readFileSync(new URL(import.meta.url), 'utf8'), '../../src/packages/viem-utils.js');
  t.equal(getAddress, ofUtils);
});
