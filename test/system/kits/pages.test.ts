/** The code of docs/first-bot.md and docs/guides/strategy.md runs as it stands: each program plays on a real server. */
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import t from 'tap';
import { stopCluster } from '../../support/database.js';
import { FILE_MS } from '../../support/limits.js';
import { bareEnv, temporaryFolder, TestPlatform } from '../../support/platform.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const pieces = ['docs/first-bot.md', 'docs/guides/strategy.md']
  .flatMap((page) => [...readFileSync(join(root, page), 'utf8').matchAll(/^```js\n([^]*?)^```/gm)])
  .map(([, code]) => code!)
  .filter((code) => code.includes('playBot('));

void t.test('every piece of code plays', async (t) => {
  const folder = temporaryFolder(t);
  const kit = join(folder, 'node_modules/@agent-poker/client');
  mkdirSync(kit, { recursive: true });
  writeFileSync(join(kit, 'package.json'), '{"type": "module", "exports": "./index.js"}');
  const built = new URL('../../../sdk/typescript/src/index.js', import.meta.url).href;
  writeFileSync(join(kit, 'index.js'), `export * from '${built}';`);
  symlinkSync(join(root, 'node_modules/phe'), join(folder, 'node_modules/phe'));
  const platform = await TestPlatform.start(t, { HOUSE_BOTS: 3, REBUY_COOLDOWNS: '0' });
  t.ok(pieces.length >= 4, 'pieces are found');
  await Promise.all(
    pieces.map(async (code, n) => {
      writeFileSync(join(folder, `bot${n}.mjs`), code);
      const own = { BASE_URL: platform.url, NAME: `piece_${n}`, KEY_FILE: join(folder, `${n}.key`), HANDS: 3 };
      const { stderr } = await promisify(execFile)(process.execPath, [`bot${n}.mjs`], {
        cwd: folder,
        env: bareEnv(own),
      });
      t.match(stderr, new RegExp(`^piece_${n}: sits at table `, 'm'));
      t.notMatch(stderr, /warn|decide|late/, 'and has nothing to complain of');
    }),
  );
});
