/** One season ends, the next begins, and whoever plays plays on (protocol.md, "Seasons"). */
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { audit } from '../../src/admin/audit/index.js';
import { endSeasonCommand } from '../../src/admin/commands/seasons.js';
import { stopCluster } from '../support/database.js';
import { FILE_MS } from '../support/limits.js';
import { TestPlatform } from '../support/platform.js';
import { join, passive, scenesOf } from '../support/scene.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);
const platform = await TestPlatform.start(t, { LOBBY_GRACE_MS: 60_000 });
// A season that has been on for long: its second half, in which alone it winds down, is not to be awaited.
await platform.stop();
await platform.sql!`update seasons set start_date = start_date - interval '1 day'`;
await platform.launch();

let visitors = 0;

await scenesOf(t, platform)('from the last hands of a season to the first of the next', async (t, scene) => {
  const season = (await platform.api('GET', '/api/season/current')).body as {
    season_id: string;
    season_number: number;
  };
  t.match(season, { season_number: 1, winding_down: false });
  const stuck = await scene.game(2);
  const sam = await scene.player('sam');
  // A hand that nobody ends: an open decision after a raise.
  await stuck.play('raise', 500);
  await stuck.actor();

  // Its end is moved, not awaited. When the last minutes begin no table takes newcomers: who joins now waits for the next season.
  await endIn(200);
  for (;;) {
    const { body } = await platform.api('GET', '/api/season/current', { headers: visitor() });
    if ((body as { winding_down: boolean }).winding_down) break;
    await sleep(50);
  }
  sam.send({ type: 'join_lobby', buy_in: 3000 });
  await sam.next('lobby_joined');
  t.equal((await platform.health()).game.lobby_queue, 1);
  await endIn(1);

  for (const player of stuck.players) {
    t.match(await player.next('table_closed'), { reason: 'season_ended' });
    t.same(await player.next('season_ended'), { type: 'season_ended', season_number: 1, next_season_number: 2 });
    player.auto = passive;
    t.same(
      player.all('hand_result').filter(({ hand_id }) => hand_id === player.last('hand_start').hand_id),
      [],
      'the hand is void',
    );
  }
  await sam.next('season_ended');
  const rows = await platform.sql!`
    select chip_balance, chips_at_table from entries where pool_id = ${season.season_id}`;
  t.same(
    rows.map(({ chip_balance, chips_at_table }) => [Number(chip_balance), Number(chips_at_table)]),
    [
      [5000, 0],
      [5000, 0],
    ],
  );

  sam.auto = passive;
  const [ada] = stuck.players;
  await join(ada!, 2500);
  await sam.next('table_joined');
  await sam.next('hand_result');
  t.match((await platform.api('GET', '/api/season/current')).body, {
    season_number: 2,
    status: 'active',
    total_registered: 2,
  });
  t.match((await platform.api('GET', '/api/season/list')).body, [
    { season_number: 2, status: 'active' },
    { season_number: 1, status: 'ended', season_id: season.season_id },
  ]);
  t.match((await platform.api('GET', '/api/season/me', { key: sam.account.key })).body, { rebuys: 0, rank: Number });
  t.same((await audit(platform.sql!)).problems, []);
});

async function endIn(seconds: number): Promise<void> {
  await endSeasonCommand.prepare(['--in', String(seconds), '--yes']).run(platform.sql!, () => Promise.resolve(false));
}

/** Another address for each request: none is limited. */
function visitor() {
  return { 'x-forwarded-for': `198.18.${(visitors >> 8) & 255}.${visitors++ & 255}` };
}
