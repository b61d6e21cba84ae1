/**
 * What nodes say to a leader that cannot listen yet: each is kept from its greeting on, in the order of all. One that says
 * more than may be kept greets anew, and is heard whole from there on.
 */
import { randomUUID } from 'node:crypto';
import t from 'tap';
import { EarlyWords } from '../../src/nodes/early-words.js';
import type { NodeMessage } from '../../src/nodes/node-messages.js';
import type { Peer } from '../../src/nodes/peer.js';
import { FakePeer } from '../support/fake-peer.js';
import { silent } from '../support/lent-house.js';
import { eventually, FILE_MS } from '../support/limits.js';
import { Net } from '../support/nodes.js';

t.setTimeout(FILE_MS);

const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const HELLO: NodeMessage = { t: 'hello', release: 'test', place: 1 };
const MET: NodeMessage = { t: 'met' };
const asking = (more: number): NodeMessage => ({ t: 'lend', lent: null, more, leaving: false });
/** All that is kept, as it is told. */
function keptBy(early: EarlyWords): [peer: Peer<NodeMessage>, message: NodeMessage][] {
  const all: [Peer<NodeMessage>, NodeMessage][] = [];
  early.tell((peer, message) => void all.push([peer, message]));
  return all;
}
const words = (early: EarlyWords) => keptBy(early).map(([{ id }, message]) => `${id} ${message.t}`);

await t.test('a message of a wrong shape breaks the link of its node, and the others are heard', (t) => {
  const early = new EarlyWords(log);
  const [a, b] = [new FakePeer('a'), new FakePeer('b')];
  early.keeps(a, { t: 'hello' } as NodeMessage);
  early.keeps(b, HELLO);
  early.keeps(a, MET);
  const heard: string[] = [];
  early.tell(({ id }, message) => {
    heard.push(`${id} ${message.t} ${message.t === 'hello' ? message.release.toUpperCase() : ''}`);
  });
  t.same(heard, ['b hello TEST'], 'nothing more of the first');
  t.same([a.up, b.up], [false, true]);
  early.keeps(b, HELLO);
  const fault = new Error('a bug of ours');
  t.throws(() => early.tell(() => { throw fault; }), fault, 'is not hidden'); // prettier-ignore
  t.end();
});

await t.test('nodes are heard from their greeting on, in the order in which they spoke', async (t) => {
  const early = new EarlyWords(log);
  const [a, b] = [new FakePeer('a'), new FakePeer('b')];
  t.notOk(early.keeps(a, MET), 'it has not greeted this one');
  t.ok(early.keeps(a, HELLO));
  t.ok(early.keeps(b, HELLO));
  t.ok(early.keeps(a, MET));
  t.ok(early.keeps(b, asking(1)));
  t.same(words(early), ['a hello', 'b hello', 'a met', 'b lend']);
  t.same(words(early), [], 'once');
  t.notOk(early.keeps(a, MET));
});

await t.test('what came before another greeting, or over a link that broke, is not kept', async (t) => {
  const early = new EarlyWords(log);
  const [a, b] = [new FakePeer('a'), new FakePeer('b')];
  for (const message of [HELLO, MET]) for (const peer of [a, b]) early.keeps(peer, message);
  early.keeps(a, HELLO);
  early.forget(b);
  t.notOk(early.keeps(b, MET));
  t.same(words(early), ['a hello']);
  early.keeps(a, HELLO);
  early.clear();
  t.same(words(early), []);
});

await t.test('who greeted this one and leads by now is heard by the node, and nothing of before is kept', async (t) => {
  const early = new EarlyWords(log);
  const [a, b] = [new FakePeer('a'), new FakePeer('b')];
  const begun: NodeMessage[] = [{ t: 'member', node: 'a', place: 1 }, { t: 'shardAt', shard: 0, node: 'a' }, { t: 'begin' }]; // prettier-ignore
  // The greeting was under way to the leader that this node was until now.
  for (const message of [HELLO, MET]) for (const peer of [a, b]) early.keeps(peer, message);
  for (const message of begun) t.notOk(early.keeps(a, message), message.t);
  t.ok(early.keeps(b, MET));
  t.same(words(early), ['b hello', 'b met', 'b met']);
  early.keeps(a, HELLO);
  t.notOk(early.keeps(a, { t: 'ended', node: 'b' }), 'it is told that it has ended');
});

await t.test(
  'a node that says too much greets anew, and nothing is missing in the middle of what is kept',
  async (t) => {
    const net = new Net();
    const [leader, node] = [net.bus(randomUUID(), log), net.bus(randomUUID(), log)];
    t.teardown(() => Promise.all([leader.close(), node.close()]));
    const early = new EarlyWords(log);
    /** Of the node: how often it greeted, and the last that it asked for. */
    let greeted = 0;
    let asked = 0;
    const says = (peer: Peer<NodeMessage>, count: number) => {
      for (let n = 0; n < count; n++) peer.send(asking(++asked));
    };
    const broken: string[] = [];
    const kept = { count: 0, most: 0 };
    await leader.begin({
      ...silent,
      knocked: (id) => void leader.peer(id),
      broken: (peer, why) => {
        broken.push(why);
        early.forget(peer);
        kept.count = 0;
      },
      message: (peer, message) => {
        if (!early.keeps(peer, message)) t.fail(`${message.t} of a node that has not greeted this one`);
        kept.most = Math.max(kept.most, ++kept.count);
      },
    });
    await node.begin({
      ...silent,
      healed: (peer) => {
        greeted++;
        peer.send(HELLO);
      },
    });
    const peer = node.peer(leader.id);
    await eventually('a greeting', () => kept.count === 1);
    // More than may be kept, and more in the same post.
    says(peer, 1500);
    await eventually('another greeting', () => greeted === 2 && kept.count === 1);
    t.same(broken, ['full']);
    t.equal(kept.most, 1001, 'nothing is read of the post after what was too much');
    says(peer, 2);
    await eventually('what it says then', () => kept.count === 3);
    t.same(keptBy(early).map(([, message]) => message), [HELLO, asking(asked - 1), asking(asked)]); // prettier-ignore
  },
);
