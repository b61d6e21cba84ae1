/** Hosted bots play on by themselves through a kill, a restart, a lost shard, and into the next season. */
import t from 'tap';
import { endSeasonCommand } from '../../src/admin/commands/seasons.js';
import type { ServerMessageOf } from '../../src/protocol/server.js';
import { INSPECTED, runInThread } from '../chaos/inspector.js';
import { FATES } from '../chaos/threads.js';
import { stopCluster } from '../support/database.js';
import { ForkedPlatform } from '../support/forked-platform.js';
import { eventually, FILE_MS } from '../support/limits.js';
import type { Account, TestPlatform } from '../support/platform.js';
import { Player } from '../support/player.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);

/** The states of some bots, by REST. */
async function states(
  platform: TestPlatform,
  accounts: readonly Account[],
): Promise<{ state: string; hands_played: number }[]> {
  return Promise.all(
    accounts.map(async ({ key }) => {
      const { body } = await platform.api('GET', '/api/bot/status', { key });
      return body as { state: string; hands_played: number };
    }),
  );
}

/** Resolves once `count` hands are stored. */
async function hands(platform: TestPlatform, count: number, pool: string | null = null): Promise<void> {
  for (;;) {
    const [row] = await platform.sql!<{ hands: number }[]>`
      select count(*) as hands from hands where ${pool}::uuid is null or pool_id = ${pool}::uuid`;
    if (row!.hands >= count) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

await t.test(
  'hosted bots play by themselves: over restarts, into the next season, until they are stopped',
  async (t) => {
    const platform = await ForkedPlatform.start(t, {
      HOSTED_PACE_MS: 0,
      SEASON_SECONDS: 3600,
      WS_CONNECTS_PER_MINUTE: 1,
      WIND_DOWN_SECONDS: 1,
      REBUY_COOLDOWNS: '0',
      STARTING_CHIPS: 2000,
      BETWEEN_HANDS_MS: 1,
      TRUSTED_PROXY: 0,
    });
    const templates = ['shark', 'rock', 'gambler', 'bluffer', 'calling_station'];
    const accounts = [];
    for (const template of templates) {
      const account = await platform.register('hosted');
      const body = { mode: 'hosted', strategy: { template } };
      t.match(await platform.api('POST', '/api/bot/deploy', { key: account.key, body }), { status: 200 });
      accounts.push(account);
    }
    await hands(platform, 60);
    t.ok(
      (await states(platform, accounts)).every(({ state }) => state === 'running'),
      'they do not count as one address',
    );

    await platform.kill();
    await platform.launch();
    const [before] = await platform.sql!<{ hands: number }[]>`select count(*) as hands from hands`;
    await hands(platform, before!.hands + 60);

    await platform.stop();
    // The season ends soon after the start.
    await platform.sql!`update seasons set end_date = now() + interval '2 seconds'`;
    await platform.launch();
    const second = async () => {
      const [row] = await platform.sql!<{ season_id: string }[]>`
        select season_id from seasons where status = 'active' and season_number = 2`;
      return row?.season_id;
    };
    const pool = await eventually('the second season', second);
    await hands(platform, 60, pool);
    await endSeasonCommand.prepare(['--in', '1', '--yes']).run(platform.sql!, () => Promise.resolve(false));
    const third = async () => (await platform.sql!`select from seasons where season_number = 3`).length === 1;
    await eventually('the third season', third);
    const [standings] = await platform.sql!<{ ranked: number }[]>`
    select count(*) as ranked from season_standings where season_id = ${pool}`;
    t.equal(standings!.ranked, templates.length, 'a whole season, attended by nobody');
    await platform.healthWhen(({ game }) => game.active_tables > 0);

    for (const { key } of accounts) t.match(await platform.api('POST', '/api/bot/stop', { key }), { status: 200 });
    await platform.empty();
    t.ok(
      (await states(platform, accounts)).every(({ state, hands_played }) => state === 'stopped' && hands_played > 60),
    );
    const [seated] = await platform.sql!<{ seated: number }[]>`
    select count(*) as seated from entries where table_id is not null`;
    t.equal(seated!.seated, 0, 'they left their tables');
    t.same(platform.faults, []);
  },
);

await t.test('a hand is cut off while a hosted bot thinks: the thread of all hosted bots plays on', async (t) => {
  // The bot acts 2 to 6 s after its turn: when the table is open again, and before its next hand.
  const platform = await ForkedPlatform.start(t, { ...INSPECTED, HOSTED_PACE_MS: 4000, BETWEEN_HANDS_MS: 7000 });
  const { key } = await platform.register('hosted');
  await platform.api('POST', '/api/bot/deploy', { key, body: { mode: 'hosted' } });
  const guest = await Player.open(platform, await platform.register('guest'), {
    prepare: (player) => {
      player.auto = ({ valid_actions: offers }) => ({
        action: offers.some(({ action }) => action === 'check') ? 'check' : 'call',
      });
    },
  });
  guest.send({ type: 'join_lobby' });
  const isBotsTurn = ({ hand_id, actor_seat: actor }: ServerMessageOf['table_state']) =>
    hand_id !== null && actor !== undefined && actor !== guest.seat;
  const { hand_id: cutOff } = await guest.next('table_state', isBotsTurn);
  await runInThread(platform, 'shard', 1, () => 0, FATES.exits);
  await guest.next('table_state', ({ hand_id }) => hand_id === null);
  await guest.next('player_action', ({ hand_id, seat }) => hand_id !== cutOff && seat !== guest.seat);
  t.notMatch(platform.output, /the thread of the hosted bots starts again/);
  t.same(platform.faults, []);
});
