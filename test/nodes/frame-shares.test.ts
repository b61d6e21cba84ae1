/**
 * Frames of a node's shards go to the nodes that hold the sockets, each what is for its own and in its order; what is lost
 * on the way is told of; while the lease does not hold nothing is said.
 */
import fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import t from 'tap';
import { FrameWays } from '../../src/nodes/frame-ways.js';
import type { NodeMessage } from '../../src/nodes/node-messages.js';
import type { Peer } from '../../src/nodes/peer.js';
import { piecesOf, PostWriter, readPost } from '../../src/nodes/post.js';
import { placeOf, PLACES } from '../../src/table/api.js';
import { MAY_WAIT, START, type FrameBatch } from '../../src/table/outbox.js';
import { FILE_MS } from '../support/limits.js';
import { SEED } from '../support/seed.js';

t.setTimeout(FILE_MS);

type Read = readonly [socket: number, isMarked: boolean, text: string];
const OWN_PLACE = 3;

const readOf = ({ bytes, index }: FrameBatch): Read[] =>
  Array.from({ length: index.length / 3 }, (_, i) => {
    const [socket, marked, end] = [index[3 * i]!, index[3 * i + 1]!, index[3 * i + 2]!];
    const start = marked & START;
    return [socket, start !== marked, Buffer.from(bytes, start, end - start).toString('latin1')];
  });

/** Events one after another, each for some sockets, every third of which has a copy of its own; the index behind them. */
function batchOf(events: readonly (readonly [text: string, sockets: readonly number[]])[]): FrameBatch {
  let text = '';
  const triples: number[] = [];
  for (const [event, sockets] of events) {
    const shared = text.length;
    text += event;
    for (const socket of sockets) {
      const start = socket % 3 === 0 ? text.length : shared;
      if (start !== shared) text += event;
      triples.push(socket, (socket % 2 === 0 ? start : start | MAY_WAIT) >>> 0, start + event.length);
    }
  }
  const at = (text.length + 3) & ~3;
  const bytes = new ArrayBuffer(at + 4 * triples.length);
  Buffer.from(bytes).write(text, 'latin1');
  const index = new Uint32Array(bytes, at, triples.length);
  index.set(triples);
  return { bytes, index };
}

/** Another node: what reaches it has been in a post. */
class Other implements Peer<NodeMessage> {
  readonly id = randomUUID();
  up = true;
  readonly read: Read[] = [];
  readonly said: NodeMessage[] = [];
  readonly #writer = new PostWriter(randomUUID(), this.id);

  send(message: NodeMessage): void {
    this.said.push(message);
  }

  frames(batch: FrameBatch): void {
    for (const piece of piecesOf(batch)) this.#writer.frames(batch, piece);
    const post = readPost(
      this.#writer.take({ own: 1, other: 1, number: 1, heard: 0 }),
      this.id,
      (m): m is never => !m,
    )!;
    for (const item of post.items) if ('frames' in item) this.read.push(...readOf(item.frames));
  }

  flush(): void {}
  break(): void {}
  end(): void {}
}

function waysTo(...others: readonly [place: number, other: Other][]) {
  const here: Read[] = [];
  const state = { holds: true, used: 0, lost: 0 };
  const ways = new FrameWays({
    place: OWN_PLACE,
    own: {
      forward: (bytes, index, used) => {
        here.push(...readOf({ bytes, index }));
        used?.(bytes);
      },
    },
    holds: () => state.holds,
    lost: () => state.lost++,
  });
  for (const [place, other] of others) ways.member(place, other);
  const deliver = ({ bytes, index }: FrameBatch) => ways.deliver(bytes, index, () => state.used++);
  return { ways, here, state, deliver };
}

await t.test('each node reads what is for its sockets, in order', (t) => {
  const socket = fc
    .tuple(fc.integer({ min: 1, max: 9 }), fc.constantFrom(0, OWN_PLACE, 77, PLACES - 1))
    .map(([serial, place]) => serial * PLACES + place);
  const event = fc.tuple(fc.string({ maxLength: 30, unit: 'binary-ascii' }), fc.array(socket, { maxLength: 6 }));
  fc.assert(
    fc.property(fc.array(fc.array(event, { maxLength: 5 }), { maxLength: 4 }), (turns) => {
      const [zero, far] = [new Other(), new Other()];
      const { here, state, deliver } = waysTo([0, zero], [77, far]);
      const all = turns.map(batchOf);
      const wanted = (place: number) => all.flatMap(readOf).filter(([to]) => placeOf(to) === place);
      const expected = [OWN_PLACE, 0, 77].map(wanted);
      for (const batch of all) deliver(batch);
      t.same([here, zero.read, far.read], expected, 'nobody reads what is for a place that no node has');
      t.equal(state.used, all.length, 'each buffer is given back once');
    }),
    { seed: SEED, numRuns: 300 },
  );
  t.end();
});

await t.test('what cannot be sent is lost, and told of when the link stands again', (t) => {
  const other = new Other();
  const { ways, deliver } = waysTo([0, other]);
  other.up = false;
  deliver(batchOf([['gone', [PLACES]]]));
  other.up = true;
  ways.healed(other);
  deliver(batchOf([['next', [PLACES]]]));
  t.same([other.said, other.read.map(([, , text]) => text)], [[{ t: 'torn' }], ['next']]);
  ways.healed(other);
  t.equal(other.said.length, 1, 'once');
  t.end();
});

await t.test('while the lease does not hold frames wait, and then come first', (t) => {
  const other = new Other();
  const { here, state, deliver } = waysTo([0, other]);
  state.holds = false;
  deliver(batchOf([['kept', [PLACES, PLACES + OWN_PLACE]]]));
  t.same([here, other.read], [[], []]);
  state.holds = true;
  deliver(batchOf([['new', [PLACES, PLACES + OWN_PLACE]]]));
  t.same(
    [here, other.read].map((read) => read.map(([, , text]) => text)),
    [
      ['kept', 'new'],
      ['kept', 'new'],
    ],
  );
  t.equal(state.lost, 0);
  t.end();
});
