/**
 * Where frames of a node's shards go: each to the node that holds the socket, in the order of its table; a node that
 * could not be spoken to hears that it lacks some; and nothing leaves while others may have the tables.
 */
import t from 'tap';
import { FrameWays } from '../../src/nodes/frame-ways.js';
import { PLACES } from '../../src/table/api.js';
import { MAY_WAIT } from '../../src/table/outbox.js';
import { FakePeer, framesFor, wordsOf } from '../support/fake-peer.js';
import { FILE_MS } from '../support/limits.js';

t.setTimeout(FILE_MS);

const OWN = 3;
/** The nth socket of a place. */
const socket = (place: number, n = 1) => n * PLACES + place;
const [MINE, A1, A2, B1] = [socket(OWN), socket(5), socket(5, 2), socket(9)];

function ways() {
  const own: string[] = [];
  const used: ArrayBuffer[] = [];
  const state = { holds: true, lost: 0 };
  const frameWays = new FrameWays({
    place: OWN,
    own: {
      forward: (bytes, index, done) => {
        own.push(...wordsOf({ bytes, index }));
        done?.(bytes);
      },
    },
    holds: () => state.holds,
    lost: () => state.lost++,
  });
  const [a, b] = [new FakePeer('a'), new FakePeer('b')];
  frameWays.member(5, a);
  frameWays.member(9, b);
  /** As a shard does it, which writes into its buffer again as soon as it has that back. */
  const deliver = (...frames: [number, string][]) => {
    const { bytes, index } = framesFor(...frames);
    frameWays.deliver(bytes, index, (buffer) => {
      used.push(buffer);
      new Uint8Array(buffer).fill(0);
    });
    return bytes;
  };
  return { own, used, state, frameWays, deliver, a, b };
}

await t.test('each node has the frames of its sockets, in their order', async (t) => {
  const { own, used, deliver, a, b } = ways();
  const bytes = deliver([A1, 'one'], [MINE, 'two'], [B1, 'two'], [A2, 'three'], [A1, 'four']);
  t.same(own, [`${MINE} two`]);
  t.same(a.words, [`${A1} one`, `${A2} three`, `${A1} four`]);
  t.same(b.words, [`${B1} two`]);
  t.same(used, [bytes], 'the shard has its buffer back once');
  deliver([A1, 'five']);
  t.equal(used.length, 2, 'also where none of its own sockets was to read it');
});

await t.test('what a node has of a batch may wait where all of it may', async (t) => {
  const { frameWays, a, b } = ways();
  const { bytes, index } = framesFor([A1, 'one'], [B1, 'two'], [A2, 'three'], [B1, 'four']);
  for (const frame of [0, 1, 2]) index[3 * frame + 1]! |= MAY_WAIT;
  frameWays.deliver(bytes, index, () => undefined);
  t.same([a.waits, a.words], [[true], [`${A1} one`, `${A2} three`]]);
  t.same([b.waits, b.words], [[false], [`${B1} two`, `${B1} four`]]);
});

await t.test('what is only for own sockets is not touched', async (t) => {
  const batch = framesFor([MINE, 'one'], [socket(OWN, 2), 'two']);
  let given: unknown[] = [];
  const frameWays = new FrameWays({
    place: OWN,
    own: { forward: (...args) => (given = args) },
    holds: () => true,
    lost: () => t.fail('nothing is lost'),
  });
  const used = () => undefined;
  frameWays.deliver(batch.bytes, batch.index, used);
  t.equal(given[0], batch.bytes);
  t.equal(given[1], batch.index);
  t.equal(given[2], used);
});

await t.test('frames of a place that nobody has are nobody’s', async (t) => {
  const { deliver, own, frameWays, a, b } = ways();
  deliver([socket(77), 'one'], [MINE, 'two']);
  frameWays.broken(a);
  frameWays.ended('a');
  deliver([A1, 'three'], [B1, 'four']);
  t.same([own, a.words, b.words], [[`${MINE} two`], [], [`${B1} four`]]);
  frameWays.healed(a);
  t.same(a.messages, [], 'who has ended lacks nothing');
});

await t.test('a node that could not be spoken to hears so when its link stands again, once', async (t) => {
  const { frameWays, deliver, a, b } = ways();
  t.same(frameWays.silent, []);
  a.up = false;
  t.same(frameWays.silent, [5]);
  deliver([A1, 'lost'], [B1, 'read']);
  a.up = true;
  frameWays.healed(a);
  frameWays.healed(b);
  deliver([A1, 'read']);
  t.same(a.messages, [{ t: 'torn' }]);
  t.same([b.messages, b.words], [[], [`${B1} read`]]);
  t.same(a.words, [`${A1} read`]);
  frameWays.healed(a);
  t.equal(a.messages.length, 1);
});

await t.test('…also where its link broke with frames under way', async (t) => {
  const { frameWays, a } = ways();
  frameWays.broken(a);
  frameWays.healed(a);
  t.same(a.messages, [{ t: 'torn' }]);
});

await t.test(
  'without the lease nothing leaves; all of it does when it holds again, before anything else',
  async (t) => {
    const { frameWays, state, deliver, own, used, a } = ways();
    state.holds = false;
    deliver([A1, 'one'], [MINE, 'one']);
    deliver([MINE, 'two'], [A1, 'two']);
    t.same([own, a.words], [[], []]);
    t.equal(used.length, 2, 'a shard does not wait for its buffer');
    state.holds = true;
    deliver([A1, 'three'], [MINE, 'three']);
    t.same(own, ['one', 'two', 'three'].map((word) => `${MINE} ${word}`)); // prettier-ignore
    t.same(a.words, ['one', 'two', 'three'].map((word) => `${A1} ${word}`)); // prettier-ignore

    state.holds = false;
    deliver([MINE, 'four']);
    state.holds = true;
    frameWays.release();
    t.equal(own.at(-1), `${MINE} four`, 'also where no frame follows');
    frameWays.release();
    t.equal(own.length, 4);
  },
);

await t.test('what has left counts no more of what may be kept', async (t) => {
  const { frameWays, state, deliver, own } = ways();
  const large = 'x'.repeat(5 * 1024 * 1024);
  for (let time = 1; time <= 3; time++) {
    state.holds = false;
    deliver([MINE, large]);
    state.holds = true;
    frameWays.release();
    t.same([own.length, state.lost], [time, 0]);
  }
});

await t.test('too much without the lease is lost: who may lack it hears so', async (t) => {
  const { frameWays, state, deliver, own, a, b } = ways();
  state.holds = false;
  deliver([A1, 'first']);
  const large = 'x'.repeat(1024 * 1024);
  for (let n = 0; state.lost === 0 && n < 100; n++) deliver([MINE, large]);
  t.equal(state.lost, 1);
  state.holds = true;
  frameWays.release();
  t.same([own, a.words], [[], []]);
  for (const peer of [a, b]) {
    frameWays.healed(peer);
    t.same(peer.messages, [{ t: 'torn' }]);
  }
});
