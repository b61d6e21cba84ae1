/** What becomes of the bytes of frames on their way through posts: each node reads what is for its sockets, in its order. */
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

/** Events one after another, each for some sockets; every third socket has a copy of its own. */
function batchOf(events: readonly (readonly [text: string, sockets: readonly number[]])[]): FrameBatch {
  const bytes = Buffer.alloc(
    4 + 2 * events.reduce((sum, [text, sockets]) => sum + text.length * (1 + sockets.length), 0),
  );
  const triples: number[] = [];
  let at = 0;
  for (const [text, sockets] of events) {
    const shared = at;
    at += bytes.write(text, at, 'latin1');
    for (const socket of sockets) {
      const start = socket % 3 === 0 ? at : shared;
      if (start !== shared) at += bytes.write(text, at, 'latin1');
      triples.push(socket, (socket % 2 === 0 ? start : start | MAY_WAIT) >>> 0, start + text.length);
    }
  }
  const own = new Uint8Array(bytes).buffer;
  return { bytes: own, index: Uint32Array.from(triples) };
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
