import { Packr } from 'msgpackr';
import type { MessagePort } from 'node:worker_threads';
import type { ActionMessage } from '../protocol/client.js';
import type { FrameBatch } from '../table/outbox.js';
import type { Channels } from './channels.js';
import type { FromShard, ToShard } from './messages.js';

/**
 * What crosses a port: batches of messages as MessagePack, frames as one transferred buffer that nobody copies. No
 * memory is shared.
 *
 * Two things keep MessagePack near the cost of a structured clone here (measured, CPU a message in batches of four,
 * sender, post and receiver together: clone 1.6 µs, this 2.0, plain msgpackr 2.9): an action, nine of ten messages,
 * goes as a tuple without keys; and the packed bytes cross as a one-byte string, which a port copies faster than it
 * sets up a buffer.
 */
export type Packed = string;
/** A thread that holds sockets, and the port to it: from now on its sockets' frames go there. */
export interface FrontPort {
  front: number;
  port: MessagePort;
}

/** Frames for the sockets of a front thread. */
export interface FramesPost extends FrameBatch {
  /** Number of the shard's post to the main thread that goes with these frames, or went last before them. */
  mainPost: number;
}

/** Messages, with the buffers of frames that were sent, for new ones. */
export interface Parcel {
  messages: Packed;
  used: readonly ArrayBuffer[];
}

export type ToShardPost = Packed | Parcel | FrontPort;

/** One flush of a shard, `index` within `bytes` (FrameBatch). Its reader handles the frames before the messages. */
export interface FromShardPost {
  bytes: ArrayBuffer | null;
  index: Uint32Array | null;
  messages: Packed | null;
}

type Act = Extract<ToShard, { t: 'act' }>;
type ActTuple = [
  ...where: [table: string, agentId: string, socket: number],
  ...what: [action: ActionMessage['action'], amount: number | null],
  ...ids: [clientActionId: string | null, turnToken: string | null, handId: string | null],
];

const packr = new Packr({ useRecords: false });

function pack(value: unknown): Packed {
  const bytes = packr.pack(value);
  return bytes.toString('latin1');
}

const unpack = (packed: Packed): unknown => packr.unpack(Buffer.from(packed, 'latin1'));

/** `used` are buffers of frames that go back. */
export function postToShard(
  channels: Channels,
  port: MessagePort,
  batch: readonly ToShard[],
  used: readonly ArrayBuffer[] = [],
): void {
  const messages = pack(batch.map((message) => (message.t === 'act' ? tupleOf(message) : message)));
  if (used.length === 0) channels.post(port, messages);
  else channels.post(port, { messages, used } satisfies Parcel, used);
}

/** The messages of a post, as they were sent. */
export function readToShard(post: Packed | Parcel): ToShard[] {
  const messages = unpack(typeof post === 'string' ? post : post.messages) as (ToShard | ActTuple)[];
  return messages.map((item) => (Array.isArray(item) ? actOf(item) : item));
}

export function postFromShard(
  port: MessagePort,
  frames: FrameBatch | null,
  messages: readonly FromShard[] | null,
): void {
  const packed = messages === null ? null : pack(messages);
  if (frames === null) {
    port.postMessage({ bytes: null, index: null, messages: packed } satisfies FromShardPost);
    return;
  }
  const { bytes, index } = frames;
  const post: FromShardPost = { bytes, index, messages: packed };
  port.postMessage(post, [bytes]);
}

/** A post whose frames, if there were any, have gone elsewhere. */
export const messagesPost = (messages: readonly FromShard[]): FromShardPost => ({
  bytes: null,
  index: null,
  messages: pack(messages),
});

/** The messages of a post, as they were sent. */
export function readMessages({ messages }: FromShardPost): FromShard[] {
  return messages === null ? [] : (unpack(messages) as FromShard[]);
}

function tupleOf({ table, agentId, socket, message }: Act): ActTuple {
  const { action, amount, client_action_id: id, turn_token: token, hand_id: handId } = message;
  return [table, agentId, socket, action, amount ?? null, id ?? null, token ?? null, handId ?? null];
}

/** An id that was absent comes out as null, which means the same. */
function actOf([table, agentId, socket, action, amount, id, token, handId]: ActTuple): Act {
  return {
    t: 'act',
    table,
    agentId,
    socket,
    message: { type: 'action', action, amount, client_action_id: id, turn_token: token, hand_id: handId },
  };
}
