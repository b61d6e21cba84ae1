/**
 * Neighbouring releases on one database. The newer one extends the schema while the older one plays, and takes over.
 */
import { cpSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { freshDatabase, stopCluster, type Scope } from '../support/database.js';
import { ForkedPlatform } from '../support/forked-platform.js';
import { FILE_MS } from '../support/limits.js';
import { NODE } from '../support/nodes.js';
import { temporaryFolder, type TestPlatform } from '../support/platform.js';
import { Player } from '../support/player.js';
import { passive } from '../support/scene.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const MIGRATION = '999_next_release.sql';

/** A copy of this release that knows one migration more; resolves to its main program. */
function nextRelease(t: Scope): string {
  const folder = temporaryFolder(t);
  const isProduct = (path: string) => !/dist\/(test|bench)$/.test(path);
  cpSync(join(ROOT, 'dist'), join(folder, 'dist'), { recursive: true, filter: isProduct });
  cpSync(join(ROOT, 'sql'), join(folder, 'sql'), { recursive: true });
  cpSync(join(ROOT, 'package.json'), join(folder, 'package.json'));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(
    join(folder, 'sql', MIGRATION),
    `alter table tables add column next_release text not null default 'it'`,
  );
  return join(folder, 'dist/src/main.js');
}

/** An agent's socket with automatic answers to turns. */
async function open(node: TestPlatform, account: Player['account']): Promise<Player> {
  const prepare = (player: Player) => void (player.auto = passive);
  return Player.open(node, account, { prepare });
}

async function joined(node: TestPlatform, name: string): Promise<Player> {
  const player = await open(node, await node.register(name));
  player.send({ type: 'join_lobby' });
  return player;
}

await t.test('a newer release starts beside an older one, which drains', async (t) => {
  const address = await freshDatabase(t);
  // Slow hands with small pots, so that no player busts while a node starts.
  const settings = { ...NODE, BETWEEN_HANDS_MS: 200 };
  const older = await ForkedPlatform.start(t, settings, address);
  const players = [await joined(older, 'older'), await joined(older, 'older')];
  await Promise.all(players.map((player) => player.next('hand_result')));

  const newer = await ForkedPlatform.prepare(t, settings, address);
  newer.main = nextRelease(t);
  await newer.launch();
  const [column] = await newer.sql!<{ found: boolean }[]>`
    select exists (select from migrations where name = ${MIGRATION}) as found`;
  t.same(column, { found: true }, 'the schema has grown');
  for (const player of players) player.skip();
  await Promise.all(players.map((player) => player.next('hand_start')));
  await Promise.all(players.map((player) => player.next('hand_result')));

  players.push(await joined(newer, 'newer'));
  await players[2]!.next('hand_result');
  t.equal(players[2]!.table, players[0]!.table, 'players of both releases meet');

  await older.stop();
  for (const player of players) t.match(await player.closed, { code: 1012 });
  const back = await Promise.all(players.map(({ account }) => open(newer, account)));
  await Promise.all(back.map((player) => player.next('hand_result')));
  for (const player of back) t.equal(player.table, players[0]!.table, 'the newer release plays the table on');

  await t.test('the older release comes back beside the newer one, until a migration asks for more', async (t) => {
    await older.launch();
    const late = await joined(older, 'late');
    await late.next('hand_result');
    t.equal(late.table, back[0]!.table, 'its newcomers go where the pool has its players');
    await late.close();
    await older.stop();
    await newer.sql!`update schema_requires set migration = ${MIGRATION}`;
    await t.rejects(
      older.launch(),
      /The database has 999_next_release.sql that this release does not know: it is older/,
    );
  });
  for (const player of back) player.skip();
  await Promise.all(back.map((player) => player.next('hand_result')));
  for (const player of back) await player.close();
  for (const { faults } of [older, newer]) t.same(faults, []);
});
