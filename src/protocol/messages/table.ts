import Type from 'typebox';
import { LEAVE_REASONS, TABLE_CLOSE_REASONS } from '../codes.js';
import { Chips, Exact, Name, SeatNumber } from '../common.js';
import { TableEvent } from './envelope.js';

/** The players of a table, and its end. `table_id` is part of the envelope. */

/** A player as lists of players name it. */
export const PlayerAtSeat = Exact({ seat: SeatNumber, name: Name, stack: Chips });

export const TableJoined = Exact({
  ...TableEvent,
  type: Type.Literal('table_joined'),
  seat: SeatNumber,
  players: Type.Array(PlayerAtSeat, { minItems: 1 }),
  /** The player left before its big blind, and posts one in its first hand here; absent where it does not. */
  posts_big_blind: Type.Optional(Type.Literal(true)),
});

export const PlayerJoined = Exact({
  ...TableEvent,
  type: Type.Literal('player_joined'),
  seat: SeatNumber,
  name: Name,
  stack: Chips,
});

export const PlayerLeft = Exact({
  ...TableEvent,
  type: Type.Literal('player_left'),
  seat: SeatNumber,
  name: Name,
  reason: Type.Enum(LEAVE_REASONS),
});

/** All stacks are back off the table before this is sent; the client joins the lobby again. */
export const TableClosed = Exact({
  ...TableEvent,
  type: Type.Literal('table_closed'),
  reason: Type.Enum(TABLE_CLOSE_REASONS),
});
