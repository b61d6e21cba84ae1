/**
 * The effects of a time limit: for a decision, for a player who misses hands, for a seat that is held (protocol.md,
 * "Time").
 */
import t from 'tap';
import { stopCluster } from '../support/database.js';
import { FILE_MS } from '../support/limits.js';
import { TestPlatform } from '../support/platform.js';
import { calling, join, passive, playOn, scenesOf } from '../support/scene.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);

await t.test('decisions have 250 ms', async (t) => {
  const platform = await TestPlatform.start(t, { ACTION_TIMEOUT_MS: 250 });
  const scene = scenesOf(t, platform);

  await scene('a late actor folds; where checking is free it checks', async (t, scene) => {
    const game = await scene.game(3);
    const late = await game.actor();
    const { hand_id, turn_token } = late.turn!;
    const [first] = game.players.filter((player) => player !== late);
    const folded = await first!.next('player_action', (frame) => frame.hand_id === hand_id);
    t.match(folded, { seat: late.seat, action: 'fold', amount: null, reason: 'timeout' });
    late.act('call', null, { hand_id, turn_token });
    await late.next('action_rejected');

    for (const player of game.players)
      player.auto = (turn) => (turn.community_cards.length === 0 ? calling(turn) : null);
    const open = game.players.find(({ turn }) => turn !== null && turn.hand_id === hand_id);
    if (open !== undefined) open.act(calling(open.turn!).action);
    const checked = await first!.next('player_action', ({ street }) => street === 'flop');
    t.match(checked, { action: 'check', reason: 'timeout' });
  });

  await scene('three missed hands running: away, then off the table; its socket stays open', async (t, scene) => {
    const game = await scene.game(3);
    const [idle, ...others] = game.players as [(typeof game.players)[0], ...typeof game.players];
    playOn(others);
    const [witness] = others;
    const left = await witness!.next('player_left');
    t.match(left, { seat: 0, name: idle.name, reason: 'left' });
    const away = witness!.all('table_state').find(({ seats }) => seats[left.seat]!.status === 'away');
    t.ok(away, 'it was marked away before');
    if (away !== undefined) t.equal(away.waiting_details?.away_players, 1);
    const missed = witness!
      .all('player_action')
      .filter(({ seat, reason }) => seat === left.seat && reason === 'timeout');
    t.equal(new Set(missed.map(({ hand_id }) => hand_id)).size >= 3, true);
    t.match(await idle.next('player_left', ({ seat }) => seat === left.seat), { reason: 'left' });
    await join(idle);
  });

  await scene('one decision taken in time clears the count', async (t, scene) => {
    const game = await scene.game(2);
    const [idle, other] = game.players as [(typeof game.players)[0], (typeof game.players)[0]];
    playOn([other], calling);
    const handsOf = () =>
      new Set(
        idle
          .all('player_action')
          .filter(({ reason }) => reason === 'timeout')
          .map((f) => f.hand_id),
      );
    await idle.until('two missed hands', () => (handsOf().size >= 2 ? true : undefined));
    const { action } = calling(await idle.myTurn());
    await idle.play(action);
    const before = handsOf().size;
    await idle.until('two more missed hands', () => (handsOf().size >= before + 2 ? true : undefined));
    t.same(idle.all('player_left'), []);
  });

  await scene('the third missed hand of a player whose socket is gone: disconnected', async (t, scene) => {
    const game = await scene.game(2);
    const [idle, other] = game.players as [(typeof game.players)[0], (typeof game.players)[0]];
    playOn([other]);
    const timedOut = () =>
      new Set(
        other
          .all('player_action')
          .filter(({ name, reason }) => name === idle.name && reason === 'timeout')
          .map((f) => f.hand_id),
      );
    await other.until('two missed hands', () => (timedOut().size >= 2 ? true : undefined));
    await idle.until('the third hand', () => (idle.turn !== null ? true : undefined));
    await idle.drop();
    t.match(await other.next('player_left'), { name: idle.name, reason: 'disconnected' });
    const { body } = await platform.api('GET', '/api/me/active-game', { key: idle.account.key });
    t.match(body, { playing: false, table_id: null, seat: null, stack: null, stack_chips: null });
  });
});

await t.test('seats are held for 300 ms', async (t) => {
  const platform = await TestPlatform.start(t, { DISCONNECT_HOLD_MS: 300, BETWEEN_HANDS_MS: 50 });
  const scene = scenesOf(t, platform);

  await scene('a seat whose player does not come back is given up: the others read disconnected', async (t, scene) => {
    const game = await scene.game(3);
    const gone = await game.actor();
    const [other] = game.players.filter((player) => player !== gone);
    // Hands played while others joined may have changed the stack since the buy-in.
    const { stack } = gone.turn!.players.find(({ seat }) => seat === gone.seat)!;
    await gone.play('fold');
    await gone.drop();
    await game.finish(passive);
    playOn(game.players);
    t.match(await other!.next('player_left'), { name: gone.name, reason: 'disconnected' });
    const { body } = await platform.api('GET', '/api/season/me', { key: gone.account.key });
    t.match(body, { chips_at_table: 0, chip_balance: 3000 + stack });
    const again = await scene.connect(gone.account);
    await join(again);
  });

  await scene('while its hand runs the clock decides: the hold ends with the hand', async (t, scene) => {
    const game = await scene.game(3);
    const gone = await game.actor();
    const { hand_id } = gone.turn!;
    const [other] = game.players.filter((player) => player !== gone);
    for (const player of game.players) player.auto = passive;
    await gone.drop();
    const folded = await other!.next('player_action', ({ name }) => name === gone.name);
    t.match(folded, { action: 'fold', hand_id, reason: 'left' }, 'the hold ran out before the turn clock');
    const left = await other!.next('player_left');
    t.match(left, { name: gone.name, reason: 'disconnected' });
    const result = other!.all('hand_result').find((frame) => frame.hand_id === hand_id)!;
    t.ok(left.table_seq > result.table_seq, 'given up after the hand');
  });

  await scene('when nobody comes back the table goes', async (t, scene) => {
    const game = await scene.game(2);
    for (const player of game.players) await player.drop();
    await platform.healthWhen((health) => health.game.active_tables === 0);
    for (const { account } of game.players) {
      const { body } = await platform.api('GET', '/api/season/me', { key: account.key });
      t.match(body, { chips_at_table: 0 });
    }
  });
});
