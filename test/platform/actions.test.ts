/**
 * The outcomes of an action: accepted once, repeated safely, or rejected with the first code (protocol.md, "Actions").
 */
import t from 'tap';
import { REJECTION_REASONS, type RejectionCode } from '../../src/protocol/codes.js';
import { stopCluster } from '../support/database.js';
import { FILE_MS } from '../support/limits.js';
import { TestPlatform } from '../support/platform.js';
import type { ActionFields, ActionName, Player } from '../support/player.js';
import { calling, join, passive, playOn, scenesOf, type Game } from '../support/scene.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);
const platform = await TestPlatform.start(t, { BETWEEN_HANDS_MS: 300 });
const scene = scenesOf(t, platform);

const WRONG = '00000000-0000-4000-8000-000000000000';

/** The two players of a heads-up game with the first turn open. */
async function roles(game: Game): Promise<{ actor: Player; other: Player }> {
  const actor = await game.actor();
  return { actor, other: game.players.find((player) => player !== actor)! };
}

/** Sends an action and returns the rejection it gets. */
async function rejection(player: Player, action: ActionName, amount: number | null, fields: ActionFields) {
  player.skip();
  player.act(action, amount, fields);
  return player.next('action_rejected');
}

await scene(
  'each wrong is rejected with its own code, and the turn stays open with the same token',
  async (t, scene) => {
    const game = await scene.game(2);
    const { actor, other } = await roles(game);
    const { hand_id, turn_token } = actor.turn!;
    const right = { hand_id, turn_token };
    const cases: [why: string, code: RejectionCode, player: Player, fields: ActionFields][] = [
      ['not the actor', 'not_your_turn', other, { hand_id, turn_token: WRONG }],
      ['no client_action_id', 'missing_action_id', actor, { ...right, client_action_id: undefined }],
      ['no turn_token: an old client', 'legacy_action_protocol', actor, { hand_id, turn_token: undefined }],
      ['no hand_id', 'legacy_action_protocol', actor, { hand_id: undefined, turn_token }],
      ['null counts as missing', 'legacy_action_protocol', actor, { hand_id: null, turn_token: null }],
      ['another hand', 'stale_hand_action', actor, { hand_id: WRONG, turn_token }],
      ['another token', 'stale_turn_token', actor, { hand_id, turn_token: WRONG }],
      // The order: ids, hand, turn, token, rules.
      ['not the actor and no id', 'missing_action_id', other, { ...right, client_action_id: undefined }],
      ['no id and no token', 'missing_action_id', actor, { client_action_id: undefined, turn_token: undefined }],
      ['not the actor, and another hand', 'stale_hand_action', other, { hand_id: WRONG, turn_token: WRONG }],
    ];
    for (const [why, code, player, fields] of cases) {
      const rejected = await rejection(player, 'call', null, fields);
      t.match(rejected, { code, reason: REJECTION_REASONS[code], details: { code } }, why);
      t.match(rejected, { stream: 'event', hand_id }, 'with the envelope of an answer');
      t.notOk('state_hash' in rejected);
    }
    t.match(
      await rejection(actor, 'check', null, { hand_id, turn_token: WRONG }),
      { code: 'stale_turn_token' },
      'token, then rules',
    );
    await actor.play('call');
  },
);

await scene('the engine’s refusals are invalid_action, in its own words', async (t, scene) => {
  const game = await scene.game(2);
  const { actor, other } = await roles(game);
  const refusals: [ActionName, number | null, string][] = [
    ['check', null, 'Cannot check: there is a bet to call'],
    ['raise', null, 'Raise needs an amount in whole chips'],
    ['raise', 39, 'Raise is below the minimum'],
    ['raise', 2001, 'Raise is above the maximum'],
  ];
  for (const [action, amount, reason] of refusals) {
    t.match(await rejection(actor, action, amount, {}), {
      code: 'invalid_action',
      reason,
      details: { code: 'invalid_action' },
    });
  }
  await actor.play('call');
  await other.myTurn();
  t.match(await rejection(other, 'call', null, {}), { reason: 'Cannot call: there is nothing to call' });
  await other.play('check');
});

await scene('a token is good for one turn', async (t, scene) => {
  const game = await scene.game(2);
  const { actor, other } = await roles(game);
  const { hand_id, turn_token } = actor.turn!;
  await actor.play('call');
  await other.play('check');
  await other.play('check');
  const { turn_token: next } = await actor.myTurn();
  t.not(next, turn_token);
  t.match(await rejection(actor, 'check', null, { hand_id, turn_token }), { code: 'stale_turn_token' });
});

await scene('without a hand, a seat or a table there is nothing to act on', async (t, scene) => {
  const game = await scene.game(2);
  const { actor, other } = await roles(game);
  const spectator = await scene.player('sam');
  spectator.act('fold', null, { hand_id: WRONG, turn_token: WRONG });
  const refused = await spectator.next('action_rejected');
  t.same(refused, {
    type: 'action_rejected',
    code: 'not_at_table',
    reason: 'You are not at a table',
    details: { code: 'not_at_table' },
  });

  await game.finish(passive);
  const between = await rejection(actor, 'fold', null, { client_action_id: undefined });
  t.match(between, { code: 'no_hand_in_progress', hand_id: null, hand_seq: null }, 'the hand comes before the ids');

  actor.send({ type: 'leave_table' });
  playOn([other]);
  await actor.next('player_left', ({ seat }) => seat === 0 || seat === 1);
  t.match(await rejection(actor, 'fold', null, {}), { code: 'not_at_table' }, 'the seat comes first');
});

await scene('the same action again gets the same acknowledgement, and is not played twice', async (t, scene) => {
  const game = await scene.game(2);
  const { actor, other } = await roles(game);
  const sent = actor.act('raise', 60);
  const first = await actor.next('action_ack');
  t.match(first, { client_action_id: sent.client_action_id, status: 'accepted', hand_id: sent.hand_id });
  actor.send(sent);
  const again = await actor.next('action_ack');
  const bare = ({ table_seq: _seq, hand_seq: _handSeq, ts: _ts, ...rest }: typeof again) => rest;
  t.same(bare(again), bare(first));
  await other.next('player_action', ({ amount }) => amount === 60);
  await other.play('call');
  t.equal(actor.all('player_action').filter(({ amount }) => amount === 60).length, 1);

  actor.skip();
  actor.send({ ...sent, amount: 80 });
  t.match(await actor.next('action_rejected'), {
    code: 'action_id_conflict',
    reason: REJECTION_REASONS.action_id_conflict,
  });
  actor.send({ ...sent, action: 'call', amount: undefined });
  t.match(await actor.next('action_rejected'), { code: 'action_id_conflict' });
});

await scene('an absent amount and null are the same payload', async (t, scene) => {
  const game = await scene.game(2);
  const { actor } = await roles(game);
  const sent = actor.act('call');
  await actor.next('action_ack');
  actor.send({ ...sent, amount: null });
  t.match(await actor.next('action_ack'), { client_action_id: sent.client_action_id });
});

await scene('a repeat is known after the hand, over another socket, and after the seat is gone', async (t, scene) => {
  const game = await scene.game(2);
  const { actor, other } = await roles(game);
  const sent = actor.act('call');
  await actor.next('action_ack');
  await game.finish(passive);
  const known = { client_action_id: sent.client_action_id, hand_id: sent.hand_id, hand_seq: null };
  actor.skip();
  actor.send(sent);
  t.match(await actor.next('action_ack'), known, 'after the hand it is no part of the count of any hand');

  const again = await scene.connect(actor.account);
  again.send(sent);
  t.match(await again.next('action_ack'), known, 'over another socket');

  again.seat = actor.seat;
  again.send({ type: 'leave_table' });
  playOn([other]);
  await again.next('player_left', ({ seat }) => seat === actor.seat);
  again.seat = null;
  again.send(sent);
  t.match(await again.next('action_ack'), known, 'without a seat');
  again.send({ ...sent, action: 'fold' });
  t.match(await again.next('action_rejected'), { code: 'action_id_conflict' });
});

await scene('ids are bound by acceptance alone, and only within their hand', async (t, scene) => {
  const game = await scene.game(2);
  const { actor, other } = await roles(game);
  const id = { client_action_id: 'the-same' };
  t.match(await rejection(actor, 'raise', 1, id), { code: 'invalid_action' });
  actor.act('call', null, id);
  await actor.next('action_ack', ({ client_action_id }) => client_action_id === 'the-same');
  await other.myTurn();
  other.act('check', null, id);
  await other.next('action_ack', ({ client_action_id }) => client_action_id === 'the-same');
  const hand = actor.last('hand_start').hand_id;
  await game.finish(calling);
  const next = await game.actor();
  t.not(next.turn!.hand_id, hand);
  next.act('fold', null, id);
  t.match(await next.next('action_ack', ({ hand_id }) => hand_id !== hand), { client_action_id: 'the-same' });
});

await scene(
  'ten faults in five seconds warn, twenty remove from the table; the socket stays open',
  async (t, scene) => {
    const game = await scene.game(2);
    const { actor, other } = await roles(game);
    for (let n = 0; n < 9; n++) actor.act('check');
    actor.send('{"type":"no_such_type"}');
    actor.send('{"type":"action","action":"dance"}');
    const warning = await actor.error('flood_warning');
    const faults = actor.frames.filter(({ type }) => type === 'action_rejected' || type === 'error');
    t.equal(faults.length, 12, 'nine rejections, an unknown type that does not count, an invalid message, the warning');
    t.ok(warning.message);
    for (let n = 0; n < 10; n++) actor.act('check');
    await actor.error('flood_kick');
    t.equal(actor.all('error').filter(({ code }) => code === 'flood_warning').length, 1, 'warned once');
    const left = await other.next('player_left');
    t.match(left, { seat: actor.seat ?? left.seat, name: actor.name, reason: 'left' });
    t.match(await actor.next('player_left'), { name: actor.name, reason: 'left' }, 'the one removed reads it too');
    await join(actor);
  },
);

await scene('without a seat one is only warned', async (t, scene) => {
  const ada = await scene.player('ada');
  for (let n = 0; n < 5; n++) ada.act('fold', null, {});
  for (let n = 0; n < 20; n++) ada.send('not json');
  await ada.until('all answers', () => (ada.frames.length >= 27 ? true : undefined));
  const codes = ada.all('error').map(({ code }) => code);
  t.equal(codes.filter((code) => code === 'flood_warning').length, 1);
  t.equal(codes.indexOf('flood_warning'), 5, 'with the tenth fault: five rejections, five invalid messages');
  t.notOk(codes.includes('flood_kick') || ada.isClosed);
});
