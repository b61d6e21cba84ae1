import Type from 'typebox';
import { Nullable, TableId, Timestamp, Uuid } from '../common.js';

/**
 * The envelope of table-scoped messages (protocol.md, "The envelope"), in the order in which it is sent: before `type`
 * and the body. `table_seq` rises strictly for every recipient; `hand_seq` restarts at 1 with hand_start.
 */
const table = {
  stream: Type.Literal('event'),
  table_id: TableId,
};
export const TableSeq = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
export const HandSeq = Type.Integer({ minimum: 1 });
const noHash = { state_hash: Type.Null() };

/** Events that may happen between hands, where `hand_id` and `hand_seq` are null. */
export const TableEvent = {
  ...table,
  hand_id: Nullable(Uuid),
  table_seq: TableSeq,
  hand_seq: Nullable(HandSeq),
  ts: Timestamp,
  ...noHash,
};

/** Events of a running hand. */
export const HandEvent = { ...table, hand_id: Uuid, table_seq: TableSeq, hand_seq: HandSeq, ts: Timestamp, ...noHash };

/** Answers to the actor: the envelope without `state_hash`. */
export const Answer = {
  ...table,
  hand_id: Nullable(Uuid),
  table_seq: TableSeq,
  hand_seq: Nullable(HandSeq),
  ts: Timestamp,
};

/** table_state: SHA-256 over the state as sent; null only where STATE_HASH=off. */
export const StateEnvelope = {
  stream: Type.Literal('state'),
  table_id: TableId,
  hand_id: Nullable(Uuid),
  table_seq: TableSeq,
  hand_seq: Nullable(HandSeq),
  ts: Timestamp,
  state_hash: Nullable(Type.String({ pattern: '^sha256:[0-9a-f]{64}$' })),
};
