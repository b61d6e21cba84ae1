/**
 * Shards that one node lends to another, with threads that are none: what is said to them and by them, who has them when
 * something breaks, and when their clocks stand still.
 */
import { randomUUID } from 'node:crypto';
import t from 'tap';
import { GuestShards, type GuestThread } from '../../src/nodes/guest-shards.js';
import type { LinkedBus } from '../../src/nodes/bus.js';
import type { FromGuest, NodeMessage } from '../../src/nodes/node-messages.js';
import type { Peer, PeerEvents } from '../../src/nodes/peer.js';
import { RemoteShards } from '../../src/nodes/remote-shards.js';
import type { ShardLink } from '../../src/gateway/ports.js';
import type { ShardListener } from '../../src/shard/main/options.js';
import { Counters } from '../../src/shard/counters.js';
import type { FromShard, ShardStats, ToShard } from '../../src/shard/messages.js';
import type { DealtTable } from '../../src/shard/main/lending.js';
import { frameOf } from '../support/bus-house.js';
import type { Scope } from '../support/database.js';
import { eventually, FILE_MS } from '../support/limits.js';
import { Net } from '../support/nodes.js';

t.setTimeout(FILE_MS);

const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const none = { knocked: () => undefined, healed: () => undefined, frames: () => undefined };
const SILENT_MS = 400;
const TABLE = '00000000-0000-4000-8000-00000000000a';

/** A shard's thread that does nothing by itself. */
class Thread implements GuestThread {
  readonly read: ToShard[] = [];
  listener!: ShardListener;
  stats: ShardStats | null = null;
  stopped = false;
  drains = false;

  constructor(
    readonly shard: number,
    readonly epoch: number,
  ) {}

  send(message: ToShard): void {
    this.read.push(message);
  }
  async start(listener: ShardListener): Promise<void> {
    this.listener = listener;
  }
  async drain(): Promise<boolean> {
    return (this.drains = true);
  }
  async stop(): Promise<void> {
    this.stopped = true;
  }

  get tables(): string[] {
    return this.read.flatMap((message) => ('table' in message ? [message.table] : []));
  }
  get paused(): (number | null)[] {
    return this.read.flatMap((message) => (message.t === 'pause' ? [message.unheardMs] : []));
  }
}

const state = (table: string): ToShard => ({ t: 'state', table, ticket: 1 });
const closed = (table: string): FromShard => ({ t: 'closed', table });

/** A leader with one shard of its own, and a node that lends it shards. */
class Pair {
  readonly net = new Net();
  readonly threads: Thread[] = [];
  /** What the leader's lobby and sockets hear, in order. */
  readonly heard: string[] = [];
  readonly own: ToShard[] = [];
  readonly links: ShardLink[] = [{ send: (message) => void this.own.push(message) }];
  holds = true;
  /** What the node that lends has told its metrics. */
  readonly counted: string[] = [];
  ended = false;
  dealt: Promise<DealtTable[]> = Promise.resolve([]);
  readonly guests: GuestShards;
  readonly remote: RemoteShards;
  readonly buses: LinkedBus<NodeMessage>[] = [];
  #epoch = 10;

  constructor(count: number) {
    this.guests = new GuestShards({
      count,
      thread: ({ shard, epoch }) => {
        const thread = new Thread(shard, epoch);
        this.threads.push(thread);
        return thread;
      },
      holds: () => this.holds,
      counts: {
        shard: (shard, { hands }) => this.counted.push(`${shard} ${hands}`),
        shardEnded: (shard) => this.counted.push(`${shard} ended`),
      },
      log,
    });
    this.remote = new RemoteShards({
      links: this.links,
      listener: {
        onFrames: (shard, bytes, index) =>
          this.heard.push(`${shard} frames ${Buffer.from(bytes, index[1], index[2]! - index[1]!).toString()}`),
        onMessage: (shard, message) =>
          this.heard.push(`${shard} ${message.t} ${'table' in message ? message.table : ''}`),
        onLost: (shard) => this.heard.push(`${shard} lost`),
        onReady: (shard) => this.heard.push(`${shard} ready`),
      },
      lobby: {
        down: (shard) => void this.heard.push(`${shard} down`),
        retires: (shard) => void this.heard.push(`${shard} retires`),
        dealtOut: (shard) => void this.heard.push(`${shard} dealt out`),
        players: () => 0,
      },
      store: {
        lend: async () => ++this.#epoch,
        dealOut: () => this.dealt,
        hasEnded: async () => this.ended,
      },
      log,
    });
  }

  static async open(t: Scope, count = 1): Promise<Pair> {
    const pair = new Pair(count);
    const [leader, guest] = [randomUUID(), randomUUID()];
    const buses = [leader, guest].map((id) => pair.net.bus(id, log as never, SILENT_MS));
    pair.buses.push(...buses);
    t.teardown(async () => {
      pair.guests.leave();
      pair.remote.stop();
      for (const bus of buses) await bus.close();
    });
    // As the two sides of sockets do it: hello, then begin.
    const events = (more: Partial<PeerEvents<NodeMessage>>) => ({ ...none, broken: () => undefined, ...more });
    await buses[0]!.begin(
      events({
        broken: (peer) => pair.remote.broken(peer),
        frames: (peer, batch) => pair.remote.frames(peer, batch),
        message: (peer, message) => {
          if (message.t !== 'hello') return pair.remote.heard(peer, message as FromGuest);
          peer.send({ t: 'begin', firstId: 1 });
          pair.remote.met(peer);
        },
      }) as PeerEvents<NodeMessage>,
    );
    await buses[1]!.begin(
      events({
        healed: (peer: Peer<NodeMessage>) => peer.send({ t: 'hello', release: 'test' }),
        broken: () => pair.guests.broken(),
        message: (peer: Peer<NodeMessage>, message: NodeMessage) => {
          if (message.t === 'begin') pair.guests.began(peer);
          else pair.guests.heard(peer, message);
        },
      }) as PeerEvents<NodeMessage>,
    );
    buses[0]!.peer(guest);
    buses[1]!.peer(leader);
    for (let shard = 1; shard <= count; shard++) await pair.hears(`${shard} ready`);
    return pair;
  }

  hears(line: string): Promise<unknown> {
    return eventually(`${line} after ${this.heard.join(', ')}`, () => this.heard.includes(line));
  }

  async breaks(ms = 2 * SILENT_MS): Promise<void> {
    this.net.cut = true;
    await new Promise((resolve) => setTimeout(resolve, ms));
    this.net.cut = false;
  }
}

await t.test('a shard is down until it plays; messages and frames go both ways in their order', async (t) => {
  const pair = await Pair.open(t, 2);
  t.same(pair.heard.slice(0, 2), ['1 down', '2 down']);
  t.equal(pair.links.length, 3);
  for (let n = 0; n < 20; n++) pair.links[1]!.send(state(String(n)));
  const thread = pair.threads.find(({ shard }) => shard === 1)!;
  await eventually('messages', () => thread.tables.length === 20);
  t.same(
    thread.tables,
    [...Array(20).keys()].map((n) => String(n)),
  );
  const used: ArrayBuffer[] = [];
  const frame = frameOf(7, 'hello');
  thread.listener.onFrames(1, frame.bytes, frame.index, (bytes) => used.push(bytes));
  new Uint8Array(frame.bytes).fill(0);
  thread.listener.onMessage(1, closed('a') as never);
  await pair.hears('1 closed a');
  t.same(pair.heard.slice(-2), ['1 frames hello', '1 closed a']);
  t.equal(used[0], frame.bytes, 'the block goes back to its shard at once');
});

await t.test('a break loses nothing, either way, and ends no shard', async (t) => {
  const pair = await Pair.open(t);
  const [thread] = pair.threads;
  pair.net.cut = true;
  pair.links[1]!.send(state('before'));
  const frame = frameOf(7, 'said');
  thread!.listener.onFrames(1, frame.bytes, frame.index, () => undefined);
  await pair.breaks();
  thread!.listener.onMessage(1, closed('b') as never);
  pair.links[1]!.send(state('after'));
  await pair.hears('1 closed b');
  t.same(pair.heard.slice(-2), ['1 frames said', '1 closed b']);
  await eventually('what was said to it', () => thread!.tables.length === 2);
  t.same(thread!.tables, ['before', 'after']);
  t.equal(thread!.stopped, false);
});

await t.test('clocks stand still while the leader is not heard, or the lease does not hold', async (t) => {
  const pair = await Pair.open(t);
  const [thread] = pair.threads;
  await eventually('its clocks to run', () => thread!.paused.at(-1) === null);
  pair.net.cut = true;
  await eventually('its clocks to stand still', () => typeof thread!.paused.at(-1) === 'number');
  t.equal(pair.guests.paused, true);
  await eventually('the leader to miss it', () => pair.remote.counts.down === 1);
  t.ok((thread!.paused.at(-1) as number) >= 1000, 'since the leader was heard last');
  pair.net.cut = false;
  await eventually('its clocks to run', () => thread!.paused.at(-1) === null);

  pair.holds = false;
  await eventually('its clocks to stand still', () => typeof thread!.paused.at(-1) === 'number');
  thread!.listener.onMessage(1, closed('c') as never);
  // Over the same link, so that what was said before would be heard before.
  pair.buses[1]!.peer(pair.buses[0]!.id).send({ t: 'lend', lent: null, more: 0, leaving: true });
  await pair.hears('1 retires');
  t.equal(pair.heard.includes('1 closed c'), false, 'nothing is said without the lease');
  pair.holds = true;
  await pair.hears('1 closed c');
  await eventually('its clocks to run', () => thread!.paused.at(-1) === null);
});

await t.test(
  'a shard that is lost gives its tables to others, with what came for them; another takes its place',
  async (t) => {
    const pair = await Pair.open(t);
    const opening = { tableId: TABLE } as DealtTable['opening'];
    let deal = (_: DealtTable[]): void => undefined;
    pair.dealt = new Promise((resolve) => (deal = resolve));
    t.same(pair.remote.counts, { borrowed: 1, down: 0 });
    pair.threads[0]!.stats = { ...new Counters().read(), hands: 4, tables: 1, loopMeanMs: 0, loopP99Ms: 0, cpuMs: 0 };
    pair.threads[0]!.listener.onLost!(1, 'a test');
    await pair.hears('1 lost');
    t.same(pair.counted, ['1 4', '1 ended'], 'what it counted last is told, too');
    t.equal(pair.guests.lost, 1);
    t.same(pair.remote.counts, { borrowed: 1, down: 1 }, 'nobody has its tables yet');
    pair.links[1]!.send(state(TABLE));
    pair.links[1]!.send(state('gone'));
    deal([{ opening, shard: 0 }]);
    await pair.hears('1 dealt out');
    t.match(pair.own, [
      { t: 'open', restored: true },
      { t: 'state', table: TABLE },
    ]);
    pair.links[1]!.send({ t: 'unwatch', table: TABLE, watch: 9 });
    t.equal(pair.own.at(-1)!.t, 'unwatch', 'what comes late goes there, too');
    await pair.hears('1 state ');
    await eventually('another shard', () => pair.threads.length === 2);
    await eventually('that it plays', () => pair.heard.filter((line) => line === '1 ready').length === 2);
    t.equal(pair.threads[1]!.shard, 1, 'under the same number');
    t.ok(pair.threads[1]!.epoch > pair.threads[0]!.epoch, 'and a new epoch');
    t.same(pair.remote.counts, { borrowed: 1, down: 0 });
  },
);

await t.test('a node that has ended has no shards', async (t) => {
  const pair = await Pair.open(t);
  pair.net.cut = true;
  pair.ended = true;
  await pair.hears('1 lost');
  await pair.hears('1 dealt out');
  pair.ended = false;
  pair.net.cut = false;
  await eventually('the end of its thread', () => pair.threads[0]!.stopped);
});

await t.test('a shard that is given back takes no newcomers and finishes its hands', async (t) => {
  const pair = await Pair.open(t);
  await pair.guests.drain(1000);
  t.equal(pair.threads[0]!.drains, true);
  await pair.hears('1 retires');
  await pair.hears('1 dealt out');
  await eventually('its end', () => pair.counted.includes('1 ended'));
  t.equal(pair.guests.lost, 0);
  await eventually('nothing borrowed', () => pair.remote.counts.borrowed === 0);
});

await t.test('the leader drains it', async (t) => {
  const pair = await Pair.open(t);
  t.equal(await pair.remote.drain(5000), true);
  t.equal(pair.threads[0]!.drains, true);
});

await t.test('too much that waits ends the shard', async (t) => {
  const pair = await Pair.open(t);
  pair.net.cut = true;
  for (let n = 0; n < 28_000; n++) pair.links[1]!.send(state('x'));
  await pair.hears('1 lost');
  pair.net.cut = false;
  await eventually('the end of its thread', () => pair.threads[0]!.stopped);
});
