import { assert } from '../ops/assert.js';
import { Packr } from 'msgpackr';
import type { MessagePort } from 'node:worker_threads';
import type { ActionMessage } from '../protocol/client.js';
import type { FrameBatch } from '../table/outbox.js';
import type { FromShard, ToShard } from './messages.js';

/**
 * The data that crosses a port: batches of messages as MessagePack, and frames as one transferred buffer without a
 * copy. No memory is shared. The packed bytes cross as a one-byte string, which a port copies faster than it sets up a
 * buffer.
 *
 * Nine of ten messages are actions. A batch of actions alone crosses as a row of values, which the port clones.
 * Measured in batches of three, with sender, post and reader: 0.6 µs of CPU an action, packed 1.6.
 */
export type Packed = string;
/** Actions, ACT_VALUES each. */
export type Acts = readonly (string | number | null)[];
/** Messages, with the buffers of frames that were sent, for new ones. */
export interface Parcel {
  messages: Packed | Acts;
  used: readonly ArrayBuffer[];
}

export type ToShardBatch = Packed | Acts | Parcel;

/** One flush of a shard, `index` within `bytes` (FrameBatch). Its reader handles the frames before the messages. */
export interface FromShardBatch {
  bytes: ArrayBuffer | null;
  index: Uint32Array | null;
  messages: Packed | null;
}

type Act = Extract<ToShard, { t: 'act' }>;
const ACT_VALUES = 8;

const packr = new Packr({ useRecords: false });

function pack(value: unknown): Packed {
  const bytes = packr.pack(value);
  return bytes.toString('latin1');
}

const unpack = (packed: Packed): unknown => packr.unpack(Buffer.from(packed, 'latin1'));

/** `used` are buffers of frames that go back. */
export function postToShard(port: MessagePort, batch: readonly ToShard[], used: readonly ArrayBuffer[] = []): void {
  const messages = actsOf(batch) ?? pack(batch);
  if (used.length === 0) port.postMessage(messages);
  else port.postMessage({ messages, used } satisfies Parcel, used);
}

/** The messages of a batch, as they were sent. */
export function readToShard(batch: ToShardBatch): ToShard[] {
  const messages = typeof batch === 'object' && 'messages' in batch ? batch.messages : batch;
  return typeof messages === 'string' ? (unpack(messages) as ToShard[]) : readActs(messages);
}

export function postFromShard(
  port: MessagePort,
  frames: FrameBatch | null,
  messages: readonly FromShard[] | null,
): void {
  const batch: FromShardBatch = {
    bytes: frames?.bytes ?? null,
    index: frames?.index ?? null,
    messages: messages === null ? null : pack(messages),
  };
  port.postMessage(batch, frames === null ? [] : [frames.bytes]);
}

/** The messages of a batch, as they were sent. */
export function readMessages({ messages }: FromShardBatch): FromShard[] {
  return messages === null ? [] : (unpack(messages) as FromShard[]);
}

/** Null where there is anything but actions by name. An id that is absent goes as null, which means the same. */
function actsOf(batch: readonly ToShard[]): Acts | null {
  const acts: (string | number | null)[] = [];
  for (const item of batch) {
    if (item.t !== 'act') return null;
    const { table, agentId, socket, message } = item;
    const { action, amount, client_action_id: id, turn_token: token, hand_id: handId } = message;
    if (typeof action === 'object') return null;
    acts.push(table, agentId, socket, action, amount ?? null, id ?? null, token ?? null, handId ?? null);
  }
  return acts;
}

function readActs(acts: Acts): Act[] {
  assert(acts.length % ACT_VALUES === 0, 'a row holds whole actions', acts.length);
  const messages: Act[] = [];
  for (let i = 0; i < acts.length; i += ACT_VALUES) {
    messages.push({
      t: 'act',
      table: acts[i] as string,
      agentId: acts[i + 1] as string,
      socket: acts[i + 2] as number,
      message: {
        type: 'action',
        action: acts[i + 3] as ActionMessage['action'],
        amount: acts[i + 4] as number | null,
        client_action_id: acts[i + 5] as string | null,
        turn_token: acts[i + 6] as string | null,
        hand_id: acts[i + 7] as string | null,
      },
    });
  }
  return messages;
}
