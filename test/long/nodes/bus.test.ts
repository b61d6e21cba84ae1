/**
 * Nodes over a bus: what one sends in a turn arrives as one post, in order, messages and frames alike; a link that breaks
 * is told of to both sides before anything is read again; strangers, rubbish and floods harm nobody.
 */
import { randomUUID } from 'node:crypto';
import t from 'tap';
import { PostWriter } from '../../../src/nodes/post.js';
import type { Scope } from '../../support/database.js';
import { BusNode, frameOf } from '../../support/bus-house.js';
import { eventually, FILE_MS } from '../../support/limits.js';
import { MemoryBus } from '../../support/memory-bus.js';

t.setTimeout(FILE_MS);

/** No link breaks by silence, however slow the machine is; only where a test is about that. */
const NEVER_MS = 600_000;
/** Nor by this; but a greeting that was lost is said again within seconds. */
const LONG_MS = 60_000;

async function house(t: Scope, count: number, options: ConstructorParameters<typeof BusNode>[1] = {}) {
  const memory = new MemoryBus();
  const nodes = Array.from(
    { length: count },
    () => new BusNode((id) => memory.carrier(id), { silentMs: NEVER_MS, ...options }),
  );
  t.teardown(async () => void (await Promise.all(nodes.map(({ bus }) => bus.close()))));
  for (const node of nodes) await node.begin();
  return { memory, nodes };
}

const linked = async (a: BusNode, b: BusNode) => {
  a.bus.peer(b.id);
  await Promise.all([a.hears(b, 'healed'), b.hears(a, 'healed')]);
  return [a.bus.peer(b.id), b.bus.peer(a.id)] as const;
};

await t.test('what is sent in a turn is one post, and is read in its order', async (t) => {
  const { nodes } = await house(t, 2);
  const [a, b] = nodes as [BusNode, BusNode];
  const [toB] = await linked(a, b);
  const before = a.bus.counts.postsSent;
  const message = { n: 1 };
  const batch = frameOf(7, 'seven');
  toB.send(message);
  toB.frames(batch);
  toB.send({ n: 2 });
  toB.frames(frameOf(8, 'eight'));
  message.n = 99;
  new Uint8Array(batch.bytes).fill(0);
  await b.hears(a, '8: eight');
  t.same(b.from(a), ['healed', '1', '7: seven', '2', '8: eight']);
  t.equal(a.bus.counts.postsSent - before, 1);
  toB.send({ n: 3 });
  toB.flush();
  toB.send({ n: 4 });
  await b.hears(a, '4');
  t.equal(a.bus.counts.postsSent - before, 3, 'a flush does not wait for the end of the turn');
  t.equal(b.bus.counts.postsRead, a.bus.counts.postsSent);
  t.equal(b.bus.counts.bytesRead, a.bus.counts.bytesSent);
});

await t.test('what is sent to several leaves together, also by a flush of one of them', async (t) => {
  const { memory, nodes } = await house(t, 3);
  const [a, b, c] = nodes as [BusNode, BusNode, BusNode];
  const [[toB], [toC]] = await Promise.all([linked(a, b), linked(a, c)]);
  memory.turns.length = 0;
  toC.send({ n: 1 });
  toB.send({ n: 2 });
  toB.flush();
  toC.send({ n: 3 });
  await c.hears(a, '3');
  t.same(memory.turns, [[c.id, b.id], [c.id]]);
  toC.send({ n: 4 });
  for (let n = 0; n < 3; n++) toB.send({ n, text: 'x'.repeat(100_000) });
  toC.send({ n: 5 });
  await c.hears(a, '5');
  t.same(memory.turns.slice(2), [
    [c.id, b.id],
    [b.id, c.id],
  ]);
});

const turn = () => new Promise(setImmediate);

await t.test('turns that end before the one before is answered leave together', async (t) => {
  const { memory, nodes } = await house(t, 3, { gatherMs: NEVER_MS });
  const [a, b, c] = nodes as [BusNode, BusNode, BusNode];
  const [[toB], [toC]] = await Promise.all([linked(a, b), linked(a, c)]);
  await turn();
  let answer: () => void = () => undefined;
  memory.answers = new Promise((resolve) => (answer = resolve));
  memory.turns.length = 0;
  toB.send({ n: 1 });
  await b.hears(a, '1');
  toB.send({ n: 2 });
  await turn();
  toC.send({ n: 3 });
  toB.send({ n: 4 });
  await turn();
  t.same(memory.turns, [[b.id]], 'the first leaves at once');
  memory.answers = null;
  answer();
  await c.hears(a, '3');
  t.same(memory.turns, [[b.id], [b.id, c.id]]);
  await b.hears(a, '4');
  t.same(b.from(a), ['healed', '1', '2', '4']);
  toB.send({ n: 5 });
  await b.hears(a, '5');

  memory.answers = new Promise(() => undefined);
  toB.send({ n: 6 });
  await b.hears(a, '6');
  toB.send({ n: 7 });
  toB.flush();
  await b.hears(a, '7');
});

await t.test('frames that may wait leave with the next post there, or with any message', async (t) => {
  const { memory, nodes } = await house(t, 3, { patienceMs: LONG_MS });
  const [a, b, c] = nodes as [BusNode, BusNode, BusNode];
  const [[toB], [toC]] = await Promise.all([linked(a, b), linked(a, c)]);
  await turn();
  memory.turns.length = 0;
  toB.frames(frameOf(1, 'waits'), true);
  await turn();
  toC.frames(frameOf(2, 'leaves'));
  await c.hears(a, '2: leaves');
  t.same(memory.turns, [[c.id]], 'not with frames for others: nobody does anything at this node because of them');
  toC.send({ n: 1 });
  await c.hears(a, '1');
  await b.hears(a, '1: waits');
  t.same(memory.turns[1], [c.id, b.id], 'with a message for another');
  toB.frames(frameOf(3, 'waits'), true);
  toB.frames(frameOf(4, 'leaves'));
  await b.hears(a, '4: leaves');
  t.same(b.from(a), ['healed', '1: waits', '3: waits', '4: leaves'], 'in their order');
});

await t.test('…or after a while', async (t) => {
  const { nodes } = await house(t, 2, { patienceMs: 1 });
  const [a, b] = nodes as [BusNode, BusNode];
  const [toB] = await linked(a, b);
  for (const n of [1, 2]) {
    toB.frames(frameOf(n, 'waits'), true);
    await b.hears(a, `${n}: waits`);
  }
});

await t.test('who has broken a link greets before anybody else hears more', async (t) => {
  const { memory, nodes } = await house(t, 3, { mostWaiting: 100_000 });
  const [a, b, c] = nodes as [BusNode, BusNode, BusNode];
  const [[toB], [toC]] = await Promise.all([linked(a, b), linked(a, c)]);
  memory.turns.length = 0;
  toB.send({ n: 1, text: 'x'.repeat(150_000) });
  toB.flush();
  t.notOk(toB.up, 'more than may wait');
  toB.send({ n: 2 });
  toC.send({ n: 3 });
  toC.flush();
  t.same(memory.turns, [[b.id], [b.id, c.id]]);
  await eventually('a link again', () => b.from(a).filter((line) => line === 'healed').length === 2);
  t.same(b.from(a).slice(0, 4), ['healed', '1', 'broken anew', 'healed']);
});

await t.test('a carrier that is lost breaks all links at once, and they stand again', async (t) => {
  const { memory, nodes } = await house(t, 3);
  const [a, b, c] = nodes as [BusNode, BusNode, BusNode];
  const [[toB], [toC]] = await Promise.all([linked(a, b), linked(a, c), linked(b, c)]);
  memory.lose(a.id);
  t.notOk(toB.up || toC.up);
  t.same(
    [a.from(b), a.from(c)],
    [
      ['healed', 'broken carrier'],
      ['healed', 'broken carrier'],
    ],
  );
  for (const node of [b, c]) await node.hears(a, 'broken anew');
  await eventually('links again', () => toB.up && toC.up && b.bus.peer(a.id).up && c.bus.peer(a.id).up);
  t.same(a.bus.counts.broken, { silent: 0, gap: 0, anew: 0, unsent: 0, full: 0, carrier: 2, malformed: 0 });
  t.ok(b.bus.peer(c.id).up && b.from(c).join() === 'healed', 'the others are as they were');
});

await t.test('what is said when a link stands is the first that is read over it', async (t) => {
  const { memory, nodes } = await house(t, 2);
  const [a, b] = nodes as [BusNode, BusNode];
  for (const node of nodes) node.onHealed = (peer) => peer.send({ n: 1000 });
  const [toB] = await linked(a, b);
  toB.send({ n: 1 });
  await b.hears(a, '1');
  // Lost: the post as such is not known to be.
  memory.admits = false;
  memory.copies = () => 0;
  toB.send({ n: 2 });
  toB.flush();
  memory.copies = () => 1;
  toB.send({ n: 3 });
  await b.hears(a, 'broken gap');
  await eventually('a link again', () => b.from(a).filter((line) => line === '1000').length === 2);
  t.same(
    b.from(a),
    ['healed', '1000', '1', 'broken gap', 'healed', '1000'],
    'neither the lost one nor what came after',
  );
  await eventually('the same here', () => a.from(b).filter((line) => line === '1000').length === 2);
  t.same(a.from(b), ['healed', '1000', 'broken anew', 'healed', '1000']);
  t.equal(b.bus.counts.broken.gap, 1);
  t.equal(a.bus.counts.broken.anew, 1);
});

await t.test('a post that nobody got breaks the link at once, and one that comes twice is read once', async (t) => {
  const { memory, nodes } = await house(t, 2, { silentMs: LONG_MS });
  const [a, b] = nodes as [BusNode, BusNode];
  const [toB] = await linked(a, b);
  memory.copies = () => 3;
  for (const n of [1, 2, 3]) {
    toB.send({ n });
    toB.flush();
  }
  await b.hears(a, '3');
  t.same(b.from(a), ['healed', '1', '2', '3']);
  await eventually('the copies', () => b.bus.counts.again >= 6);
  memory.copies = () => 0;
  toB.send({ n: 4 });
  await a.hears(b, 'broken unsent');
  t.notOk(toB.up);
  toB.send({ n: 5 });
  toB.frames(frameOf(1, 'x'));
  t.equal(a.bus.counts.dropped, 2, 'what is sent over no link is counted');
  memory.copies = () => 1;
  await eventually('a link again', () => toB.up && b.bus.peer(a.id).up);
  toB.send({ n: 6 });
  await b.hears(a, '6');
  t.same(b.from(a), ['healed', '1', '2', '3', 'broken anew', 'healed', '6']);
});

await t.test('silence breaks the link on both sides, and a bus that is back heals it', async (t) => {
  const { memory, nodes } = await house(t, 3, { silentMs: 2000 });
  const [a, b, c] = nodes as [BusNode, BusNode, BusNode];
  await Promise.all([linked(a, b), linked(b, c), linked(a, c)]);
  memory.admits = false;
  // Nothing reaches the first.
  memory.copies = (to) => (to === a.id ? 0 : 1);
  await a.hears(b, 'broken silent');
  await b.hears(a, 'broken anew');
  await a.hears(c, 'broken silent');
  memory.copies = () => 1;
  await eventually('links again', () => [b.id, c.id].every((id) => a.bus.peer(id).up) && b.bus.peer(a.id).up);
  memory.up = false;
  for (const node of nodes) t.notOk(node.bus.up);
  await b.hears(c, 'broken carrier');
  memory.up = true;
  await eventually('links again', () => nodes.every((x) => nodes.every((y) => x === y || x.bus.peer(y.id).up)));
});

await t.test('more than may wait to be read breaks the link, also from within what is heard', async (t) => {
  const { memory, nodes } = await house(t, 2, { silentMs: LONG_MS, mostWaiting: 100_000 });
  const [a, b] = nodes as [BusNode, BusNode];
  const [toB] = await linked(a, b);
  const text = 'x'.repeat(50_000);
  let within = false;
  toB.send({ n: 1, text });
  await b.hears(a, '1');
  // The other reads, and its word of it is lost.
  memory.admits = false;
  memory.copies = (to) => (to === a.id ? 0 : 1);
  for (const n of [2, 3, 4, 5, 6, 7]) {
    toB.send({ n, text });
    toB.flush();
    within = a.from(b).includes('broken full');
  }
  t.notOk(within, 'its owner is not called while it calls');
  t.notOk(toB.up);
  await a.hears(b, 'broken full');
  t.ok(a.bus.counts.dropped > 0);
  memory.copies = () => 1;
  await eventually('a link again', () => toB.up);
});

await t.test('a link that its owner breaks amid what is heard is told of, read no more, and made anew', async (t) => {
  const { nodes } = await house(t, 2);
  const [a, b] = nodes as [BusNode, BusNode];
  const [toB, toA] = await linked(a, b);
  const hears = b.message.bind(b);
  b.message = (peer, word) => {
    hears(peer, word);
    if (word.n !== 2) return;
    peer.break();
    t.notOk(peer.up);
    t.same(b.from(a), ['healed', '1', '2'], 'its owner is not called while it calls');
  };
  for (const n of [1, 2, 3]) toB.send({ n });
  await b.hears(a, 'broken full');
  await a.hears(b, 'broken anew');
  await eventually('a link again', () => toB.up && toA.up);
  toB.send({ n: 4 });
  await b.hears(a, '4');
  t.same(b.from(a), ['healed', '1', '2', 'broken full', 'healed', '4']);
  toA.break();
  toA.break();
  await eventually('a link again', () => b.from(a).filter((line) => line === 'healed').length === 3);
  t.equal(b.bus.counts.broken.full, 2, 'one that is broken is broken');
});

await t.test('what is larger than a post goes in several, in order', async (t) => {
  const { nodes } = await house(t, 2);
  const [a, b] = nodes as [BusNode, BusNode];
  const [toB] = await linked(a, b);
  const before = a.bus.counts.postsSent;
  for (let n = 1; n <= 10; n++) {
    toB.send({ n, text: 'y'.repeat(100_000) });
    toB.frames(frameOf(n, 'z'.repeat(100_000)));
  }
  toB.send({ n: 11 });
  await b.hears(a, '11');
  const lines = Array.from({ length: 10 }, (_, i) => [String(i + 1), `${i + 1}: 100000 bytes`]).flat();
  t.same(b.from(a), ['healed', ...lines, '11']);
  t.ok(a.bus.counts.postsSent - before >= 8, `${a.bus.counts.postsSent - before} posts`);
  t.throws(() => toB.send({ n: 12, text: 'x'.repeat(5_000_000) }), /more than a post between nodes may have/);
  toB.send({ n: 13 });
  await b.hears(a, '13');
});

await t.test('who was not asked for knocks, and is let in or not; who has ended is not heard any more', async (t) => {
  const { nodes } = await house(t, 2, { silentMs: 1000 });
  const [a, b] = nodes as [BusNode, BusNode];
  b.open = false;
  a.bus.peer(b.id);
  await eventually('it has knocked twice', () => b.bus.counts.strange >= 2);
  t.same([...a.heard, ...b.heard], []);
  b.open = true;
  const [toB, toA] = await linked(a, b);
  toA.end();
  t.notOk(toA.up);
  toB.send({ n: 1 });
  toA.send({ n: 1 });
  await a.hears(b, 'broken silent');
  t.same(b.from(a), ['healed']);
  t.equal(b.bus.peer(a.id), toA, 'a node that has ended never begins again');
  t.throws(() => a.bus.peer(a.id), /itself/);
});

await t.test('rubbish is counted, and logged once in a while', async (t) => {
  const { memory, nodes } = await house(t, 2);
  const [a, b] = nodes as [BusNode, BusNode];
  const [toB] = await linked(a, b);
  const other = new PostWriter(a.id, randomUUID()).take({ own: 1, other: 0, number: 0, heard: 0 });
  const unknown = new PostWriter(randomUUID(), b.id).take({ own: 1, other: 1, number: 1, heard: 0 });
  const itself = new PostWriter(b.id, b.id).take({ own: 1, other: 0, number: 0, heard: 0 });
  for (let i = 0; i < 100; i++) for (const bytes of [Buffer.from('rubbish'), other, itself]) memory.inject(b.id, bytes);
  t.equal(b.bus.counts.unreadable, 300);
  t.equal(b.logged.length, 1);
  const { strange } = b.bus.counts;
  memory.inject(b.id, unknown);
  t.equal(b.bus.counts.strange, strange + 1, 'of a node without a link');
  toB.send({ n: 1 });
  await b.hears(a, '1');
  t.same(b.from(a), ['healed', '1']);
});

await t.test('after its end a bus tells nobody anything', async (t) => {
  const { nodes } = await house(t, 2);
  const [a, b] = nodes as [BusNode, BusNode];
  const [toB, toA] = await linked(a, b);
  toB.send({ n: 1 });
  toB.flush();
  await b.bus.close();
  toA.send({ n: 2 });
  toB.send({ n: 3 });
  await a.hears(b, 'broken unsent');
  t.same(a.from(b), ['healed', 'broken unsent']);
  t.same(b.from(a), ['healed']);
});
