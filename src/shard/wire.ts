import type { MessagePort } from 'node:worker_threads';
import type { FrameBatch } from '../table/outbox.js';
import type { ToFront, ToShard } from './messages.js';

/**
 * What crosses a port. Batches of messages are posted as they are: measured here, the structured clone of a batch of
 * actions costs 1.3–2.0 µs of CPU a message (sender, post and receiver together), JSON text 1.4–2.3 and msgpackr
 * 2.9–5.4, since these messages are little else than ids. Frames go as one transferred buffer, which nobody copies.
 */
export type ToShardPost = ToShard[];

/** One flush of a shard. The front handles the frames before the messages. */
export interface ToFrontPost {
  bytes: ArrayBuffer | null;
  index: Uint32Array | null;
  messages: ToFront[] | null;
}

export function postToShard(port: MessagePort, batch: ToShardPost): void {
  port.postMessage(batch);
}

export function postToFront(port: MessagePort, frames: FrameBatch | null, messages: ToFront[] | null): void {
  if (frames === null) {
    port.postMessage({ bytes: null, index: null, messages } satisfies ToFrontPost);
    return;
  }
  const { bytes, index } = frames;
  port.postMessage({ bytes, index, messages } satisfies ToFrontPost, [bytes, index.buffer as ArrayBuffer]);
}
