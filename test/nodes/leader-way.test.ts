/**
 * What sockets say to whoever leads, and ask of it: nothing is lost where leaders come and go, and each is told of all
 * sockets before it reads what they say.
 */
import t from 'tap';
import type { Answerer } from '../../src/gateway/ports.js';
import type { Hello, Registry, ResumedSocket } from '../../src/gateway/ports.js';
import type { SocketHub } from '../../src/gateway/sockets.js';
import type { HttpRequest } from '../../src/gateway/transport.js';
import { LeaderWay } from '../../src/nodes/leader-way.js';
import { localPeers } from '../../src/nodes/local-peer.js';
import type { NodeMessage } from '../../src/nodes/node-messages.js';
import type { ClientMessage } from '../../src/protocol/client.js';
import { FakePeer } from '../support/fake-peer.js';
import { FILE_MS } from '../support/limits.js';

t.setTimeout(FILE_MS);

const HELLO: Hello = { apiKey: 'key', ip: '192.0.2.1', competitionId: null };
const resumed = (socket: number): ResumedSocket => ({
  ...{
    socket,
    agentId: `agent ${socket}`,
    hello: HELLO,
    route: null,
    waiting: null,
    unanswered: [],
    seatLost: false,
    aware: true,
  },
});
const LEAVE: ClientMessage = { type: 'leave_table' };
const JOIN: ClientMessage = { type: 'join_lobby' };
const request = (): HttpRequest => ({
  ...{ method: 'GET', path: '/api/season', query: '', remote: '192.0.2.1', headers: {}, header: () => '' },
  ...{ body: null, signal: new AbortController().signal },
});
const WATCH = { tableId: 'x', ip: '192.0.2.1', headers: {} };

/** A hub with these sockets, and a way of it. */
function wayOf(sockets: readonly number[], arriving: readonly number[] = [], holding: readonly string[] = []) {
  const state = { watchersEnded: 0, unheardEnded: 0 };
  const hub = {
    resumable: () => sockets.map((socket) => resumed(socket)),
    arriving: () => arriving.map((socket) => ({ socket, hello: HELLO })),
    endWatchers: () => state.watchersEnded++,
    endUnheard: () => state.unheardEnded++,
  };
  const way = new LeaderWay(
    () => hub as unknown as SocketHub,
    () => holding,
  );
  return { way, state };
}

/** A leader of this process that notes what it hears. */
function own() {
  const heard: string[] = [];
  const note = (line: string) => void heard.push(line);
  const registry: Registry = {
    opened: (socket) => note(`opened ${socket}`),
    closed: (socket) => note(`closed ${socket}`),
    watching: (socket) => note(`watching ${socket}`),
    message: (socket, _agent, { type }) => note(`${type} ${socket}`),
    mishap: (agent) => note(`mishap of ${agent}`),
    resumed: (all) => note(`resumed ${all.map(({ socket }) => socket).join()}`),
  };
  const answer = { status: 200, headers: {}, body: 'ours' };
  const answerer = { http: async () => answer, admit: async () => null } as unknown as Answerer;
  return { heard, registry, answerer };
}

function linesOf({ messages }: FakePeer): string[] {
  return messages.map((message) => {
    if (message.t === 'resumed') return `resumed ${message.sockets.map(({ socket }) => socket).join()}`;
    if (message.t === 'message') return `${message.message.type} ${message.socket}`;
    if (message.t === 'mishap') return `mishap of ${message.agentId}`;
    return 'socket' in message ? `${message.t} ${message.socket}` : message.t;
  });
}

/** What sockets do while nobody leads, each thing that there is. */
function meanwhile({ registry }: LeaderWay): void {
  registry.message(1, 'agent 1', LEAVE);
  registry.message(1, 'agent 1', JOIN);
  registry.watching(9, WATCH);
  registry.mishap('agent 1', { code: 'invalid_message', message: 'm', at: 0 } as never);
  registry.opened(2, HELLO);
  registry.closed(3, 'agent 3', { code: 1000, reason: '' } as never);
}

const TOLD = ['resumed 1,2', 'opened 5', 'leave_table 1', 'watching 9', 'mishap of agent 1'];

await t.test(
  'while nobody leads it is kept: the next leader hears of all sockets first, and then what they said',
  (t) => {
    const { way } = wayOf([1, 2], [5]);
    t.notOk(way.serves);
    meanwhile(way);
    const peer = new FakePeer('a');
    way.begin(peer);
    t.ok(way.serves);
    t.same(
      linesOf(peer),
      [...TOLD, 'met'],
      'a join stands in what is resumed, an opened socket among those that are there',
    );
    way.registry.message(1, 'agent 1', JOIN);
    t.equal(linesOf(peer).at(-1), 'join_lobby 1', 'from now on all goes there');
    way.end();
    t.notOk(way.serves);
    const other = new FakePeer('b');
    way.begin(other);
    t.same(linesOf(other), ['resumed 1,2', 'opened 5', 'met'], 'what one has read is not said to the next');
    way.end();
    const before = peer.messages.length + other.messages.length;
    meanwhile(way);
    t.equal(peer.messages.length + other.messages.length, before, 'who led hears nothing more');
    const third = new FakePeer('c');
    way.begin(third);
    t.same(linesOf(third), [...TOLD, 'met']);
    t.end();
  },
);

await t.test('…and so does one in this process', (t) => {
  const { way } = wayOf([1, 2], [5]);
  meanwhile(way);
  const { heard, registry, answerer } = own();
  const peer = new FakePeer('own');
  way.lead(peer, registry, answerer);
  t.same(heard, TOLD);
  t.same(linesOf(peer), ['met']);
  way.registry.opened(6, HELLO);
  way.registry.closed(6, 'agent 6', { code: 1000, reason: '' } as never);
  way.registry.message(1, 'agent 1', JOIN);
  way.registry.watching(7, WATCH);
  way.registry.mishap('agent 1', { code: 'invalid_message', message: 'm', at: 0 } as never);
  const said = ['opened 6', 'closed 6', 'join_lobby 1', 'watching 7', 'mishap of agent 1'];
  t.same(heard.slice(TOLD.length), said, 'by calls');
  t.same(linesOf(peer), ['met']);
  way.end();
  t.notOk(way.serves);
  const count = heard.length;
  meanwhile(way);
  t.equal(heard.length, count, 'who led hears nothing more');
  const next = own();
  way.lead(peer, next.registry, next.answerer);
  t.same(next.heard, TOLD);
  t.end();
});

await t.test('who may not have been heard by a leader ends with it; what nobody has heard is kept', (t) => {
  const { way, state } = wayOf([1, 2]);
  meanwhile(way);
  way.end();
  t.equal(state.unheardEnded, 0, 'nobody led');
  way.begin(new FakePeer('a'));
  way.end();
  t.equal(state.unheardEnded, 1);
  const { registry, answerer } = own();
  way.lead(new FakePeer('own'), registry, answerer);
  way.end();
  t.equal(state.unheardEnded, 2);
  meanwhile(way);
  way.end();
  t.equal(state.unheardEnded, 2, 'said since');
  t.end();
});

await t.test('many sockets are told in several messages', (t) => {
  const all = Array.from({ length: 1001 }, (_, n) => n);
  const { way } = wayOf(all);
  const peer = new FakePeer('a');
  way.begin(peer);
  const told = peer.messages.flatMap((message) => (message.t === 'resumed' ? [message.sockets] : []));
  t.ok(told.every(({ length }) => length <= 500));
  t.same(told.flat().map(({ socket }) => socket), all); // prettier-ignore
  t.end();
});

await t.test('there is an end to what is kept', (t) => {
  const { way } = wayOf([]);
  for (let n = 0; n < 10_005; n++) way.registry.message(n, 'agent', LEAVE);
  const peer = new FakePeer('a');
  way.begin(peer);
  t.equal(linesOf(peer).filter((line) => line.startsWith('leave')).length, 10_000);
  t.end();
});

await t.test('who asks while nobody leads, or when the leader ends, is to come again', async (t) => {
  const { way, state } = wayOf([]);
  t.match(await way.request(request()), { status: 503, headers: { 'retry-after': '1' } });
  t.match(await way.admit('192.0.2.1', null, false), { status: 503 });
  const peer = new FakePeer('a');
  way.begin(peer);
  const asked = [way.request(request()), way.admit('192.0.2.1', null, false)];
  t.same(peer.kinds.slice(-2), ['request', 'admit']);
  way.end();
  t.match(await Promise.all(asked), [{ status: 503 }, { status: 503 }]);
  t.equal(state.watchersEnded, 1, 'no leader but this one knows of spectators');
  t.match(await way.request(request()), { status: 503 });
});

await t.test('answers come from whoever leads', async (t) => {
  const { way } = wayOf([]);
  const peer = new FakePeer('a');
  way.begin(peer);
  const asked = way.request(request());
  const { ask } = peer.messages.find((message) => message.t === 'request') as { ask: number };
  way.answered({ t: 'answer', ask, answer: { status: 200, headers: {}, body: 'theirs' }, streamed: false });
  t.match(await asked, { status: 200, body: 'theirs' });
  way.end();
  const { registry, answerer } = own();
  way.lead(new FakePeer('own'), registry, answerer);
  t.match(await way.request(request()), { body: 'ours' });
  t.equal(await way.admit('192.0.2.1', null, false), null);
});

await t.test('…and so do bodies, part by part, which break off where the leader says so', async (t) => {
  const { way } = wayOf([]);
  const peer = new FakePeer('a');
  way.begin(peer);
  const asks = () => peer.messages.flatMap((message) => (message.t === 'request' ? [message.ask] : []));
  const streamed = async () => {
    const asked = way.request(request());
    const ask = asks().at(-1)!;
    way.answered({ t: 'answer', ask, answer: { status: 200, headers: {}, body: '' }, streamed: true });
    const { body } = await asked;
    return { ask, parts: (body as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]() };
  };
  const whole = await streamed();
  const first = whole.parts.next();
  t.equal(peer.kinds.at(-1), 'pull', 'no faster than it is read');
  way.answered({ t: 'chunk', ask: whole.ask, bytes: Buffer.from('part') });
  t.same(Buffer.from((await first).value as Uint8Array).toString(), 'part');
  const last = whole.parts.next();
  way.answered({ t: 'chunk', ask: whole.ask, bytes: null });
  t.equal((await last).done, true);

  const broken = await streamed();
  const lost = broken.parts.next();
  way.answered({ t: 'broken', ask: broken.ask, reason: 'a test' });
  await t.rejects(lost, { message: 'a test' });
  const cut = await streamed();
  const never = cut.parts.next();
  way.end();
  await t.rejects(never, { message: 'the link to the leader broke' });
});

await t.test('what no node knows the shard of goes to whoever leads', (t) => {
  const { way } = wayOf([]);
  const stray = { t: 'toShard', shard: 4, message: { t: 'drain' } } as const;
  way.stray(stray);
  const [peer, local] = [new FakePeer('a'), new FakePeer('own')];
  way.begin(peer);
  way.stray(stray);
  t.same(peer.messages.at(-1), stray);
  way.end();
  const { registry, answerer } = own();
  way.lead(local, registry, answerer);
  way.stray(stray);
  t.same(local.messages.at(-1), stray);
  t.end();
});

await t.test('the leader and the node of its own process read each other at once, until either ends it', (t) => {
  const read: string[] = [];
  const { leader, member } = localPeers<NodeMessage>('me', {
    leader: (from, message) => {
      read.push(`leader ${message.t}`);
      t.equal(from, member, 'so that it can answer');
      from.send({ t: 'begin' });
    },
    member: (from, message) => {
      read.push(`member ${message.t}`);
      t.equal(from, leader);
    },
  });
  t.same([leader.id, member.id, leader.up, member.up], ['me', 'me', true, true]);
  leader.send({ t: 'met' });
  read.push('back');
  t.same(read, ['leader met', 'member begin', 'back']);
  t.throws(() => leader.frames({ bytes: new ArrayBuffer(0), index: new Uint32Array() }));
  leader.end();
  leader.send({ t: 'met' });
  t.equal(read.length, 3);
  t.same([leader.up, member.up], [false, true], 'each end is ended by itself');
  t.end();
});

await t.test('whoever leads next is told of the tables that the one before had begun to move', async (t) => {
  const { way } = wayOf([1], [], ['x', 'y']);
  const peer = new FakePeer('a');
  way.begin(peer);
  const told = [
    { t: 'holds', table: 'x' },
    { t: 'holds', table: 'y' },
  ];
  t.match(peer.messages, [{ t: 'resumed' }, ...told, { t: 'met' }]);
  const { registry, answerer } = own();
  const itself = new FakePeer('itself');
  way.lead(itself, registry, answerer);
  t.same(itself.messages, [...told, { t: 'met' }], 'also by its own process');
});
