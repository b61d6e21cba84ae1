/** Every switch of the rulings in its other form, on one platform, over the other transport. */
import t from 'tap';
import { stopCluster } from '../support/database.js';
import { FILE_MS } from '../support/limits.js';
import { TestPlatform } from '../support/platform.js';
import { bust, calling, passive, scenesOf } from '../support/scene.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);
const platform = await TestPlatform.start(t, {
  ACTION_PROTOCOL: 'loose',
  BOARD_EVENTS: 'cumulative',
  STATE_HASH: 'off',
  FAIR_DEALS: 'off',
  HEADS_UP_BLINDS: 'ring',
  BUY_IN_OUT_OF_RANGE: 'reject',
  BUY_IN_ABOVE_BALANCE: 'reject',
  REBUY_WHEN: 'zero',
  REBUY_COOLDOWNS: '0,300',
  REBUY_COOLDOWNS_PRO: '0,120',
  REPLAY_HANDS: 2,
  TRANSPORT: 'ws',
  STARTING_CHIPS: 2000,
  LOG_LEVEL: 'info',
  BETWEEN_HANDS_MS: 20,
});
const scene = scenesOf(t, platform);

await t.test('TRANSPORT=ws: the log says which was taken', () => platform.wrote('"transport":"ws"'));

await scene('ACTION_PROTOCOL=loose: no id is needed; those given must be right', async (t, scene) => {
  const game = await scene.game(2, { buyIn: 1000 });
  const actor = await game.actor();
  const wrong = '00000000-0000-4000-8000-000000000000';
  const none = { client_action_id: undefined, turn_token: undefined, hand_id: undefined };
  actor.act('call', null, { ...none, hand_id: wrong });
  t.match(await actor.next('action_rejected'), { code: 'stale_hand_action' });
  actor.act('call', null, { ...none, turn_token: wrong });
  t.match(await actor.next('action_rejected'), { code: 'stale_turn_token' });
  actor.act('call', null, none);
  t.match(await actor.next('action_ack'), { client_action_id: null, status: 'accepted' });
  const other = await game.actor();
  t.not(other, actor);
  actor.act('call', null, none);
  t.match(await actor.next('action_rejected'), { code: 'not_your_turn' });
});

await scene(
  'ACTION_PROTOCOL=loose: one id for ever is a new one each turn; beside a turn it repeats the last',
  async (t, scene) => {
    const game = await scene.game(2, { buyIn: 1000 });
    const constant = { client_action_id: 'me', turn_token: undefined, hand_id: undefined };
    const actor = await game.actor();
    actor.act('raise', 40, constant);
    await actor.next('action_ack');
    const other = await game.actor();
    actor.act('raise', 40, constant);
    t.match(await actor.next('action_ack'), { client_action_id: 'me' }, 'a retry');
    actor.act('call', null, constant);
    t.match(await actor.next('action_rejected'), { code: 'action_id_conflict' });
    await other.play('call');
    const next = await game.actor();
    next.act('check', null, constant);
    await next.next('action_ack', ({ client_action_id }) => client_action_id === 'me');
    const after = await game.actor();
    after.act('check', null, constant);
    await after.next('action_ack', ({ client_action_id }) => client_action_id === 'me');
    t.equal((await after.until('the turn', () => after.last('community_cards'))).street, 'turn');
  },
);

await scene('FAIR_DEALS=off: nothing is committed to, no nonce counts, and no hand can be proven', async (t, scene) => {
  const game = await scene.game(2, { buyIn: 1000 });
  const actor = await game.actor();
  actor.send({ type: 'deal_nonce', nonce: 'ab'.repeat(32) });
  t.match(await actor.next('deal_nonce_ack'), { counts: false, hand_number: null, deck_commitment: null });
  const { hand_id } = actor.turn!;
  t.match(await game.finish(passive), { deal_proof: undefined, own_opened: undefined });
  t.notOk('deck_commitment' in actor.last('hand_start')!);
  t.match(await platform.api('GET', `/api/hands/${hand_id}/proof`, { key: actor.account.key }), {
    status: 404,
    body: { detail: 'The deck of this hand was not committed to' },
  });
});

await scene('BOARD_EVENTS=cumulative: each street tells the whole board', async (t, scene) => {
  const game = await scene.game(2, { buyIn: 1000 });
  await game.finish(calling);
  const boards = game.players[0]!.all('community_cards')
    .slice(-3)
    .map(({ cards }) => cards);
  t.same(
    boards.map(({ length }) => length),
    [3, 4, 5],
  );
  t.same(boards[2]!.slice(0, 4), boards[1]);
});

await scene('STATE_HASH=off: the hash is null', async (t, scene) => {
  const { players } = await scene.game(2, { buyIn: 1000 });
  t.ok(players.every((player) => player.all('table_state').every(({ state_hash }) => state_hash === null)));
});

await scene('HEADS_UP_BLINDS=ring: the button posts the big blind and acts last before the flop', async (t, scene) => {
  const game = await scene.game(2, { buyIn: 1000 });
  const actor = await game.actor();
  const { dealer_seat, seats } = actor.last('table_state');
  t.not(actor.seat, dealer_seat);
  t.match([seats[actor.seat!], seats[dealer_seat]], [{ bet: 10 }, { bet: 20 }]);
});

await scene('BUY_IN_OUT_OF_RANGE=reject: invalid_buy_in; none given is the default', async (t, scene) => {
  const ada = await scene.player('ada');
  for (const wish of [999, 5001, 0, -1]) {
    ada.send({ type: 'join_lobby', buy_in: wish });
    await ada.error('invalid_buy_in');
  }
  const bob = await scene.player('bob');
  for (const player of [ada, bob]) player.send({ type: 'join_lobby' });
  const [{ players }] = await Promise.all([bob.next('table_joined'), ada.next('table_joined')]);
  t.ok(players.every(({ stack }) => stack === 2000));
});

await scene('BUY_IN_ABOVE_BALANCE=reject: a buy-in in range is taken at its word', async (_t, scene) => {
  const ada = await scene.player('ada');
  ada.send({ type: 'join_lobby', buy_in: 2001 });
  await ada.error('insufficient_season_chips');
});

await scene('REBUY_WHEN=zero: who has 12 chips left is not out of chips', async (t, scene) => {
  const ada = await scene.player('ada');
  ada.send({ type: 'join_lobby', buy_in: 2000 });
  await ada.next('lobby_joined');
  ada.send({ type: 'leave_table' });
  await ada.error('not_at_table');
  const again = await scene.connect(ada.account);
  await platform.sql!`update entries set chip_balance = 12 where agent_id = ${ada.account.agentId}`;
  again.send({ type: 'rebuy', amount: 0 });
  await again.error('not_at_table');
  t.match(await platform.api('POST', '/api/season/rebuy', { key: ada.account.key }), { status: 400 });
  again.send({ type: 'join_lobby', buy_in: 2000 });
  await again.error('insufficient_season_chips');
  await platform.sql!`update entries set chip_balance = 0 where agent_id = ${ada.account.agentId}`;
  again.send({ type: 'rebuy', amount: 0 });
  t.same(await again.next('rebuy_confirmed'), { type: 'rebuy_confirmed', new_stack: 0, chip_balance: 1500 });
});

await scene('REBUY_COOLDOWNS and …_PRO: the second rebuy waits 300 s, a pro’s 120 s', async (t, scene) => {
  const waits: number[] = [];
  for (const premium of [false, true]) {
    const { key, agentId } = await platform.register('ada');
    await platform.api('POST', '/api/season/register', { key });
    await platform.sql!`update entries set chip_balance = 0, premium = ${premium} where agent_id = ${agentId}`;
    const { body } = await platform.api('POST', '/api/season/rebuy', { key });
    waits.push((body as { cooldown_seconds: number }).cooldown_seconds);
  }
  t.same(waits, [300, 120]);
  t.equal(scene.players.length, 0);
});

await scene('REPLAY_HANDS: an older number gets what there is, and is told where that starts', async (t, scene) => {
  const game = await scene.game(2, { buyIn: 1000 });
  for (let hand = 0; hand < 5; hand++) await game.finish(passive);
  const ada = game.players[0]!;
  ada.send({ type: 'resync_request', table_id: game.tableId, last_table_seq: 1 });
  const { from_table_seq, replayed_events } = await ada.next('resync_response');
  const [first] = replayed_events;
  t.equal(first!.type, 'hand_start');
  t.ok(from_table_seq !== null && from_table_seq > 1 && from_table_seq <= first!.table_seq);
  const results = replayed_events.filter(({ type }) => type === 'hand_result').length;
  t.ok(results >= 2 && results < 5, `${results} hands are kept`);
});

await scene('the other transport serves the same: bust, close codes, limits of a frame', async (t, scene) => {
  const game = await scene.game(2, { buyIn: 1000 });
  const loser = await bust(game);
  await loser.next('busted');
  const taken = game.players.find((player) => player !== loser)!;
  await scene.connect(taken.account);
  t.match(await taken.closed, { code: 4002 });
  loser.send(JSON.stringify({ type: 'rebuy', pad: 'x'.repeat(17_000) }));
  t.match(await loser.closed, { code: 1009 });
});
