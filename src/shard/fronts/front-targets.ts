import type { MessagePort } from 'node:worker_threads';
import type { FrameBatch, Outbox } from '../../table/outbox.js';
import type { FromShard } from '../messages.js';
import { splitFrames } from './split-frames.js';
import { placeOf } from '../../table/api.js';
import { packedPost } from '../wire.js';
import type { OrderedChannels } from './ordered-channels.js';
import type { FlushTarget } from '../host/flush-target.js';

/**
 * The sockets are on threads of their own: frames go straight to those, messages to the main thread. So do frames for
 * sockets of other nodes, which only the main thread reaches.
 */
export class FrontTargets implements FlushTarget {
  readonly #fronts: (MessagePort | null)[];

  constructor(
    private readonly channels: OrderedChannels,
    private readonly main: MessagePort,
    fronts: number,
    private readonly blocks: Pick<Outbox, 'takeBlock' | 'recycle'>,
  ) {
    this.#fronts = Array.from({ length: fronts }, () => null);
  }

  /** A front began its life, or this shard did. */
  connect(front: number, port: MessagePort): void {
    this.#fronts[front] = port;
    port.on('close', () => {
      if (this.#fronts[front] === port) this.#fronts[front] = null;
    });
  }

  /** Whether a socket is that front's. */
  holds(front: number, socket: number): boolean {
    return placeOf(socket) === front;
  }

  /**
   * Frames first. A client may answer them before the main thread has the messages that belong to them (its seat, such
   * as), so these have their number before the frames leave: what comes of the frames waits for them.
   */
  post(frames: FrameBatch | null, messages: readonly FromShard[] | null): void {
    const shares = frames === null ? [] : this.#split(frames);
    const elsewhere = shares.pop() ?? null;
    const toMain = messages !== null || elsewhere !== null;
    const reserved = toMain ? this.channels.reserve(this.main) : null;
    for (const [front, share] of shares.entries()) {
      const port = this.#fronts[front] ?? null;
      if (share === null || port === null) continue;
      this.channels.post(port, share satisfies FrameBatch, [share.bytes]);
    }
    if (!toMain) return;
    const transfer = elsewhere === null ? [] : [elsewhere.bytes];
    this.channels.post(this.main, packedPost(elsewhere, messages), transfer, reserved);
  }

  /** By front, and last those of other nodes. */
  #split(frames: FrameBatch): (FrameBatch | null)[] {
    const { blocks } = this;
    const shares = splitFrames(frames, this.#fronts.length, (bytes) => blocks.takeBlock(bytes));
    blocks.recycle(frames.bytes);
    return shares;
  }
}
