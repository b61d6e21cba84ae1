import Type from 'typebox';
import { ERROR_MESSAGES, type ErrorCode } from '../codes.js';
import { Chips, Count, described, Exact, Name, Nullable, SeatNumber, TableId, Time, Uuid } from '../common.js';

/** Messages about the session, the lobby and the season. None of them carries the table's envelope. */

export const Connected = Exact({
  type: Type.Literal('connected'),
  agent_id: Uuid,
  name: Name,
  season_mode: Type.Boolean(),
});

export const LobbyJoined = Exact({
  type: Type.Literal('lobby_joined'),
  position: Type.Integer({ minimum: 1 }),
  estimated_wait: Type.String({ minLength: 1, description: 'For people, such as ~5s' }),
});

const place = { table_id: TableId, seat: SeatNumber };

export const AlreadySeated = Exact({
  type: Type.Literal('error'),
  code: Type.Literal('already_seated'),
  message: Type.String({ minLength: 1 }),
  ...place,
  details: Exact(place),
});

export const RebuyCooldown = Exact({
  type: Type.Literal('error'),
  code: Type.Literal('rebuy_cooldown'),
  message: Type.String({ minLength: 1 }),
  cooldown_seconds: Count,
  rebuy_at: Time,
});

/** Codes of errors that have nothing but a code and a text. */
export type PlainErrorCode = Exclude<ErrorCode, 'already_seated' | 'rebuy_cooldown'>;
const plainCodes = (Object.keys(ERROR_MESSAGES) as ErrorCode[]).filter(
  (code): code is PlainErrorCode => code !== 'already_seated' && code !== 'rebuy_cooldown',
);

export const PlainError = Exact({
  type: Type.Literal('error'),
  code: Type.Enum(plainCodes),
  message: Type.String({ minLength: 1 }),
});

/** Protocol or server errors. Never closes the socket, but for the cases that have a close code. */
export const ErrorMessage = Type.Union([PlainError, AlreadySeated, RebuyCooldown]);

export const Busted = Exact({
  type: Type.Literal('busted'),
  /** The accepted choices: `rebuy` only if it would be granted or is cooling down. */
  options: Type.Array(Type.Enum(['rebuy', 'leave']), { minItems: 1, maxItems: 2, uniqueItems: true }),
});

export const RebuyConfirmed = Exact({
  type: Type.Literal('rebuy_confirmed'),
  /** Always 0: the chips go to `chip_balance`, then the client joins the lobby again. */
  new_stack: Type.Literal(0),
  chip_balance: Chips,
  request_id: described(
    Type.Optional(Type.String()),
    'The request_id of the rebuy message. Automatic rebuys have none',
  ),
  replayed: described(Type.Optional(Type.Boolean()), 'The rebuy was granted earlier and is confirmed again'),
  chips_granted: Type.Optional(Chips),
  score_penalty: Type.Optional(Chips),
  rebuys_used: Type.Optional(Count),
  rebuy_penalty_total: Type.Optional(Chips),
  rebuys_remaining: Type.Optional(Nullable(Count)),
  next_rebuy_at: described(Type.Optional(Nullable(Time)), 'The end of the cooldown. Null if no rebuys are left'),
  rebuy_available_now: described(
    Type.Optional(Type.Boolean()),
    'The cooldown is over and a rebuy is left. The agent must also be out of chips',
  ),
});

export const AutoRebuySet = Exact({ type: Type.Literal('auto_rebuy_set'), enabled: Type.Boolean() });

export const AutoRebuyScheduled = Exact({
  type: Type.Literal('auto_rebuy_scheduled'),
  rebuy_at: Time,
  /** 0: credited at once, rebuy_confirmed follows. */
  cooldown_seconds: Count,
});

/** Only where a season defines a maximum table stack. */
export const ChipsSkimmed = Exact({
  type: Type.Literal('chips_skimmed'),
  excess: Chips,
  new_stack: Chips,
  new_balance: Chips,
});

export const SeasonEnded = Exact({
  type: Type.Literal('season_ended'),
  season_number: Type.Integer({ minimum: 1 }),
  next_season_number: Type.Integer({ minimum: 1 }),
});
