/**
 * Competitions at their tables: scopes, rules, rebuys, pauses and ends, over real sockets (protocol.md, "Playing in a
 * competition").
 */
import t from 'tap';
import { audit } from '../../src/admin/audit/index.js';
import { INSPECTED, runInThread } from '../chaos/inspector.js';
import { FATES } from '../chaos/threads.js';
import { Cup } from '../support/cup.js';
import { stopCluster } from '../support/database.js';
import { eventually, FILE_MS } from '../support/limits.js';
import { ForkedPlatform } from '../support/forked-platform.js';
import { TestPlatform } from '../support/platform.js';
import { Player, untilAny } from '../support/player.js';
import { bust, Game, join, passive, resultOf, scenesOf } from '../support/scene.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);

/** Large blinds, so that little is needed for a bust. */
const RULES = {
  starting_chips: 3000,
  minimum_buy_in: 400,
  default_buy_in: 600,
  maximum_buy_in: 1000,
  small_blind: 50,
  big_blind: 100,
  max_players: 3,
};
const REBUYS = { rebuys_enabled: true, max_rebuys: 2, rebuy_chips: 1000, rebuy_score_penalty: 300 };

/** Competitions in which `broke` took chips away: what their people brought does not fit their rules any more. */
const meddled = new Set<string>();

/** Takes all that a player has off the tables away. */
async function broke(cup: Cup, player: Player): Promise<void> {
  const { agentId } = player.account;
  meddled.add(cup.id);
  await cup.platform.sql!`
    with gone as (
      update entries e set chip_balance = 0 from entries before
      where e.pool_id = ${cup.id} and e.agent_id = ${agentId}
        and before.pool_id = e.pool_id and before.agent_id = e.agent_id
      returning e.pool_id, e.agent_id, before.chip_balance as lost
    )
    insert into chip_ledger (pool_id, agent_id, type, amount, balance_after)
    select pool_id, agent_id, 'reset', -lost, 0 from gone where lost > 0`;
}

/** The problems in the books, except our own changes. */
async function problemsOf(platform: TestPlatform): Promise<string[]> {
  const { problems } = await audit(platform.sql!);
  const ours = (problem: string) => [...meddled].some((id) => problem.startsWith(`competition ${id}: agent `));
  return problems.filter((problem) => !ours(problem));
}

await t.test('beside the season', async (t) => {
  const platform = await TestPlatform.start(t, { LOBBY_GRACE_MS: 100, DISCONNECT_HOLD_MS: 60_000 });
  const scene = scenesOf(t, platform);

  await scene('only participants come in', async (t, scene) => {
    const cup = await Cup.open(platform, RULES);
    const stranger = await platform.register('stranger');
    const refused = ['auth_failed', 4001];
    t.same(await cup.refused(stranger), refused);
    for (const id of ['not-a-uuid', '', '00000000-0000-4000-8000-000000000000', "'; drop table entries"]) {
      t.same(await cup.refused(stranger, id), refused, `${id} is no competition`);
    }
    t.same(await cup.refused({ ...stranger, key: 'ap_nobody' }), refused);

    const ada = await cup.player(scene, 'ada');
    ada.send({ type: 'join_lobby' });
    t.match(await ada.next('lobby_joined'), { position: 1 }, 'it has not begun: she waits');
    ada.send({ type: 'rebuy', amount: 0 });
    t.match(await ada.error('invalid_rebuy'), { message: 'This competition has no rebuys' });
    const upper = await Player.open(platform, ada.account, { competitionId: cup.id.toUpperCase() });
    scene.players.push(upper);
    await upper.next('connected');
    t.equal((await ada.closed).code, 4002, 'the same competition, however it is written');
  });

  await scene('each plays by its own rules, and neither sees the other', async (t, scene) => {
    const cup = await Cup.open(platform, { ...RULES, duplicate: false });
    const season = await scene.game(2);
    const ada = await cup.player(scene, 'ada', 'Lovelace');
    const bob = await cup.player(scene, 'bob');
    for (const player of [ada, bob]) player.send({ type: 'join_lobby', buy_in: 5000 });
    await Promise.all([ada.next('lobby_joined'), bob.next('lobby_joined')]);
    await cup.step('start');
    await Promise.all([ada.next('table_joined'), bob.next('table_joined')]);
    const game = new Game([ada, bob]);
    await game.actor();

    const state = ada.last('table_state');
    t.equal(state.seats.length, 3, 'one seat entry for each seat');
    t.same(
      state.seats.map(({ bet }) => bet).sort((a, b) => a - b),
      [0, 50, 100],
    );
    t.match(await cup.entry(ada.account), { balance: 2400, at_table: 600 }, 'out of range: the default buy-in');
    t.match(bob.all('player_joined').concat(bob.all('table_joined') as never).length > 0, true);
    const names = bob.last('table_state').seats.map(({ name }) => name);
    t.ok(names.includes('Lovelace') && names.includes(bob.name), 'she plays under the name she chose');

    const tables = (await platform.api('GET', '/api/tables')).body as { table_id: string; seats: number }[];
    t.same(
      tables.map(({ table_id }) => table_id),
      [season.tableId],
      'the list is the season’s',
    );
    const active = async (player: Player) =>
      (await platform.api('GET', '/api/me/active-game', { key: player.account.key })).body;
    t.match(await active(ada), { playing: true, table_id: game.tableId, competition_id: cup.id });
    t.match(await active(season.players[0]!), { playing: true, table_id: season.tableId, competition_id: null });
    t.equal((await platform.api('GET', '/api/season/me', { key: ada.account.key })).status, 404, 'no season entry');

    const [first, second] = await Promise.all([game.finish(), season.finish()]);
    t.not(first.table_id, second.table_id);
    for (const player of season.players) t.notOk(player.texts.some((text) => text.includes(game.tableId)));

    ada.auto = bob.auto = passive;
    const cyd = await cup.player(scene, 'cyd');
    await join(cyd, 400);
    t.match(await cup.entry(cyd.account), { balance: 2600, at_table: 400 });
    const dan = await cup.player(scene, 'dan');
    dan.send({ type: 'join_lobby', buy_in: 400 });
    await dan.next('lobby_joined');
    cyd.auto = passive;
    t.equal(dan.table, null, 'three seats are three seats');
  });

  await scene('a socket for another scope', async (t, scene) => {
    const cup = await Cup.open(platform, RULES);
    await cup.step('start');
    const ada = await scene.player('ada');
    await cup.enroll(ada.account);
    ada.send({ type: 'join_lobby' });
    await ada.next('lobby_joined');

    const cupAda = await cup.connect(scene, ada.account);
    t.equal((await ada.closed).code, 4002, 'she only waited: the new one takes over');
    const bob = await cup.player(scene, 'bob');
    cupAda.auto = bob.auto = passive;
    await Promise.all([join(cupAda, null), join(bob, null)]);
    const elsewhere = ['scope_connection_already_active', 4009];
    t.same(await cup.refused(ada.account, null), elsewhere, 'seated and connected');
    await cupAda.drop();
    t.same(await cup.refused(ada.account, null), elsewhere, 'seated and held');
    const back = await cup.connect(scene, ada.account);
    t.match(await back.next('table_state'), { table_id: bob.table }, 'her seat is there for her');

    back.auto = passive;
    back.send({ type: 'leave_table' });
    await back.until('the seat to be gone', () => back.departures > 0 || undefined);
    const season = await eventually('the season', async () => {
      const player = await Player.open(platform, ada.account);
      scene.players.push(player);
      return player.until('an answer', () => player.frames[0]?.type).then((type) => type === 'connected' && player);
    });
    t.equal((await back.closed).code, 4002);
    await season.close();
  });

  await scene('rebuys by the rules of the competition', async (t, scene) => {
    const cup = await Cup.open(platform, { ...RULES, ...REBUYS, rebuy_cooldown_seconds: 600 });
    await cup.step('start');
    const ada = await cup.player(scene, 'ada');
    ada.send({ type: 'rebuy', amount: 0 });
    await ada.error('not_at_table');
    await broke(cup, ada);
    ada.send({ type: 'join_lobby' });
    await ada.error('insufficient_season_chips');

    ada.send({ type: 'rebuy', amount: 0, request_id: 'first' });
    const told = await ada.next('rebuy_confirmed');
    const granted = {
      type: 'rebuy_confirmed',
      new_stack: 0,
      chip_balance: 1000,
      request_id: 'first',
      chips_granted: 1000,
      score_penalty: 300,
      rebuys_used: 1,
      rebuy_penalty_total: 300,
      rebuys_remaining: 1,
      rebuy_available_now: false,
    };
    const { next_rebuy_at: nextAt, ...rest } = told;
    t.same(rest, { ...granted, replayed: false });
    t.ok(Math.abs(Date.parse(nextAt ?? '') - Date.now() - 600_000) < 60_000, `the next one at ${nextAt}`);

    // The answer might have been lost: the same question on a new socket.
    await ada.drop();
    const again = await cup.connect(scene, ada.account);
    again.send({ type: 'rebuy', amount: 0, request_id: 'first' });
    t.same(await again.next('rebuy_confirmed'), { ...told, replayed: true });
    t.match(await cup.entry(ada.account), { balance: 1000, rebuys: 1 }, 'granted once');

    await broke(cup, again);
    again.send({ type: 'rebuy', amount: 0, request_id: 'second' });
    t.match(await again.error('rebuy_cooldown'), { rebuy_at: nextAt });
    await platform.sql!`
      update entries set last_rebuy_at = last_rebuy_at - interval '600 s' where pool_id = ${cup.id}`;
    again.send({ type: 'rebuy', amount: 0, request_id: 'second' });
    t.match(await again.next('rebuy_confirmed'), {
      request_id: 'second',
      rebuys_used: 2,
      rebuy_penalty_total: 600,
      rebuys_remaining: 0,
      next_rebuy_at: null,
      rebuy_available_now: false,
    });
    await broke(cup, again);
    again.send({ type: 'rebuy', amount: 0, request_id: 'third' });
    t.match(await again.error('invalid_rebuy'), { message: 'No rebuys are left' });
    again.send({ type: 'rebuy', amount: 0, request_id: 'second' });
    t.match(await again.next('rebuy_confirmed'), { request_id: 'second', replayed: true, chip_balance: 0 });
  });

  await scene('a bust, and the rebuy that comes by itself', async (t, scene) => {
    const cup = await Cup.open(platform, { ...RULES, ...REBUYS });
    await cup.step('start');
    const players = [await cup.player(scene, 'ada'), await cup.player(scene, 'bob')];
    for (const player of players) {
      player.send({ type: 'set_auto_rebuy', enabled: true });
      t.match(await player.next('auto_rebuy_set'), { enabled: true });
    }
    const game = new Game(players);
    await game.sit(1000);
    for (const player of players) await broke(cup, player);
    const loser = await bust(game);
    t.match(await loser.next('auto_rebuy_scheduled'), { cooldown_seconds: 0 });
    const confirmed = await loser.next('rebuy_confirmed');
    t.match(confirmed, { rebuys_used: 1, rebuys_remaining: 1, replayed: false, rebuy_available_now: true });
    t.notOk('request_id' in confirmed, 'nobody asked for it');
    const winner = players.find((player) => player !== loser)!;
    winner.auto = loser.auto = passive;
    loser.send({ type: 'join_lobby' });
    let back = false;
    await untilAny(players, 'a seat for both', () => {
      // Alone for longer than the grace, which a slow machine decides: its table is closed, and it comes back as well.
      if (!back && winner.all('table_closed').length > 0) winner.send({ type: 'join_lobby' });
      back = winner.all('table_closed').length > 0;
      return loser.all('table_joined').length > 1 || undefined;
    });
    loser.send({ type: 'rebuy', amount: 0 });
    await loser.until(
      'a refusal',
      () =>
        loser.all('error').some(({ code }) => code === 'invalid_rebuy' || code === 'rebuy_during_hand') || undefined,
    );
  });

  await scene('without rebuys a bust is the end', async (t, scene) => {
    const cup = await Cup.open(platform, RULES);
    await cup.step('start');
    const players = [await cup.player(scene, 'ada'), await cup.player(scene, 'bob')];
    players[0]!.send({ type: 'set_auto_rebuy', enabled: true });
    await players[0]!.error('invalid_rebuy');
    const game = new Game(players);
    await game.sit(1000);
    for (const player of players) await broke(cup, player);
    const loser = await bust(game);
    t.same(await loser.next('busted'), { type: 'busted', options: ['leave'] });
    loser.send({ type: 'join_lobby' });
    await loser.error('insufficient_season_chips');
    loser.send({ type: 'rebuy', amount: 0, request_id: 'please' });
    await loser.error('invalid_rebuy');
  });

  await scene('a pause keeps seats and stops hands; an end plays them out', async (t, scene) => {
    const cup = await Cup.open(platform, RULES);
    await cup.step('start');
    const game = new Game([await cup.player(scene, 'ada'), await cup.player(scene, 'bob')]);
    await game.sit(600);
    const [ada, bob] = game.players as [Player, Player];
    const handId = (await game.actor()).turn!.hand_id;
    await cup.step('pause');
    const cyd = await cup.player(scene, 'cyd');
    cyd.auto = passive;
    cyd.send({ type: 'join_lobby' });
    await cyd.next('lobby_joined');
    t.equal((await game.finish()).hand_id, handId, 'the hand in progress counts');
    for (const player of game.players) {
      const state = await player.next('table_state', ({ waiting_reason: why }) => why === 'table_closing');
      t.equal(state.seats.filter(({ status }) => status !== 'empty').length, 2);
    }
    ada.skip();
    // Before the first turn can come, which may be read before the answer to the step.
    ada.auto = bob.auto = passive;
    await cup.step('resume');
    await ada.next('hand_start');
    t.match(await cyd.next('table_joined'), { table_id: game.tableId }, 'who waited is seated');

    const played = ada.last('hand_start').hand_id;
    ada.auto = bob.auto = (turn) => (turn.hand_id === played ? passive(turn) : null);
    const actor = await untilAny([ada, bob], 'a turn in another hand', () =>
      [ada, bob].find(({ turn }) => turn !== null && turn.hand_id !== played),
    );
    const last = actor.turn!.hand_id;
    await cup.step('end');
    t.equal(await cup.state(), 'ending', 'somebody thinks');
    ada.auto = bob.auto = passive;
    // Sockets of two nodes do not read at the same time: the one that was found may have answered, and the other thinks.
    for (const player of [ada, bob]) if (player.turn?.hand_id === last) player.act(passive(player.turn).action);
    await resultOf(ada, last);
    t.match(await ada.next('table_closed'), { reason: 'competition_ended' });
    await eventually('the results', async () => (await cup.state()) === 'results_pending');
    ada.send({ type: 'join_lobby' });
    t.match(await ada.error('no_active_season'), { message: 'This competition is over' });
    ada.send({ type: 'set_auto_rebuy', enabled: false });
    ada.send({ type: 'rebuy', amount: 0 });
    await ada.error('no_active_season');
    const balances = await Promise.all(game.players.concat(cyd).map(({ account }) => cup.entry(account)));
    t.equal(
      balances.reduce((sum, { balance }) => sum + balance, 0),
      9000,
      'every chip is back',
    );
  });

  await t.test('and every chip is accounted for', async (t) => {
    await platform.stop();
    t.same(await problemsOf(platform), []);
  });
});

await t.test('on two shards', async (t) => {
  const env = {
    ...INSPECTED,
    TRANSPORT: 'uws',
    THREADS: 2,
    LOBBY_GRACE_MS: 100,
    DISCONNECT_HOLD_MS: 60_000,
  };
  const platform = await ForkedPlatform.start(t, env);
  const scene = scenesOf(t, platform);

  await scene('restarts, lost shards and a change of seasons leave it as it was', async (t, scene) => {
    const cup = await Cup.open(platform, { ...RULES, ...REBUYS, duplicate: true });
    await cup.step('start');
    let players = [await cup.player(scene, 'ada', 'Lovelace'), await cup.player(scene, 'bob')];
    const reconnect = async () => {
      players = await Promise.all(players.map(({ account }) => cup.connect(scene, account, passive)));
    };
    for (const player of players) player.auto = passive;
    await Promise.all(players.map((player) => join(player, 600)));
    const table = players[0]!.table;
    await players[0]!.next('hand_result');

    const activeSeason = async () => {
      const rows = await platform.sql!<{ season_number: number }[]>`
        select season_number from seasons where status = 'active'`;
      return rows[0]!.season_number;
    };
    let ending = 0;
    await t.test('a stop, and a kill in the middle of a hand', async (t) => {
      for (const end of ['stop', 'kill'] as const) {
        await platform[end]();
        ending = await activeSeason();
        // The season is about to end when the platform comes back.
        await platform.sql!`update seasons set end_date = now() + interval '4 s' where status = 'active'`;
        await platform.launch({ WIND_DOWN_SECONDS: 1 });
        await reconnect();
        t.match(await players[0]!.next('table_state'), { table_id: table });
        await players[0]!.next('hand_result');
        const { seats } = players[0]!.last('table_state');
        t.equal(seats.length, 3);
        t.ok(seats.some(({ name }) => name === 'Lovelace'));
        t.match(await platform.api('GET', '/api/me/active-game', { key: players[0]!.account.key }), {
          body: { competition_id: cup.id },
        });
      }
    });

    await t.test('a shard that dies', async (t) => {
      players[0]!.skip();
      for (const shard of [0, 1]) await runInThread(platform, 'shard', 2, () => shard, FATES.exits);
      await players[0]!.next('hand_start');
      await players[0]!.next('hand_result');
      t.equal(players[0]!.last('table_state').seats.length, 3);
      t.equal(players[0]!.table, table);
    });

    await t.test('a season that ends', async (t) => {
      const eve = await scene.player('eve');
      await eventually('another season', async () => (await activeSeason()) > ending);
      players[0]!.skip();
      await players[0]!.next('hand_result');
      t.equal(players[0]!.table, table);
      for (const player of players) t.notOk(player.isClosed, 'it ended beside them');
      await eve.close();
    });

    await t.test('a pause that lasts over a restart, who lost its part meanwhile, and a rebuy to come', async (t) => {
      const cyd = await cup.player(scene, 'cyd');
      await broke(cup, cyd);
      await cup.step('pause');
      const [ada, bob] = players as [Player, Player];
      await ada.next('table_state', ({ waiting_reason: why }) => why === 'table_closing');
      await platform.stop();
      await platform.sql!`
          update competition_participants set state = 'removed'
          where competition_id = ${cup.id} and agent_id = ${bob.account.agentId}`;
      await platform.sql!`
          update entries set auto_rebuy = true, rebuys = 1, last_rebuy_at = now(), rebuy_due_at = now() + interval '1 s'
          where pool_id = ${cup.id} and agent_id = ${cyd.account.agentId}`;
      await platform.launch();
      const back = await cup.connect(scene, ada.account);
      await back.next('table_state', ({ waiting_reason: why }) => why === 'table_closing');
      t.same(await cup.refused(bob.account), ['auth_failed', 4001]);
      await eventually('the seat to be given up', async () => (await cup.entry(bob.account)).at_table === 0);
      await eventually('the rebuy', async () => (await cup.entry(cyd.account)).balance === 1000);
      t.match(await cup.entry(cyd.account), { rebuys: 2, due: null });

      const cydBack = await cup.connect(scene, cyd.account);
      cydBack.send({ type: 'join_lobby' });
      await cydBack.next('lobby_joined');
      t.same(back.all('hand_start'), [], 'no hand is dealt');
      back.auto = cydBack.auto = passive;
      await cup.step('resume');
      await cydBack.next('table_joined');
      await back.next('hand_result');
    });
  });
  await platform.stop();
  t.same(await problemsOf(platform), []);
});
