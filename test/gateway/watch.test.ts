/**
 * Watching a table, without sockets: one publish an event for a whole group. A newcomer gets a fresh state, and so does
 * a slow reader. Whole hands are left out where a table is too fast, and everybody is sent away with the table.
 */
import t from 'tap';
import { WatchChannel } from '../../src/gateway/watch/channel.js';
import { WatchHub } from '../../src/gateway/watch/watch-hub.js';
import { Watcher } from '../../src/gateway/watch/watcher.js';
import { zeroStats } from '../../src/gateway/socket-stats.js';
import { Allowance } from '../../src/gateway/allowance.js';
import type { Registry } from '../../src/gateway/ports.js';
import { ClientSocket } from '../../src/gateway/relay/client-socket.js';
import type { WireSocket } from '../../src/gateway/transport.js';
import type { ToShard } from '../../src/shard/messages.js';
import { FOR_NEWCOMERS, HAND_BEGINS, LAST, STATE } from '../../src/table/outbox.js';
import { FILE_MS } from '../support/limits.js';

const HELLO = { tableId: '', ip: '', headers: {} };
const clientOf = (socket: WireSocket) => new ClientSocket(socket, new Allowance(20), { kind: 'watch', hello: HELLO });

t.setTimeout(FILE_MS);

const text = (frame: string | Uint8Array) => (typeof frame === 'string' ? frame : Buffer.from(frame).toString());

/** A channel that has the test as its table. */
function open(delayHands = 0) {
  const published: string[] = [];
  const subscribers = new Map<string, Set<string[]>>();
  const world = { now: 0, asked: 0 };
  const channel = new WatchChannel(
    9,
    { table: 'table', shard: 0, agentId: null },
    {
      delayHands,
      now: () => world.now,
      ask: () => world.asked++,
      due: () => undefined,
      publish: (topic, frames) => {
        published.push(topic);
        for (const read of subscribers.get(topic) ?? []) read.push(...frames.map(text));
      },
    },
  );
  let ids = 0;
  const come = () => {
    const read: string[] = [];
    const state = { unsent: 0, code: 0 };
    const socket: WireSocket = {
      send: (frame) => read.push(text(frame)) > 0,
      cork: (write) => write(),
      buffered: () => state.unsent,
      close: (code) => {
        state.code = code;
        watcher.closed();
      },
      subscribe: (topic) => void subscribers.set(topic, (subscribers.get(topic) ?? new Set()).add(read)),
      unsubscribe: (topic) => void subscribers.get(topic)?.delete(read),
    };
    const host = { now: () => world.now, gone: (gone: Watcher) => channel.remove(gone) };
    const watcher = new Watcher(++ids, clientOf(socket), host, ++ids);
    channel.add(watcher);
    return { read, state, watcher };
  };
  const say = (frame: string, mark = 0) => channel.take(Buffer.from(frame), mark);
  const send = () => {
    while (channel.step());
  };
  return { channel, world, published, come, say, send };
}

await t.test('an event is published once for a group, and newcomers begin with the state', (t) => {
  const { world, published, come, say, send, channel } = open();
  const first = Array.from({ length: 64 }, come);
  const more = Array.from({ length: 6 }, come);
  t.equal(world.asked, 1, 'the table is asked once for all of them');
  say('state 1', FOR_NEWCOMERS);
  say('action 1');
  send();
  t.equal(channel.watchers, 70);
  for (const { read } of [...first, ...more]) t.same(read, ['state 1', 'action 1']);
  t.same(published, []);
  say('action 2');
  say('action 3');
  send();
  t.equal(published.length, 2, 'one for each 64');
  const late = come();
  t.equal(world.asked, 2);
  say('action 4');
  say('state 2', FOR_NEWCOMERS);
  say('action 5');
  send();
  t.same(late.read, ['state 2', 'action 5'], 'nothing from before its state');
  t.same(first[0]!.read, ['state 1', 'action 1', 'action 2', 'action 3', 'action 4', 'action 5']);
  t.end();
});

await t.test('a slow reader gets nothing more until it has read, then a fresh state; its backlog never grows', (t) => {
  const { world, come, say, send, channel } = open();
  const [slow, fast] = [come(), come()];
  say('state 1', FOR_NEWCOMERS);
  send();
  slow.state.unsent = 1 << 20;
  for (let n = 0; n < 1000; n++) {
    say(`action ${n}`);
    send();
  }
  t.equal(fast.read.length, 1001);
  t.same(slow.read, ['state 1']);
  t.equal(channel.lookAfter(), 1, 'it lags');
  slow.state.unsent = 0;
  t.equal(channel.lookAfter(), 0);
  say('state 2', FOR_NEWCOMERS);
  say('action last');
  send();
  t.same(slow.read, ['state 1', 'state 2', 'action last']);
  slow.state.unsent = 1 << 20;
  say('action');
  send();
  world.now += 60_001;
  channel.lookAfter();
  t.equal(slow.state.code, 1013, 'who never reads is sent away');
  t.equal(channel.watchers, 1);
  t.end();
});

await t.test('where a table is faster than can be sent, whole hands are left out', (t) => {
  const { come, say, send } = open();
  const { read } = come();
  say('state', FOR_NEWCOMERS);
  send();
  const long = 'x'.repeat(1000);
  for (let hand = 0; hand < 200; hand++) {
    say(`begins ${hand}`, HAND_BEGINS);
    say(`state ${hand}`, STATE);
    for (let n = 0; n < 5; n++) say(`${hand} ${n} ${long}`);
  }
  send();
  const begun = read.filter((frame) => frame.startsWith('begins'));
  t.ok(begun.length >= 10 && begun.length < 30, `${begun.length} of 200 hands`);
  t.equal(read.length, 1 + 7 * begun.length, 'each of them whole');
  say('begins again', HAND_BEGINS);
  send();
  t.equal(read.at(-1), 'begins again');
  t.end();
});

await t.test('with a delay what is shown is so many hands old', (t) => {
  const { come, say, send, world } = open(2);
  const { read } = come();
  for (let hand = 1; hand <= 5; hand++) {
    say(`begins ${hand}`, HAND_BEGINS);
    say(`state ${hand}`, STATE);
    send();
  }
  t.equal(world.asked, 0, 'the table is never asked for what is now');
  t.same(read, ['state 1', 'begins 2', 'state 2'], 'hands 3 and 4 are too fresh, and 5 is in play');
  t.end();
});

await t.test('the end of the table is the last that everybody reads', (t) => {
  const { come, say, send, channel } = open();
  const [here, slow] = [come(), come()];
  say('state', FOR_NEWCOMERS);
  send();
  const newcomer = come();
  slow.state.unsent = 1 << 20;
  say('closed', LAST);
  send();
  t.ok(channel.over);
  t.same(here.read, ['state', 'closed']);
  t.same([here, slow, newcomer].map(({ state }) => state.code), [4010, 4010, 4010]); // prettier-ignore
  t.equal(channel.watchers, 0);
  t.end();
});

await t.test('a turn that was held up costs spectators a second, not half a minute for each of its own', async (t) => {
  let now = 0;
  let id = 0;
  let publish = (): void => undefined;
  const [asked, read]: [ToShard[], string[]] = [[], []];
  const route = { shard: 0, table: 'table', agentId: null };
  const registry = { watching: (id: number) => hub.watch(id, route) } as unknown as Registry;
  const hub: WatchHub = new WatchHub({
    delayHands: 0,
    now: () => now,
    clientIp: () => '',
    takeId: () => ++id,
    registry: () => registry,
    stats: zeroStats(),
    link: () => ({ send: (message) => void asked.push(message) }),
    publish: () => publish(),
  });
  let joins = (): void => undefined;
  /** A new watcher reads alone at first, and then what all read. */
  const follows = new Promise<void>((resolve) => (joins = resolve));
  const socket: WireSocket = {
    send: (frame) => read.push(text(frame)) > 0,
    cork: (write) => write(),
    subscribe: () => joins(),
    buffered: () => 0,
    close: () => undefined,
    unsubscribe: () => undefined,
  };
  hub.open(clientOf(socket), HELLO);
  const channel = (asked[0] as Extract<ToShard, { t: 'watch' }>).watch;
  const say = (frame: string, mark = 0) => {
    const bytes = new TextEncoder().encode(frame);
    hub.frame(channel, bytes.buffer, mark, bytes.length);
  };
  /** Publishes a frame. Resolves when the frame is written and the pause after it is set. */
  const published = async (frame: string) => {
    const written = new Promise<void>((resolve) => {
      publish = () => {
        // The time in which the thread was blocked.
        now += 10_000;
        resolve();
      };
    });
    say(frame);
    await written;
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  };
  say('state', FOR_NEWCOMERS);
  t.same(read, ['state']);
  await follows;
  await published('action 1');
  now += 1000;
  await published('action 2');
  t.pass('a second later the next turn comes');
});

await t.test('whoever goes is forgotten, whatever it waited for; a flood ends its socket', (t) => {
  const { come, say, send, channel } = open();
  const [waits, begun, follows] = [come(), come(), come()];
  waits.watcher.end(1000);
  say('state', FOR_NEWCOMERS);
  begun.watcher.end(1000);
  send();
  t.equal(channel.watchers, 1);
  t.same([waits.read, begun.read, follows.read], [[], ['state'], ['state']]);
  for (let n = 0; n < 500; n++) follows.watcher.message(Buffer.from('x'));
  t.equal(follows.state.code, 1008);
  t.ok(channel.empty);
  t.end();
});
