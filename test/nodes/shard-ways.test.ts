/** What a node's sockets say to shards comes to whoever has them, in order, whatever breaks or moves on the way. */
import t from 'tap';
import { ShardWays } from '../../src/nodes/shard-ways.js';
import type { TableMessage, ToShard } from '../../src/shard/messages.js';
import { FakePeer } from '../support/fake-peer.js';
import { FILE_MS } from '../support/limits.js';

t.setTimeout(FILE_MS);

const OWN = 0;
const [THEIRS, OTHERS] = [1, 2];

/** Something for a table, and what of it is read again. */
const say = (table: string, ticket: number): ToShard => ({ t: 'state', table, ticket });
const wordOf = (shard: number, message: ToShard) =>
  'table' in message && 'ticket' in message ? `${shard} ${message.table}${message.ticket}` : `${shard} ${message.t}`;

class House {
  readonly own: string[] = [];
  readonly stray: string[] = [];
  readonly dropped: TableMessage[] = [];
  readonly a = new FakePeer('a');
  readonly b = new FakePeer('b');
  readonly ways = new ShardWays({
    own: (shard, message) => shard === OWN && this.own.push(wordOf(shard, message)) > 0,
    stray: (shard, message) => void this.stray.push(wordOf(shard, message)),
    dropped: (message) => void this.dropped.push(message),
  });

  constructor() {
    this.ways.shardAt(OWN, null);
    this.ways.shardAt(THEIRS, this.a);
    this.ways.shardAt(OTHERS, this.b);
  }

  say(shard: number, ...words: readonly string[]): void {
    for (const word of words) this.ways.link(shard).send(say(word[0]!, Number(word.slice(1))));
  }
}

const readBy = ({ messages }: FakePeer) =>
  messages.map((message) => (message.t === 'toShard' ? wordOf(message.shard, message.message) : message.t));

await t.test('to the own shards, to the node of the shard, and else to who leads', async (t) => {
  const house = new House();
  house.say(OWN, 'x1');
  house.say(THEIRS, 'y1');
  house.say(OTHERS, 'z1');
  house.say(7, 'u1');
  t.same(house.own, ['0 x1']);
  t.same(readBy(house.a), ['1 y1']);
  t.same(readBy(house.b), ['2 z1']);
  t.same(house.stray, ['7 u1']);
  t.same(house.ways.shardsOf('a'), new Set([THEIRS]));
  t.equal(house.ways.link(1), house.ways.link(1), 'one link for all who speak to it');
});

await t.test('it waits while the node cannot be spoken to, and keeps its order', async (t) => {
  const house = new House();
  house.a.up = false;
  house.say(THEIRS, 'y1', 'y2');
  house.say(OTHERS, 'z1');
  t.same(readBy(house.b), ['2 z1'], 'nobody else waits');
  house.a.up = true;
  house.ways.healed(house.b);
  t.same(readBy(house.a), []);
  house.ways.healed(house.a);
  house.say(THEIRS, 'y3');
  t.same(readBy(house.a), ['1 y1', '1 y2', '1 y3']);
  house.ways.healed(house.a);
  t.equal(readBy(house.a).length, 3, 'once');
});

await t.test('a shard that becomes another node’s takes along what waited for it', async (t) => {
  const house = new House();
  house.a.up = false;
  house.say(THEIRS, 'y1');
  house.ways.shardAt(THEIRS, house.b);
  t.same(readBy(house.b), ['1 y1']);
  t.same(house.ways.shardsOf('a'), new Set());
  house.ways.shardAt(THEIRS, null);
  house.say(THEIRS, 'y2');
  t.same(readBy(house.b), ['1 y1'], 'whose it was does not hear of it');
  t.same(house.ways.shardsOf('b'), new Set([OTHERS]));
});

await t.test('…and of one whose node has ended who leads knows where it is', async (t) => {
  const house = new House();
  house.ways.ended('a');
  house.say(THEIRS, 'y1');
  t.same(house.stray, ['1 y1']);
  t.same(house.ways.shardsOf('b'), new Set([OTHERS]), 'the others’ are theirs');
});

await t.test('tables that went elsewhere take along what waited for them, and nothing else', async (t) => {
  const house = new House();
  house.a.up = false;
  house.say(THEIRS, 'x1', 'y1', 'x2');
  house.ways.moved('x', OTHERS);
  t.same(readBy(house.b), ['2 x1', '2 x2']);
  house.a.up = true;
  house.ways.healed(house.a);
  t.same(readBy(house.a), ['1 y1']);
});

await t.test('what is said to a table while it moves is read where it goes, before what is said later', async (t) => {
  const house = new House();
  house.say(THEIRS, 'x1');
  house.ways.hold('x');
  house.say(THEIRS, 'x2', 'y1', 'x3');
  t.same(readBy(house.a), ['1 x1', '1 y1'], 'other tables play on');
  house.ways.moved('x', OWN);
  house.say(OWN, 'x4');
  t.same(house.own, ['0 x2', '0 x3', '0 x4']);

  house.ways.hold('y');
  house.say(THEIRS, 'y2');
  house.ways.moved('y', THEIRS);
  t.same(readBy(house.a).at(-1), '1 y2', 'or stays');
});

await t.test('what waits for a table that stays keeps its place', async (t) => {
  const house = new House();
  house.a.up = false;
  house.say(THEIRS, 'x1', 'y1');
  house.ways.moved('x', THEIRS);
  house.a.up = true;
  house.ways.healed(house.a);
  t.same(readBy(house.a), ['1 x1', '1 y1']);
});

await t.test('there is an end to what waits: whoever says more hears so', async (t) => {
  const house = new House();
  house.a.up = false;
  for (let n = 0; n < 1002; n++) house.say(THEIRS, `x${n}`);
  t.equal(house.dropped.length, 2);
  house.ways.hold('z');
  for (let n = 0; n < 1003; n++) house.say(OTHERS, `z${n}`);
  t.equal(house.dropped.length, 5);
  house.ways.moved('z', OTHERS);
  t.equal(readBy(house.b).length, 1000);
});

await t.test('it tells for which tables it holds, until it hears whose they are', async (t) => {
  const house = new House();
  house.ways.hold('y');
  house.ways.hold('x');
  house.say(THEIRS, 'y1');
  t.same(house.ways.holding, ['y', 'x']);
  house.ways.moved('y', THEIRS);
  t.same([house.ways.holding, readBy(house.a)], [['x'], ['1 y1']]);
});
