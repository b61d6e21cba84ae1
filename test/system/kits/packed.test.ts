/**
 * A stranger's first minutes: the packed package in an empty folder, ten lines, the first hand. A page uses the same
 * package, with its own WebSocket and a bot token.
 */
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
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
const run = promisify(execFile);
const folder = temporaryFolder(t);
/** The environment of a machine without our settings. */
const env = bareEnv({ npm_config_update_notifier: 'false' });
const npm = (cwd: string, ...args: string[]) => run('npm', args, { cwd, env });

/** Packs a folder; resolves to the name of the archive. */
async function pack(from: string): Promise<string> {
  const before = new Set(readdirSync(folder));
  await npm(from, 'pack', '--silent', '--pack-destination', folder);
  return readdirSync(folder).find((file) => !before.has(file))!;
}

const BOT = `
import { playBot } from '@agent-poker/client';
const summary = await playBot({
  url: process.argv[2],
  name: 'my_bot',
  hands: 1,
  decide: (hand) => (hand.canCheck ? hand.check() : hand.toCall <= hand.pot / 4 ? hand.call() : hand.fold()),
});
console.log(JSON.stringify(summary));
`;

/** A page as far as the kit can tell: it has a WebSocket, and no Node. */
const PAGE = `
import { WebSocket } from 'ws';
globalThis.WebSocket = WebSocket;
const { playBot, KitError } = await import(new URL('./node_modules/@agent-poker/client/dist/browser.js', import.meta.url));
const [, , url, botToken] = process.argv;
const decide = (hand) => hand.fold();
const refused = await playBot({ url, apiKey: 'ap_x', decide }).catch((error) => error);
const summary = await playBot({ url, botToken, hands: 1, decide });
console.log(JSON.stringify({ refused: refused instanceof KitError && refused.message, ...summary }));
`;

void t.test('ten lines on the packed package play a hand, in Node and in a page', async (t) => {
  // Its only dependency comes from node_modules: tests ask no registry.
  const [kit, ws] = [await pack(join(root, 'sdk/typescript')), await pack(join(root, 'node_modules/ws'))];
  const platform = await TestPlatform.start(t, { HOUSE_BOTS: 3, LOBBY_GRACE_MS: 100 });

  const started = performance.now();
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
  await npm(folder, 'install', '--offline', '--no-audit', '--no-fund', `./${kit}`, `./${ws}`);
  const installed = performance.now();
  writeFileSync(join(folder, 'bot.js'), BOT);
  const { stdout, stderr } = await run(process.execPath, ['bot.js', platform.url], { cwd: folder, env });
  const played = performance.now();
  // One more hand may begin before it can leave.
  t.match(JSON.parse(stdout), { hands: /^[12]$/, reason: 'hands' });
  t.match(stderr, /^my_bot: sits at table /m, 'it tells people how it does');
  const seconds = (ms: number) => (ms / 1000).toFixed(1);
  t.comment(
    `figure: the packed TypeScript kit: installed in ${seconds(installed - started)} s, first hand in ${seconds(played - started)} s`,
  );

  const { key } = await platform.register('page');
  const { body } = await platform.api('POST', '/api/bot/deploy', { key, body: { mode: 'browser' } });
  const { bot_token: token } = (body as { token: { bot_token: string } }).token;
  writeFileSync(join(folder, 'page.js'), PAGE);
  const page = await run(process.execPath, ['page.js', platform.url, token], { cwd: folder, env });
  t.match(JSON.parse(page.stdout), { hands: /^[12]$/, reason: 'hands', refused: /botToken/ });
  t.notMatch(page.stdout + page.stderr, token, 'no token is told');
});

void t.test('what is packed stands alone', async (t) => {
  const dist = join(folder, 'node_modules/@agent-poker/client/dist');
  const imports = (file: string) =>
    [
      ...readFileSync(join(dist, file), 'utf8').matchAll(/^(?:import|export) .*from "([^"]+)"|\bimport\("([^"]+)"\)/gm),
    ].map(([, a, b]) => a ?? b);
  t.same(imports('browser.js'), [], 'the file for pages asks for nothing');
  t.same(imports('index.js').sort(), ['node:fs', 'ws']);
  // The types as a stranger's compiler sees them.
  writeFileSync(
    join(folder, 'typed.ts'),
    `import { playBot, RestClient, type Hand } from '@agent-poker/client';
const decide = (hand: Hand) => hand.raiseTo(hand.minRaise);
export const summary = playBot({ decide, on: { hand_result: ({ total_pot }) => total_pot + 1 } });
export const rest = async () => (await new RestClient({ url: '' }).getMe()).runtime satisfies string;
// @ts-expect-error -- a field that does not exist
export const wrong = (hand: Hand) => hand.nothing;
`,
  );
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const options = ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'es2022', '--lib', 'es2023,dom'];
  const { stdout } = await run(process.execPath, [tsc, ...options, 'typed.ts'], { cwd: folder, env }).catch(
    (error: { stdout: string }) => error,
  );
  t.equal(stdout, '', 'its types are whole');
});
