import type { MessagePort } from 'node:worker_threads';
import type { SocketId } from '../../table/api.js';
import type { FrameBatch, Outbox } from '../../table/outbox.js';
import { plainChannels, type Channels } from '../channels.js';
import type { FromShard } from '../messages.js';
import type { ShardTask } from '../task.js';
import { postFromShard, type FrontPort } from '../wire.js';

/** Where a shard's posts leave. */
export interface FlushTarget {
  /** Of one post the frames are handled before the messages. */
  post(frames: FrameBatch | null, messages: readonly FromShard[] | null): void;
}

/** How a shard hears and is heard. */
export interface Ways {
  channels: Channels;
  target: FlushTarget;
  /** A thread that holds sockets began its life, or this shard did. */
  connectFront(front: FrontPort): void;
  /** Whether a socket is held there: by that front. */
  holds(front: number, socket: SocketId): boolean;
}

export type WaysOf = (task: ShardTask, out: Outbox) => Ways;

/** The sockets are on the main thread: everything goes there. */
export const mainThreadTarget = (port: MessagePort): FlushTarget => ({
  post: (frames, messages) => postFromShard(port, frames, messages),
});

/** And everything comes from there. */
export const mainThreadWays: WaysOf = ({ port }) => ({
  channels: plainChannels,
  target: mainThreadTarget(port),
  connectFront: () => undefined,
  holds: () => false,
});
