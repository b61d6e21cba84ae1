/**
 * The leader's side of a shard of a node, by what that says and reads alone: what of its line is out of order, what it is
 * not asked for, and numbers that are given while links come and go. With nodes beside it: lent.test.ts.
 */
import t, { type Test } from 'tap';
import type { FromGuest } from '../../src/nodes/node-messages.js';
import { RemoteShards } from '../../src/nodes/remote-shards.js';
import type { InheritedShards } from '../../src/shard/main/lending.js';
import type { FromShard } from '../../src/shard/messages.js';
import { FakePeer } from '../support/fake-peer.js';
import { closed } from '../support/lent-house.js';
import { eventually, FILE_MS } from '../support/limits.js';

t.setTimeout(FILE_MS);

const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

class House {
  readonly heard: string[] = [];
  readonly lobby: string[] = [];
  readonly node = new FakePeer('node');
  /** Answers to those who ask for a number, in order: the epoch. */
  readonly lends: ((epoch: number) => void)[] = [];
  readonly remote: RemoteShards;

  /** Those who deal tables out, in order. */
  readonly deals: (() => void)[] = [];
  /** How often it was asked whether a node that is not heard has ended. */
  looks = 0;

  constructor(t: Test, inherits: InheritedShards = { living: [], orphaned: [] }) {
    const note = (words: string) => void this.heard.push(words);
    this.remote = new RemoteShards({
      now: () => Date.now(),
      links: [],
      listener: {
        onFrames: () => undefined,
        onMessage: (shard, message) => note(`${shard} ${message.t}`),
        onReady: (shard) => {
          note(`${shard} ready`);
          this.lobby.push(`${shard} plays`);
        },
        onLost: (shard) => note(`${shard} lost`),
      },
      lobby: {
        down: (shard) => void this.lobby.push(`${shard} down`),
        retires: (shard) => void this.lobby.push(`${shard} retires`),
        inherited: (shard) => note(`${shard} inherited`),
        openMissing: (shard) => void this.lobby.push(`${shard} has what is missing`),
        unheard: (shard) => void this.lobby.push(`${shard} is not heard`),
        dealtOut: () => undefined,
        players: () => 0,
      },
      store: {
        lend: () => new Promise((resolve) => this.lends.push(resolve)),
        tables: async () => [],
        dealOut: () => new Promise((resolve) => this.deals.push(() => resolve([]))),
        hasEnded: async () => {
          this.looks++;
          return false;
        },
      },
      inherits,
      peer: () => this.node,
      shardAt: (shard) => note(`${shard} is there`),
      ended: () => undefined,
      log,
    });
    t.teardown(async () => this.remote.stop());
  }

  says(message: FromGuest): void {
    this.remote.heard(this.node, message);
  }

  /** Shard 0 says this, as the nth. */
  said(number: number, message: FromShard): void {
    this.says({ t: 'said', shard: 0, epoch: 1, number, heard: 0, message });
  }

  /** Resolves once it has looked for long breaks, and there was nothing to end or it has ended. */
  async looked(): Promise<void> {
    const before = this.looks;
    // The second look begins after the first is over; where the shard is lost nobody is asked about it any more.
    await eventually('a look', () => this.looks > before + 1 || this.heard.includes('0 lost'));
  }

  /** One that plays. */
  static async playing(t: Test): Promise<House> {
    const house = new House(t);
    house.remote.met(house.node);
    house.says({ t: 'lend', lent: null, more: 1, leaving: false });
    house.lends[0]!(1);
    await settled();
    house.said(1, { t: 'ready', epoch: 1 });
    return house;
  }
}

/** All that is about to happen has happened. */
const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
};

const OVER = { t: 'over', shard: 0, epoch: 1 };

await t.test('what is said again is heard once; where something is missing the shard is lost', async (t) => {
  const house = await House.playing(t);
  house.said(1, { t: 'ready', epoch: 1 });
  house.said(2, closed('a'));
  house.said(2, closed('a'));
  t.same(house.heard, ['0 is there', '0 ready', '0 closed']);
  house.said(4, closed('b'));
  await settled();
  t.same(house.node.messages.at(-1), OVER);
  t.same(house.heard.slice(3), ['0 lost']);
});

await t.test('…and so it is where its node has read what was never said', async (t) => {
  const house = await House.playing(t);
  house.remote.broken(house.node);
  house.remote.met(house.node);
  house.says({ t: 'lend', lent: [{ shard: 0, epoch: 1, heard: 99 }], more: 0, leaving: false });
  await settled();
  t.same(house.node.messages.at(-1), OVER);
  t.equal(house.heard.at(-1), '0 lost');
});

await t.test('a shard that nobody knows is over, and so is another life of one', async (t) => {
  const house = await House.playing(t);
  for (const of of [
    { shard: 5, epoch: 1 },
    { shard: 0, epoch: 2 },
  ]) {
    // prettier-ignore
    house.says({ t: 'said', ...of, number: 1, heard: 0, message: closed('a') });
    t.same(house.node.messages.at(-1), { t: 'over', ...of });
  }
  t.same(house.heard, ['0 is there', '0 ready']);
});

await t.test('what is there is told to a lobby that begins, and to no other', async (t) => {
  const house = await House.playing(t);
  house.said(2, { t: 'report', tables: [] });
  t.notOk(house.heard.includes('0 inherited'));
});

await t.test('a number that was asked for over a link that broke is given over none', async (t) => {
  const house = new House(t);
  house.remote.met(house.node);
  house.says({ t: 'lend', lent: null, more: 1, leaving: false });
  house.remote.broken(house.node);
  house.remote.met(house.node);
  house.says({ t: 'lend', lent: [], more: 1, leaving: false });
  for (const lend of house.lends) lend(7);
  await settled();
  t.equal(house.lends.length, 2);
  t.match(
    house.node.messages.filter(({ t }) => t === 'borrow'),
    [{ shard: 1, epoch: 7 }],
    'it has asked again',
  );
});

await t.test(
  'a shard whose node leaves before it plays retires once it does, and is down once it is given back',
  async (t) => {
    const house = new House(t);
    house.remote.met(house.node);
    house.says({ t: 'lend', lent: null, more: 1, leaving: false });
    house.lends[0]!(1);
    await settled();
    house.says({ t: 'lend', lent: null, more: 0, leaving: true });
    house.said(1, { t: 'ready', epoch: 1 });
    t.same(house.lobby.slice(-2), ['0 plays', '0 retires'], 'the word that it plays makes it one for newcomers');
    house.remote.vacated(0);
    await settled();
    t.equal(house.lobby.at(-1), '0 down');
    t.notOk(house.heard.includes('0 lost'));
  },
);

const ofNode = (shard: number) => ({ shard, epoch: 1, holder: 'node' });

await t.test(
  'what is stored of a shard is opened only where it has told what is there, and lost ones are dealt out first',
  async (t) => {
    const house = new House(t, { living: [ofNode(0), ofNode(1)], orphaned: [2] });
    house.remote.met(house.node);
    const lent = [0, 1].map((shard) => ({ shard, epoch: 1, heard: 0 }));
    house.says({ t: 'lend', lent, more: 0, leaving: false });
    let over = false;
    void house.remote.settled().then(() => (over = true));
    house.said(1, { t: 'report', tables: [] });
    await eventually('a deal', () => house.deals.length > 0);
    await settled();
    t.notOk(over, 'the tables of the lost one are nobody’s yet');
    t.notOk(house.lobby.includes('0 has what is missing'), 'those that are dealt to it would be among them');
    house.deals[0]!();
    await eventually('the wait for the other', () => over);
    t.ok(house.lobby.includes('1 is not heard'));
    t.ok(house.lobby.includes('0 has what is missing'));
    t.notOk(house.lobby.includes('1 has what is missing'));
  },
);

await t.test('a shard whose node leaves before it has reported retires once its tables are known', async (t) => {
  const house = new House(t, { living: [ofNode(0)], orphaned: [] });
  house.remote.met(house.node);
  house.says({ t: 'lend', lent: [{ shard: 0, epoch: 1, heard: 0 }], more: 0, leaving: true });
  t.notOk(house.lobby.includes('0 retires'), 'without tables it would pass for empty, and be given back');
  house.said(1, { t: 'report', tables: [] });
  t.equal(house.heard.at(-1), '0 inherited');
  t.equal(house.lobby.at(-1), '0 retires');
});

await t.test('nothing is said over a link that is broken, and all of it over the next', async (t) => {
  const house = await House.playing(t);
  house.remote.broken(house.node);
  const before = house.node.messages.length;
  house.remote.send(0, { t: 'drain' });
  t.equal(house.node.messages.length, before);
  house.remote.met(house.node);
  house.says({ t: 'lend', lent: [{ shard: 0, epoch: 1, heard: 0 }], more: 0, leaving: false });
  t.match(house.node.messages.at(-1), { t: 'said', number: 1, message: { t: 'drain' } });
});

await t.test('a shard that is not heard for a minute is lost, however often its link stands meanwhile', async (t) => {
  const { performance } = globalThis;
  const now = performance.now.bind(performance);
  let passed = 0;
  performance.now = () => now() + passed;
  t.teardown(() => {
    performance.now = now;
  });
  const house = await House.playing(t);
  house.remote.broken(house.node);
  passed = 50_000;
  house.remote.met(house.node);
  house.says({ t: 'lend', lent: [{ shard: 0, epoch: 1, heard: 0 }], more: 0, leaving: false });
  house.remote.broken(house.node);
  passed = 100_000;
  await house.looked();
  t.notOk(house.heard.includes('0 lost'), 'it was heard amid that');
  // A node without its lease is met, and says nothing of its shards.
  house.remote.met(house.node);
  house.remote.broken(house.node);
  await house.looked();
  t.notOk(house.heard.includes('0 lost'), 'less than a minute');
  passed = 110_001;
  await house.looked();
  t.ok(house.heard.includes('0 lost'));
});
