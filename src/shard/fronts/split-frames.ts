import { placeOf } from '../../table/api.js';
import { START, type FrameBatch } from '../../table/outbox.js';

/** One place's share of a batch while it is measured and copied. */
class Share {
  /** Addressed so far, and the bytes of different frames among them. */
  frames = 0;
  bytes = 0;
  batch: FrameBatch | null = null;
  /** The range that came last, and where its copy lies: all viewers of a frame follow each other. */
  start = -1;
  end = -1;
  at = 0;
  #copy = new Uint8Array(0);

  /** True for a range that is not the last one again. */
  isNew(start: number, end: number): boolean {
    this.frames++;
    if (start === this.start && end === this.end) return false;
    this.start = start;
    this.end = end;
    this.at = this.bytes;
    this.bytes += end - start;
    return true;
  }

  /** All are counted: makes room for them, the index behind the frames. */
  begin(take: (bytes: number) => ArrayBuffer): void {
    const { frames, bytes } = this;
    this.start = this.end = -1;
    this.frames = this.bytes = 0;
    if (frames === 0) return;
    const at = (bytes + 3) & ~3;
    const buffer = take(at + 12 * frames);
    this.batch = { bytes: buffer, index: new Uint32Array(buffer, at, 3 * frames) };
    this.#copy = new Uint8Array(buffer);
  }

  /** `marked` may carry any mark. */
  add(from: Uint8Array, socket: number, marked: number, end: number): void {
    const { index } = this.batch!;
    const start = marked & START;
    let i = this.frames * 3;
    if (this.isNew(start, end)) this.#copy.set(from.subarray(start, end), this.at);
    index[i++] = socket;
    index[i++] = this.at | (marked & ~START);
    index[i] = this.at + end - start;
  }
}

/**
 * Each place's part of a batch, null for those that hold none of its sockets; the last part is that of all places from
 * `places` on. Order is kept. `take` gives buffers of at least so many bytes; the batch itself may be used again.
 */
export function splitFrames(
  { bytes, index }: FrameBatch,
  places: number,
  take: (bytes: number) => ArrayBuffer,
): (FrameBatch | null)[] {
  const shares = Array.from({ length: places + 1 }, () => new Share());
  for (let i = 0; i < index.length; i += 3) {
    shares[Math.min(placeOf(index[i]!), places)]!.isNew(index[i + 1]! & START, index[i + 2]!);
  }
  for (const share of shares) share.begin(take);
  const from = new Uint8Array(bytes);
  for (let i = 0; i < index.length; i += 3) {
    shares[Math.min(placeOf(index[i]!), places)]!.add(from, index[i]!, index[i + 1]!, index[i + 2]!);
  }
  return shares.map(({ batch }) => batch);
}
