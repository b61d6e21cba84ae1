import Type, { type TProperties, type TSchema } from 'typebox';
import { POSITIONS } from '../holdem/positions.js';

/** Building blocks of the wire's schemas, and the one form in which times are written. */

export interface ObjectOptions {
  /** A title makes the schema a named component of the API documents. */
  title?: string;
  description?: string;
  examples?: unknown[];
}

/** An object of exactly these fields. Our own messages are closed, so that a test finds every unexpected field. */
export const Exact = <P extends TProperties>(properties: P, options: ObjectOptions = {}) =>
  Type.Object(properties, { additionalProperties: false, ...options });

export const Nullable = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()]);

/** The schema with a description for the API documents and docs/reference. Keeps the hidden marks of its kind. */
export const described = <S extends TSchema>(schema: S, description: string): S =>
  Object.defineProperties(
    {},
    {
      ...Object.getOwnPropertyDescriptors(schema),
      description: { value: description, enumerable: true },
    },
  ) as S;

/** Chip amounts are whole and never negative, wherever they are sent. */
export const Chips = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
export const Count = Type.Integer({ minimum: 0 });
/** Low and high end. */
export const Interval = Type.Array(Type.Number(), { minItems: 2, maxItems: 2 });

const BOT_VERSION = '^[A-Za-z0-9._-]{1,32}$';

/** The version of a bot, as the bot tells it. */
export const BotVersion = Type.String({ minLength: 1, maxLength: 32, pattern: BOT_VERSION });
export const isBotVersion = (text: string): boolean => new RegExp(BOT_VERSION).test(text);

/** Pages of a list: `limit` items from the `offset`th on. */
export const Offset = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: 0 });
export const Limit = Type.Integer({ minimum: 1, maximum: 200, default: 50 });

export const MAX_TABLE_SEATS = 6;
export const SeatNumber = Type.Integer({ minimum: 0, maximum: MAX_TABLE_SEATS - 1 });
/** A seat as key of a map: JSON has string keys only. */
export const SeatKey = Type.String({ pattern: '^[0-5]$' });

/** Rank then suit. The hidden card `??` is known to clients, but this server never sends one. */
export const CardName = Type.String({ pattern: '^[2-9TJQKA][cdhs]$' });
export const HoleCards = Type.Array(CardName, { minItems: 2, maxItems: 2 });
export const Board = Type.Array(CardName, { maxItems: 5 });

export const Uuid = Type.String({ format: 'uuid' });
export const TableId = Type.String({ minLength: 1, maxLength: 128 });
export const Name = Type.String({ minLength: 1 });

/** RFC 3339 in UTC with microseconds, as the envelope's `ts` has it. */
export const Timestamp = Type.String({
  pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{6}\\+00:00$',
});

/** RFC 3339 in UTC. Always `+00:00`, and 0, 3 or 6 decimals: older Python parsers read nothing else. */
export const Time = Type.String({
  pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d{3}|\\.\\d{6})?\\+00:00$',
});

/** A time of the wire (schema `Time`) from epoch ms or a Date. */
export function utc(time: number | Date): string {
  return new Date(time).toISOString().slice(0, -1) + '+00:00';
}

export const utcOrNull = (time: Date | null): string | null => time && utc(time);

export const BettingStreet = Type.Enum(['preflop', 'flop', 'turn', 'river']);
/** The places at a table in the order of preflop action: POSITIONS of holdem/positions.ts. */
export const PositionName = Type.Enum([...POSITIONS]);
export const ActionName = Type.Enum(['fold', 'check', 'call', 'raise', 'all_in']);

/** Chips put in before the cards. `return`: a big blind of a player that comes back (protocol.md, "Return posts"). */
export const Posted = Exact(
  { seat: SeatNumber, amount: Chips, kind: Type.Enum(['small_blind', 'big_blind', 'return']) },
  { title: 'Posted' },
);

/** In the record of a season or a competition. */
export const ValueFunctionHash = described(
  Nullable(Type.String({ pattern: '^[0-9a-f]{64}$', examples: ['1f46c73e'.repeat(8)] })),
  'SHA-256 of the value function that measures luck in the hands: fixed before the first one. Null: luck is not measured.',
);
