/**
 * The mishaps of a bot stand in GET /api/me/mishaps with their frames: at the table, in the lobby, at the socket. They
 * stand there with sockets on the main thread or on threads of their own. Nobody reads another's.
 */
import t from 'tap';
import { stopCluster } from '../support/database.js';
import { eventually, FILE_MS } from '../support/limits.js';
import { TestPlatform } from '../support/platform.js';
import type { Player } from '../support/player.js';
import { scenesOf } from '../support/scene.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);

interface Item {
  kind: string;
  code: string;
  message: string;
  table_id: string | null;
  hand_id: string | null;
  sent: string | null;
  received: string | null;
}

await t.test('mishaps of players over real sockets', async (t) => {
  const platform = await TestPlatform.start(t, { ACTION_TIMEOUT_MS: 1500 });
  const scene = scenesOf(t, platform);
  const all = async ({ account }: Player) => {
    const { status, body } = await platform.api('GET', '/api/me/mishaps', { key: account.key });
    t.equal(status, 200);
    return (body as { mishaps: Item[] }).mishaps;
  };
  const noted = (player: Player, fits: (item: Item) => boolean) =>
    eventually('the mishap', async () => (await all(player)).find(fits), 1100);

  await scene('at the table: a rejected action, a timeout, a message that is no longer meant', async (t, scene) => {
    const game = await scene.game(2);
    const actor = await game.actor();
    const other = game.players.find((player) => player !== actor)!;
    const { hand_id, turn_token } = actor.turn!;
    const sent = other.act('call', null, { hand_id, turn_token });
    const rejection = await other.next('action_rejected');
    const item = await noted(other, ({ kind }) => kind === 'rejected');
    t.match(item, { code: 'not_your_turn', message: rejection.reason, table_id: actor.table, hand_id });
    t.match(JSON.parse(item.sent!), { type: 'action', action: 'call', client_action_id: sent.client_action_id });
    t.same(JSON.parse(item.received!), rejection, 'the frame as it was sent');

    const late = await noted(actor, ({ kind }) => kind === 'timeout');
    t.match(late, { code: /^(fold|check)$/, message: /^No action within 1.5 s/, table_id: actor.table, sent: null });
    t.match(JSON.parse(late.received!), { type: 'your_turn', hand_id: late.hand_id, seat: actor.seat });

    other.send({ type: 'rebuy' });
    await other.next('error');
    t.match(await noted(other, ({ code }) => code.includes('rebuy')), { kind: 'error', table_id: actor.table });
    t.notOk(
      (await all(actor)).some(({ kind }) => kind === 'rejected'),
      "nobody reads another's",
    );
  });

  await scene('in the lobby and at the socket: errors, and a flood', async (t, scene) => {
    const player = await scene.player();
    player.send({ type: 'join_lobby', buy_in: 'all' });
    await player.error('invalid_message');
    const invalid = await noted(player, ({ code }) => code === 'invalid_message');
    t.match(invalid, { kind: 'error', sent: '{"type":"join_lobby","buy_in":"all"}', received: /"invalid_message"/ });
    player.send({ type: 'leave_table' });
    await player.error('not_at_table');
    t.match(await noted(player, ({ code }) => code === 'not_at_table'), { kind: 'error', table_id: null });
    for (let n = 0; n < 12; n++) player.send('{');
    await player.error('flood_warning');
    t.match(await noted(player, ({ kind }) => kind === 'flood'), { code: 'flood_warning' });
  });

  await scene('ends of sockets: cut off, closed, taken over', async (t, scene) => {
    const player = await scene.player();
    await player.drop();
    t.match(await noted(player, ({ code }) => code === '1006'), { kind: 'disconnect', sent: null, received: null });
    const second = await scene.connect(player.account);
    const third = await scene.connect(player.account);
    await second.closed;
    t.match(await noted(third, ({ code }) => code === '4002'), { kind: 'disconnect', received: /"close":4002/ });
    await third.close();
    t.match(await noted(third, ({ code }) => code === '1000'), { kind: 'disconnect', sent: /"close":1000/ });
    const items = await all(third);
    t.same(
      items.map(({ code }) => code),
      ['1000', '4002', '1006'],
      'the newest first',
    );
  });
});
