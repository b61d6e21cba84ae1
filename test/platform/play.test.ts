/**
 * Hands as their players see them, over real sockets: which frames, in which order, with which values (protocol.md,
 * "A hand, frame by frame").
 */
import t from 'tap';
import type { ServerMessage, ServerMessageOf } from '../../src/protocol/server.js';
import { LEAN_SUBPROTOCOL, SUBPROTOCOL } from '../../src/protocol/subprotocol.js';
import { stopCluster } from '../support/database.js';
import { playLean } from '../support/lean.js';
import { FILE_MS } from '../support/limits.js';
import { TestPlatform } from '../support/platform.js';
import { Player } from '../support/player.js';
import { calling, join, passive, playOn, scenesOf, shoving } from '../support/scene.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);
const platform = await TestPlatform.start(t, { BETWEEN_HANDS_MS: 100 });
const scene = scenesOf(t, platform);

const LETTERS: Partial<Record<ServerMessage['type'], string>> = {
  hand_start: 'H',
  hole_cards: 'C',
  table_state: 'S',
  your_turn: 'T',
  action_ack: 'K',
  player_action: 'A',
  community_cards: 'B',
  hand_result: 'R',
};

/** The frames of a hand as letters, one a type. */
function storyOf(player: Player, handId: string): string {
  const frames = player.frames.filter((frame) => 'hand_id' in frame && frame.hand_id === handId);
  return frames.map(({ type }) => LETTERS[type] ?? `<${type}>`).join('');
}

const seatsOf = (state: ServerMessageOf['table_state'], seat: number) => state.seats[seat]!;

await scene('a newcomer is greeted, queued, seated and dealt in, each step told in its order', async (t, scene) => {
  const ada = await scene.player('ada');
  t.same(ada.frames, [{ type: 'connected', agent_id: ada.account.agentId, name: ada.name, season_mode: true }]);
  ada.send({ type: 'join_lobby', buy_in: 1500 });
  t.same(await ada.next('lobby_joined'), { type: 'lobby_joined', position: 1, estimated_wait: '~5s' });

  // A message before the greeting is handled as well.
  const bob = await Player.open(platform, await platform.register('bob'));
  scene.players.push(bob);
  bob.send({ type: 'join_lobby' });
  const joined = await bob.next('table_joined');
  await Promise.all([ada.next('hand_start'), bob.next('hand_start')]);
  t.match(
    bob.frames.map(({ type }) => type),
    ['connected', 'lobby_joined', 'table_joined', 'table_state'],
    'table_state comes at once after table_joined',
  );
  const seats = [ada, bob].map((player) => ({
    seat: player.seat,
    name: player.name,
    stack: player === ada ? 1500 : 2000,
  }));
  t.same(
    joined.players,
    seats.sort((a, b) => a.seat! - b.seat!),
    'the newcomer is listed among the others, with its buy-in',
  );
  const first = ada.all('player_joined')[0];
  if (first !== undefined) t.match(first, { seat: bob.seat, name: bob.name, stack: 2000, hand_id: null });

  const waiting = ada.all('table_state').find((state) => state.waiting_reason === 'between_hands_delay');
  t.match(waiting, {
    street: 'idle',
    hand_id: null,
    hand_seq: null,
    pot: 0,
    waiting_details: {
      player_count: 2,
      eligible_players: 2,
      min_required: 2,
      active_players: 2,
      away_players: 0,
      disconnected_players: 0,
      connected_players: 2,
      remaining_seconds: 1,
      configured_delay_seconds: 1,
    },
  });
});

await scene(
  'a heads-up hand to the showdown: the button posts small, acts first before the flop and last after',
  async (t, scene) => {
    const game = await scene.game(2);
    const button = await game.actor();
    const other = game.players.find((player) => player !== button)!;
    const handId = button.turn!.hand_id;
    const start = button.last('hand_start');
    t.match(start, {
      hand_seq: 1,
      dealer_seat: button.seat,
      seat: button.seat,
      blinds: { small_blind: 10, big_blind: 20 },
    });

    const opened = button.last('table_state');
    t.match(
      opened,
      { street: 'preflop', pot: 30, actor_seat: button.seat, board: [] },
      'blinds are in, without an event',
    );
    t.match(seatsOf(opened, button.seat!), { bet: 10, stack: 1990 });
    t.match(seatsOf(opened, other.seat!), { bet: 20, stack: 1980 });

    await game.play('call');
    const order = [];
    for (let i = 0; i < 7; i++) order.push(await game.play('check'));
    t.same(
      order.map(({ name }) => name),
      [other, other, button, other, button, other, button].map(({ name }) => name),
    );
    await Promise.all(game.players.map((player) => player.next('hand_result')));

    t.equal(storyOf(button, handId), 'HCSTKASABSASTKABSASTKABSASTKASR', 'the button’s frames');
    t.equal(storyOf(other, handId), 'HCSASTKABSTKASABSTKASABSTKASASR', 'the big blind’s frames');
    const board = button.all('community_cards').filter(({ hand_id }) => hand_id === handId);
    t.same(
      board.map(({ street, cards }) => [street, cards.length]),
      [
        ['flop', 3],
        ['turn', 1],
        ['river', 1],
      ],
      'new cards only',
    );
  },
);

await scene(
  'three-handed: small blind left of the button, and the button is first before the flop',
  async (t, scene) => {
    const game = await scene.game(3);
    const first = await game.actor();
    const { dealer_seat: dealer } = first.last('hand_start');
    t.equal(first.seat, dealer, 'with three, under the gun is the button');
    const state = first.last('table_state');
    t.same(
      [0, 1, 2].map((left) => seatsOf(state, (dealer + left) % 3).bet),
      [0, 10, 20],
    );
    const hand = first.turn!.hand_id;
    await game.play('fold');
    const after = first.last('table_state');
    t.match(seatsOf(after, dealer), { in_hand: true, folded: true }, 'a folded player stays in_hand to the end');
    await game.finish(calling);
    for (const player of game.players) {
      t.match(storyOf(player, hand), /^HCST?(K?AB?ST?)*K?AB*SR$/, `${player.name} reads by the grammar`);
    }
    const second = await game.actor();
    t.equal(second.last('hand_start').dealer_seat, (dealer + 1) % 3, 'the button moves clockwise');
  },
);

await scene('all-in and called: the board runs out, the settled state comes before the result', async (t, scene) => {
  const game = await scene.game(2);
  const actor = await game.actor();
  const hand = actor.turn!.hand_id;
  const result = await game.finish(shoving);
  const frames = actor.frames.filter((frame) => 'hand_id' in frame && frame.hand_id === hand);
  t.match(storyOf(actor, hand), /^HCSTKASABBBSR$/, 'call, flop, turn, river, state, result');
  const settled = frames.at(-2) as ServerMessageOf['table_state'];
  t.equal(settled.street, 'idle');
  t.type(settled.waiting_reason, 'string');
  for (const seat of settled.seats.filter(({ name }) => name !== null)) {
    t.match(seat, { bet: 0, in_hand: false, stack: result.final_stacks[seat.seat] });
  }
  t.match(result, { total_pot: 4000, rake: 0, rake_settled: 0, pot_kind: 'transferable' });
  t.equal(Object.keys(result.shown_cards).length, 2, 'an all-in showdown shows all');
  const won = result.winners.reduce((sum, { amount }) => sum + amount, 0);
  t.same([result.pot, result.transferable_pot, result.net_pot_after_rake], [won, won, won]);
  t.equal(
    result.payouts.reduce((sum, { amount }) => sum + amount, 0),
    4000,
    'payouts sum to total_pot',
  );
  if (result.outcome_kind === 'win') t.match(result.winners, [{ amount: 2000, stack: 4000 }]);
  else t.same([result.outcome_kind, won], ['split', 0]);
});

await scene('nobody calls: the uncalled part goes back, no cards are shown', async (t, scene) => {
  const game = await scene.game(2);
  const actor = await game.actor();
  const raised = actor.turn!.valid_actions.find(({ action }) => action === 'raise')!;
  t.match(raised, { amount: null, min: 40, max: 2000 }, 'raise-to totals');
  await game.play('raise', 300);
  const result = await game.finish(() => ({ action: 'fold' }));
  t.match(result, {
    total_pot: 40,
    pot: 20,
    outcome_kind: 'win',
    shown_cards: {},
    winners: [{ seat: actor.seat, name: actor.name, stack: 2020, amount: 20, hand_description: 'Uncontested' }],
    payouts: [{ seat: actor.seat, amount: 40 }],
    actions: [
      { seat: actor.seat, action: 'raise', amount: 300, street: 'preflop' },
      { action: 'fold', amount: null, street: 'preflop' },
    ],
  });
  t.same(Object.values(result.final_stacks).sort(), [1980, 2020]);
});

await scene(
  'your_turn and table_state offer the same, nulls only in the former; amounts are what they say',
  async (t, scene) => {
    const game = await scene.game(3);
    const actor = await game.actor();
    const turn = actor.turn!;
    const state = actor.last('table_state');
    t.same(
      state.hero!.valid_actions,
      turn.valid_actions.map((option) =>
        Object.fromEntries(Object.entries(option).filter(([, value]) => value !== null)),
      ),
    );
    // The button: nothing is bet yet. On a slow machine the others played before the third came.
    const { stack } = seatsOf(state, actor.seat!);
    t.match(turn, { seat: actor.seat, pot: 30, min_raise: 40, max_raise: stack, community_cards: [] });
    t.match(state, { to_call: 20, min_raise_to: 40, max_raise_to: stack, actor_seat: actor.seat });
    t.same(state.hero!.hole_cards, actor.last('hole_cards').cards);
    t.equal(turn.players.length, 3, 'every dealt-in seat is listed');
    const [fold, call, raise, allIn] = turn.valid_actions;
    t.same(fold, { action: 'fold', amount: null, min: null, max: null });
    t.same(call, { action: 'call', amount: 20, min: null, max: null }, 'chips to add');
    t.same(raise, { action: 'raise', amount: null, min: 40, max: stack });
    t.same(allIn, { action: 'all_in', amount: stack, min: null, max: null }, 'the stack behind');
    for (const other of game.players.filter((player) => player !== actor)) {
      const view = await other.until('the same state', () =>
        other.all('table_state').find(({ actor_seat }) => actor_seat === actor.seat),
      );
      t.notOk(view.hero!.valid_actions, 'nobody else is offered anything');
      t.notOk('to_call' in view || 'min_raise_to' in view);
    }
    t.equal(state.seats.length, 6, 'six entries on a table of six');
    t.same(
      state.seats.filter(({ name }) => name === null).map(({ seat: _seat, ...rest }) => rest),
      Array.from({ length: 3 }, () => ({ name: null, stack: 0, bet: 0, status: 'empty', is_pro: false })),
    );
  },
);

await scene(
  'player_action tells street, amounts and pots to the chip; its id is the actor’s own to the actor alone',
  async (t, scene) => {
    const game = await scene.game(3);
    const first = await game.actor();
    // On a slow machine the others played before the third came.
    const { stack } = seatsOf(first.last('table_state'), first.seat!);
    const sent = first.act('raise', 60);
    const own = await first.next('player_action', ({ seat }) => seat === first.seat);
    const expected = {
      action: 'raise',
      amount: 60,
      amount_mode: 'to_total',
      street: 'preflop',
      reason: null,
      pot_before: 30,
      pot_after: 90,
      pot: 90,
      to_call_before: 20,
      stack_before: stack,
      stack_after: stack - 60,
      stack: stack - 60,
      player_stack_before: stack,
      player_stack_after: stack - 60,
      contribution_delta: 60,
    };
    t.match(own, { ...expected, action_id: sent.client_action_id });
    const second = await game.actor();
    const seen = await second.next('player_action', ({ seat }) => seat === first.seat);
    t.match(seen, expected);
    t.not(seen.action_id, own.action_id);
    const called = await second.play('call');
    t.match(called, {
      action: 'call',
      amount: 50,
      amount_mode: 'incremental',
      to_call_before: 50,
      contribution_delta: 50,
    });
    const third = await game.actor();
    t.match(await third.play('call'), { amount: 40, street: 'preflop' }, 'the street the action was taken on');

    const opener = await game.actor();
    t.match(await opener.play('raise', 100), {
      action: 'raise',
      amount: 100,
      street: 'flop',
      to_call_before: null,
      contribution_delta: 100,
    });
    const next = await game.actor();
    const { stack: behind } = seatsOf(next.last('table_state'), next.seat!);
    t.match(await next.play('all_in'), {
      action: 'all_in',
      amount: behind,
      amount_mode: 'incremental',
      stack_after: 0,
    });
    const last = await game.actor();
    t.match(await last.play('fold'), { action: 'fold', amount: null, contribution_delta: 0, to_call_before: behind });
  },
);

await scene('chips may be written 100, 100.0 or 1e2; fractions are refused', async (t, scene) => {
  const game = await scene.game(2);
  const raiseTo = async (amount: string) => {
    const actor = await game.actor();
    const { hand_id, turn_token } = actor.turn!;
    const ids = `"client_action_id":"n${amount}","turn_token":"${turn_token}","hand_id":"${hand_id}"`;
    actor.send(`{"type":"action","action":"raise","amount":${amount},${ids}}`);
    return actor;
  };
  const refused = await raiseTo('100.5');
  t.match(await refused.next('action_rejected'), {
    code: 'invalid_action',
    reason: 'Raise needs an amount in whole chips',
  });
  for (const [written, meant] of [
    ['100.0', 100],
    ['1.8e2', 180],
    ['300', 300],
  ] as const) {
    const actor = await raiseTo(written);
    const told = await actor.next('player_action', ({ seat, amount }) => seat === actor.seat && amount !== null);
    t.equal(told.amount, meant);
  }
});

await scene(
  'the envelope: keys in their order, the state with all keys sorted but the four it does not hash',
  async (t, scene) => {
    const game = await scene.game(2);
    await game.finish(calling);
    const { texts, frames } = game.players[0]!;
    const keysOf = (type: ServerMessage['type']) => {
      const text = texts[frames.findIndex((frame) => frame.type === type)]!;
      return Object.keys(JSON.parse(text) as object);
    };
    const head = ['stream', 'table_id', 'hand_id', 'table_seq', 'hand_seq', 'ts', 'state_hash', 'type'];
    for (const type of ['table_joined', 'hand_start', 'hole_cards', 'player_action', 'hand_result'] as const) {
      t.same(keysOf(type).slice(0, 8), head, type);
    }
    const texting = game.players.find((player) => player.all('action_ack').length > 0)!;
    const ack = texting.texts[texting.frames.findIndex(({ type }) => type === 'action_ack')]!;
    t.same(Object.keys(JSON.parse(ack) as object), [
      ...head.filter((key) => key !== 'state_hash'),
      'client_action_id',
      'status',
    ]);

    const state = keysOf('table_state');
    const dropped = ['hand_seq', 'state_hash', 'table_seq', 'ts'];
    t.same(state.slice(-4).sort(), dropped, 'the four that are not hashed come last');
    t.same(state.slice(0, -4), [...state.slice(0, -4)].sort());
    const after = frames.findIndex(({ type }) => type === 'hand_result');
    // Before it comes the next hand may have begun.
    const idle = frames
      .slice(after + 1)
      .find((frame) => frame.type === 'table_state' && (frame.hand_id === null || frame.hand_seq === null));
    if (idle !== undefined) t.match(idle, { stream: 'state', hand_id: null, hand_seq: null });
  },
);

await scene(
  'a newcomer is dealt in at the next hand, without a post; the others read player_joined',
  async (t, scene) => {
    const game = await scene.game(2);
    const eve = await scene.player('eve');
    const running = (await game.actor()).turn!.hand_id;
    await join(eve, 3000);
    t.match(eve.last('table_state'), { street: 'preflop', hand_id: running, hero: { seat: eve.seat } });
    t.notOk(eve.last('table_state').hero!.hole_cards);
    t.match(await game.players[0]!.next('player_joined', ({ seat }) => seat === eve.seat), {
      seat: eve.seat,
      name: eve.name,
      stack: 3000,
      hand_id: running,
    });
    await game.finish();
    eve.auto = passive;
    const start = await eve.next('hand_start');
    const state = await eve.next('table_state', ({ hand_id }) => hand_id === start.hand_id);
    t.match(seatsOf(state, eve.seat!), { in_hand: true });
    const bets = state.seats.map(({ bet }) => bet).sort((a, b) => a - b);
    t.same(bets, [0, 0, 0, 0, 10, 20], 'nothing but the two blinds was posted');
  },
);

await scene('a profile changed at the table is seen there: name and avatar', async (t, scene) => {
  const game = await scene.game(2);
  const [ada, bob] = game.players as [Player, Player];
  const change = { name: `${ada.name}_two`, avatar_url: 'https://example.com/a.png' };
  const { key } = ada.account;
  t.match(await platform.api('PATCH', '/api/me', { key, body: change }), { status: 200, body: change });
  const state = await bob.next('table_state', ({ seats }) => seats[ada.seat!]!.name === change.name);
  t.match(seatsOf(state, ada.seat!), change);
});

await scene('a lean socket reads start, turns and result; another of the same agent reads all', async (t, scene) => {
  const bob = await scene.player('bob');
  bob.auto = calling;
  const account = await platform.register('ada');
  const ada = await Player.open(platform, account, {
    protocols: [SUBPROTOCOL, LEAN_SUBPROTOCOL],
    headers: { authorization: `Bearer ${account.key}` },
  });
  scene.players.push(ada);
  t.equal(ada.ws.protocol, LEAN_SUBPROTOCOL, 'it goes before the other');
  await ada.next('connected');
  playLean(ada, calling);
  await Promise.all([join(ada), join(bob)]);
  const hand = await ada.next('hand');
  const result = await ada.next('result', ({ hand_id }) => hand_id === hand.hand_id);
  const told = await bob.next('hand_result', ({ hand_id }) => hand_id === hand.hand_id);
  t.same([result.final_stacks, result.shown_cards], [told.final_stacks, told.shown_cards]);
  const types = new Set(ada.frames.map(({ type }) => type));
  t.same([...types].sort(), ['ack', 'connected', 'hand', 'lobby_joined', 'result', 'table_joined', 'turn']);

  const other = await scene.connect(account);
  // The turn that the other socket had not answered may have come with the greeting.
  playOn([other], calling);
  t.equal((await ada.closed).code, 4002);
  await other.next('hand_result');
  t.ok(other.all('table_state').length > 3);
});
