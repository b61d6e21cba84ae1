import { assert } from '../../ops/assert.js';

/**
 * A head as JSON, and the bytes of a body behind it, in one body of HTTP: so the signature of a call covers both.
 * Four bytes (big endian) say how long the head is.
 */

const PREFIX = 4;
const MOST_HEAD_BYTES = 64 * 1024;

/** The bytes are not framed so, or end in the head. */
export class FramingError extends Error {}

export function framed(head: object): Buffer {
  const text = Buffer.from(JSON.stringify(head));
  assert(text.length <= MOST_HEAD_BYTES, 'a head has its bound', text.length);
  const prefix = Buffer.alloc(PREFIX);
  prefix.writeUInt32BE(text.length);
  return Buffer.concat([prefix, text]);
}

/** Null: the head is not complete yet. `rest` begins with the body. */
export function unframed(bytes: Buffer): { head: unknown; rest: Buffer } | null {
  if (bytes.length < PREFIX) return null;
  const length = bytes.readUInt32BE();
  if (length > MOST_HEAD_BYTES) throw new FramingError(`a head of ${length} bytes`);
  if (bytes.length < PREFIX + length) return null;
  const rest = bytes.subarray(PREFIX + length);
  try {
    return { head: JSON.parse(bytes.toString('utf8', PREFIX, PREFIX + length)), rest };
  } catch (cause) {
    throw new FramingError('a head that is no JSON', { cause });
  }
}

/** Reads the head. The iterator goes on with the body behind `rest`. */
export async function readFrameHead(chunks: AsyncIterator<Buffer>): Promise<{ head: unknown; rest: Buffer }> {
  let bytes: Buffer = Buffer.alloc(0);
  for (;;) {
    const { done, value } = await chunks.next();
    if (done === true) throw new FramingError('it ended in its head');
    bytes = Buffer.concat([bytes, value]);
    const read = unframed(bytes);
    if (read !== null) return read;
  }
}
