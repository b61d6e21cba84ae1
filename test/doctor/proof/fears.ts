import type { Frame } from '../../../src/doctor/wire/transcript.js';
import type { Defect } from './defects.js';

const TYPES = [
  ...['connected', 'error', 'lobby_joined', 'table_joined', 'hand_start', 'hole_cards', 'your_turn', 'action_ack'],
  ...['action_rejected', 'player_action', 'community_cards', 'hand_result', 'busted', 'rebuy_confirmed', 'table_state'],
  ...['player_joined', 'player_left', 'table_closed', 'resync_response', 'season_ended', 'auto_rebuy_scheduled'],
];
const ERRORS = [
  ...['rate_limited', 'already_seated', 'already_in_lobby', 'lobby_full', 'season_error', 'season_buy_in_failed'],
  ...[
    'no_active_season',
    'insufficient_season_chips',
    'rebuy_cooldown',
    'table_not_found',
    'not_at_table',
    'flood_kick',
  ],
  ...['invalid_message', 'flood_warning', 'auth_failed', 'email_not_verified', 'invalid_rebuy'],
];
const REASONS = [
  ...['left', 'disconnected', 'busted', 'insufficient_players', 'season_ended', 'closed_by_operator', 'table_closing'],
  ...['awaiting_hand_start', 'between_hands_delay', 'all_players_disconnected', 'awaiting_reconnect'],
];
const SEAT = ['seat', 'name', 'stack', 'bet', 'status', 'in_hand', 'folded', 'is_pro'];
const STATUSES = ['active', 'empty'];
const TURN_FIELDS = 24;
const OPTION_FIELDS = 4;

const FINAL = [1000, 4001, 4002, 4003, 4009];
const NAMED = [1006, 1008, 1009, 1012, 1013];

type Fields = Readonly<Record<string, unknown>>;

/** Whether a bot with this defect cannot bear the frame, and ends. */
export function fears(defect: Defect | null, frame: Frame): boolean {
  const { type, code, reason, waiting_reason } = frame as Fields;
  switch (defect) {
    case 'fears-unknown-types':
      return !TYPES.includes(String(type));
    case 'fears-errors':
      return type === 'error' && !ERRORS.includes(String(code));
    case 'dies-when-seated':
      return code === 'already_seated';
    case 'dies-when-limited':
      return code === 'rate_limited';
    case 'dies-when-warned':
      return code === 'flood_warning';
    case 'dies-in-lobby':
      return code === 'already_in_lobby';
    case 'strict-turns':
      return type === 'your_turn' && !isPlainTurn(frame);
    case 'strict-seats':
      return seatsOf(frame).some(
        (seat) => Object.keys(seat).some((key) => !SEAT.includes(key)) || !STATUSES.includes(String(seat['status'])),
      );
    case 'strict-words':
      return (
        (type === 'player_left' || type === 'table_closed' || type === 'table_state') &&
        [reason ?? waiting_reason ?? 'left'].some((word) => !REASONS.includes(String(word)))
      );
    case 'ascii-only':
      return /[^\x00-\x7f]/.test(JSON.stringify(frame));
    case 'needs-hashes':
      return type === 'table_state' && frame['state_hash'] === null;
    case 'needs-commitments':
      return type === 'hand_start' && !('deck_commitment' in frame);
    case 'three-players-only':
      return type === 'your_turn' && (frame['players'] as unknown[]).length !== 3;
    case 'one-winner-only':
      return type === 'hand_result' && (frame['winners'] as unknown[]).length !== 1;
    case 'needs-showdowns':
      return type === 'hand_result' && Object.keys(frame['shown_cards'] as object).length === 0;
    case 'full-stack-or-nothing':
      return type === 'table_joined' && JSON.stringify(frame['players']).includes('"stack":1500');
    case 'fears-timeouts':
      return type === 'player_action' && reason === 'timeout';
    case 'reads-what-is-missing':
      return type === 'table_state' && frame['street'] === 'idle' && frame['hand_id'] !== null;
    default:
      return false;
  }
}

/** Whether it connects again after `connections` connections, if the last one was closed with this code. */
export function comesBack(defect: Defect | null, code: number, connections: number): boolean {
  const ends =
    defect === 'never-returns' ||
    (defect === 'returns-once' && connections > 1) ||
    (defect === 'returns-after-cuts-only' && code !== 1006) ||
    (defect === 'fears-unknown-codes' && !NAMED.includes(code));
  if (ends) return false;
  if (defect === 'hammers-after-4003' && code === 4003) return true;
  return !FINAL.includes(code) || defect === `returns-after-${code}`;
}

const seatsOf = (frame: Frame): readonly Fields[] =>
  frame.type === 'table_state' ? (frame['seats'] as readonly Fields[]) : [];

function isPlainTurn(frame: Frame): boolean {
  const known = Object.keys(frame).every((key) => key !== 'hint' && key !== 'clock');
  const options = frame['valid_actions'] as readonly Fields[];
  return (
    known &&
    Object.keys(frame).length < TURN_FIELDS &&
    options.every((each) => Object.keys(each).length === OPTION_FIELDS)
  );
}
