import { Packr } from 'msgpackr';
import { START, type FrameBatch } from '../table/outbox.js';
import type { Head } from './link.js';
import type { NodeId } from './peer.js';

/**
 * What crosses the bus between nodes: a head, then messages (MessagePack) and batches of frames (as they are) in the
 * order in which they were sent. All numbers little-endian:
 *
 *     0  'APn' and the version   4  sender's id, 16 bytes   20  reader's id   36  own, u32   40  other, u32
 *     44 number, f64             52 heard, f64              60  parts: u32 length, its highest bit set for frames; bytes
 *     frames: u32 count of words of the index, the index, the bytes it points into
 */
const MAGIC = 0x01_6e_50_41;
const HEAD_BYTES = 60;
const FRAMES = 0x8000_0000;

/** A post that has grown beyond this leaves, and what comes next is in another. */
export const POST_BYTES = 256 * 1024;
/** No post is larger, so neither is a message. What claims to be is not read. */
export const MOST_POST_BYTES = 4 * 1024 * 1024;

export type Item<M> = { message: M } | { frames: FrameBatch };

export interface Post<M> {
  from: NodeId;
  to: NodeId;
  head: Head;
  items: Item<M>[];
}

/** A message or frame that no post can carry. Whoever sends it has to bound it. */
export class TooLarge extends Error {
  override name = 'TooLarge';

  constructor(bytes: number) {
    super(`${bytes} bytes are more than a post between nodes may have (${MOST_POST_BYTES})`);
  }
}

const packr = new Packr({ useRecords: false });

/** As posts carry it: a view that holds until the next message is packed. Throws TooLarge. */
export function packMessage(message: unknown): Uint8Array {
  const packed = packr.pack(message);
  if (packed.length > MOST_POST_BYTES - POST_BYTES) throw new TooLarge(packed.length);
  return packed;
}

/** The post to one node that is being put together. */
export class PostWriter {
  #bytes = Buffer.alloc(16 * 1024);
  #end = HEAD_BYTES;

  constructor(from: NodeId, to: NodeId) {
    this.#bytes.writeUInt32LE(MAGIC, 0);
    bytesOf(from).copy(this.#bytes, 4);
    bytesOf(to).copy(this.#bytes, 20);
  }

  /** Of the post, if it left now. */
  get size(): number {
    return this.#end;
  }

  get isEmpty(): boolean {
    return this.#end === HEAD_BYTES;
  }

  message(packed: Uint8Array): void {
    const at = this.#begin(packed.length, 0);
    this.#bytes.set(packed, at);
  }

  /** What several sockets read is copied once, and nothing that nobody here reads. */
  frames({ bytes, index }: FrameBatch, { from, to, size }: Piece): void {
    const words = to - from;
    let at = this.#begin(size, FRAMES);
    const out = this.#bytes;
    at = out.writeUInt32LE(words, at);
    const body = at + 4 * words;
    let [copied, start, end] = [0, -1, -1];
    // Bytes that follow each other are copied at once.
    let [runStart, runEnd] = [0, 0];
    for (let i = from; i < to; i += 3) {
      const marked = index[i + 1]!;
      if ((marked & START) !== start || index[i + 2] !== end) {
        start = marked & START;
        end = index[i + 2]!;
        if (start !== runEnd) {
          if (runEnd > runStart) out.set(new Uint8Array(bytes, runStart, runEnd - runStart), body + copied);
          copied += runEnd - runStart;
          runStart = start;
        }
        runEnd = end;
      }
      const low = copied + start - runStart;
      at = out.writeUInt32LE(index[i]!, at);
      at = out.writeUInt32LE((low | (marked & ~START)) >>> 0, at);
      at = out.writeUInt32LE(low + end - start, at);
    }
    if (runEnd > runStart) out.set(new Uint8Array(bytes, runStart, runEnd - runStart), body + copied);
  }

  /** The post: a view that holds until the next one begins, with the first part that is put into it or the next `take`. */
  take({ own, other, number, heard }: Head): Buffer {
    const bytes = this.#bytes;
    bytes.writeUInt32LE(own, 36);
    bytes.writeUInt32LE(other, 40);
    bytes.writeDoubleLE(number, 44);
    bytes.writeDoubleLE(heard, 52);
    const post = bytes.subarray(0, this.#end);
    this.clear();
    return post;
  }

  /** What was put into it leaves no more. */
  clear(): void {
    this.#end = HEAD_BYTES;
  }

  /** Makes room for a part; returns where its bytes go. */
  #begin(length: number, kind: number): number {
    const at = this.#end + 4;
    const end = at + length;
    if (end > this.#bytes.length) {
      const grown = Buffer.alloc(Math.max(end, 2 * this.#bytes.length));
      this.#bytes.copy(grown, 0, 0, this.#end);
      this.#bytes = grown;
    }
    this.#bytes.writeUInt32LE((length | kind) >>> 0, this.#end);
    this.#end = end;
    return at;
  }
}

/** A part of a batch: from one of its triples on and up to another. */
export interface Piece {
  from: number;
  to: number;
  /** Within a post. */
  size: number;
}

/** A batch in pieces of POST_BYTES at most, or of a single frame. Throws TooLarge. */
export function piecesOf({ index }: FrameBatch): Piece[] {
  const pieces: Piece[] = [];
  let piece: Piece | null = null;
  let [start, end] = [-1, -1];
  for (let i = 0; i < index.length; i += 3) {
    const again = (index[i + 1]! & START) === start && index[i + 2] === end;
    start = index[i + 1]! & START;
    end = index[i + 2]!;
    const more = 12 + (again ? 0 : end - start);
    if (piece !== null && piece.size + more <= POST_BYTES) {
      piece.to = i + 3;
      piece.size += more;
    } else pieces.push((piece = { from: i, to: i + 3, size: sizeOf(3, end - start) }));
    if (piece.size > MOST_POST_BYTES - POST_BYTES) throw new TooLarge(piece.size);
  }
  return pieces;
}

const sizeOf = (words: number, bytes: number) => 4 + 4 * words + bytes;

/** Null for anything that is not a whole post of this version, for this reader, with messages that pass `check`. */
export function readPost<M>(bytes: Buffer, to: NodeId, check: (message: unknown) => message is M): Post<M> | null {
  if (bytes.length < HEAD_BYTES || bytes.length > MOST_POST_BYTES || bytes.readUInt32LE(0) !== MAGIC) return null;
  if (bytes.compare(bytesOf(to), 0, 16, 20, 36) !== 0) return null;
  const head: Head = {
    own: bytes.readUInt32LE(36),
    other: bytes.readUInt32LE(40),
    number: bytes.readDoubleLE(44),
    heard: bytes.readDoubleLE(52),
  };
  if (!isCount(head.number) || !isCount(head.heard)) return null;
  const items: Item<M>[] = [];
  for (let at = HEAD_BYTES; at < bytes.length;) {
    if (at + 4 > bytes.length) return null;
    const word = bytes.readUInt32LE(at);
    const end = at + 4 + (word & ~FRAMES);
    if (end > bytes.length) return null;
    const part = bytes.subarray(at + 4, end);
    const item = word >= FRAMES ? readFrames(part) : readMessage(part, check);
    if (item === null) return null;
    items.push(item);
    at = end;
  }
  return { from: idAt(bytes, 4), to, head, items };
}

const isCount = (value: number) => Number.isSafeInteger(value) && value >= 0;

function readMessage<M>(part: Buffer, check: (message: unknown) => message is M): Item<M> | null {
  let message: unknown;
  try {
    message = packr.unpack(part);
  } catch {
    // Whoever asked for the post counts and tells that it cannot be read.
    return null;
  }
  return check(message) ? { message } : null;
}

/** A batch that points into what was read: to copy it took as long as all else that is done to read it. */
function readFrames(part: Buffer): { frames: FrameBatch } | null {
  if (part.length < 4) return null;
  const words = part.readUInt32LE(0);
  const length = part.length - 4 - 4 * words;
  if (words % 3 !== 0 || length < 0) return null;
  const base = part.byteOffset + 4 + 4 * words;
  const index = new Uint32Array(words);
  for (let i = 0, at = 4; i < words; i += 3, at += 12) {
    const marked = part.readUInt32LE(at + 4);
    const [start, end] = [marked & START, part.readUInt32LE(at + 8)];
    if (start > end || end > length || base + start > START) return null;
    index[i] = part.readUInt32LE(at);
    index[i + 1] = (marked & ~START) | (base + start);
    index[i + 2] = base + end;
  }
  return { frames: { bytes: part.buffer as ArrayBuffer, index } };
}

/** Nodes come and go; those that talk now are few. */
const KNOWN_IDS = 1_000;
const idsAsBytes = new Map<NodeId, Buffer>();
const idsAsText = new Map<string, NodeId>();

/** The bytes of a UUID. */
const bytesOf = (id: NodeId): Buffer => known(idsAsBytes, id, () => Buffer.from(id.replaceAll('-', ''), 'hex'));

const idAt = (bytes: Buffer, at: number): NodeId =>
  known(idsAsText, bytes.toString('latin1', at, at + 16), () =>
    bytes.toString('hex', at, at + 16).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
  );

/** Each post names two nodes: to put their ids together anew took as long as the rest of its head. */
function known<K, V>(all: Map<K, V>, key: K, make: () => V): V {
  let value = all.get(key);
  if (value === undefined) {
    if (all.size >= KNOWN_IDS) all.clear();
    all.set(key, (value = make()));
  }
  return value;
}
