import { ActionRefusal } from '../holdem/types.js';

/**
 * Every code a client can meet, with the text sent beside it. Clients branch on the code; the text is for people, and a
 * sender may replace it by a more exact one. The lists are closed: a code not in here cannot be sent.
 */

/** `error` messages: code → default message. */
export const ERROR_MESSAGES = {
  auth_failed: 'Invalid or missing API key',
  unknown_message: 'Unknown message type',
  rate_limited: 'Too many messages: at most 20 a second; what is beyond is dropped',
  invalid_message: 'Malformed JSON or invalid message',
  insufficient_funds: 'Balance too low for this buy-in',
  insufficient_balance: 'Credit balance too low',
  insufficient_season_chips: 'Not enough season chips for this buy-in',
  already_seated: 'You are already seated; send leave_table first to join another table',
  already_in_lobby: 'You are already in the lobby',
  lobby_full: 'The lobby is full; try again later',
  not_at_table: 'You are not at a table',
  not_registered_for_season: 'Not registered for this season',
  no_active_season: 'No active season',
  season_error: 'The season changed; try again',
  season_buy_in_failed: 'The buy-in could not be taken from your season chips',
  invalid_buy_in: 'Buy-in must be between 1000 and 5000',
  invalid_rebuy: 'You can rebuy only when out of chips and off the table',
  rebuy_during_hand: 'You cannot rebuy during a hand',
  rebuy_cooldown: 'Rebuy on cooldown',
  leave_pending: 'You are already leaving the table',
  table_not_found: 'Table not found',
  email_not_verified: 'Verify your email address first',
  not_season_mode: 'This action requires season mode',
  flood_warning: 'Too many invalid actions; keep on and you are removed from the table',
  flood_kick: 'Too many invalid actions; you were removed from the table',
  scope_connection_already_active: 'You are seated in another competition; leave that table first',
} as const;

export type ErrorCode = keyof typeof ERROR_MESSAGES;

/** The text of auth_failed, and of a 401, for who shows an API key in the URL. */
export const KEY_IN_URL =
  'The API key is not read from the URL: send it in the Authorization header, as "Authorization: Bearer KEY"';

/** The text of flood_warning for who has no seat to lose. */
export const SLOW_DOWN = 'Too many invalid messages; slow down';

/** Codes of other modes: kept in the schema, never sent by this server (protocol.md, "Error codes"). */
export const ERROR_CODES_NEVER_SENT = [
  'insufficient_funds',
  'insufficient_balance',
  'not_season_mode',
] as const satisfies readonly ErrorCode[];

/** Codes that a sender may use. */
export type SentErrorCode = Exclude<ErrorCode, (typeof ERROR_CODES_NEVER_SENT)[number]>;

/**
 * `action_rejected` messages: code → `reason`. The older texts of the spec stand to the letter, since older clients
 * compare them. `invalid_action` carries the engine's own words instead: see REFUSAL_REASONS.
 */
export const REJECTION_REASONS = {
  not_at_table: 'You are not at a table',
  table_not_found: 'Table not found',
  no_hand_in_progress: 'No hand in progress',
  not_your_turn: 'Not your turn',
  missing_action_id: 'Missing client_action_id',
  action_id_conflict: 'Conflicting payload for existing client_action_id',
  legacy_action_protocol: 'Legacy action protocol: hand_id and turn_token of your_turn are required',
  stale_hand_action: 'Stale hand_id: the action names another hand',
  stale_turn_token: 'Stale or missing turn_token',
  invalid_action: 'Invalid action',
} as const;

export type RejectionCode = keyof typeof REJECTION_REASONS;

/** The engine's refusals as the `reason` of `action_rejected`, by refusal code. */
export const REFUSAL_REASONS: Readonly<Record<Exclude<ActionRefusal, typeof ActionRefusal.ok>, string>> = {
  [ActionRefusal.handOver]: REJECTION_REASONS.no_hand_in_progress,
  [ActionRefusal.notYourTurn]: REJECTION_REASONS.not_your_turn,
  [ActionRefusal.foldNotOffered]: 'Cannot fold when checking is free',
  [ActionRefusal.checkNotOffered]: 'Cannot check: there is a bet to call',
  [ActionRefusal.callNotOffered]: 'Cannot call: there is nothing to call',
  [ActionRefusal.raiseNotOffered]: 'Cannot raise: betting is not open to you',
  [ActionRefusal.raiseTooSmall]: 'Raise is below the minimum',
  [ActionRefusal.raiseTooLarge]: 'Raise is above the maximum',
  [ActionRefusal.allInNotOffered]: 'Cannot go all-in: betting is not open to you',
  [ActionRefusal.badAmount]: 'Raise needs an amount in whole chips',
};

/** The `reason` of an `invalid_action` that is a mix. */
export const MIX_SUM = 'The probabilities of a mix must sum to 1';

/** `player_left.reason`. A leave, a flood kick and the third missed hand of a connected player are all `left`. */
export const LEAVE_REASONS = ['left', 'disconnected', 'busted'] as const;

/**
 * `table_closed.reason`. `table_error`: the table failed several times in a row (a fault of ours).
 * `closed_by_operator`: whoever runs the platform closed this one table; join again. `pace`: the player moves to others
 * of its pace. The table lives on; join again.
 */
export const TABLE_CLOSE_REASONS = [
  'insufficient_players',
  'season_ended',
  'competition_ended',
  'table_error',
  'closed_by_operator',
  'pace',
] as const;
export type TableCloseReason = (typeof TABLE_CLOSE_REASONS)[number];

/** `table_state.waiting_reason` between hands. Clients must tolerate unknown ones. */
export const WAITING_REASONS = [
  'insufficient_players',
  'awaiting_rebuy',
  'awaiting_reconnect',
  'all_players_disconnected',
  'between_hands_delay',
  'awaiting_hand_start',
  'table_closing',
] as const;
export type WaitingReason = (typeof WAITING_REASONS)[number];

/** Why the server ends a socket; nothing else closes one (protocol.md, "Close codes"). */
export const CloseCode = {
  /** Bad, missing or regenerated key, or a ban. */
  unauthorized: 4001,
  /** A newer connection of the same agent took the session over. */
  takenOver: 4002,
  /** A bot token expired or was revoked. */
  tokenExpired: 4003,
  /** There is no such table to watch, or it is not for who asks. */
  notToWatch: 4004,
  /** Too many watch, from this address or in all. */
  tooManyWatch: 4008,
  /** The table that was watched has closed. */
  tableClosed: 4010,
  /** The agent is seated in another competition. */
  otherScope: 4009,
  /** Ten times the messages that a socket may send in a second. */
  flooding: 1008,
  /** A frame above 16 KiB. */
  frameTooLarge: 1009,
  /** The server is shutting down: connect again. */
  draining: 1012,
  /** The reader was too slow, or its key could not be looked up: connect again and resync. */
  tooSlow: 1013,
} as const;

export type CloseCode = (typeof CloseCode)[keyof typeof CloseCode];

/** Reason phrase in the close frame, by close code. */
export const CLOSE_REASONS: Readonly<Record<CloseCode, string>> = {
  4001: 'unauthorized',
  4002: 'session taken over',
  4003: 'token expired',
  4004: 'no such table to watch',
  4008: 'too many watch',
  4010: 'table closed',
  4009: 'seated in another competition',
  1008: 'too many messages',
  1009: 'frame too large',
  1012: 'server is restarting',
  1013: 'reader too slow',
};

/** With 1013: its seat is gone, and it has not read so. Its client is to come back. */
export const UNTOLD = 'the end of your stay did not reach you';

/** With 1013: whether the key is good could not be found out, which is no fault of the client. */
export const NOT_LOOKED_UP = 'the key could not be looked up';
