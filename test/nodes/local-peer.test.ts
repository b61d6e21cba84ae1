/**
 * Two that talk as nodes do, within one process: what one says is heard by the other in order and in a later turn, frames
 * in a buffer of their own; an end is told to the other side; and it is heard before what anybody says because of it.
 */
import t from 'tap';
import { LocalPeers } from '../../src/nodes/local-peer.js';
import type { Peer, PeerEvents } from '../../src/nodes/peer.js';
import { BusNode, frameOf, type Word } from '../support/bus-house.js';
import { FILE_MS } from '../support/limits.js';
import { MemoryBus } from '../support/memory-bus.js';

t.setTimeout(FILE_MS);

const turn = () => new Promise<void>((resolve) => void setImmediate(resolve));

class Side implements PeerEvents<Word> {
  readonly heard: string[] = [];
  readonly messages: Word[] = [];
  onHealed: ((peer: Peer<Word>) => void) | null = null;

  constructor(readonly id: string) {}

  healed(peer: Peer<Word>): void {
    this.heard.push(`${peer.id} healed`);
    this.onHealed?.(peer);
  }

  broken({ id }: Peer<Word>, why: string): void {
    this.heard.push(`${id} broken ${why}`);
  }

  message({ id }: Peer<Word>, message: Word): void {
    this.messages.push(message);
    this.heard.push(`${id} ${message.n}`);
  }

  frames({ id }: Peer<Word>, { bytes, index }: { bytes: ArrayBuffer; index: Uint32Array }): void {
    const frames: string[] = [];
    for (let i = 0; i < index.length; i += 3) {
      frames.push(`${index[i]} ${Buffer.from(bytes, index[i + 1], index[i + 2]! - index[i + 1]!).toString()}`);
    }
    this.heard.push(`${id} frames ${frames.join(', ')} of ${bytes.byteLength - index.byteLength}`);
  }

  knocked(): void {
    throw new Error('nobody knocks here');
  }
}

async function linked() {
  const [a, b] = [new Side('a'), new Side('b')];
  const link = new LocalPeers<Word>({ id: 'a', events: a }, { id: 'b', events: b });
  t.notOk(link.toA.up || link.toB.up, 'it stands from the next turn on');
  await turn();
  return { a, b, link };
}

await t.test('what is said is heard in order, in a later turn, and frames are copied', async (t) => {
  const { a, b, link } = await linked();
  t.same([a.heard, b.heard], [['b healed'], ['a healed']]);
  const message = { n: 1 };
  const batch = frameOf(7, 'seven');
  link.toB.send(message);
  link.toB.frames(batch);
  link.toB.send({ n: 2 });
  link.toB.flush();
  new Uint8Array(batch.bytes).fill(0);
  t.equal(b.heard.length, 1, 'not within the call');
  await turn();
  t.same(b.heard, ['a healed', 'a 1', 'a frames 7 seven of 8', 'a 2']);
  t.equal(b.messages[0], message, 'a message is given away');
  link.toA.send({ n: 3 });
  await turn();
  t.same(a.heard, ['b healed', 'b 3']);
});

await t.test('of a block only what the frames are in is copied', async (t) => {
  const { b, link } = await linked();
  const bytes = new ArrayBuffer(1000);
  Buffer.from(bytes).write('onetwo', 500);
  link.toB.frames({ bytes, index: Uint32Array.of(1, 500, 503, 2, 503, 506) });
  link.toB.frames({ bytes, index: new Uint32Array(0) });
  await turn();
  t.same(b.heard, ['a healed', 'a frames 1 one, 2 two of 8', 'a frames  of 0']);
});

await t.test('what is said when it stands is heard by the other after it heard the same', async (t) => {
  const [a, b] = [new Side('a'), new Side('b')];
  for (const side of [a, b]) side.onHealed = (peer) => peer.send({ n: 1 });
  const link = new LocalPeers<Word>({ id: 'a', events: a }, { id: 'b', events: b });
  link.toB.send({ n: 99 });
  await turn();
  await turn();
  t.same(
    [a.heard, b.heard],
    [
      ['b healed', 'b 1'],
      ['a healed', 'a 1'],
    ],
    'what was said before is dropped',
  );
});

await t.test('an end is told to the other side, after what was said before', async (t) => {
  const { a, b, link } = await linked();
  link.toB.send({ n: 1 });
  link.toA.send({ n: 2 });
  link.toB.end();
  link.toB.end();
  t.notOk(link.toB.up);
  link.toB.send({ n: 3 });
  link.toB.frames(frameOf(1, 'x'));
  await turn();
  t.same(b.heard, ['a healed', 'a 1', 'a broken silent']);
  t.same(a.heard, ['b healed'], 'nothing is read from who has ended');
  t.notOk(link.toA.up);
  link.toA.send({ n: 4 });
  await turn();
  t.equal(a.heard.length, 1);
});

await t.test('one that ends before it stands never does', async (t) => {
  const [a, b] = [new Side('a'), new Side('b')];
  new LocalPeers<Word>({ id: 'a', events: a }, { id: 'b', events: b }).toB.end();
  await turn();
  t.same([a.heard, b.heard], [[], []]);
});

await t.test('it is heard before what another node says because of what was said along with it', async (t) => {
  const memory = new MemoryBus();
  const { a, b, link } = await linked();
  // The bus of the process, and a node elsewhere.
  const here = new BusNode((id) => memory.carrier(id), { silentMs: 600_000, before: () => link.deliver() });
  const there = new BusNode((id) => memory.carrier(id), { silentMs: 600_000 });
  t.teardown(async () => void (await Promise.all([here, there].map(({ bus }) => bus.close()))));
  for (const node of [here, there]) await node.begin();
  const peer = there.bus.peer(here.id);
  await here.hears(there, 'healed');
  await there.hears(here, 'healed');
  peer.send({ n: 5 });
  await here.hears(there, '5');
  const heardAt: number[] = [];
  here.message = () => void heardAt.push(b.heard.length);
  peer.send({ n: 6 });
  peer.flush();
  // The answer is on its way before the turn of the link has come.
  link.toB.send({ n: 7 });
  await turn();
  t.same(heardAt, [2]);
  t.equal(a.heard.length, 1);
});
