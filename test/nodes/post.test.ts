/**
 * Posts between nodes come out as they went in, whatever they carry; what is no post for its reader, or is cut or
 * changed on the way, is told from one, and never an exception.
 */
import fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import t from 'tap';
import {
  MOST_POST_BYTES,
  packMessage,
  piecesOf,
  POST_BYTES,
  PostWriter,
  readPost,
  TooLarge,
  type Item,
  type Post,
} from '../../src/nodes/post.js';
import { MAY_WAIT, START, type FrameBatch } from '../../src/table/outbox.js';
import { FILE_MS } from '../support/limits.js';
import { SEED } from '../support/seed.js';

t.setTimeout(FILE_MS);

interface Message {
  t: string;
}

const check = (message: unknown): message is Message =>
  typeof message === 'object' && message !== null && typeof (message as Message).t === 'string';

const [FROM, TO] = [randomUUID(), randomUUID()];
const HEAD = { own: 7, other: 4_000_000_000, number: 2 ** 40, heard: 3 };

/** What a reader can see of a batch: who gets what, with which marks. */
const seen = ({ bytes, index }: FrameBatch) =>
  Array.from({ length: index.length / 3 }, (_, i) => {
    const [socket, start, end] = index.subarray(3 * i, 3 * i + 3) as unknown as [number, number, number];
    return [socket, start & ~START, Buffer.from(bytes, start & START, end - (start & START)).toString('hex')];
  });

const visible = (items: readonly Item<Message>[]) =>
  items.map((item) => ('message' in item ? item : { frames: seen(item.frames) }));

/** Frames one after another, each for some sockets, as a shard writes them. */
function batchOf(frames: readonly (readonly [sockets: readonly number[], bytes: Uint8Array])[]): FrameBatch {
  const total = frames.reduce((sum, [, bytes]) => sum + bytes.length, 0);
  const triples: number[] = [];
  const all = new Uint8Array((total + 3) & ~3);
  let at = 0;
  for (const [sockets, bytes] of frames) {
    all.set(bytes, at);
    for (const socket of sockets)
      triples.push(socket, socket % 2 === 0 ? at : (at | MAY_WAIT) >>> 0, at + bytes.length);
    at += bytes.length;
  }
  return { bytes: all.buffer as ArrayBuffer, index: Uint32Array.from(triples) };
}

function written(items: readonly Item<Message>[], writer = new PostWriter(FROM, TO)): Buffer {
  for (const item of items) {
    if ('message' in item) writer.message(packMessage(item.message));
    else for (const piece of piecesOf(item.frames)) writer.frames(item.frames, piece);
  }
  const { size } = writer;
  const post = writer.take(HEAD);
  if (post.length !== size) throw new Error(`${post.length} bytes, and ${size} were foreseen`);
  return post;
}

const frames = fc
  .array(fc.tuple(fc.array(fc.integer({ min: 1, max: 2 ** 32 - 1 }), { minLength: 1 }), fc.uint8Array()), {
    minLength: 1,
  })
  .map((list) => ({ frames: batchOf(list) }));
const message = fc
  .tuple(fc.string(), fc.jsonValue())
  // -0 is 0 for whoever reads it.
  .map(([t, value]) => ({ message: JSON.parse(JSON.stringify({ t, value })) as Message }));
const items = fc.array(fc.oneof(message, frames));

await t.test('messages and frames come out in their order, and as they were', (t) => {
  const writer = new PostWriter(FROM, TO);
  fc.assert(
    fc.property(items, (sent) => {
      const post = readPost(written(sent, writer), TO, check)!;
      t.same({ ...post, items: [] }, { from: FROM, to: TO, head: HEAD, items: [] } satisfies Post<Message>);
      t.same(visible(post.items), visible(sent));
    }),
    { numRuns: 300, seed: SEED },
  );
  t.end();
});

await t.test('what is cut or changed is no post, or another whole one, and never an exception', (t) => {
  let [unread, read] = [0, 0];
  fc.assert(
    fc.property(items, fc.nat(), fc.nat(255), fc.nat(), (sent, place, value, cut) => {
      const post = written(sent);
      post[place % post.length] = value;
      for (const bytes of [post, post.subarray(0, cut % post.length), Buffer.concat([post, post.subarray(0, 3)])]) {
        if (readPost(bytes, TO, check) === null) unread++;
        else read++;
      }
    }),
    { numRuns: 2000, seed: SEED },
  );
  t.ok(unread > 1000 && read > 100, `${unread} were not read, ${read} were`);
  t.end();
});

await t.test('a post is for one reader, of this version, of a bounded size, with messages that nodes send', (t) => {
  const post = written([{ message: { t: 'a' } }]);
  t.equal(readPost(post, TO, check)?.items.length, 1);
  t.equal(readPost(post, FROM, check), null, 'for another node');
  t.equal(readPost(Buffer.from('hello'), TO, check), null);
  const other = Buffer.from(post);
  other[3] = 2;
  t.equal(readPost(other, TO, check), null, 'another version');
  t.equal(readPost(written([{ message: 5 as unknown as Message }]), TO, check), null, 'not a message of nodes');
  const large = Buffer.alloc(MOST_POST_BYTES + 1);
  post.copy(large);
  t.equal(readPost(large, TO, check), null, 'too large');
  t.end();
});

await t.test('a batch that is larger than a post goes in pieces, in order', (t) => {
  const batch = batchOf(
    Array.from({ length: 2000 }, (_, i) => [[2 * i + 2, 2 * i + 3], Buffer.alloc(i % 700, i)] as const),
  );
  const pieces = piecesOf(batch);
  t.ok(pieces.length > 2, `${pieces.length} pieces`);
  const posts = pieces.map((piece) => {
    const writer = new PostWriter(FROM, TO);
    writer.frames(batch, piece);
    t.ok(piece.size <= POST_BYTES);
    return readPost(writer.take(HEAD), TO, check)!;
  });
  t.same(
    posts.flatMap((post) => post.items.flatMap((item) => ('frames' in item ? seen(item.frames) : []))),
    seen(batch),
  );
  t.end();
});

await t.test('what no post can carry is refused where it is sent', (t) => {
  t.throws(() => packMessage({ t: 'x'.repeat(MOST_POST_BYTES) }), TooLarge);
  t.throws(() => piecesOf(batchOf([[[1], new Uint8Array(MOST_POST_BYTES)]])), TooLarge);
  t.equal(piecesOf(batchOf([[[1], new Uint8Array(POST_BYTES + 1)]])).length, 1, 'a frame is never cut');
  t.equal(piecesOf(batchOf([])).length, 0);
  t.end();
});
