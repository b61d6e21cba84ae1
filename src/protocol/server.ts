import type { Static } from 'typebox';
import { ERROR_MESSAGES } from './codes.js';
import * as fair from './messages/fair.js';
import * as hand from './messages/hand.js';
import * as lean from './messages/lean.js';
import * as session from './messages/session.js';
import * as state from './messages/state.js';
import * as table from './messages/table.js';

/** Everything the server says on /ws: schema by message type. */
export const ServerMessages = {
  connected: session.Connected,
  error: session.ErrorMessage,
  lobby_joined: session.LobbyJoined,
  table_joined: table.TableJoined,
  hand_start: hand.HandStart,
  hole_cards: hand.HoleCardsMessage,
  your_turn: hand.YourTurn,
  action_ack: hand.ActionAck,
  action_rejected: hand.ActionRejected,
  player_action: hand.PlayerAction,
  community_cards: hand.CommunityCards,
  hand_result: hand.HandResult,
  busted: session.Busted,
  rebuy_confirmed: session.RebuyConfirmed,
  auto_rebuy_set: session.AutoRebuySet,
  auto_rebuy_scheduled: session.AutoRebuyScheduled,
  chips_skimmed: session.ChipsSkimmed,
  deal_nonce_ack: fair.DealNonceAck,
  player_joined: table.PlayerJoined,
  player_left: table.PlayerLeft,
  table_closed: table.TableClosed,
  table_state: state.TableState,
  resync_response: state.ResyncResponse,
  season_ended: session.SeasonEnded,
  hand: lean.LeanHand,
  turn: lean.LeanTurn,
  ack: lean.LeanAck,
  result: lean.LeanResult,
} as const;

export type ServerMessageType = keyof typeof ServerMessages;

/** The message of each type, as a TypeScript type: `ServerMessageOf['hand_result']`. */
export type ServerMessageOf = { [T in ServerMessageType]: Static<(typeof ServerMessages)[T]> };

export type ServerMessage = ServerMessageOf[ServerMessageType];

export type PublicTableState = Static<typeof state.PublicTableStateSchema>;

/** An `error` message, with the code's own text unless a more exact one is given. */
export function errorMessage(
  code: session.PlainErrorCode,
  message: string = ERROR_MESSAGES[code],
): Static<typeof session.PlainError> {
  return { type: 'error', code, message };
}
