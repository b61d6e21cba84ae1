/** Seats and their sockets: leaving, takeover, reconnect, resync (protocol.md, "Leaving" and "Resync"). */
import t from 'tap';
import type { ServerMessage, ServerMessageOf } from '../../src/protocol/server.js';
import { stopCluster } from '../support/database.js';
import { FILE_MS } from '../support/limits.js';
import { TestPlatform } from '../support/platform.js';
import { Player } from '../support/player.js';
import { calling, join, passive, playOn, resultOf, scenesOf, type Game } from '../support/scene.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);
const platform = await TestPlatform.start(t, { BETWEEN_HANDS_MS: 100 });
const scene = scenesOf(t, platform);

async function roles(game: Game): Promise<{ actor: Player; others: Player[] }> {
  const actor = await game.actor();
  return { actor, others: game.players.filter((player) => player !== actor) };
}

const REPLAYED = new Set<ServerMessage['type']>([
  'hand_start',
  'player_action',
  'community_cards',
  'hand_result',
  'player_joined',
  'player_left',
  'table_closed',
]);

type ReplayedEvent = ServerMessageOf['resync_response']['replayed_events'][number];

/** The frames of a player above a table_seq that a resync may repeat. */
function publicEvents(player: Player, above = 0) {
  const told = player.frames.filter((frame) => REPLAYED.has(frame.type)) as ReplayedEvent[];
  return told.filter(({ table_seq }) => table_seq > above);
}

async function resync(player: Player, table: string, last: number | null) {
  player.skip();
  player.send({ type: 'resync_request', table_id: table, last_table_seq: last });
  return player.next('resync_response');
}

// ---- leaving

await scene('the actor who leaves folds at once, and goes when the hand is over', async (t, scene) => {
  const game = await scene.game(3);
  const { actor, others } = await roles(game);
  const { hand_id } = actor.turn!;
  const seat = actor.seat!;
  actor.send({ type: 'leave_table' });
  t.match(await others[0]!.next('player_action'), { seat, action: 'fold', reason: 'left', hand_id });
  const state = await others[0]!.next('table_state');
  t.match(state.seats[seat], { status: 'sitting_out', folded: true, in_hand: true });
  actor.send({ type: 'leave_table' });
  await actor.error('leave_pending');
  await game.finish(calling);
  for (const player of game.players) {
    t.match(await player.next('player_left'), { seat, name: actor.name, reason: 'left' }, `told to ${player.name}`);
  }
  actor.send({ type: 'leave_table' });
  await actor.error('not_at_table');
  const { body } = await platform.api('GET', '/api/season/me', { key: actor.account.key });
  // Hands played while others joined may have changed the stack since the buy-in.
  t.match(body, { chips_at_table: 0, chip_balance: 3000 + state.seats[seat]!.stack }, 'the stack is back');
});

await scene('who leaves out of turn folds when the turn comes', async (t, scene) => {
  const game = await scene.game(3);
  const { actor, others } = await roles(game);
  const [next] = others;
  next!.send({ type: 'leave_table' });
  await actor.next('table_state', ({ seats }) => seats[next!.seat!]!.status === 'sitting_out');
  t.equal(actor.last('table_state').actor_seat, actor.seat, 'the turn of the other goes on');
  const hand = actor.turn!.hand_id;
  const seat = next!.seat!;
  // A turn that is passed is a check where that is free, as it would be in the big blind.
  await actor.play('raise', 40);
  await game.finish(calling);
  const acted = actor.all('player_action').filter((frame) => frame.hand_id === hand && frame.seat === seat);
  t.match(acted, [{ action: 'fold', reason: 'left' }]);
  t.equal(acted.length, 1);
});

await scene('between hands a leave is done at once; a join sent behind it is queued, not refused', async (t, scene) => {
  const game = await scene.game(3);
  const { actor, others } = await roles(game);
  await game.finish(passive);
  actor.skip();
  actor.send({ type: 'leave_table' });
  actor.send({ type: 'join_lobby', buy_in: 2000 });
  playOn(others);
  await actor.next('lobby_joined');
  t.match(await actor.next('table_joined'), { table_id: game.tableId }, 'and seats again');
  t.notOk(actor.all('error').length);
});

await scene('a join sent while the leave waits for the hand is queued until the seat is free', async (t, scene) => {
  const game = await scene.game(3);
  const { actor } = await roles(game);
  actor.skip();
  actor.send({ type: 'leave_table' });
  actor.send({ type: 'join_lobby', buy_in: 2000 });
  await actor.next('lobby_joined');
  await game.finish(calling);
  await actor.next('player_left', ({ name }) => name === actor.name);
  await actor.next('table_joined');
  t.same(actor.all('error'), []);
});

await scene('the player left alone gets its chips back and table_closed', async (t, scene) => {
  const game = await scene.game(2);
  const { actor, others } = await roles(game);
  await game.finish(passive);
  actor.send({ type: 'leave_table' });
  const [alone] = others as [Player];
  playOn([alone]);
  await alone.next('table_state', ({ waiting_reason }) => waiting_reason === 'insufficient_players');
  const closed = await alone.next('table_closed');
  t.match(closed, { reason: 'insufficient_players', hand_id: null, hand_seq: null });
  const { body } = await platform.api('GET', '/api/season/me', { key: alone.account.key });
  t.match(body, { chips_at_table: 0 }, 'the stack was back before it was told');
  const { role, snapshot, replayed_events } = await resync(alone, closed.table_id, null);
  t.equal(role, 'spectator');
  t.equal(replayed_events.at(-1)!.type, 'table_closed', 'a closed table can be asked for a while');
  t.ok(snapshot.seats.every(({ status }) => status === 'empty'));
});

// ---- sockets

await scene(
  'a second socket takes the session over: the seat is kept, the old socket closes with 4002',
  async (t, scene) => {
    const game = await scene.game(2);
    const { actor, others } = await roles(game);
    const { turn_token } = actor.turn!;
    const read = actor.frames.length;
    const again = await scene.connect(actor.account);
    t.same(await actor.closed, { code: 4002, reason: 'session taken over' });
    const turn = await again.next('your_turn');
    t.equal(turn.turn_token, turn_token, 'the same token');
    t.same(
      again.frames.map(({ type }) => type),
      ['connected', 'table_state', 'your_turn'],
    );
    t.match(again.last('table_state').hero, { seat: actor.seat, hole_cards: actor.last('hole_cards').cards });
    await again.play('call');
    t.equal(actor.frames.length, read, 'the old socket read nothing more');
    t.match(await others[0]!.next('player_action'), { seat: again.seat, action: 'call' });
    t.notOk(
      others[0]!.frames.some(
        (frame) => frame.type === 'table_state' && JSON.stringify(frame).includes('"disconnected"'),
      ),
    );
  },
);

await scene('who comes back in time finds the seat, and the turn with the same token', async (t, scene) => {
  const game = await scene.game(2);
  const { actor, others } = await roles(game);
  const { turn_token, hand_id } = actor.turn!;
  const [other] = others as [Player];
  const seat = actor.seat!;
  await actor.drop();
  await other.next('table_state', ({ seats }) => seats[seat]!.status === 'disconnected');
  t.match(await platform.api('GET', '/api/me/active-game', { key: actor.account.key }), {
    body: { playing: true, table_id: game.tableId, seat },
  });
  const again = await scene.connect(actor.account);
  t.match(await again.next('table_state'), { hand_id, hero: { seat } });
  t.match(await again.next('your_turn'), { turn_token, hand_id });
  await other.next('table_state', ({ seats }) => seats[seat]!.status === 'active');
  await again.play('fold');
  await resultOf(other, hand_id);
});

await scene('a disconnected seat is held but not dealt in', async (t, scene) => {
  const game = await scene.game(3);
  const { actor, others } = await roles(game);
  const seat = actor.seat!;
  const { hand_id } = actor.turn!;
  await actor.play('fold');
  await actor.drop();
  playOn(others);
  const [other] = others as [Player];
  const state = await other.next('table_state', (frame) => frame.street === 'preflop' && frame.hand_id !== hand_id);
  t.match(state.seats[seat], { status: 'disconnected', in_hand: false, name: actor.name });
  const again = await scene.connect(actor.account);
  again.auto = passive;
  t.ok(await again.next('hole_cards'), 'once back it is dealt into the next hand');
});

await scene('alone with disconnected seats the table says what it waits for', async (t, scene) => {
  const game = await scene.game(2);
  const { actor, others } = await roles(game);
  const [other] = others as [Player];
  await game.finish(passive);
  await actor.drop();
  playOn([other]);
  const state = await other.next('table_state', ({ waiting_reason }) => waiting_reason === 'awaiting_reconnect');
  t.match(state.waiting_details, {
    player_count: 2,
    eligible_players: 1,
    disconnected_players: 1,
    connected_players: 1,
  });
  const table = game.tableId;
  await other.drop();
  const spectator = await scene.player('sam');
  const { snapshot } = await resync(spectator, table, null);
  t.match(snapshot, { waiting_reason: 'all_players_disconnected' });
  await scene.connect(actor.account);
  await scene.connect(other.account);
});

await scene(
  'a key that is regenerated kills the old one and closes its socket with 4001; the seat is held',
  async (t, scene) => {
    const game = await scene.game(2);
    const { actor } = await roles(game);
    const { key } = actor.account;
    const { status, body } = await platform.api('POST', '/api/me/regenerate-key', { key });
    t.equal(status, 200);
    t.match(await actor.closed, { code: 4001 });
    t.equal((await platform.api('GET', '/api/me', { key })).status, 401);
    const refused = await Player.open(platform, actor.account);
    await refused.error('auth_failed');
    t.match(await refused.closed, { code: 4001 });
    const again = await scene.connect({ ...actor.account, key: (body as { api_key: string }).api_key });
    await again.next('your_turn');
  },
);

await scene('a frame over 16 KiB closes the socket with 1009; one of 16 KiB is only invalid', async (t, scene) => {
  const ada = await scene.player('ada');
  const padded = (size: number) => {
    const frame = (pad: string) => JSON.stringify({ type: 'join_lobby', buy_in: 'x', pad });
    return frame('x'.repeat(size - frame('').length));
  };
  ada.send(padded(16 * 1024));
  await ada.error('invalid_message');
  ada.send(padded(16 * 1024 + 1));
  t.match(await ada.closed, { code: 1009 });
});

// ---- resync

await scene('a resync tells a player again exactly what it was told, and its own view', async (t, scene) => {
  const game = await scene.game(3);
  const { actor, others } = await roles(game);
  await game.finish(calling);
  await game.actor();
  const [ada, bob] = [actor, others[0]!];
  for (const player of [ada, bob]) {
    const whole = await resync(player, game.tableId, player === ada ? null : 0);
    t.equal(whole.role, 'player');
    const own = publicEvents(player);
    const replayed = whole.replayed_events.filter(({ table_seq }) => table_seq >= own[0]!.table_seq);
    t.same(replayed, own, 'the whole window');
    t.equal(whole.from_table_seq !== null && whole.from_table_seq <= own[0]!.table_seq, true);
  }
});

await scene('a resync above a number tells what came after it; below it, nothing', async (t, scene) => {
  const game = await scene.game(2);
  const { others } = await roles(game);
  const [other] = others as [Player];
  await game.finish(calling);
  await game.actor();
  const last = other.last('hand_result').table_seq;
  const { replayed_events, from_table_seq, to_table_seq, table_seq } = await resync(other, game.tableId, last - 1);
  t.same(replayed_events, publicEvents(other, last - 1));
  t.match(replayed_events, [{ type: 'hand_result' }, { type: 'hand_start' }]);
  t.ok(from_table_seq! >= last - 1 && to_table_seq <= table_seq);
});

await scene(
  'the acting player’s resync carries the open turn; a bystander’s carries neither turn nor token',
  async (t, scene) => {
    const game = await scene.game(2);
    const { actor, others } = await roles(game);
    const turn = actor.turn!;
    const { snapshot } = await resync(actor, game.tableId, null);
    t.match(snapshot.hero, {
      seat: actor.seat,
      turn_token: turn.turn_token,
      hole_cards: actor.last('hole_cards').cards,
    });
    t.same(snapshot.hero!.valid_actions, actor.last('table_state').hero!.valid_actions);
    const { snapshot: bystander } = await resync(others[0]!, game.tableId, null);
    t.same(Object.keys(bystander.hero!).sort(), ['hole_cards', 'seat']);
    t.same(bystander.hero!.hole_cards, others[0]!.last('hole_cards').cards);
    actor.act('call', null, { turn_token: snapshot.hero!.turn_token, hand_id: snapshot.hand_id });
    await actor.next('action_ack');
  },
);

await scene(
  'anybody else is a spectator: no hero, no cards, no seat in hand_start, nobody’s action ids',
  async (t, scene) => {
    const game = await scene.game(2);
    await game.play('call');
    const spectator = await scene.player('sam');
    const { role, snapshot, replayed_events } = await resync(spectator, game.tableId, null);
    t.equal(role, 'spectator');
    t.notOk('hero' in snapshot);
    t.match(snapshot, { street: 'preflop', pot: 40 });
    const starts = replayed_events.filter(({ type }) => type === 'hand_start');
    t.ok(starts.length > 0 && starts.every((start) => !('seat' in start)));
    const own = new Set(game.players.map(({ name }) => name));
    for (const event of replayed_events) {
      if (event.type === 'player_action') t.notOk(own.has(event.action_id.replace(/-\d+$/, '')));
    }
    t.match(await platform.api('GET', `/api/tables/${game.tableId}`), {
      status: 200,
      body: { street: 'preflop', pot: 40 },
    });
  },
);

await scene('one resync a second and socket; an unknown table is not found', async (_t, scene) => {
  const game = await scene.game(2);
  const ada = game.players[0]!;
  await resync(ada, game.tableId, null);
  ada.send({ type: 'resync_request', table_id: game.tableId, last_table_seq: null });
  await ada.error('rate_limited');
  const sam = await scene.player('sam');
  sam.send({ type: 'resync_request', table_id: 'no-such-table' });
  await sam.error('table_not_found');
});

await scene('a game-level error never closes the socket', async (t, scene) => {
  const ada = await scene.player('ada');
  const bad = ['', '[]', '"x"', 'null', '{', '{"type":1}', '{"type":"fly"}', '{"type":"resync_request"}', '\u0000'];
  for (const text of bad) ada.send(text);
  await ada.until('all answers', () => (ada.frames.length > bad.length ? true : undefined));
  t.same(
    ada.all('error').map(({ code }) => code),
    bad.map((text) => (text.includes('fly') ? 'unknown_message' : 'invalid_message')),
  );
  ada.ws.send(Buffer.from('{"type":"set_auto_rebuy","enabled":true}'), { binary: true });
  t.ok(await ada.error('not_registered_for_season'), 'a binary frame is read as text');
  t.notOk(ada.isClosed);
  await Promise.all([join(ada), scene.player('bob').then((bob) => join(bob))]);
});
