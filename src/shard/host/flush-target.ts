import type { MessagePort } from 'node:worker_threads';
import type { FrameBatch } from '../../table/outbox.js';
import type { FromShard } from '../messages.js';
import { postFromShard } from '../wire.js';

/** Where a shard's posts leave. */
export interface FlushTarget {
  /** Of one post the frames are handled before the messages. */
  post(frames: FrameBatch | null, messages: readonly FromShard[] | null): void;
}

/** The sockets are on the main thread: everything goes there. */
export const mainThreadTarget = (port: MessagePort): FlushTarget => ({
  post: (frames, messages) => postFromShard(port, frames, messages),
});
