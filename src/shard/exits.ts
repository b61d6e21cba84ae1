import type { MessagePort } from 'node:worker_threads';
import type { FrameBatch, Outbox } from '../table/outbox.js';
import type { OrderedMail } from './mail.js';
import type { ToFront } from './messages.js';
import { splitFrames } from './split.js';
import { messagesPost, postToFront, type FramesPost } from './wire.js';

/** Where a shard's posts leave. */
export interface Exits {
  /** Of one post the frames are handled before the messages. */
  post(frames: FrameBatch | null, messages: readonly ToFront[] | null): void;
}

/** The sockets are on the main thread: everything goes there. */
export const mainExit = (port: MessagePort): Exits => ({
  post: (frames, messages) => postToFront(port, frames, messages),
});

/** The sockets are on threads of their own: frames go straight to those, messages to the main thread. */
export class FrontExits implements Exits {
  readonly #fronts: (MessagePort | null)[];
  /** Number of the latest post to the main thread. */
  #told = 0;

  constructor(
    private readonly mail: OrderedMail,
    private readonly main: MessagePort,
    fronts: number,
    private readonly blocks: Pick<Outbox, 'takeBlock' | 'recycle'>,
  ) {
    this.#fronts = Array.from({ length: fronts }, () => null);
  }

  /** A front began its life, or this shard did. */
  meet(front: number, port: MessagePort): void {
    this.#fronts[front] = port;
    port.on('close', () => {
      if (this.#fronts[front] === port) this.#fronts[front] = null;
    });
  }

  /**
   * Frames first. A client may answer them before the main thread has the messages that belong to them (its seat, such
   * as), so each post of frames tells the number of that other post, and the front passes it on.
   */
  post(frames: FrameBatch | null, messages: readonly ToFront[] | null): void {
    if (messages !== null) this.#told = this.mail.number();
    if (frames !== null) this.#frames(frames);
    if (messages !== null) this.mail.post(this.main, messagesPost(messages), [], this.#told);
  }

  #frames(frames: FrameBatch): void {
    const { blocks } = this;
    const shares = splitFrames(frames, this.#fronts.length, (bytes) => blocks.takeBlock(bytes));
    blocks.recycle(frames.bytes);
    for (const [front, share] of shares.entries()) {
      const port = this.#fronts[front] ?? null;
      if (share === null || port === null) continue;
      this.mail.post(port, { ...share, told: this.#told } satisfies FramesPost, [share.bytes]);
    }
  }
}
