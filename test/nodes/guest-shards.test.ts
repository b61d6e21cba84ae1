/**
 * The shards of a node, by what its leader says and reads alone: how many it takes, which lives of them it means, what of
 * a line is out of order, and what waits for the lease. With a leader beside it: lent.test.ts.
 */
import t, { type Test } from 'tap';
import { GuestShards } from '../../src/nodes/guest-shards.js';
import type { ToShard } from '../../src/shard/messages.js';
import { FakePeer } from '../support/fake-peer.js';
import { closed, FakeThread, PLACE, state } from '../support/lent-house.js';
import { eventually, FILE_MS } from '../support/limits.js';

t.setTimeout(FILE_MS);

const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

class Stillborn extends FakeThread {
  override start(): Promise<void> {
    return Promise.reject(new Error('a test'));
  }
}

/** A node that follows a leader, with as many shards as it could have. */
class House {
  readonly threads: FakeThread[] = [];
  readonly leader = new FakePeer('leader');
  readonly guests: GuestShards;
  holds = true;
  regained = 0;
  /** How much the leader had been told when kept frames left last. */
  saidAtRegained = 0;
  Thread = FakeThread;

  constructor(t: Test, count: number) {
    this.guests = new GuestShards({
      ...{ count, place: PLACE, log },
      thread: ({ shard, epoch }) => {
        const thread = new this.Thread(shard, epoch);
        this.threads.push(thread);
        return thread;
      },
      holds: () => this.holds,
      deafMs: () => 0,
      frames: () => undefined,
      regained: () => {
        this.regained++;
        this.saidAtRegained = this.leader.messages.length;
      },
      counts: { shard: () => undefined, shardEnded: () => undefined },
    });
    t.teardown(async () => this.guests.end());
  }

  borrow(shard: number, epoch = 1): void {
    this.guests.heard(this.leader, { t: 'borrow', shard, epoch, now: 1 });
  }

  /** The leader says this to shard 0, as the nth. */
  said(number: number, message: ToShard): void {
    this.guests.heard(this.leader, { t: 'said', shard: 0, epoch: 1, number, heard: 0, message });
  }

  goOn(heard: number): void {
    this.guests.heard(this.leader, { t: 'goOn', shard: 0, epoch: 1, heard, anew: false });
  }

  /** One that plays. */
  static async playing(t: Test, count = 1): Promise<House & { thread: FakeThread }> {
    const house = new House(t, count);
    house.guests.follow(house.leader);
    house.borrow(0);
    await eventually('a shard that plays', () => house.leader.kinds.includes('said'));
    return Object.assign(house, { thread: house.threads[0]! });
  }
}

const OVER = { t: 'over', shard: 0, epoch: 1 };

await t.test('it takes as many as it asked for, and gives back what it has no room for', async (t) => {
  const house = await House.playing(t);
  t.match(house.leader.messages[0], { t: 'lend', lent: [], more: 1 });
  house.borrow(1);
  t.same(house.leader.messages.at(-1), { t: 'over', shard: 1, epoch: 1 });
  t.equal(house.threads.length, 1);
});

await t.test('…and none while it leaves', async (t) => {
  const house = await House.playing(t, 2);
  const drained = house.guests.drain(600_000, true);
  house.borrow(1);
  t.same(house.leader.messages.at(-1), { t: 'over', shard: 1, epoch: 1 });
  house.guests.follow(house.leader);
  t.match(house.leader.messages.at(-1), { t: 'lend', lent: [{ shard: 0 }], more: 0, leaving: true });
  house.guests.heard(house.leader, { t: 'over', shard: 0, epoch: 1 });
  t.equal(await drained, true);
  t.ok(house.thread.stopped);
});

await t.test(
  '…and none once the life of its node is over, though its leader speaks to it until the bus is closed',
  async (t) => {
    const house = await House.playing(t, 2);
    house.guests.end();
    t.ok(house.thread.stopped);
    house.guests.follow(house.leader);
    t.match(house.leader.messages.at(-1), { t: 'lend', lent: [], more: 0, leaving: true });
    house.borrow(1);
    t.same(house.leader.messages.at(-1), { t: 'over', shard: 1, epoch: 1 });
    t.equal(house.threads.length, 1);
  },
);

await t.test('a thread that does not start gives its number back', async (t) => {
  const house = new House(t, 1);
  house.Thread = Stillborn;
  house.guests.follow(house.leader);
  house.borrow(0);
  await eventually('its end', () => house.leader.kinds.includes('over'));
  t.same(house.leader.messages.at(-1), OVER);
  t.same(house.guests.numbers, []);
});

await t.test('another life of the shard is not meant', async (t) => {
  const house = await House.playing(t);
  house.guests.heard(house.leader, { t: 'over', shard: 0, epoch: 2 });
  t.notOk(house.thread.stopped);
  house.guests.heard(house.leader, { t: 'said', shard: 0, epoch: 2, number: 1, heard: 0, message: state('x') });
  t.same(house.thread.tables, []);
  house.guests.heard(house.leader, { t: 'over', shard: 0, epoch: 1 });
  t.ok(house.thread.stopped);
});

await t.test('what is said again is read once; where something is missing the shard is over', async (t) => {
  const house = await House.playing(t);
  house.said(1, state('a'));
  house.said(1, state('a'));
  house.said(2, state('b'));
  t.same(house.thread.tables, ['a', 'b']);
  house.said(4, state('d'));
  t.same(house.leader.messages.at(-1), OVER);
  t.ok(house.thread.stopped);
  t.same(house.thread.tables, ['a', 'b']);
});

await t.test('…and so it is where the leader has read what was never said', async (t) => {
  const house = await House.playing(t);
  house.guests.broken();
  house.guests.follow(house.leader);
  house.goOn(99);
  t.same(house.leader.messages.at(-1), OVER);
  t.ok(house.thread.stopped);
});

await t.test('a thread that is lost says nothing more', async (t) => {
  const house = await House.playing(t);
  house.thread.listener.onLost!(0, 'a test');
  const count = house.leader.messages.length;
  t.same(house.leader.messages.at(-1), OVER);
  house.thread.say(closed('a'));
  t.equal(house.leader.messages.length, count);
});

await t.test('without its lease a node tells a leader nothing, also of a link that stands anew', async (t) => {
  const house = new House(t, 1);
  house.holds = false;
  house.guests.follow(house.leader);
  t.same(house.leader.messages, []);
  await eventually('clocks that stand still', () => house.guests.paused);
  house.borrow(0);
  t.match(house.threads[0]!.read[0], { t: 'pause', place: null }, 'a shard that begins then hears so first');
  house.holds = true;
  await eventually('what it has', () => house.leader.kinds.includes('lend'));
  t.ok(house.regained > 0);
});

await t.test('…or when it is lost while the leader answers', async (t) => {
  const house = await House.playing(t);
  house.guests.broken();
  house.thread.say(closed('a'));
  house.guests.follow(house.leader);
  const before = house.leader.messages.length;
  house.holds = false;
  house.goOn(1);
  t.equal(house.leader.messages.length, before, 'nor what waits for the link');
  house.holds = true;
  await eventually('what it has', () => house.leader.kinds.slice(before).includes('lend'));
  house.goOn(1);
  t.match(house.leader.messages.at(-1), { t: 'said', number: 2, message: { t: 'closed', table: 'a' } });
});

await t.test(
  '…from the moment on that it runs out, and what waits for it leaves before what is said then',
  async (t) => {
    const house = await House.playing(t);
    const before = house.leader.messages.length;
    house.holds = false;
    house.thread.say(closed('a'));
    t.equal(house.leader.messages.length, before);
    house.regained = 0;
    house.holds = true;
    house.thread.say(closed('b'));
    t.equal(house.regained, 1, 'frames that were kept');
    t.equal(house.leader.messages.length, before, 'the leader is told first what it has');
    await eventually('what it has', () => house.leader.kinds.slice(before).includes('lend'));
  },
);

await t.test('…also where nothing was to be said while it was away', async (t) => {
  const house = await House.playing(t);
  house.holds = false;
  await eventually('clocks that stand still', () => house.guests.paused);
  const before = house.leader.messages.length;
  house.holds = true;
  house.thread.say(closed('a'));
  t.equal(house.leader.messages.length, before, 'the leader is told first what it has');
  await eventually('what it has', () => house.leader.kinds.slice(before).includes('lend'));
});

await t.test('frames that waited for the lease leave before what is said once it holds', async (t) => {
  const house = await House.playing(t);
  // It was away between two looks: the line is as it was.
  const before = house.leader.messages.length;
  house.thread.say(closed('a'));
  t.match(house.leader.messages.at(-1), { t: 'said', message: { t: 'closed', table: 'a' } });
  t.equal(house.saidAtRegained, before, 'they left, and then it was said');
});
