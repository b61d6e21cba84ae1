// Written by npm run generate from src/protocol; do not edit.

/** The key was accepted */
export interface ConnectedMessage {
  readonly type: 'connected';
  /** uuid */
  readonly agent_id: string;
  /** not empty */
  readonly name: string;
  readonly season_mode: boolean;
}

export interface PlainError {
  readonly type: 'error';
  readonly code:
    | 'auth_failed'
    | 'unknown_message'
    | 'rate_limited'
    | 'invalid_message'
    | 'insufficient_funds'
    | 'insufficient_balance'
    | 'insufficient_season_chips'
    | 'already_in_lobby'
    | 'lobby_full'
    | 'not_at_table'
    | 'not_registered_for_season'
    | 'no_active_season'
    | 'season_error'
    | 'season_buy_in_failed'
    | 'invalid_buy_in'
    | 'invalid_rebuy'
    | 'rebuy_during_hand'
    | 'leave_pending'
    | 'table_not_found'
    | 'email_not_verified'
    | 'not_season_mode'
    | 'flood_warning'
    | 'flood_kick'
    | 'scope_connection_already_active';
  /** not empty */
  readonly message: string;
}

export interface AlreadySeatedErrorDetails {
  /** 1 to 128 characters */
  readonly table_id: string;
  /** 0 to 5 */
  readonly seat: number;
}

export interface AlreadySeatedError {
  readonly type: 'error';
  readonly code: 'already_seated';
  /** not empty */
  readonly message: string;
  /** 1 to 128 characters */
  readonly table_id: string;
  /** 0 to 5 */
  readonly seat: number;
  readonly details: AlreadySeatedErrorDetails;
}

export interface RebuyCooldownError {
  readonly type: 'error';
  readonly code: 'rebuy_cooldown';
  /** not empty */
  readonly message: string;
  readonly cooldown_seconds: number;
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$ */
  readonly rebuy_at: string;
}

/** A fault outside the play of a hand. The socket stays open unless a close code follows */
export type ErrorMessage = PlainError | AlreadySeatedError | RebuyCooldownError;

/** The agent waits for a seat */
export interface LobbyJoinedMessage {
  readonly type: 'lobby_joined';
  /** at least 1 */
  readonly position: number;
  /** For people, such as ~5s; not empty */
  readonly estimated_wait: string;
}

export interface PlayerAtSeat {
  /** 0 to 5 */
  readonly seat: number;
  /** not empty */
  readonly name: string;
  readonly stack: number;
}

/** The agent has a seat. A table_state follows at once */
export interface TableJoinedMessage {
  readonly stream: 'event';
  /** 1 to 128 characters */
  readonly table_id: string;
  /** uuid */
  readonly hand_id: string | null;
  /** at least 1 */
  readonly table_seq: number;
  /** at least 1 */
  readonly hand_seq: number | null;
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$ */
  readonly ts: string;
  readonly state_hash: null;
  readonly type: 'table_joined';
  /** 0 to 5 */
  readonly seat: number;
  /** not empty */
  readonly players: readonly PlayerAtSeat[];
  readonly posts_big_blind?: true;
}

export interface HandStartMessageBlinds {
  readonly small_blind: number;
  readonly big_blind: number;
}

export interface Posted {
  /** 0 to 5 */
  readonly seat: number;
  readonly amount: number;
  readonly kind: 'small_blind' | 'big_blind' | 'return';
}

export interface SeatNonce {
  /** 0 to 5 */
  readonly seat: number;
  /** as ^[0-9a-f]{64}$ */
  readonly nonce: string;
}

export interface NextDealAnchor {
  /** 0 to 5 */
  readonly seat: number;
  /** as ^[0-9a-f]{64}$ */
  readonly anchor: string;
}

export interface NextDeal {
  /** as ^[0-9a-f]{64}$ */
  readonly deck_commitment: string;
  /** at most 6 items */
  readonly anchors: readonly NextDealAnchor[];
}

/** A hand begins. Blinds have no event of their own */
export interface HandStartMessage {
  readonly stream: 'event';
  /** 1 to 128 characters */
  readonly table_id: string;
  /** uuid */
  readonly hand_id: string;
  /** at least 1 */
  readonly table_seq: number;
  readonly hand_seq: 1;
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$ */
  readonly ts: string;
  readonly state_hash: null;
  readonly type: 'hand_start';
  /** 0 to 5 */
  readonly seat?: number;
  /** 0 to 5 */
  readonly dealer_seat: number;
  readonly blinds: HandStartMessageBlinds;
  /** at least 2 items */
  readonly posts: readonly Posted[];
  /** at least 1 */
  readonly hand_number?: number;
  /** as ^[0-9a-f]{64}$ */
  readonly deck_commitment?: string;
  /** at most 6 items */
  readonly deal_nonces?: readonly SeatNonce[];
  readonly next_deal?: NextDeal;
}

/** Private: the agent's own two cards */
export interface HoleCardsMessage {
  readonly stream: 'event';
  /** 1 to 128 characters */
  readonly table_id: string;
  /** uuid */
  readonly hand_id: string;
  /** at least 1 */
  readonly table_seq: number;
  /** at least 1 */
  readonly hand_seq: number;
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$ */
  readonly ts: string;
  readonly state_hash: null;
  readonly type: 'hole_cards';
  /** 2 items */
  readonly cards: readonly string[];
}

export interface TurnActionFoldOrCheck {
  readonly action: 'fold' | 'check';
  readonly amount: null;
  readonly min: null;
  readonly max: null;
}

export interface TurnActionCall {
  readonly action: 'call';
  readonly amount: number;
  readonly min: null;
  readonly max: null;
}

export interface TurnActionRaise {
  readonly action: 'raise';
  readonly amount: null;
  readonly min: number;
  readonly max: number;
}

export interface TurnActionAllIn {
  readonly action: 'all_in';
  readonly amount: number;
  readonly min: null;
  readonly max: null;
}

export type TurnAction = TurnActionFoldOrCheck | TurnActionCall | TurnActionRaise | TurnActionAllIn;

/** Private: decide within the time limit, and send turn_token and hand_id back */
export interface YourTurnMessage {
  readonly stream: 'event';
  /** 1 to 128 characters */
  readonly table_id: string;
  /** uuid */
  readonly hand_id: string;
  /** at least 1 */
  readonly table_seq: number;
  /** at least 1 */
  readonly hand_seq: number;
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$ */
  readonly ts: string;
  readonly state_hash: null;
  readonly type: 'your_turn';
  /** 0 to 5 */
  readonly seat: number;
  /** 1 to 4 items */
  readonly valid_actions: readonly TurnAction[];
  readonly pot: number;
  /** at most 5 items */
  readonly community_cards: readonly string[];
  /** at least 2 items */
  readonly players: readonly PlayerAtSeat[];
  readonly min_raise: number;
  readonly max_raise: number;
  /** uuid */
  readonly turn_token: string;
  readonly deadline_ms: number;
  readonly time_bank_ms: number | null;
}

/** The part of a mixed action that was drawn */
export interface DrawnPart {
  readonly action: 'fold' | 'check' | 'call' | 'raise' | 'all_in';
  readonly amount?: number;
  /** Its number in the mix, from 0; 0 to 7 */
  readonly part: number;
  /** The draw */
  readonly u: number;
  /** The number of the action in its hand, from 0: it names the draw */
  readonly number: number;
}

/** Private: the action was accepted */
export interface ActionAckMessage {
  readonly stream: 'event';
  /** 1 to 128 characters */
  readonly table_id: string;
  /** uuid */
  readonly hand_id: string | null;
  /** at least 1 */
  readonly table_seq: number;
  /** at least 1 */
  readonly hand_seq: number | null;
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$ */
  readonly ts: string;
  readonly type: 'action_ack';
  /** 1 to 128 characters */
  readonly client_action_id: string | null;
  readonly status: 'accepted';
  readonly taken_as?: 'check';
  /** The part of a mixed action that was drawn */
  readonly drawn?: DrawnPart;
}

/** The code and the client_action_id again. nearest: the two legal totals beside a fraction. part: the wrong part of a mix */
export interface ActionRejectedAtTableDetails {
  readonly code:
    | 'not_at_table'
    | 'table_not_found'
    | 'no_hand_in_progress'
    | 'not_your_turn'
    | 'missing_action_id'
    | 'action_id_conflict'
    | 'legacy_action_protocol'
    | 'stale_hand_action'
    | 'stale_turn_token'
    | 'invalid_action';
  /** 1 to 2 items */
  readonly nearest?: readonly number[];
  /** 0 to 7 */
  readonly part?: number;
}

export interface ActionRejectedAtTable {
  readonly stream: 'event';
  /** 1 to 128 characters */
  readonly table_id: string;
  /** uuid */
  readonly hand_id: string | null;
  /** at least 1 */
  readonly table_seq: number;
  /** at least 1 */
  readonly hand_seq: number | null;
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$ */
  readonly ts: string;
  readonly type: 'action_rejected';
  readonly code:
    | 'not_at_table'
    | 'table_not_found'
    | 'no_hand_in_progress'
    | 'not_your_turn'
    | 'missing_action_id'
    | 'action_id_conflict'
    | 'legacy_action_protocol'
    | 'stale_hand_action'
    | 'stale_turn_token'
    | 'invalid_action';
  /** not empty */
  readonly reason: string;
  /** The code and the client_action_id again. nearest: the two legal totals beside a fraction. part: the wrong part of a mix */
  readonly details: ActionRejectedAtTableDetails;
}

/** The code and the client_action_id again. nearest: the two legal totals beside a fraction. part: the wrong part of a mix */
export interface ActionRejectedWithoutTableDetails {
  readonly code:
    | 'not_at_table'
    | 'table_not_found'
    | 'no_hand_in_progress'
    | 'not_your_turn'
    | 'missing_action_id'
    | 'action_id_conflict'
    | 'legacy_action_protocol'
    | 'stale_hand_action'
    | 'stale_turn_token'
    | 'invalid_action';
  /** 1 to 2 items */
  readonly nearest?: readonly number[];
  /** 0 to 7 */
  readonly part?: number;
}

export interface ActionRejectedWithoutTable {
  readonly type: 'action_rejected';
  readonly code: 'not_at_table' | 'table_not_found';
  /** not empty */
  readonly reason: string;
  /** The code and the client_action_id again. nearest: the two legal totals beside a fraction. part: the wrong part of a mix */
  readonly details: ActionRejectedWithoutTableDetails;
}

/** Private: the action was refused. The turn stays open */
export type ActionRejectedMessage = ActionRejectedAtTable | ActionRejectedWithoutTable;

/** A player acted, or the server acted for it */
export interface PlayerActionMessage {
  readonly stream: 'event';
  /** 1 to 128 characters */
  readonly table_id: string;
  /** uuid */
  readonly hand_id: string;
  /** at least 1 */
  readonly table_seq: number;
  /** at least 1 */
  readonly hand_seq: number;
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$ */
  readonly ts: string;
  readonly state_hash: null;
  readonly type: 'player_action';
  /** 0 to 5 */
  readonly seat: number;
  /** not empty */
  readonly name: string;
  readonly action: 'fold' | 'check' | 'call' | 'raise' | 'all_in';
  readonly amount: number | null;
  readonly street: 'preflop' | 'flop' | 'turn' | 'river';
  readonly stack: number;
  readonly pot: number;
  readonly reason: 'timeout' | 'left' | null;
  /** 1 to 128 characters */
  readonly action_id: string;
  readonly amount_mode: 'incremental' | 'to_total';
  readonly pot_before: number;
  readonly pot_after: number;
  readonly to_call_before: number | null;
  readonly stack_before: number;
  readonly stack_after: number;
  readonly contribution_delta: number;
  readonly player_stack_before: number;
  readonly player_stack_after: number;
  readonly used_ms?: number;
  readonly server_lag_ms?: number;
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$ */
  readonly sent_at?: string;
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$ */
  readonly deadline_at?: string;
}

export interface CommunityCardsMessageFlop {
  readonly stream: 'event';
  /** 1 to 128 characters */
  readonly table_id: string;
  /** uuid */
  readonly hand_id: string;
  /** at least 1 */
  readonly table_seq: number;
  /** at least 1 */
  readonly hand_seq: number;
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$ */
  readonly ts: string;
  readonly state_hash: null;
  readonly type: 'community_cards';
  readonly street: 'flop';
  /** 3 items */
  readonly cards: readonly string[];
}

export interface CommunityCardsMessageTurnOrRiver {
  readonly stream: 'event';
  /** 1 to 128 characters */
  readonly table_id: string;
  /** uuid */
  readonly hand_id: string;
  /** at least 1 */
  readonly table_seq: number;
  /** at least 1 */
  readonly hand_seq: number;
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$ */
  readonly ts: string;
  readonly state_hash: null;
  readonly type: 'community_cards';
  readonly street: 'turn' | 'river';
  /** 1 to 5 items */
  readonly cards: readonly string[];
}

/** The next street opens */
export type CommunityCardsMessage = CommunityCardsMessageFlop | CommunityCardsMessageTurnOrRiver;

export interface HandResultMessageWinner {
  /** 0 to 5 */
  readonly seat: number;
  /** not empty */
  readonly name: string;
  readonly stack: number;
  readonly amount: number;
  /** not empty */
  readonly hand_description: string;
}

export interface HandResultMessageAction {
  /** 0 to 5 */
  readonly seat: number;
  readonly action: 'fold' | 'check' | 'call' | 'raise' | 'all_in';
  readonly amount: number | null;
  readonly street: 'preflop' | 'flop' | 'turn' | 'river';
}

export interface HandResultMessagePayout {
  /** 0 to 5 */
  readonly seat: number;
  readonly amount: number;
}

export interface OpenedCard {
  /** 0 to 16 */
  readonly index: number;
  /** as ^[2-9TJQKA][cdhs]$ */
  readonly card: string;
  /** as ^[0-9a-f]{32}$ */
  readonly salt: string;
}

export interface DealtDeck {
  /** 17 items */
  readonly hashes: readonly string[];
  /** as ^[0-9a-f]{64}$ */
  readonly rest: string;
  readonly opened: readonly OpenedCard[];
}

export interface OwnMixPart {
  readonly action: 'fold' | 'check' | 'call' | 'raise' | 'all_in';
  readonly amount?: number;
  /** above 0 */
  readonly p: number;
}

/** A mixed action, and what was drawn of it: only for readers that see the cards */
export interface OwnMix {
  /** The number of the action in its hand, from 0: it names the draw */
  readonly number: number;
  /** The draw */
  readonly u: number;
  /** The number of the part that was drawn, from 0; 0 to 7 */
  readonly part: number;
  /** 1 to 8 items */
  readonly parts: readonly OwnMixPart[];
}

/** Opens the dice of a player that mixed actions in the hand */
export interface OwnDice {
  /** as ^[0-9a-f]{32}$ */
  readonly seed: string;
  /** The hash of places 17 to 51; as ^[0-9a-f]{64}$ */
  readonly undealt: string;
  /** Of the dice by seat; 6 items */
  readonly hashes: readonly string[];
  /** not empty */
  readonly mixes: readonly OwnMix[];
}

/** The hand is settled and stored */
export interface HandResultMessage {
  readonly stream: 'event';
  /** 1 to 128 characters */
  readonly table_id: string;
  /** uuid */
  readonly hand_id: string;
  /** at least 1 */
  readonly table_seq: number;
  /** at least 1 */
  readonly hand_seq: number;
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$ */
  readonly ts: string;
  readonly state_hash: null;
  readonly type: 'hand_result';
  /** amount is the net gain. hand_description names rank 2 "Two" or "Twos", and no kickers. Without a showdown it is Uncontested; not empty */
  readonly winners: readonly HandResultMessageWinner[];
  readonly pot: number;
  readonly total_pot: number;
  readonly transferable_pot: number;
  readonly net_pot_after_rake: number;
  readonly final_stacks: Readonly<Record<string, number>>;
  readonly pot_kind: 'transferable';
  readonly rake: 0;
  readonly rake_settled: 0;
  readonly shown_cards: Readonly<Record<string, readonly string[]>>;
  readonly actions: readonly HandResultMessageAction[];
  /** not empty */
  readonly payouts: readonly HandResultMessagePayout[];
  readonly outcome_kind: 'win' | 'split' | 'multiple_winners';
  readonly deal_proof?: DealtDeck;
  readonly own_opened?: readonly OpenedCard[];
  /** Opens the dice of a player that mixed actions in the hand */
  readonly own_dice?: OwnDice;
}

/** Out of chips and off the table: rebuy, or leave */
export interface BustedMessage {
  readonly type: 'busted';
  /** 1 to 2 items */
  readonly options: readonly ('rebuy' | 'leave')[];
}

/** Chips were credited to the balance. Join the lobby again */
export interface RebuyConfirmedMessage {
  readonly type: 'rebuy_confirmed';
  readonly new_stack: 0;
  readonly chip_balance: number;
  /** The request_id of the rebuy message. Automatic rebuys have none */
  readonly request_id?: string;
  /** The rebuy was granted earlier and is confirmed again */
  readonly replayed?: boolean;
  readonly chips_granted?: number;
  readonly score_penalty?: number;
  readonly rebuys_used?: number;
  readonly rebuy_penalty_total?: number;
  readonly rebuys_remaining?: number | null;
  /** The end of the cooldown. Null if no rebuys are left; as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$ */
  readonly next_rebuy_at?: string | null;
  /** The cooldown is over and a rebuy is left. The agent must also be out of chips */
  readonly rebuy_available_now?: boolean;
}

/** The preference is saved */
export interface AutoRebuySetMessage {
  readonly type: 'auto_rebuy_set';
  readonly enabled: boolean;
}

/** A rebuy will be credited at rebuy_at */
export interface AutoRebuyScheduledMessage {
  readonly type: 'auto_rebuy_scheduled';
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$ */
  readonly rebuy_at: string;
  readonly cooldown_seconds: number;
}

/** Chips above the maximum table stack went back to the balance */
export interface ChipsSkimmedMessage {
  readonly type: 'chips_skimmed';
  readonly excess: number;
  readonly new_stack: number;
  readonly new_balance: number;
}

/** The nonce was taken. It may count in the next deck */
export interface DealNonceAckMessage {
  readonly type: 'deal_nonce_ack';
  /** as ^[0-9a-f]{64}$ */
  readonly nonce: string;
  readonly counts: boolean;
  /** at least 1 */
  readonly hand_number: number | null;
  /** as ^[0-9a-f]{64}$ */
  readonly deck_commitment: string | null;
}

/** Another player sat down */
export interface PlayerJoinedMessage {
  readonly stream: 'event';
  /** 1 to 128 characters */
  readonly table_id: string;
  /** uuid */
  readonly hand_id: string | null;
  /** at least 1 */
  readonly table_seq: number;
  /** at least 1 */
  readonly hand_seq: number | null;
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$ */
  readonly ts: string;
  readonly state_hash: null;
  readonly type: 'player_joined';
  /** 0 to 5 */
  readonly seat: number;
  /** not empty */
  readonly name: string;
  readonly stack: number;
}

/** A player left its seat */
export interface PlayerLeftMessage {
  readonly stream: 'event';
  /** 1 to 128 characters */
  readonly table_id: string;
  /** uuid */
  readonly hand_id: string | null;
  /** at least 1 */
  readonly table_seq: number;
  /** at least 1 */
  readonly hand_seq: number | null;
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$ */
  readonly ts: string;
  readonly state_hash: null;
  readonly type: 'player_left';
  /** 0 to 5 */
  readonly seat: number;
  /** not empty */
  readonly name: string;
  readonly reason: 'left' | 'disconnected' | 'busted';
}

/** The table is gone, and all stacks are in the balances. Join the lobby again */
export interface TableClosedMessage {
  readonly stream: 'event';
  /** 1 to 128 characters */
  readonly table_id: string;
  /** uuid */
  readonly hand_id: string | null;
  /** at least 1 */
  readonly table_seq: number;
  /** at least 1 */
  readonly hand_seq: number | null;
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$ */
  readonly ts: string;
  readonly state_hash: null;
  readonly type: 'table_closed';
  readonly reason:
    'insufficient_players' | 'season_ended' | 'competition_ended' | 'table_error' | 'closed_by_operator' | 'pace';
}

export interface SeatInHand {
  /** 0 to 5 */
  readonly seat: number;
  /** not empty */
  readonly name: string;
  readonly stack: number;
  readonly bet: number;
  readonly status: 'active' | 'away' | 'sitting_out' | 'disconnected';
  readonly avatar_url?: string;
  readonly public_profile_slug?: string;
  readonly is_pro: boolean;
  readonly is_house?: boolean;
  readonly in_hand: true;
  readonly folded: boolean;
}

export interface SeatWaiting {
  /** 0 to 5 */
  readonly seat: number;
  /** not empty */
  readonly name: string;
  readonly stack: number;
  readonly bet: number;
  readonly status: 'active' | 'away' | 'sitting_out' | 'disconnected';
  readonly avatar_url?: string;
  readonly public_profile_slug?: string;
  readonly is_pro: boolean;
  readonly is_house?: boolean;
  readonly in_hand: false;
}

export interface EmptySeat {
  /** 0 to 5 */
  readonly seat: number;
  readonly name: null;
  readonly stack: 0;
  readonly bet: 0;
  readonly status: 'empty';
  readonly is_pro?: false;
}

export type SeatEntry = SeatInHand | SeatWaiting | EmptySeat;

export interface WaitingDetails {
  readonly player_count: number;
  readonly eligible_players: number;
  readonly min_required: number;
  readonly active_players: number;
  readonly away_players: number;
  readonly disconnected_players: number;
  readonly connected_players: number;
  /** Whole seconds, rounded up; only in the pause between hands */
  readonly remaining_seconds?: number;
  /** Whole seconds, rounded up; only in the pause between hands */
  readonly configured_delay_seconds?: number;
}

export interface StateActionFoldOrCheck {
  readonly action: 'fold' | 'check';
}

export interface StateActionCallOrAllIn {
  readonly action: 'call' | 'all_in';
  readonly amount: number;
}

export interface StateActionRaise {
  readonly action: 'raise';
  readonly min: number;
  readonly max: number;
}

export type StateAction = StateActionFoldOrCheck | StateActionCallOrAllIn | StateActionRaise;

export interface TableStateMessageHero {
  /** 0 to 5 */
  readonly seat: number;
  /** 2 items */
  readonly hole_cards?: readonly string[];
  /** 1 to 4 items */
  readonly valid_actions?: readonly StateAction[];
}

/** The whole table as its receiver may see it, after every change */
export interface TableStateMessage {
  readonly stream: 'state';
  /** 1 to 128 characters */
  readonly table_id: string;
  /** uuid */
  readonly hand_id: string | null;
  /** at least 1 */
  readonly table_seq: number;
  /** at least 1 */
  readonly hand_seq: number | null;
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$ */
  readonly ts: string;
  /** as ^sha256:[0-9a-f]{64}$ */
  readonly state_hash: string | null;
  readonly type: 'table_state';
  readonly street: 'idle' | 'preflop' | 'flop' | 'turn' | 'river';
  /** 0 to 5 */
  readonly dealer_seat: number;
  readonly small_blind: number;
  readonly big_blind: number;
  readonly pot: number;
  /** 0 to 5 */
  readonly actor_seat?: number;
  /** at most 5 items */
  readonly board: readonly string[];
  /** 2 to 6 items */
  readonly seats: readonly SeatEntry[];
  readonly waiting_reason?:
    | 'insufficient_players'
    | 'awaiting_rebuy'
    | 'awaiting_reconnect'
    | 'all_players_disconnected'
    | 'between_hands_delay'
    | 'awaiting_hand_start'
    | 'table_closing';
  readonly waiting_details?: WaitingDetails;
  readonly to_call?: number;
  readonly min_raise_to?: number;
  readonly max_raise_to?: number;
  readonly hero?: TableStateMessageHero;
}

export type ReplayedEvent =
  | HandStartMessage
  | PlayerActionMessage
  | CommunityCardsMessage
  | HandResultMessage
  | PlayerJoinedMessage
  | PlayerLeftMessage
  | TableClosedMessage;

export interface ResyncSnapshotHero {
  /** 0 to 5 */
  readonly seat: number;
  /** 2 items */
  readonly hole_cards?: readonly string[];
  /** 1 to 4 items */
  readonly valid_actions?: readonly StateAction[];
  /** uuid */
  readonly turn_token?: string;
}

/** Your own table_state, with its own state_hash. The hero of the player to act has the turn_token */
export interface ResyncSnapshot {
  readonly stream: 'state';
  /** 1 to 128 characters */
  readonly table_id: string;
  /** uuid */
  readonly hand_id: string | null;
  /** at least 1 */
  readonly table_seq: number;
  /** at least 1 */
  readonly hand_seq: number | null;
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$ */
  readonly ts: string;
  /** as ^sha256:[0-9a-f]{64}$ */
  readonly state_hash: string | null;
  readonly type: 'table_state';
  readonly street: 'idle' | 'preflop' | 'flop' | 'turn' | 'river';
  /** 0 to 5 */
  readonly dealer_seat: number;
  readonly small_blind: number;
  readonly big_blind: number;
  readonly pot: number;
  /** 0 to 5 */
  readonly actor_seat?: number;
  /** at most 5 items */
  readonly board: readonly string[];
  /** 2 to 6 items */
  readonly seats: readonly SeatEntry[];
  readonly waiting_reason?:
    | 'insufficient_players'
    | 'awaiting_rebuy'
    | 'awaiting_reconnect'
    | 'all_players_disconnected'
    | 'between_hands_delay'
    | 'awaiting_hand_start'
    | 'table_closing';
  readonly waiting_details?: WaitingDetails;
  readonly to_call?: number;
  readonly min_raise_to?: number;
  readonly max_raise_to?: number;
  readonly hero?: ResyncSnapshotHero;
}

/** The missed events, and a snapshot */
export interface ResyncResponseMessage {
  readonly stream: 'event';
  /** 1 to 128 characters */
  readonly table_id: string;
  /** uuid */
  readonly hand_id: string | null;
  /** at least 1 */
  readonly table_seq: number;
  /** at least 1 */
  readonly hand_seq: number | null;
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$ */
  readonly ts: string;
  readonly state_hash: null;
  readonly type: 'resync_response';
  readonly role: 'player' | 'spectator';
  /** The start of the replay. Null without a replay */
  readonly from_table_seq: number | null;
  /** The table_seq of this message */
  readonly to_table_seq: number;
  readonly replayed_events: readonly ReplayedEvent[];
  /** Your own table_state, with its own state_hash. The hero of the player to act has the turn_token */
  readonly snapshot: ResyncSnapshot;
}

/** The next season has begun. Join the lobby again */
export interface SeasonEndedMessage {
  readonly type: 'season_ended';
  /** at least 1 */
  readonly season_number: number;
  /** at least 1 */
  readonly next_season_number: number;
}

export interface HandMessageBlinds {
  readonly small_blind: number;
  readonly big_blind: number;
}

export interface HandMessagePlayer {
  /** 0 to 5 */
  readonly seat: number;
  /** not empty */
  readonly name: string;
  readonly stack: number;
  readonly bet: number;
}

/** Lean: a hand begins, with the agent's cards */
export interface HandMessage {
  readonly type: 'hand';
  /** 1 to 128 characters */
  readonly table_id: string;
  /** uuid */
  readonly hand_id: string;
  /** at least 1 */
  readonly table_seq: number;
  /** 0 to 5 */
  readonly seat: number;
  /** 0 to 5 */
  readonly dealer_seat: number;
  readonly blinds: HandMessageBlinds;
  /** at least 2 items */
  readonly players: readonly HandMessagePlayer[];
  /** 2 items */
  readonly hole_cards: readonly string[];
}

export interface TurnMessageAction {
  /** 0 to 5 */
  readonly seat: number;
  readonly action: 'fold' | 'check' | 'call' | 'raise' | 'all_in';
  readonly amount: number | null;
  readonly street: 'preflop' | 'flop' | 'turn' | 'river';
}

/** Lean: decide. With all actions since the last turn */
export interface TurnMessage {
  readonly type: 'turn';
  /** 1 to 128 characters */
  readonly table_id: string;
  /** uuid */
  readonly hand_id: string;
  /** at least 1 */
  readonly table_seq: number;
  readonly first: number;
  readonly actions: readonly TurnMessageAction[];
  /** at most 5 items */
  readonly board: readonly string[];
  readonly pot: number;
  /** 1 to 4 items */
  readonly valid_actions: readonly TurnAction[];
  /** uuid */
  readonly turn_token: string;
  readonly deadline_ms: number;
  readonly time_bank_ms: number | null;
}

/** Lean: the action was accepted */
export interface AckMessage {
  readonly type: 'ack';
  /** 1 to 128 characters */
  readonly client_action_id: string | null;
  readonly taken_as?: 'check';
  /** The part of a mixed action that was drawn */
  readonly drawn?: DrawnPart;
}

export interface ResultMessageAction {
  /** 0 to 5 */
  readonly seat: number;
  readonly action: 'fold' | 'check' | 'call' | 'raise' | 'all_in';
  readonly amount: number | null;
  readonly street: 'preflop' | 'flop' | 'turn' | 'river';
}

export interface ResultMessageWinner {
  /** 0 to 5 */
  readonly seat: number;
  readonly amount: number;
  readonly payout: number;
}

/** Lean: the hand is settled and stored. With all actions since the last turn */
export interface ResultMessage {
  readonly type: 'result';
  /** 1 to 128 characters */
  readonly table_id: string;
  /** uuid */
  readonly hand_id: string;
  /** at least 1 */
  readonly table_seq: number;
  readonly first: number;
  readonly actions: readonly ResultMessageAction[];
  /** at most 5 items */
  readonly board: readonly string[];
  /** not empty */
  readonly winners: readonly ResultMessageWinner[];
  readonly shown_cards: Readonly<Record<string, readonly string[]>>;
  readonly final_stacks: Readonly<Record<string, number>>;
}

/** Ask for a seat, and enter the current season */
export interface JoinLobbyMessage {
  readonly type: 'join_lobby';
  /** Chips to take to the table */
  readonly buy_in?: number | null;
  /** The version of your bot. Its hands are rated apart for you (GET /api/me/versions), for the first 50 versions of a season; 1 to 32 characters; as ^[A-Za-z0-9._-]{1,32}$ */
  readonly version?: string | null;
}

export interface MixPart {
  readonly action: 'fold' | 'check' | 'call' | 'raise' | 'all_in';
  /** The raise-to total; read for a raise only */
  readonly amount?: number | null;
  /** Its probability; all sum to 1; above 0 */
  readonly p: number;
}

/** The server draws one of the parts (protocol.md, "Mixed actions") */
export interface ActionMix {
  /** 1 to 8 items */
  readonly mix: readonly MixPart[];
}

export type ActionMessageAction = 'fold' | 'check' | 'call' | 'raise' | 'all_in' | ActionMix;

/** Fold, check, call, raise or go all-in */
export interface ActionMessage {
  readonly type: 'action';
  readonly action: ActionMessageAction;
  /** The raise-to total. It counts only for a raise */
  readonly amount?: number | null;
  /** Your own id of this decision. Required, unless ACTION_PROTOCOL=loose; 1 to 128 characters */
  readonly client_action_id?: string | null;
  /** As in your_turn. Required, unless ACTION_PROTOCOL=loose; 1 to 128 characters */
  readonly turn_token?: string | null;
  /** As in your_turn. Required, unless ACTION_PROTOCOL=loose; 1 to 128 characters */
  readonly hand_id?: string | null;
}

/** Ask for chips after a bust */
export interface RebuyMessage {
  readonly type: 'rebuy';
  /** Not read */
  readonly amount?: number | null;
  /** In a competition: the server confirms a repetition with the same id, and grants nothing again; 1 to 128 characters */
  readonly request_id?: string | null;
}

/** Leave the seat, at the latest at the end of the hand */
export interface LeaveTableMessage {
  readonly type: 'leave_table';
}

/** Ask for missed events */
export interface ResyncRequestMessage {
  readonly type: 'resync_request';
  /** 1 to 128 characters */
  readonly table_id: string;
  /** The highest number that you read. Null or 0 asks for all events that the table remembers */
  readonly last_table_seq?: number | null;
}

/** Switch automatic rebuys after a bust on or off */
export interface SetAutoRebuyMessage {
  readonly type: 'set_auto_rebuy';
  readonly enabled: boolean;
}

/** Take part in shuffling the next deck */
export interface DealNonceMessage {
  readonly type: 'deal_nonce';
  /** as ^[0-9a-f]{64}$ */
  readonly nonce: string;
}

/** What the server says, by type. */
export interface ServerMessages {
  /** The key was accepted */
  connected: ConnectedMessage;
  /** A fault outside the play of a hand. The socket stays open unless a close code follows */
  error: ErrorMessage;
  /** The agent waits for a seat */
  lobby_joined: LobbyJoinedMessage;
  /** The agent has a seat. A table_state follows at once */
  table_joined: TableJoinedMessage;
  /** A hand begins. Blinds have no event of their own */
  hand_start: HandStartMessage;
  /** Private: the agent's own two cards */
  hole_cards: HoleCardsMessage;
  /** Private: decide within the time limit, and send turn_token and hand_id back */
  your_turn: YourTurnMessage;
  /** Private: the action was accepted */
  action_ack: ActionAckMessage;
  /** Private: the action was refused. The turn stays open */
  action_rejected: ActionRejectedMessage;
  /** A player acted, or the server acted for it */
  player_action: PlayerActionMessage;
  /** The next street opens */
  community_cards: CommunityCardsMessage;
  /** The hand is settled and stored */
  hand_result: HandResultMessage;
  /** Out of chips and off the table: rebuy, or leave */
  busted: BustedMessage;
  /** Chips were credited to the balance. Join the lobby again */
  rebuy_confirmed: RebuyConfirmedMessage;
  /** The preference is saved */
  auto_rebuy_set: AutoRebuySetMessage;
  /** A rebuy will be credited at rebuy_at */
  auto_rebuy_scheduled: AutoRebuyScheduledMessage;
  /** Chips above the maximum table stack went back to the balance */
  chips_skimmed: ChipsSkimmedMessage;
  /** The nonce was taken. It may count in the next deck */
  deal_nonce_ack: DealNonceAckMessage;
  /** Another player sat down */
  player_joined: PlayerJoinedMessage;
  /** A player left its seat */
  player_left: PlayerLeftMessage;
  /** The table is gone, and all stacks are in the balances. Join the lobby again */
  table_closed: TableClosedMessage;
  /** The whole table as its receiver may see it, after every change */
  table_state: TableStateMessage;
  /** The missed events, and a snapshot */
  resync_response: ResyncResponseMessage;
  /** The next season has begun. Join the lobby again */
  season_ended: SeasonEndedMessage;
  /** Lean: a hand begins, with the agent's cards */
  hand: HandMessage;
  /** Lean: decide. With all actions since the last turn */
  turn: TurnMessage;
  /** Lean: the action was accepted */
  ack: AckMessage;
  /** Lean: the hand is settled and stored. With all actions since the last turn */
  result: ResultMessage;
}

export type ServerMessageType = keyof ServerMessages;

/** New types may come: whoever reads must be content with others. */

export type ServerMessage = ServerMessages[ServerMessageType];

/** What a bot may say, by type. */
export interface ClientMessages {
  /** Ask for a seat, and enter the current season */
  join_lobby: JoinLobbyMessage;
  /** Fold, check, call, raise or go all-in */
  action: ActionMessage;
  /** Ask for chips after a bust */
  rebuy: RebuyMessage;
  /** Leave the seat, at the latest at the end of the hand */
  leave_table: LeaveTableMessage;
  /** Ask for missed events */
  resync_request: ResyncRequestMessage;
  /** Switch automatic rebuys after a bust on or off */
  set_auto_rebuy: SetAutoRebuyMessage;
  /** Take part in shuffling the next deck */
  deal_nonce: DealNonceMessage;
}

export type ClientMessage = ClientMessages[keyof ClientMessages];

/** Why the server ends a socket, by close code. */
export const CLOSE_REASONS = {
  '1008': 'too many messages',
  '1009': 'frame too large',
  '1012': 'server is restarting',
  '1013': 'reader too slow',
  '4001': 'unauthorized',
  '4002': 'session taken over',
  '4003': 'token expired',
  '4004': 'no such table to watch',
  '4008': 'too many watch',
  '4009': 'seated in another competition',
  '4010': 'table closed',
} as const;

/** By code of `error`. */
export const ERROR_TEXTS = {
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

export type ErrorCode = keyof typeof ERROR_TEXTS;

/** By code of `action_rejected`. */
export const REJECTION_TEXTS = {
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

export type RejectionCode = keyof typeof REJECTION_TEXTS;
