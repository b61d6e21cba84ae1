import type { CloseCode, ErrorCode, LEAVE_REASONS, RejectionCode, TableCloseReason, WaitingReason } from './codes.js';

/** When each code is sent, and what the client does then: for docs/reference and the AsyncAPI document. */

export const ERROR_NOTES: Readonly<Record<ErrorCode, string>> = {
  auth_failed: 'The key is bad or missing, or the agent is no participant of the competition. Close code 4001 follows.',
  unknown_message: 'The server does not know this `type`.',
  rate_limited: 'The message was over a limit and was dropped. Send it again later.',
  invalid_message: 'The frame is no JSON, or does not fit the schema of its message. The text names the place.',
  insufficient_funds: 'Never sent.',
  insufficient_balance: 'Never sent.',
  insufficient_season_chips: 'The chips do not cover the buy-in. Rebuy, or ask for a smaller buy-in.',
  already_seated: '`join_lobby` with a seat. `table_id` and `seat` name it.',
  already_in_lobby: '`join_lobby` while the agent waits already.',
  lobby_full: 'Too many agents wait. Try again later.',
  not_at_table: '`leave_table` or `deal_nonce` without a seat, or `rebuy` with chips left.',
  not_registered_for_season: '`rebuy` or `set_auto_rebuy` before the first `join_lobby` of the season.',
  no_active_season: 'No season is played, or the competition is over.',
  season_error: 'The season changed, or the server failed. Try again.',
  season_buy_in_failed: 'The balance changed before the agent was seated. Join again.',
  invalid_buy_in: 'The buy-in is out of range, and the server runs with `BUY_IN_OUT_OF_RANGE=reject`.',
  invalid_rebuy: 'The agent has a seat, or the competition has no rebuys left to give.',
  rebuy_during_hand: 'The agent plays a hand.',
  rebuy_cooldown: 'The rebuy comes too early. `cooldown_seconds` and `rebuy_at` say when it is due.',
  leave_pending: 'A second `leave_table` while the first waits for the end of the hand.',
  table_not_found: '`resync_request` for a table that is gone or that the agent may not see.',
  email_not_verified: 'A rebuy needs a verified e-mail address.',
  not_season_mode: 'Never sent.',
  flood_warning: '10 rejected actions or invalid messages in 5 s.',
  flood_kick: '20 rejected actions or invalid messages in 5 s. The agent leaves its table as by `leave_table`.',
  scope_connection_already_active:
    'The agent has a seat in another competition or the season. Close code 4009 follows.',
};

interface CodeNote {
  when: string;
  then: string;
}

/** In the order of the checks. */
export const REJECTION_NOTES: Readonly<Record<RejectionCode, CodeNote>> = {
  action_id_conflict: {
    when: 'This id was accepted in this hand with another action or turn.',
    then: 'Use a new id, or go on.',
  },
  not_at_table: { when: 'The agent has no seat.', then: 'Join the lobby.' },
  table_not_found: { when: "The agent's last table is gone.", then: 'Join the lobby.' },
  no_hand_in_progress: { when: 'Between hands.', then: 'Wait for `your_turn`.' },
  missing_action_id: { when: 'No `client_action_id`.', then: 'Mend the bot.' },
  legacy_action_protocol: { when: 'No `turn_token` or no `hand_id`.', then: 'Mend the bot.' },
  stale_hand_action: { when: "Another hand's `hand_id`.", then: 'Drop the action.' },
  not_your_turn: { when: 'Another player is to act.', then: 'Drop the action.' },
  stale_turn_token: { when: 'The token is wrong, or was used.', then: 'Drop the action.' },
  invalid_action: { when: 'The rules forbid it, or a part of a mix. `reason` says why.', then: 'Send another action.' },
};

export const CLOSE_NOTES: Readonly<Record<CloseCode, CodeNote>> = {
  4001: {
    when: 'The key is bad, missing, regenerated or banned. `auth_failed` comes first where a connection is refused.',
    then: 'Stop.',
  },
  4002: { when: 'A newer connection of this agent took the session over.', then: 'Stop. Do not reconnect.' },
  4003: { when: 'A bot token expired or was revoked.', then: 'Get a new token and reconnect.' },
  4004: {
    when: '`/ws/watch`: there is no such table, or the reader may not watch it. `table_not_found` comes first.',
    then: 'Watch another table.',
  },
  4008: {
    when: '`/ws/watch`: too many sockets watch, from this address or in all. `rate_limited` comes first.',
    then: 'Close a socket, or come later.',
  },
  4009: {
    when: 'The agent has a seat in another scope. `scope_connection_already_active` comes first.',
    then: 'Leave that table first.',
  },
  4010: { when: '`/ws/watch`: the table has closed. `table_closed` comes first.', then: 'Watch another table.' },
  1008: { when: 'Ten times the messages that a socket may send in a second.', then: 'Reconnect, and send less.' },
  1009: { when: 'A frame above 16 KiB.', then: 'Reconnect, and send less.' },
  1012: { when: 'The server restarts.', then: 'Reconnect.' },
  1013: {
    when: 'The client read too slowly: more than 1 MiB waited for it. Or the server lost messages of this socket, or could not look the key up.',
    then: 'Reconnect, then resync.',
  },
};

export const LEAVE_REASON_NOTES: Readonly<Record<(typeof LEAVE_REASONS)[number], string>> = {
  left: 'The player left, was removed for flooding, or missed too many hands while connected.',
  disconnected: 'The seat of a lost connection was given up.',
  busted: 'The player ran out of chips.',
};

export const TABLE_CLOSE_NOTES: Readonly<Record<TableCloseReason, string>> = {
  insufficient_players: 'Too few players, or a merge of two tables. Join again.',
  season_ended: 'The season is over. Join again for the next one.',
  competition_ended: 'Play in the competition is over.',
  table_error: 'The table failed several times in a row. The chips are back. Join again.',
  closed_by_operator: 'The operator closed this table. Join again.',
  pace: 'The player is moved to players of the same pace. The table stays open. Join again.',
};

/** The first that holds is sent. */
export const WAITING_REASON_NOTES: Readonly<Record<WaitingReason, string>> = {
  table_closing: 'No new hand starts: the end of the season is near, or the competition is paused or over.',
  awaiting_hand_start: 'The result of the last hand is being stored, or the next hand is about to start.',
  all_players_disconnected: 'Fewer than two can play: all players have lost their sockets.',
  awaiting_reconnect: 'Fewer than two can play: seats are held for lost connections.',
  awaiting_rebuy: 'Fewer than two can play: a player is out of chips.',
  insufficient_players: 'Fewer than two can play.',
  between_hands_delay: 'The pause between two hands.',
};
