/**
 * What sockets say of themselves to another registry: who they are, what they wait for, and what was not answered; and which
 * of them end when a frame of a shard is lost.
 */
import t from 'tap';
import type { TableRoute } from '../../src/gateway/ports.js';
import { SocketHub } from '../../src/gateway/sockets.js';
import type { WireSocket } from '../../src/gateway/transport.js';
import { BEYOND_BOUND } from '../../src/gateway/unanswered.js';
import { Exchange } from '../../src/gateway/exchange.js';
import type { ClientMessage } from '../../src/protocol/client.js';
import { errorMessage, type ServerMessage } from '../../src/protocol/server.js';
import type { ToShard } from '../../src/shard/messages.js';
import { PLACES } from '../../src/table/api.js';
import { ASKS, LAST } from '../../src/table/outbox.js';
import { framesFor } from '../support/fake-peer.js';
import { FakeLog } from '../support/gateway.js';
import { FILE_MS } from '../support/limits.js';

t.setTimeout(FILE_MS);

const greeted: ServerMessage = { type: 'lobby_joined', position: 1, estimated_wait: '~5s' };
const seat = (table: string, shard = 0): TableRoute => ({ shard, table, seat: 3 });
const none = (table: string, shard = 0): TableRoute => ({ shard, table, seat: null });

/** A hub whose registry is the test. */
function house() {
  const asked: ClientMessage['type'][] = [];
  const sent: ToShard[] = [];
  const clock = { now: 1000 };
  const hub = new SocketHub({
    ...{ messagesPerSecond: 20, bufferBytes: 1000, deferMs: 1, delayHands: 0, clientIp: () => '1.1.1.1' },
    ...{ log: new FakeLog(), firstId: PLACES, now: () => clock.now },
  });
  const deaf = () => undefined;
  const registry = {
    ...{ opened: deaf, mishap: deaf, closed: deaf, resumed: deaf },
    watching: (socket: number, { tableId }: { tableId: string }) =>
      hub.watch(socket, { shard: Number(tableId), table: tableId, agentId: null }),
    message: (_socket: number, _agent: string, message: ClientMessage) => void asked.push(message.type),
  };
  hub.serve({ registry, link: () => ({ send: (message) => void sent.push(message) }) });
  let ids = 0;
  const open = (path = '/ws', query = '') => {
    const state = { code: 0 };
    const wire: WireSocket = {
      ...{ send: () => true, cork: (write: () => void) => write(), buffered: () => 0 },
      ...{ subscribe: deaf, unsubscribe: deaf, close: (code: number) => void (state.code = code) },
    };
    const headers = { authorization: 'Bearer key' };
    const listener = hub.open(wire, new Exchange({ method: 'GET', path, query, remote: '', headers }));
    const id = path === '/ws' ? ++ids * PLACES : 0;
    const say = (message: ClientMessage) => listener.message(Buffer.from(JSON.stringify(message)));
    const come = (route: TableRoute | null = null) => {
      hub.welcome(id, { agentId: `agent ${id}`, name: 'ada' }, route);
      hub.flush();
    };
    const resumed = () => hub.resumable().find(({ socket }) => socket === id);
    /** From its table. */
    const read = (marks = 0) => {
      const { bytes, index } = framesFor([id, 'a frame']);
      index[1]! |= marks;
      hub.forward(bytes, index);
    };
    return { id, say, come, resumed, state, read, hear: (message: ServerMessage) => hub.send(id, message) };
  };
  return { hub, open, asked, sent, clock };
}

const settled = async () => {
  for (let n = 0; n < 2; n++) await new Promise(setImmediate);
};

const failed = (code: Parameters<typeof errorMessage>[0], text?: string) => errorMessage(code, text);

void t.test('each that was welcomed resumes with what it brought; others are announced again', (t) => {
  const { hub, open } = house();
  const [ada, bob, cid] = [open('/ws', 'competition_id=cup'), open(), open()];
  ada.come(seat('T'));
  cid.come();
  hub.close(cid.id, 4001, '');
  const hello = { apiKey: 'key', ip: '1.1.1.1', competitionId: 'cup' };
  const nothing = { waiting: null, unanswered: [], seatLost: false, aware: false };
  t.same(hub.resumable(), [{ socket: ada.id, agentId: `agent ${ada.id}`, hello, route: seat('T'), ...nothing }]);
  t.same(hub.arriving(), [{ socket: bob.id, hello: { ...hello, competitionId: null } }]);
  t.end();
});

void t.test('a join waits until it has a seat', (t) => {
  const { hub, open, clock } = house();
  const ada = open();
  ada.come();
  ada.say({ type: 'join_lobby', buy_in: 1500 });
  clock.now += 5000;
  const since = () => Math.round((Date.now() - ada.resumed()!.waiting!.since) / 100);
  t.match(ada.resumed()!.waiting, { buyIn: 1500, greeted: false });
  t.equal(since(), 50, 'as long as by the clock that never goes back');
  ada.hear(greeted);
  t.match(ada.resumed()!, { waiting: { buyIn: 1500, greeted: true }, unanswered: [] });
  ada.say({ type: 'join_lobby' });
  ada.hear(failed('already_in_lobby'));
  t.match(ada.resumed()!, { waiting: { buyIn: 1500 }, unanswered: [] }, 'the first does');
  hub.route(ada.id, seat('T'));
  t.equal(ada.resumed()!.waiting, null);
  t.end();
});

void t.test('or is refused, at once or later', (t) => {
  const { open } = house();
  for (const code of ['lobby_full', 'already_seated', 'season_buy_in_failed', 'no_active_season'] as const) {
    for (const late of [false, true]) {
      const ada = open();
      ada.come();
      ada.say({ type: 'join_lobby' });
      if (late) ada.hear(greeted);
      ada.hear(code === 'already_seated' ? { ...failed('lobby_full'), code: 'lobby_full' } : failed(code));
      t.match(ada.resumed()!, { waiting: null, unanswered: [] }, code);
    }
  }
  t.end();
});

void t.test('a join that waits for the end of another stay outlives news of that', (t) => {
  const { hub, open } = house();
  const ada = open();
  ada.come(seat('T'));
  ada.say({ type: 'join_lobby' });
  ada.hear(greeted);
  hub.route(ada.id, seat('T', 1));
  t.ok(ada.resumed()!.waiting, 'its old table is opened elsewhere');
  hub.route(ada.id, none('T', 1));
  t.ok(ada.resumed()!.waiting);
  hub.route(ada.id, seat('U'));
  t.equal(ada.resumed()!.waiting, null);
  t.end();
});

void t.test('one that is told that it waits already does, by the join of an earlier session', (t) => {
  const { open } = house();
  const ada = open();
  ada.come();
  ada.say({ type: 'join_lobby' });
  ada.hear(failed('already_in_lobby'));
  t.match(ada.resumed()!, { waiting: { greeted: true }, unanswered: [] });
  t.end();
});

void t.test('questions are kept until they are answered, each by what answers it', (t) => {
  const { open, clock } = house();
  const ada = open();
  ada.come();
  const types = () => ada.resumed()!.unanswered.map(({ type }) => type);
  const ask = () => {
    clock.now += 10_000;
    ada.say({ type: 'rebuy', request_id: 'one' });
    ada.say({ type: 'set_auto_rebuy', enabled: true });
  };
  ask();
  t.same(types(), ['rebuy', 'set_auto_rebuy']);
  ada.say({ type: 'leave_table' });
  ada.hear(failed('rate_limited'));
  t.same(types(), ['rebuy', 'set_auto_rebuy'], 'what concerns another message');
  ada.hear({ type: 'auto_rebuy_set', enabled: true });
  t.same(ada.resumed()!.unanswered, [{ type: 'rebuy', request_id: 'one' }]);
  ada.hear(failed('invalid_rebuy'));
  t.same(types(), []);
  ask();
  ada.say({ type: 'join_lobby' });
  ada.hear(failed('rate_limited', BEYOND_BOUND));
  t.same([types(), ada.resumed()!.waiting], [['rebuy', 'set_auto_rebuy'], null], 'the latest was beyond the bound');
  ada.hear({ type: 'rebuy_confirmed', new_stack: 0, chip_balance: 1500 });
  ada.hear(failed('season_error'));
  t.same(types(), []);
  t.end();
});

void t.test('of a socket that nobody answers a few are kept, and its words of the moment are not among them', (t) => {
  const { open, asked } = house();
  const ada = open();
  ada.come();
  for (let n = 0; n < 15; n++) ada.say({ type: 'join_lobby' });
  t.equal(asked.length, 15);
  t.equal(ada.resumed()!.unanswered.length, 7);
  t.end();
});

void t.test('who lost its seat says so until it is sent what comes of a bust, or sits again', (t) => {
  const { hub, open } = house();
  const bust: ServerMessage[] = [
    { type: 'busted', options: ['leave'] },
    { type: 'rebuy_confirmed', new_stack: 0, chip_balance: 1500 },
    { type: 'auto_rebuy_scheduled', rebuy_at: '2026-01-01T00:00:00Z', cooldown_seconds: 1 },
  ];
  for (const news of [...bust, null]) {
    const ada = open();
    ada.come(seat('T'));
    t.notOk(ada.resumed()!.seatLost);
    hub.route(ada.id, none('T'));
    t.ok(ada.resumed()!.seatLost);
    if (news === null) hub.route(ada.id, seat('U'));
    else ada.hear(news);
    t.notOk(ada.resumed()!.seatLost);
  }
  t.end();
});

void t.test('a lost frame of a shard ends whoever may have been to read it', async (t) => {
  const { hub, open } = house();
  const [ada, bob, cid, dan, eve] = [open(), open(), open(), open(), open()];
  ada.come(seat('T', 0));
  bob.come(seat('U', 1));
  cid.come(none('U', 1));
  dan.come();
  const watches = [open('/ws/watch', 'table_id=0'), open('/ws/watch', 'table_id=1')];
  hub.endTorn(new Set([0]));
  await settled();
  t.same(
    [ada, bob, cid, dan, eve].map(({ state }) => state.code),
    [1013, 0, 1013, 1013, 1013],
  );
  t.same(
    watches.map(({ state }) => state.code),
    [1013, 0],
  );
});

void t.test('what is not asked again of another registry ends its socket, unless it was handled', async (t) => {
  const { hub, open } = house();
  type Player = ReturnType<typeof open>;
  const hand = '0198c1a0-0000-7000-8000-000000000000';
  const ids = { client_action_id: 'c', turn_token: 't', hand_id: hand };
  const leaves = ({ say }: Player) => say({ type: 'leave_table' });
  const resyncs = ({ say }: Player) => say({ type: 'resync_request', table_id: hand });
  const ways: [end: number, what: string, (player: Player) => void][] = [
    [1013, 'a leave without a seat', leaves],
    [1013, 'a resync of a table where it does not sit', resyncs],
    [1013, 'an action without a seat', ({ say }) => say({ type: 'action', action: 'fold', ...ids })],
    [1013, 'a nonce without a seat', ({ say }) => say({ type: 'deal_nonce', nonce: 'ab'.repeat(32) })],
    [1013, 'two, of which one was handled', (ada) => (leaves(ada), resyncs(ada), hub.handled(ada.id))],
    [0, 'one that was handled', (ada) => (leaves(ada), hub.handled(ada.id))],
    [0, 'one to its table', (ada) => (hub.route(ada.id, seat('T')), leaves(ada))],
    [0, 'a join, which is asked again', ({ say }) => say({ type: 'join_lobby' })],
    [0, 'nothing', () => undefined],
  ];
  const players = ways.map(([, , live]) => {
    const player = open();
    player.come();
    live(player);
    return player;
  });
  hub.endUnheard();
  await settled();
  for (const [n, { state }] of players.entries()) t.equal(state.code, ways[n]![0], ways[n]![1]);
});

void t.test('whose stay is over ends unless it was told, or waits for a seat', async (t) => {
  const { hub, open } = house();
  type Player = ReturnType<typeof open>;
  const T = seat('T');
  const ways: [end: number, what: string, (player: Player) => void][] = [
    [1013, 'that sat, and was told nothing', (ada) => ada.come(T)],
    [1013, 'that came without a seat, and got one', (ada) => (ada.come(), hub.route(ada.id, T))],
    [0, 'that came without a seat', (ada) => ada.come(none('T'))],
    [0, 'that was told', (ada) => (ada.come(T), ada.read(LAST))],
    [0, 'that was sent what comes of a bust', (ada) => (ada.come(T), ada.hear({ type: 'busted', options: ['leave'] }))],
    [0, 'that was told before it was welcome', (ada) => (ada.read(LAST), ada.come(T))],
    [0, 'that was told before its seat was known here', (ada) => (ada.come(), ada.read(LAST), hub.route(ada.id, T))],
    [1013, 'that was told of the stay before', (ada) => (ada.come(T), ada.read(LAST), hub.route(ada.id, seat('U')))],
    [1013, 'that was told, and asked since', (ada) => (ada.come(T), ada.read(LAST), ada.read(ASKS))],
    [0, 'that was told, and whose table moved', (ada) => (ada.come(T), ada.read(LAST), hub.moved('T', 1, false))],
    [0, 'that asked for another', (ada) => (ada.come(T), ada.say({ type: 'join_lobby' }))],
    [0, 'that waits for another', (ada) => (ada.come(T), ada.say({ type: 'join_lobby' }), ada.hear(greeted))],
  ];
  const ended = async (end: (player: Player) => void) => {
    const players = ways.map(([, , live]) => {
      const player = open();
      live(player);
      const { aware } = player.resumed()!;
      const { route } = player.resumed()!;
      if (route !== null) hub.route(player.id, { ...route, seat: null });
      end(player);
      return { aware, player };
    });
    await settled();
    return players.map(({ aware, player }) => [aware, player.state.code]);
  };
  for (const [n, [aware, code]] of (await ended(({ id }) => hub.untold(id))).entries()) {
    const [end, what] = ways[n]!;
    t.same([aware, code], [end === 0, end], what);
  }
  const lost = await ended(() => hub.endUntold(new Set([0])));
  t.same(lost.map(([, code]) => code), ways.map(([end, what]) => (what.includes('moved') ? 0 : end)), 'with its shard'); // prettier-ignore
  const others = await ended(() => hub.endUntold(new Set([7])));
  t.same(new Set(others.map(([, code]) => code)), new Set([0]), 'and not with another');
  const sits = open();
  sits.come(T);
  hub.endUntold(new Set([0]));
  await settled();
  t.equal(sits.state.code, 0, 'who sits attaches elsewhere');
});
