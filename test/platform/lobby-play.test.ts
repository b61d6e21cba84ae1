/**
 * The way to a seat and back to the lobby (protocol.md, "From the lobby to a seat" and "Bust, rebuy, season end").
 * Tests joins, refusals, and rebuys by socket, by REST and automatic.
 */
import t from 'tap';
import { audit } from '../../src/admin/audit/index.js';
import { stopCluster } from '../support/database.js';
import { eventually, FILE_MS } from '../support/limits.js';
import { ForkedPlatform } from '../support/forked-platform.js';
import { PRODUCTION, TestPlatform } from '../support/platform.js';
import { Player } from '../support/player.js';
import { bust, join, passive, scenesOf, type Scene } from '../support/scene.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);

await t.test('with the chips of a season', async (t) => {
  const platform = await TestPlatform.start(t, { LOBBY_GRACE_MS: 100, DISCONNECT_HOLD_MS: 1000 });
  const scene = scenesOf(t, platform);

  await scene('a join is refused with its reason: twice, seated, too rich a wish', async (t, scene) => {
    const ada = await scene.player('ada');
    ada.send({ type: 'set_auto_rebuy', enabled: true });
    await ada.error('not_registered_for_season');
    ada.send({ type: 'join_lobby', buy_in: 2000 });
    ada.send({ type: 'set_auto_rebuy', enabled: false });
    await ada.next('lobby_joined');
    t.same(await ada.next('auto_rebuy_set'), { type: 'auto_rebuy_set', enabled: false }, 'the join made the entry');
    ada.send({ type: 'join_lobby', buy_in: 2000 });
    await ada.error('already_in_lobby');

    const bob = await scene.player('bob');
    bob.auto = passive;
    ada.auto = passive;
    await join(bob);
    await ada.next('table_joined');
    ada.send({ type: 'join_lobby', buy_in: 2000 });
    const place = { table_id: ada.table, seat: ada.seat };
    t.match(await ada.error('already_seated'), { ...place, details: place });

    const cyd = await scene.player('cyd');
    await platform.api('POST', '/api/season/register', { key: cyd.account.key });
    await platform.sql!`update entries set chip_balance = 999 where agent_id = ${cyd.account.agentId}`;
    for (const wish of [999, 1000, undefined]) {
      cyd.send({ type: 'join_lobby', buy_in: wish });
      await cyd.error('insufficient_season_chips');
    }
  });

  await scene('a buy-in out of range is 2,000; one above the balance is the whole of it', async (t, scene) => {
    const cases = [
      ['ada', 5000, 999, 2000],
      ['bob', 5000, 5001, 2000],
      ['cyd', 1500, undefined, 1500],
      ['dan', 1999, 0, 1999],
      ['eve', 5000, 5000, 5000],
      // A bot asks for this buy-in for ever, also after a rebuy.
      ['fay', 1500, 2000, 1500],
    ] as const;
    for (const [name, balance, wish, expected] of cases) {
      const player = await scene.player(name);
      player.auto = passive;
      await platform.api('POST', '/api/season/register', { key: player.account.key });
      await platform.sql!`update entries set chip_balance = ${balance} where agent_id = ${player.account.agentId}`;
      player.send({ type: 'join_lobby', ...(wish === undefined ? {} : { buy_in: wish }) });
      // The first waits for the second.
      if (name === 'ada') await player.next('lobby_joined');
      else await player.next('table_joined');
      const [entry] = await platform.sql!`
        select chips_at_table + chip_balance as all_chips, chip_balance from entries where agent_id = ${player.account.agentId}`;
      if (name !== 'ada')
        t.equal(balance - Number(entry!['chip_balance']), expected, `${name} sits down with ${expected}`);
    }
    t.equal(new Set(scene.players.map(({ table }) => table)).size, 1, 'open seats are filled before tables are opened');
  });

  await scene(
    'the deduction can fail while one waits: season_buy_in_failed',
    async (_t, scene) => {
      const ada = await scene.player('ada');
      ada.send({ type: 'join_lobby', buy_in: 2000 });
      await ada.next('lobby_joined');
      await platform.sql!`update entries set chip_balance = 500 where agent_id = ${ada.account.agentId}`;
      const bob = await scene.player('bob');
      bob.send({ type: 'join_lobby', buy_in: 2000 });
      await ada.error('season_buy_in_failed');
      await bob.next('table_closed');
    },
    'a hand-over to the pool’s host reads the balance again',
  );

  await scene('rebuy with a seat, or with chips: each refusal has its code', async (t, scene) => {
    const game = await scene.game(2);
    const actor = await game.actor();
    actor.send({ type: 'rebuy', amount: 0 });
    await actor.error('rebuy_during_hand');
    const { key } = actor.account;
    t.match(await platform.api('POST', '/api/season/rebuy', { key }), {
      status: 400,
      body: { detail: 'Cannot rebuy - still have chips' },
    });
    const cyd = await scene.player('cyd');
    await join(cyd);
    cyd.send({ type: 'rebuy', amount: 0 });
    await cyd.error('invalid_rebuy');
    const dan = await scene.player('dan');
    dan.send({ type: 'rebuy', amount: 1500 });
    await dan.error('not_registered_for_season');
    const eve = await scene.player('eve');
    await platform.api('POST', '/api/season/register', { key: eve.account.key });
    eve.send({ type: 'rebuy', amount: 1500 });
    await eve.error('not_at_table');
  });

  await scene('busted with chips left in the balance: no rebuy, though it is automatic', async (t, scene) => {
    const game = await scene.game(2, { buyIn: 1000 });
    for (const player of game.players) player.send({ type: 'set_auto_rebuy', enabled: true });
    await Promise.all(game.players.map((player) => player.next('auto_rebuy_set')));
    const loser = await bust(game);
    t.same(await loser.next('busted'), { type: 'busted', options: ['leave'] });
    t.same(loser.all('auto_rebuy_scheduled'), []);
    loser.send({ type: 'rebuy', amount: 0 });
    t.match(await loser.error('not_at_table'), { message: 'You still have 4000 chips: send join_lobby' });
    loser.send({ type: 'join_lobby', buy_in: 1000 });
    await loser.next('lobby_joined');
  });

  await scene(
    'two short tables become one: the emptier closes between hands, its players come back',
    async (t, scene) => {
      const players: Player[] = [];
      for (let n = 0; n < 8; n++) {
        const player = await scene.player('ada');
        player.auto = passive;
        players.push(player);
        player.send({ type: 'join_lobby', buy_in: 2000 });
        if (n % 2 === 1 || (n > 1 && n < 6)) await player.next('table_joined');
      }
      await players[6]!.next('table_joined');
      t.equal(new Set(players.slice(0, 6).map(({ table }) => table)).size, 1, 'six at one table');
      t.not(players[6]!.table, players[0]!.table, 'two at another');
      for (const player of players.slice(0, 4)) {
        player.send({ type: 'leave_table' });
        await player.next('player_left', ({ name }) => name === player.name);
      }
      const left = players.slice(4);
      const moved = await Promise.race(
        left.map((player) => player.next('table_closed').then((closed) => ({ player, closed }))),
      );
      t.equal(moved.closed.reason, 'insufficient_players');
      await join(moved.player);
      const staying = left.find((player) => player.table === moved.player.table && player !== moved.player);
      t.ok(staying, 'at the table that stayed');
    },
  );
});

await t.test('with 2,000 chips in all, and cooldowns of 0 and 2 seconds', async (t) => {
  const platform = await ForkedPlatform.start(t, {
    STARTING_CHIPS: 2000,
    REBUY_COOLDOWNS: '0,2',
    LOBBY_GRACE_MS: 400,
    BETWEEN_HANDS_MS: 20,
    DISCONNECT_HOLD_MS: 1000,
  });
  const scene = scenesOf(t, platform);

  await scene('bust, rebuy, and the cooldown of the next, over the socket and by REST', async (t, scene) => {
    const game = await scene.game(2);
    const loser = await bust(game);
    const [winner] = game.players.filter((player) => player !== loser);
    await loser.next('busted');
    const own = loser.since(({ type }) => type === 'hand_result').map(({ type }) => type);
    t.match(own.slice(-3), ['hand_result', 'player_left', 'busted'], 'its result, its own end at the table, the news');
    t.match(loser.last('player_left'), { name: loser.name, reason: 'busted' });
    t.match(await winner!.next('player_left'), { name: loser.name, reason: 'busted' });

    const { key } = loser.account;
    t.match((await platform.api('GET', '/api/season/me', { key })).body, {
      chip_balance: 0,
      chips_at_table: 0,
      rebuys: 0,
    });
    loser.send({ type: 'join_lobby', buy_in: 2000 });
    await loser.error('insufficient_season_chips');
    loser.send({ type: 'rebuy', amount: 0 });
    t.same(await loser.next('rebuy_confirmed'), { type: 'rebuy_confirmed', new_stack: 0, chip_balance: 1500 });
    t.match((await platform.api('GET', '/api/season/me', { key })).body, { rebuys: 1, score: 0 });

    await winner!.next('table_closed');
    const again = await scene.player('cyd');
    again.auto = passive;
    loser.auto = passive;
    again.send({ type: 'join_lobby' });
    await join(loser, null);
    t.match(
      loser.last('table_joined').players.find(({ name }) => name === loser.name),
      { stack: 1500 },
    );
    loser.send({ type: 'leave_table' });
    await loser.next('player_left', ({ name }) => name === loser.name);

    // Its first rebuy as if in an hour: two seconds are over soon on a busy machine.
    await platform.sql!`
      update entries set chip_balance = 12, last_rebuy_at = now() + interval '1 hour'
      where agent_id = ${loser.account.agentId}`;
    loser.send({ type: 'rebuy', amount: 0 });
    const cooling = await loser.error('rebuy_cooldown');
    t.match(JSON.stringify(cooling), /"cooldown_seconds":3[56]\d\d,/, 'an hour and two seconds, less what has passed');
    const rest = await platform.api('POST', '/api/season/rebuy', { key });
    t.match(rest, { status: 429, body: { detail: /^Rebuy on cooldown\. Retry after 3[56]\d\ds\.$/ } });
    t.match(rest.headers.get('retry-after'), /^3[56]\d\d$/);
  });

  await scene('two rebuys at once: exactly one is granted; the socket hears of the one by REST', async (t, scene) => {
    const ada = await scene.player('ada');
    const { key, agentId } = ada.account;
    await platform.api('POST', '/api/season/register', { key });
    await platform.sql!`update entries set chip_balance = 0 where agent_id = ${agentId}`;
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => platform.api('POST', '/api/season/rebuy', { key })),
    );
    t.same(answers.map(({ status }) => status).sort(), [200, 400, 400, 400, 400]);
    t.match(answers.find(({ status }) => status === 200)!.body, { chip_balance: 1500, rebuys: 1, cooldown_seconds: 2 });
    t.match(await ada.next('rebuy_confirmed'), { chip_balance: 1500 });
  });

  await scene('automatic, without a cooldown: credited at once, below one big blind already', async (t, scene) => {
    const game = await scene.game(2);
    for (const player of game.players) player.send({ type: 'set_auto_rebuy', enabled: true });
    await Promise.all(game.players.map((player) => player.next('auto_rebuy_set')));
    // All but ten chips, called: whoever loses has less than a big blind.
    for (;;) {
      const actor = await game.actor();
      await game.play('raise', 1990);
      const { final_stacks, outcome_kind } = await game.finish((turn) => {
        const offered = new Set(turn.valid_actions.map(({ action }) => action));
        return { action: offered.has('check') ? 'check' : 'call' };
      });
      t.ok(Object.values(final_stacks).includes(10) || outcome_kind === 'split', actor.name);
      if (outcome_kind === 'win') break;
    }
    const loser = await Promise.race(
      game.players.map((player) => player.next('auto_rebuy_scheduled').then(() => player)),
    );
    t.match(loser.last('auto_rebuy_scheduled'), { cooldown_seconds: 0 });
    t.match(
      await loser.next('rebuy_confirmed'),
      { new_stack: 0, chip_balance: 1510 },
      'the remainder is there as well',
    );
    t.same(loser.all('busted'), []);
    await join(loser, null);
  });

  /** A heads-up game of two who rebuy by themselves and had their first rebuy just now, or so many seconds ahead. */
  async function gameOnCooldown(
    scene: Scene,
    seconds = 0,
  ): Promise<{ loser: Player; winner: Player; cooldown: number }> {
    const game = await scene.game(2);
    const ids = game.players.map(({ account }) => account.agentId);
    for (const player of game.players) player.send({ type: 'set_auto_rebuy', enabled: true });
    await Promise.all(game.players.map((player) => player.next('auto_rebuy_set')));
    await platform.sql!`
      update entries set rebuys = 1, last_rebuy_at = now() + ${seconds} * interval '1 second' where agent_id = any (${ids})`;
    const loser = await bust(game);
    const { cooldown_seconds: cooldown } = await loser.next('auto_rebuy_scheduled');
    return { loser, winner: game.players.find((player) => player !== loser)!, cooldown };
  }

  await scene('of 200 pairs that race by socket and by REST, each grants exactly one', async (t, scene) => {
    const players = [];
    for (let n = 0; n < 200; n++) players.push(await scene.player('pair'));
    const ids = players.map(({ account }) => account.agentId);
    const bare = players.map(({ account: { key } }) => platform.api('POST', '/api/season/register', { key }));
    t.ok((await Promise.all(bare)).every(({ status }) => status === 200));
    await platform.sql!`
      with lost as (
        update entries set chip_balance = 0 where agent_id = any (${ids}) returning pool_id, agent_id)
      insert into chip_ledger (pool_id, agent_id, type, amount, balance_after)
      select pool_id, agent_id, 'reset', -2000, 0 from lost`;

    const race = async (player: Player, n: number) => {
      const rest = () => platform.api('POST', '/api/season/rebuy', { key: player.account.key });
      // Now REST is asked first, now the socket.
      const first = n % 4 < 2 ? rest() : null;
      player.send(n % 2 === 0 ? { type: 'rebuy', amount: 0 } : { type: 'set_auto_rebuy', enabled: true });
      const { status, body } = await (first ?? rest());
      if (status !== 200)
        t.match({ status, body }, { status: 400, body: { detail: 'Cannot rebuy - still have chips' } });
      await player.next('rebuy_confirmed');
      const refused = n % 2 === 0 && status === 200;
      await player.until('the answer of the socket', () => {
        const answers = refused ? player.all('error') : player.all(n % 2 === 0 ? 'rebuy_confirmed' : 'auto_rebuy_set');
        return answers.length > 0 ? true : undefined;
      });
      t.same(
        player.all('error').map(({ code }) => code),
        refused ? ['not_at_table'] : [],
      );
      t.equal(player.all('rebuy_confirmed').length, 1);
    };
    await Promise.all(players.map(race));
    const wrong = await platform.sql!`
      select agent_id, rebuys, chip_balance, rebuy_due_at, array(
        select format('%s %s', type, amount) from chip_ledger l where l.agent_id = e.agent_id order by entry_id) as ledger
      from entries e
      where agent_id = any (${ids}) and (rebuys <> 1 or chip_balance <> 1500 or rebuy_due_at is not null
        or (select count(*) from chip_ledger l where l.agent_id = e.agent_id and type = 'rebuy') <> 1
        or (select sum(amount) from chip_ledger l where l.agent_id = e.agent_id) <> chip_balance)`;
    t.same([...wrong], []);
  });

  await scene('automatic, on cooldown: scheduled, awaited by the table, told when credited', async (t, scene) => {
    const { loser, winner, cooldown } = await gameOnCooldown(scene, 3);
    t.ok(cooldown >= 1 && cooldown <= 5);
    await winner.next('table_state', ({ waiting_reason }) => waiting_reason === 'awaiting_rebuy');
    t.match(await loser.next('rebuy_confirmed'), { new_stack: 0, chip_balance: 1500 });
    t.same(loser.all('busted'), []);
  });

  await scene('a scheduled rebuy is credited when due also after a crash', async (t, scene) => {
    const { loser } = await gameOnCooldown(scene);
    await platform.kill();
    await platform.launch();
    const { key } = loser.account;
    const rebuys = async () => (await platform.api('GET', '/api/season/me', { key })).body as { rebuys: number };
    await eventually('the second rebuy', async () => (await rebuys()).rebuys >= 2, 100);
    t.match(await rebuys(), { chip_balance: 1500, rebuys: 2 });
    for (const { account } of [...scene.players]) await scene.connect(account);
  });

  await scene('a scheduled rebuy that is switched off lapses: busted after all', async (t, scene) => {
    const { loser } = await gameOnCooldown(scene, 3600);
    loser.send({ type: 'set_auto_rebuy', enabled: false });
    t.same(await loser.next('auto_rebuy_set'), { type: 'auto_rebuy_set', enabled: false });
    await loser.next('busted');
    const { body } = await platform.api('PATCH', '/api/season/me', {
      key: loser.account.key,
      body: { auto_rebuy: true },
    });
    t.match(body, { auto_rebuy: true });
    await loser.next('auto_rebuy_scheduled');
  });
});

await t.test('where stacks have a maximum', async (t) => {
  // Nobody closes the table of who is alone there while it is looked at.
  const platform = await TestPlatform.start(t, { MAX_TABLE_STACK: 2500, LOBBY_GRACE_MS: 3_600_000 });
  const scene = scenesOf(t, platform);

  await scene('the excess goes to the balance after the hand, in ledger, message and state', async (t, scene) => {
    const game = await scene.game(2);
    const loser = await bust(game);
    const winner = game.players.find((player) => player !== loser)!;
    const { key, agentId } = winner.account;
    t.same(await winner.next('chips_skimmed'), {
      type: 'chips_skimmed',
      excess: 1500,
      new_stack: 2500,
      new_balance: 4500,
    });
    const state = await winner.next('table_state', ({ seats }) => seats.some(({ stack }) => stack === 2500));
    t.equal(state.street, 'idle');
    const { body } = await platform.api('GET', '/api/season/me', { key });
    t.match(body, { chip_balance: 4500, chips_at_table: 2500, score: 7000 });
    t.match(
      await platform.sql!`select type, amount, balance_after, table_id, hand_id from chip_ledger
        where agent_id = ${agentId} order by entry_id desc limit 1`,
      [{ type: 'skim', amount: 1500, balance_after: 4500, hand_id: winner.last('hand_result').hand_id }],
    );
    t.same((await audit(platform.sql!)).problems, []);
  });
});

await t.test('where limits are as in production', async (t) => {
  const platform = await TestPlatform.start(t, {
    ...PRODUCTION,
    REGISTRATION: 'open',
    LOBBY_CAPACITY: 1,
    WS_MESSAGES_PER_SECOND: 20,
    STARTING_CHIPS: 1000,
  });
  const scene = scenesOf(t, platform);

  await scene(
    'one over the capacity of the lobby is told that it is full',
    async (_t, scene) => {
      const ada = await scene.player('ada');
      ada.send({ type: 'join_lobby' });
      await ada.next('lobby_joined');
      const bob = await scene.player('bob');
      bob.send({ type: 'join_lobby' });
      await bob.error('lobby_full');
    },
    'each node has a capacity of its own',
  );

  await scene('the 21st message of a second is dropped and answered so', async (t, scene) => {
    const ada = await scene.player('ada');
    for (let n = 0; n < 25; n++) ada.send({ type: 'leave_table' });
    await ada.until('21 answers', () => (ada.frames.length > 21 ? true : undefined));
    // In which order is left open: the socket's own answer is nearer than the registry's.
    const codes = ada.all('error').map(({ code }) => code).sort(); // prettier-ignore
    t.same(codes, [...Array<string>(20).fill('not_at_table'), 'rate_limited']);
    await ada.close();
  });

  await scene('before the e-mail address is verified there is no rebuy', async (t, scene) => {
    const ada = await scene.player('ada');
    const { key, agentId } = ada.account;
    await platform.api('POST', '/api/season/register', { key });
    await platform.sql!`update entries set chip_balance = 0 where agent_id = ${agentId}`;
    ada.send({ type: 'rebuy', amount: 0 });
    await ada.error('email_not_verified');
    t.match(await platform.api('POST', '/api/season/rebuy', { key }), {
      status: 403,
      body: { detail: /^email_not_verified/ },
    });
  });

  const ofEach = platform.nodes > 1 && 'each node counts what it is asked';
  await t.test('the eleventh connection attempt of a minute is refused with 429', { skip: ofEach }, async (t) => {
    const account = { agentId: '', name: 'nobody', key: 'none', seqs: new Map<string, number>() };
    const attempt = async () => {
      const player = await Player.open(platform, account, { headers: { 'x-forwarded-for': '192.0.2.7' } });
      await player.error('auth_failed');
      return player.closed;
    };
    for (let n = 0; n < 10; n++) t.match(await attempt(), { code: 4001 });
    await t.rejects(attempt(), { message: /429/ });
  });
});
