/** The bots of docs/first-bot.md and docs/guides/strategy.md run unchanged. Each plays hands on a real server. */
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
const codeOf = (page: string) =>
  [...readFileSync(join(root, page), 'utf8').matchAll(/^```js\n([^]*?)^```/gm)].map(([, code]) => code!);
const [firstBot, decide] = codeOf('docs/first-bot.md') as [string, string];
/** The tutorial's second step: `decide` comes from a file of its own. */
const withModule = `import { decide } from './decide.mjs';\n${firstBot.replace(/^ {2}decide: .*$/m, '  decide,')}`;
const pieces = [firstBot, withModule, ...codeOf('docs/guides/strategy.md')];

void t.test('every piece of code plays', async (t) => {
  const folder = temporaryFolder(t);
  const kit = join(folder, 'node_modules/@agent-poker/client');
  mkdirSync(kit, { recursive: true });
  writeFileSync(join(kit, 'package.json'), '{"type": "module", "exports": "./index.js"}');
  const built = new URL('../../../sdk/typescript/src/index.js', import.meta.url).href;
  writeFileSync(join(kit, 'index.js'), `export * from '${built}';`);
  symlinkSync(join(root, 'node_modules/phe'), join(folder, 'node_modules/phe'));
  const platform = await TestPlatform.start(t, { HOUSE_BOTS: 3, REBUY_COOLDOWNS: '0' });
  writeFileSync(join(folder, 'decide.mjs'), decide);
  t.ok(pieces.length >= 5, 'pieces are found');
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
