import type { NodeMessage } from '../../src/nodes/node-messages.js';
import type { Peer } from '../../src/nodes/peer.js';
import { START, type FrameBatch } from '../../src/table/outbox.js';

/** Frames for these sockets, as a shard leaves them. */
export function framesFor(...frames: readonly [socket: number, text: string][]): FrameBatch {
  const bytes = Buffer.from(frames.map(([, text]) => text).join(''));
  const at = (bytes.length + 3) & ~3;
  const buffer = new ArrayBuffer(at + 12 * frames.length);
  new Uint8Array(buffer).set(bytes);
  const index = new Uint32Array(buffer, at, 3 * frames.length);
  let end = 0;
  for (const [n, [socket, text]] of frames.entries()) index.set([socket, end, (end += text.length)], 3 * n);
  return { bytes: buffer, index };
}

/** What these frames say, and to whom. */
export function wordsOf({ bytes, index }: FrameBatch): string[] {
  const words: string[] = [];
  for (let i = 0; i < index.length; i += 3) {
    const start = index[i + 1]! & START;
    words.push(`${index[i]} ${Buffer.from(bytes, start, index[i + 2]! - start).toString()}`);
  }
  return words;
}

/** A node that nobody runs: what it is sent while its link stands, messages and frames. */
export class FakePeer implements Peer<NodeMessage> {
  up = true;
  over = false;
  flushed = 0;
  messages: NodeMessage[] = [];
  words: string[] = [];
  /** Of each batch, whether it may wait. */
  waits: boolean[] = [];

  constructor(readonly id: string) {}

  send(message: NodeMessage): void {
    if (this.up) this.messages.push(message);
  }
  frames(batch: FrameBatch, mayWait = false): void {
    this.waits.push(mayWait);
    if (this.up) this.words.push(...wordsOf(batch));
  }
  flush(): void {
    this.flushed++;
  }
  break(): void {
    this.up = false;
  }
  end(): void {
    this.over = true;
  }
  /** Kinds of the messages so far. */
  get kinds(): string[] {
    return this.messages.map(({ t }) => t);
  }
}
