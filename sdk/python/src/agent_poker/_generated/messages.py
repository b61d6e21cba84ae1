"""What goes over the WebSocket. Written by npm run generate from src/protocol; do not edit."""

from __future__ import annotations

from typing import Any, Dict, List, Literal, Optional, TypedDict, Union



class ConnectedMessage(TypedDict):
    """The key was accepted"""

    type: Literal["connected"]
    #: uuid
    agent_id: str
    #: not empty
    name: str
    season_mode: bool


class PlainError(TypedDict):
    type: Literal["error"]
    code: Literal[
        "auth_failed",
        "unknown_message",
        "rate_limited",
        "invalid_message",
        "insufficient_funds",
        "insufficient_balance",
        "insufficient_season_chips",
        "already_in_lobby",
        "lobby_full",
        "not_at_table",
        "not_registered_for_season",
        "no_active_season",
        "season_error",
        "season_buy_in_failed",
        "invalid_buy_in",
        "invalid_rebuy",
        "rebuy_during_hand",
        "leave_pending",
        "table_not_found",
        "email_not_verified",
        "not_season_mode",
        "flood_warning",
        "flood_kick",
        "scope_connection_already_active",
    ]
    #: not empty
    message: str


class AlreadySeatedErrorDetails(TypedDict):
    #: 1 to 128 characters
    table_id: str
    #: 0 to 5
    seat: int


class AlreadySeatedError(TypedDict):
    type: Literal["error"]
    code: Literal["already_seated"]
    #: not empty
    message: str
    #: 1 to 128 characters
    table_id: str
    #: 0 to 5
    seat: int
    details: AlreadySeatedErrorDetails


class RebuyCooldownError(TypedDict):
    type: Literal["error"]
    code: Literal["rebuy_cooldown"]
    #: not empty
    message: str
    cooldown_seconds: int
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$
    rebuy_at: str


#: A fault outside the play of a hand. The socket stays open unless a close code follows
ErrorMessage = Union[PlainError, AlreadySeatedError, RebuyCooldownError]


class LobbyJoinedMessage(TypedDict):
    """The agent waits for a seat"""

    type: Literal["lobby_joined"]
    #: at least 1
    position: int
    #: For people, such as ~5s; not empty
    estimated_wait: str


class PlayerAtSeat(TypedDict):
    #: 0 to 5
    seat: int
    #: not empty
    name: str
    stack: int


class _TableJoinedMessageAlways(TypedDict):
    stream: Literal["event"]
    #: 1 to 128 characters
    table_id: str
    #: uuid
    hand_id: Optional[str]
    #: at least 1
    table_seq: int
    #: at least 1
    hand_seq: Optional[int]
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$
    ts: str
    state_hash: None
    type: Literal["table_joined"]
    #: 0 to 5
    seat: int
    #: not empty
    players: List[PlayerAtSeat]


class TableJoinedMessage(_TableJoinedMessageAlways, total=False):
    """The agent has a seat. A table_state follows at once"""

    posts_big_blind: Literal[True]


class HandStartMessageBlinds(TypedDict):
    small_blind: int
    big_blind: int


class Posted(TypedDict):
    #: 0 to 5
    seat: int
    amount: int
    kind: Literal["small_blind", "big_blind", "return"]


class SeatNonce(TypedDict):
    #: 0 to 5
    seat: int
    #: as ^[0-9a-f]{64}$
    nonce: str


class NextDealAnchor(TypedDict):
    #: 0 to 5
    seat: int
    #: as ^[0-9a-f]{64}$
    anchor: str


class NextDeal(TypedDict):
    #: as ^[0-9a-f]{64}$
    deck_commitment: str
    #: at most 6 items
    anchors: List[NextDealAnchor]


class _HandStartMessageAlways(TypedDict):
    stream: Literal["event"]
    #: 1 to 128 characters
    table_id: str
    #: uuid
    hand_id: str
    #: at least 1
    table_seq: int
    hand_seq: Literal[1]
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$
    ts: str
    state_hash: None
    type: Literal["hand_start"]
    #: 0 to 5
    dealer_seat: int
    blinds: HandStartMessageBlinds
    #: at least 2 items
    posts: List[Posted]


class HandStartMessage(_HandStartMessageAlways, total=False):
    """A hand begins. Blinds have no event of their own"""

    #: 0 to 5
    seat: int
    #: at least 1
    hand_number: int
    #: as ^[0-9a-f]{64}$
    deck_commitment: str
    #: at most 6 items
    deal_nonces: List[SeatNonce]
    next_deal: NextDeal


class HoleCardsMessage(TypedDict):
    """Private: the agent's own two cards"""

    stream: Literal["event"]
    #: 1 to 128 characters
    table_id: str
    #: uuid
    hand_id: str
    #: at least 1
    table_seq: int
    #: at least 1
    hand_seq: int
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$
    ts: str
    state_hash: None
    type: Literal["hole_cards"]
    #: 2 items
    cards: List[str]


class TurnActionFoldOrCheck(TypedDict):
    action: Literal["fold", "check"]
    amount: None
    min: None
    max: None


class TurnActionCall(TypedDict):
    action: Literal["call"]
    amount: int
    min: None
    max: None


class TurnActionRaise(TypedDict):
    action: Literal["raise"]
    amount: None
    min: int
    max: int


class TurnActionAllIn(TypedDict):
    action: Literal["all_in"]
    amount: int
    min: None
    max: None


TurnAction = Union[TurnActionFoldOrCheck, TurnActionCall, TurnActionRaise, TurnActionAllIn]


class YourTurnMessage(TypedDict):
    """Private: decide within the time limit, and send turn_token and hand_id back"""

    stream: Literal["event"]
    #: 1 to 128 characters
    table_id: str
    #: uuid
    hand_id: str
    #: at least 1
    table_seq: int
    #: at least 1
    hand_seq: int
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$
    ts: str
    state_hash: None
    type: Literal["your_turn"]
    #: 0 to 5
    seat: int
    #: 1 to 4 items
    valid_actions: List[TurnAction]
    pot: int
    #: at most 5 items
    community_cards: List[str]
    #: at least 2 items
    players: List[PlayerAtSeat]
    min_raise: int
    max_raise: int
    #: uuid
    turn_token: str
    deadline_ms: int
    time_bank_ms: Optional[int]


class _DrawnPartAlways(TypedDict):
    action: Literal["fold", "check", "call", "raise", "all_in"]
    #: Its number in the mix, from 0; 0 to 7
    part: int
    #: The draw
    u: float
    #: The number of the action in its hand, from 0: it names the draw
    number: int


class DrawnPart(_DrawnPartAlways, total=False):
    """The part of a mixed action that was drawn"""

    amount: int


class _ActionAckMessageAlways(TypedDict):
    stream: Literal["event"]
    #: 1 to 128 characters
    table_id: str
    #: uuid
    hand_id: Optional[str]
    #: at least 1
    table_seq: int
    #: at least 1
    hand_seq: Optional[int]
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$
    ts: str
    type: Literal["action_ack"]
    #: 1 to 128 characters
    client_action_id: Optional[str]
    status: Literal["accepted"]


class ActionAckMessage(_ActionAckMessageAlways, total=False):
    """Private: the action was accepted"""

    taken_as: Literal["check"]
    #: The part of a mixed action that was drawn
    drawn: DrawnPart


class _ActionRejectedAtTableDetailsAlways(TypedDict):
    code: Literal[
        "not_at_table",
        "table_not_found",
        "no_hand_in_progress",
        "not_your_turn",
        "missing_action_id",
        "action_id_conflict",
        "legacy_action_protocol",
        "stale_hand_action",
        "stale_turn_token",
        "invalid_action",
    ]


class ActionRejectedAtTableDetails(_ActionRejectedAtTableDetailsAlways, total=False):
    """
    The code and the client_action_id again. nearest: the two legal totals beside a fraction. part: the wrong part of a
    mix
    """

    #: 1 to 2 items
    nearest: List[int]
    #: 0 to 7
    part: int


class ActionRejectedAtTable(TypedDict):
    stream: Literal["event"]
    #: 1 to 128 characters
    table_id: str
    #: uuid
    hand_id: Optional[str]
    #: at least 1
    table_seq: int
    #: at least 1
    hand_seq: Optional[int]
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$
    ts: str
    type: Literal["action_rejected"]
    code: Literal[
        "not_at_table",
        "table_not_found",
        "no_hand_in_progress",
        "not_your_turn",
        "missing_action_id",
        "action_id_conflict",
        "legacy_action_protocol",
        "stale_hand_action",
        "stale_turn_token",
        "invalid_action",
    ]
    #: not empty
    reason: str
    #: The code and the client_action_id again. nearest: the two legal totals beside a fraction. part: the wrong part of
    #: a mix
    details: ActionRejectedAtTableDetails


class _ActionRejectedWithoutTableDetailsAlways(TypedDict):
    code: Literal[
        "not_at_table",
        "table_not_found",
        "no_hand_in_progress",
        "not_your_turn",
        "missing_action_id",
        "action_id_conflict",
        "legacy_action_protocol",
        "stale_hand_action",
        "stale_turn_token",
        "invalid_action",
    ]


class ActionRejectedWithoutTableDetails(_ActionRejectedWithoutTableDetailsAlways, total=False):
    """
    The code and the client_action_id again. nearest: the two legal totals beside a fraction. part: the wrong part of a
    mix
    """

    #: 1 to 2 items
    nearest: List[int]
    #: 0 to 7
    part: int


class ActionRejectedWithoutTable(TypedDict):
    type: Literal["action_rejected"]
    code: Literal["not_at_table", "table_not_found"]
    #: not empty
    reason: str
    #: The code and the client_action_id again. nearest: the two legal totals beside a fraction. part: the wrong part of
    #: a mix
    details: ActionRejectedWithoutTableDetails


#: Private: the action was refused. The turn stays open
ActionRejectedMessage = Union[ActionRejectedAtTable, ActionRejectedWithoutTable]


class _PlayerActionMessageAlways(TypedDict):
    stream: Literal["event"]
    #: 1 to 128 characters
    table_id: str
    #: uuid
    hand_id: str
    #: at least 1
    table_seq: int
    #: at least 1
    hand_seq: int
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$
    ts: str
    state_hash: None
    type: Literal["player_action"]
    #: 0 to 5
    seat: int
    #: not empty
    name: str
    action: Literal["fold", "check", "call", "raise", "all_in"]
    amount: Optional[int]
    street: Literal["preflop", "flop", "turn", "river"]
    stack: int
    pot: int
    reason: Optional[Literal["timeout", "left"]]
    #: 1 to 128 characters
    action_id: str
    amount_mode: Literal["incremental", "to_total"]
    pot_before: int
    pot_after: int
    to_call_before: Optional[int]
    stack_before: int
    stack_after: int
    contribution_delta: int
    player_stack_before: int
    player_stack_after: int


class PlayerActionMessage(_PlayerActionMessageAlways, total=False):
    """A player acted, or the server acted for it"""

    used_ms: int
    server_lag_ms: int
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$
    sent_at: str
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$
    deadline_at: str


class CommunityCardsMessageFlop(TypedDict):
    stream: Literal["event"]
    #: 1 to 128 characters
    table_id: str
    #: uuid
    hand_id: str
    #: at least 1
    table_seq: int
    #: at least 1
    hand_seq: int
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$
    ts: str
    state_hash: None
    type: Literal["community_cards"]
    street: Literal["flop"]
    #: 3 items
    cards: List[str]


class CommunityCardsMessageTurnOrRiver(TypedDict):
    stream: Literal["event"]
    #: 1 to 128 characters
    table_id: str
    #: uuid
    hand_id: str
    #: at least 1
    table_seq: int
    #: at least 1
    hand_seq: int
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$
    ts: str
    state_hash: None
    type: Literal["community_cards"]
    street: Literal["turn", "river"]
    #: 1 to 5 items
    cards: List[str]


#: The next street opens
CommunityCardsMessage = Union[CommunityCardsMessageFlop, CommunityCardsMessageTurnOrRiver]


class HandResultMessageWinner(TypedDict):
    #: 0 to 5
    seat: int
    #: not empty
    name: str
    stack: int
    amount: int
    #: not empty
    hand_description: str


class HandResultMessageAction(TypedDict):
    #: 0 to 5
    seat: int
    action: Literal["fold", "check", "call", "raise", "all_in"]
    amount: Optional[int]
    street: Literal["preflop", "flop", "turn", "river"]


class HandResultMessagePayout(TypedDict):
    #: 0 to 5
    seat: int
    amount: int


class OpenedCard(TypedDict):
    #: 0 to 16
    index: int
    #: as ^[2-9TJQKA][cdhs]$
    card: str
    #: as ^[0-9a-f]{32}$
    salt: str


class DealtDeck(TypedDict):
    #: 17 items
    hashes: List[str]
    #: as ^[0-9a-f]{64}$
    rest: str
    opened: List[OpenedCard]


class _OwnMixPartAlways(TypedDict):
    action: Literal["fold", "check", "call", "raise", "all_in"]
    #: above 0
    p: float


class OwnMixPart(_OwnMixPartAlways, total=False):
    amount: int


class OwnMix(TypedDict):
    """A mixed action, and what was drawn of it: only for readers that see the cards"""

    #: The number of the action in its hand, from 0: it names the draw
    number: int
    #: The draw
    u: float
    #: The number of the part that was drawn, from 0; 0 to 7
    part: int
    #: 1 to 8 items
    parts: List[OwnMixPart]


class OwnDice(TypedDict):
    """Opens the dice of a player that mixed actions in the hand"""

    #: as ^[0-9a-f]{32}$
    seed: str
    #: The hash of places 17 to 51; as ^[0-9a-f]{64}$
    undealt: str
    #: Of the dice by seat; 6 items
    hashes: List[str]
    #: not empty
    mixes: List[OwnMix]


class _HandResultMessageAlways(TypedDict):
    stream: Literal["event"]
    #: 1 to 128 characters
    table_id: str
    #: uuid
    hand_id: str
    #: at least 1
    table_seq: int
    #: at least 1
    hand_seq: int
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$
    ts: str
    state_hash: None
    type: Literal["hand_result"]
    #: amount is the net gain. hand_description names rank 2 "Two" or "Twos", and no kickers. Without a showdown it is
    #: Uncontested; not empty
    winners: List[HandResultMessageWinner]
    pot: int
    total_pot: int
    transferable_pot: int
    net_pot_after_rake: int
    final_stacks: Dict[str, int]
    pot_kind: Literal["transferable"]
    rake: Literal[0]
    rake_settled: Literal[0]
    shown_cards: Dict[str, List[str]]
    actions: List[HandResultMessageAction]
    #: not empty
    payouts: List[HandResultMessagePayout]
    outcome_kind: Literal["win", "split", "multiple_winners"]


class HandResultMessage(_HandResultMessageAlways, total=False):
    """The hand is settled and stored"""

    deal_proof: DealtDeck
    own_opened: List[OpenedCard]
    #: Opens the dice of a player that mixed actions in the hand
    own_dice: OwnDice


class BustedMessage(TypedDict):
    """Out of chips and off the table: rebuy, or leave"""

    type: Literal["busted"]
    #: 1 to 2 items
    options: List[Literal["rebuy", "leave"]]


class _RebuyConfirmedMessageAlways(TypedDict):
    type: Literal["rebuy_confirmed"]
    new_stack: Literal[0]
    chip_balance: int


class RebuyConfirmedMessage(_RebuyConfirmedMessageAlways, total=False):
    """Chips were credited to the balance. Join the lobby again"""

    #: The request_id of the rebuy message. Automatic rebuys have none
    request_id: str
    #: The rebuy was granted earlier and is confirmed again
    replayed: bool
    chips_granted: int
    score_penalty: int
    rebuys_used: int
    rebuy_penalty_total: int
    rebuys_remaining: Optional[int]
    #: The end of the cooldown. Null if no rebuys are left; as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$
    next_rebuy_at: Optional[str]
    #: The cooldown is over and a rebuy is left. The agent must also be out of chips
    rebuy_available_now: bool


class AutoRebuySetMessage(TypedDict):
    """The preference is saved"""

    type: Literal["auto_rebuy_set"]
    enabled: bool


class AutoRebuyScheduledMessage(TypedDict):
    """A rebuy will be credited at rebuy_at"""

    type: Literal["auto_rebuy_scheduled"]
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$
    rebuy_at: str
    cooldown_seconds: int


class ChipsSkimmedMessage(TypedDict):
    """Chips above the maximum table stack went back to the balance"""

    type: Literal["chips_skimmed"]
    excess: int
    new_stack: int
    new_balance: int


class DealNonceAckMessage(TypedDict):
    """The nonce was taken. It may count in the next deck"""

    type: Literal["deal_nonce_ack"]
    #: as ^[0-9a-f]{64}$
    nonce: str
    counts: bool
    #: at least 1
    hand_number: Optional[int]
    #: as ^[0-9a-f]{64}$
    deck_commitment: Optional[str]


class PlayerJoinedMessage(TypedDict):
    """Another player sat down"""

    stream: Literal["event"]
    #: 1 to 128 characters
    table_id: str
    #: uuid
    hand_id: Optional[str]
    #: at least 1
    table_seq: int
    #: at least 1
    hand_seq: Optional[int]
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$
    ts: str
    state_hash: None
    type: Literal["player_joined"]
    #: 0 to 5
    seat: int
    #: not empty
    name: str
    stack: int


class PlayerLeftMessage(TypedDict):
    """A player left its seat"""

    stream: Literal["event"]
    #: 1 to 128 characters
    table_id: str
    #: uuid
    hand_id: Optional[str]
    #: at least 1
    table_seq: int
    #: at least 1
    hand_seq: Optional[int]
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$
    ts: str
    state_hash: None
    type: Literal["player_left"]
    #: 0 to 5
    seat: int
    #: not empty
    name: str
    reason: Literal["left", "disconnected", "busted"]


class TableClosedMessage(TypedDict):
    """The table is gone, and all stacks are in the balances. Join the lobby again"""

    stream: Literal["event"]
    #: 1 to 128 characters
    table_id: str
    #: uuid
    hand_id: Optional[str]
    #: at least 1
    table_seq: int
    #: at least 1
    hand_seq: Optional[int]
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$
    ts: str
    state_hash: None
    type: Literal["table_closed"]
    reason: Literal[
        "insufficient_players",
        "season_ended",
        "competition_ended",
        "table_error",
        "closed_by_operator",
        "pace",
    ]


class _SeatInHandAlways(TypedDict):
    #: 0 to 5
    seat: int
    #: not empty
    name: str
    stack: int
    bet: int
    status: Literal["active", "away", "sitting_out", "disconnected"]
    is_pro: bool
    in_hand: Literal[True]
    folded: bool


class SeatInHand(_SeatInHandAlways, total=False):
    avatar_url: str
    public_profile_slug: str
    is_house: bool


class _SeatWaitingAlways(TypedDict):
    #: 0 to 5
    seat: int
    #: not empty
    name: str
    stack: int
    bet: int
    status: Literal["active", "away", "sitting_out", "disconnected"]
    is_pro: bool
    in_hand: Literal[False]


class SeatWaiting(_SeatWaitingAlways, total=False):
    avatar_url: str
    public_profile_slug: str
    is_house: bool


class _EmptySeatAlways(TypedDict):
    #: 0 to 5
    seat: int
    name: None
    stack: Literal[0]
    bet: Literal[0]
    status: Literal["empty"]


class EmptySeat(_EmptySeatAlways, total=False):
    is_pro: Literal[False]


SeatEntry = Union[SeatInHand, SeatWaiting, EmptySeat]


class _WaitingDetailsAlways(TypedDict):
    player_count: int
    eligible_players: int
    min_required: int
    active_players: int
    away_players: int
    disconnected_players: int
    connected_players: int


class WaitingDetails(_WaitingDetailsAlways, total=False):
    #: Whole seconds, rounded up; only in the pause between hands
    remaining_seconds: int
    #: Whole seconds, rounded up; only in the pause between hands
    configured_delay_seconds: int


class StateActionFoldOrCheck(TypedDict):
    action: Literal["fold", "check"]


class StateActionCallOrAllIn(TypedDict):
    action: Literal["call", "all_in"]
    amount: int


class StateActionRaise(TypedDict):
    action: Literal["raise"]
    min: int
    max: int


StateAction = Union[StateActionFoldOrCheck, StateActionCallOrAllIn, StateActionRaise]


class _TableStateMessageHeroAlways(TypedDict):
    #: 0 to 5
    seat: int


class TableStateMessageHero(_TableStateMessageHeroAlways, total=False):
    #: 2 items
    hole_cards: List[str]
    #: 1 to 4 items
    valid_actions: List[StateAction]


class _TableStateMessageAlways(TypedDict):
    stream: Literal["state"]
    #: 1 to 128 characters
    table_id: str
    #: uuid
    hand_id: Optional[str]
    #: at least 1
    table_seq: int
    #: at least 1
    hand_seq: Optional[int]
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$
    ts: str
    #: as ^sha256:[0-9a-f]{64}$
    state_hash: Optional[str]
    type: Literal["table_state"]
    street: Literal["idle", "preflop", "flop", "turn", "river"]
    #: 0 to 5
    dealer_seat: int
    small_blind: int
    big_blind: int
    pot: int
    #: at most 5 items
    board: List[str]
    #: 2 to 6 items
    seats: List[SeatEntry]


class TableStateMessage(_TableStateMessageAlways, total=False):
    """The whole table as its receiver may see it, after every change"""

    #: 0 to 5
    actor_seat: int
    waiting_reason: Literal[
        "insufficient_players",
        "awaiting_rebuy",
        "awaiting_reconnect",
        "all_players_disconnected",
        "between_hands_delay",
        "awaiting_hand_start",
        "table_closing",
    ]
    waiting_details: WaitingDetails
    to_call: int
    min_raise_to: int
    max_raise_to: int
    hero: TableStateMessageHero


ReplayedEvent = Union[
    HandStartMessage,
    PlayerActionMessage,
    CommunityCardsMessage,
    HandResultMessage,
    PlayerJoinedMessage,
    PlayerLeftMessage,
    TableClosedMessage,
]


class _ResyncSnapshotHeroAlways(TypedDict):
    #: 0 to 5
    seat: int


class ResyncSnapshotHero(_ResyncSnapshotHeroAlways, total=False):
    #: 2 items
    hole_cards: List[str]
    #: 1 to 4 items
    valid_actions: List[StateAction]
    #: uuid
    turn_token: str


class _ResyncSnapshotAlways(TypedDict):
    stream: Literal["state"]
    #: 1 to 128 characters
    table_id: str
    #: uuid
    hand_id: Optional[str]
    #: at least 1
    table_seq: int
    #: at least 1
    hand_seq: Optional[int]
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$
    ts: str
    #: as ^sha256:[0-9a-f]{64}$
    state_hash: Optional[str]
    type: Literal["table_state"]
    street: Literal["idle", "preflop", "flop", "turn", "river"]
    #: 0 to 5
    dealer_seat: int
    small_blind: int
    big_blind: int
    pot: int
    #: at most 5 items
    board: List[str]
    #: 2 to 6 items
    seats: List[SeatEntry]


class ResyncSnapshot(_ResyncSnapshotAlways, total=False):
    """Your own table_state, with its own state_hash. The hero of the player to act has the turn_token"""

    #: 0 to 5
    actor_seat: int
    waiting_reason: Literal[
        "insufficient_players",
        "awaiting_rebuy",
        "awaiting_reconnect",
        "all_players_disconnected",
        "between_hands_delay",
        "awaiting_hand_start",
        "table_closing",
    ]
    waiting_details: WaitingDetails
    to_call: int
    min_raise_to: int
    max_raise_to: int
    hero: ResyncSnapshotHero


class ResyncResponseMessage(TypedDict):
    """The missed events, and a snapshot"""

    stream: Literal["event"]
    #: 1 to 128 characters
    table_id: str
    #: uuid
    hand_id: Optional[str]
    #: at least 1
    table_seq: int
    #: at least 1
    hand_seq: Optional[int]
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$
    ts: str
    state_hash: None
    type: Literal["resync_response"]
    role: Literal["player", "spectator"]
    #: The start of the replay. Null without a replay
    from_table_seq: Optional[int]
    #: The table_seq of this message
    to_table_seq: int
    replayed_events: List[ReplayedEvent]
    #: Your own table_state, with its own state_hash. The hero of the player to act has the turn_token
    snapshot: ResyncSnapshot


class SeasonEndedMessage(TypedDict):
    """The next season has begun. Join the lobby again"""

    type: Literal["season_ended"]
    #: at least 1
    season_number: int
    #: at least 1
    next_season_number: int


class HandMessageBlinds(TypedDict):
    small_blind: int
    big_blind: int


class HandMessagePlayer(TypedDict):
    #: 0 to 5
    seat: int
    #: not empty
    name: str
    stack: int
    bet: int


class HandMessage(TypedDict):
    """Lean: a hand begins, with the agent's cards"""

    type: Literal["hand"]
    #: 1 to 128 characters
    table_id: str
    #: uuid
    hand_id: str
    #: at least 1
    table_seq: int
    #: 0 to 5
    seat: int
    #: 0 to 5
    dealer_seat: int
    blinds: HandMessageBlinds
    #: at least 2 items
    players: List[HandMessagePlayer]
    #: 2 items
    hole_cards: List[str]


class TurnMessageAction(TypedDict):
    #: 0 to 5
    seat: int
    action: Literal["fold", "check", "call", "raise", "all_in"]
    amount: Optional[int]
    street: Literal["preflop", "flop", "turn", "river"]


class TurnMessage(TypedDict):
    """Lean: decide. With all actions since the last turn"""

    type: Literal["turn"]
    #: 1 to 128 characters
    table_id: str
    #: uuid
    hand_id: str
    #: at least 1
    table_seq: int
    first: int
    actions: List[TurnMessageAction]
    #: at most 5 items
    board: List[str]
    pot: int
    #: 1 to 4 items
    valid_actions: List[TurnAction]
    #: uuid
    turn_token: str
    deadline_ms: int
    time_bank_ms: Optional[int]


class _AckMessageAlways(TypedDict):
    type: Literal["ack"]
    #: 1 to 128 characters
    client_action_id: Optional[str]


class AckMessage(_AckMessageAlways, total=False):
    """Lean: the action was accepted"""

    taken_as: Literal["check"]
    #: The part of a mixed action that was drawn
    drawn: DrawnPart


class ResultMessageAction(TypedDict):
    #: 0 to 5
    seat: int
    action: Literal["fold", "check", "call", "raise", "all_in"]
    amount: Optional[int]
    street: Literal["preflop", "flop", "turn", "river"]


class ResultMessageWinner(TypedDict):
    #: 0 to 5
    seat: int
    amount: int
    payout: int


class ResultMessage(TypedDict):
    """Lean: the hand is settled and stored. With all actions since the last turn"""

    type: Literal["result"]
    #: 1 to 128 characters
    table_id: str
    #: uuid
    hand_id: str
    #: at least 1
    table_seq: int
    first: int
    actions: List[ResultMessageAction]
    #: at most 5 items
    board: List[str]
    #: not empty
    winners: List[ResultMessageWinner]
    shown_cards: Dict[str, List[str]]
    final_stacks: Dict[str, int]


class _JoinLobbyMessageAlways(TypedDict):
    type: Literal["join_lobby"]


class JoinLobbyMessage(_JoinLobbyMessageAlways, total=False):
    """Ask for a seat, and enter the current season"""

    #: Chips to take to the table
    buy_in: Optional[int]
    #: The version of your bot. Its hands are rated apart for you (GET /api/me/versions), for the first 50 versions of a
    #: season; 1 to 32 characters; as ^[A-Za-z0-9._-]{1,32}$
    version: Optional[str]


class _MixPartAlways(TypedDict):
    action: Literal["fold", "check", "call", "raise", "all_in"]
    #: Its probability; all sum to 1; above 0
    p: float


class MixPart(_MixPartAlways, total=False):
    #: The raise-to total; read for a raise only
    amount: Optional[float]


class ActionMix(TypedDict):
    """The server draws one of the parts (protocol.md, "Mixed actions")"""

    #: 1 to 8 items
    mix: List[MixPart]


ActionMessageAction = Union[
    Literal["fold"],
    Literal["check"],
    Literal["call"],
    Literal["raise"],
    Literal["all_in"],
    ActionMix,
]


class _ActionMessageAlways(TypedDict):
    type: Literal["action"]
    action: ActionMessageAction


class ActionMessage(_ActionMessageAlways, total=False):
    """Fold, check, call, raise or go all-in"""

    #: The raise-to total. It counts only for a raise
    amount: Optional[float]
    #: Your own id of this decision. Required, unless ACTION_PROTOCOL=loose; 1 to 128 characters
    client_action_id: Optional[str]
    #: As in your_turn. Required, unless ACTION_PROTOCOL=loose; 1 to 128 characters
    turn_token: Optional[str]
    #: As in your_turn. Required, unless ACTION_PROTOCOL=loose; 1 to 128 characters
    hand_id: Optional[str]


class _RebuyMessageAlways(TypedDict):
    type: Literal["rebuy"]


class RebuyMessage(_RebuyMessageAlways, total=False):
    """Ask for chips after a bust"""

    #: Not read
    amount: Optional[int]
    #: In a competition: the server confirms a repetition with the same id, and grants nothing again; 1 to 128
    #: characters
    request_id: Optional[str]


class LeaveTableMessage(TypedDict):
    """Leave the seat, at the latest at the end of the hand"""

    type: Literal["leave_table"]


class _ResyncRequestMessageAlways(TypedDict):
    type: Literal["resync_request"]
    #: 1 to 128 characters
    table_id: str


class ResyncRequestMessage(_ResyncRequestMessageAlways, total=False):
    """Ask for missed events"""

    #: The highest number that you read. Null or 0 asks for all events that the table remembers
    last_table_seq: Optional[int]


class SetAutoRebuyMessage(TypedDict):
    """Switch automatic rebuys after a bust on or off"""

    type: Literal["set_auto_rebuy"]
    enabled: bool


class DealNonceMessage(TypedDict):
    """Take part in shuffling the next deck"""

    type: Literal["deal_nonce"]
    #: as ^[0-9a-f]{64}$
    nonce: str


#: New types may come: whoever reads must be content with others.
ServerMessage = Union[
    ConnectedMessage,
    ErrorMessage,
    LobbyJoinedMessage,
    TableJoinedMessage,
    HandStartMessage,
    HoleCardsMessage,
    YourTurnMessage,
    ActionAckMessage,
    ActionRejectedMessage,
    PlayerActionMessage,
    CommunityCardsMessage,
    HandResultMessage,
    BustedMessage,
    RebuyConfirmedMessage,
    AutoRebuySetMessage,
    AutoRebuyScheduledMessage,
    ChipsSkimmedMessage,
    DealNonceAckMessage,
    PlayerJoinedMessage,
    PlayerLeftMessage,
    TableClosedMessage,
    TableStateMessage,
    ResyncResponseMessage,
    SeasonEndedMessage,
    HandMessage,
    TurnMessage,
    AckMessage,
    ResultMessage,
]


#: What a bot may say.
ClientMessage = Union[
    JoinLobbyMessage,
    ActionMessage,
    RebuyMessage,
    LeaveTableMessage,
    ResyncRequestMessage,
    SetAutoRebuyMessage,
    DealNonceMessage,
]


#: What the server says, by type.
SERVER_MESSAGES: Dict[str, Any] = {
    "connected": ConnectedMessage,
    "error": ErrorMessage,
    "lobby_joined": LobbyJoinedMessage,
    "table_joined": TableJoinedMessage,
    "hand_start": HandStartMessage,
    "hole_cards": HoleCardsMessage,
    "your_turn": YourTurnMessage,
    "action_ack": ActionAckMessage,
    "action_rejected": ActionRejectedMessage,
    "player_action": PlayerActionMessage,
    "community_cards": CommunityCardsMessage,
    "hand_result": HandResultMessage,
    "busted": BustedMessage,
    "rebuy_confirmed": RebuyConfirmedMessage,
    "auto_rebuy_set": AutoRebuySetMessage,
    "auto_rebuy_scheduled": AutoRebuyScheduledMessage,
    "chips_skimmed": ChipsSkimmedMessage,
    "deal_nonce_ack": DealNonceAckMessage,
    "player_joined": PlayerJoinedMessage,
    "player_left": PlayerLeftMessage,
    "table_closed": TableClosedMessage,
    "table_state": TableStateMessage,
    "resync_response": ResyncResponseMessage,
    "season_ended": SeasonEndedMessage,
    "hand": HandMessage,
    "turn": TurnMessage,
    "ack": AckMessage,
    "result": ResultMessage,
}


#: What a bot may say, by type.
CLIENT_MESSAGES: Dict[str, Any] = {
    "join_lobby": JoinLobbyMessage,
    "action": ActionMessage,
    "rebuy": RebuyMessage,
    "leave_table": LeaveTableMessage,
    "resync_request": ResyncRequestMessage,
    "set_auto_rebuy": SetAutoRebuyMessage,
    "deal_nonce": DealNonceMessage,
}


#: Why the server ends a socket, by close code.
CLOSE_REASONS: Dict[int, str] = {
    1008: "too many messages",
    1009: "frame too large",
    1012: "server is restarting",
    1013: "reader too slow",
    4001: "unauthorized",
    4002: "session taken over",
    4003: "token expired",
    4004: "no such table to watch",
    4008: "too many watch",
    4009: "seated in another competition",
    4010: "table closed",
}


#: By code of `error`.
ERROR_TEXTS: Dict[str, str] = {
    "auth_failed": "Invalid or missing API key",
    "unknown_message": "Unknown message type",
    "rate_limited": "Too many messages: at most 20 a second; what is beyond is dropped",
    "invalid_message": "Malformed JSON or invalid message",
    "insufficient_funds": "Balance too low for this buy-in",
    "insufficient_balance": "Credit balance too low",
    "insufficient_season_chips": "Not enough season chips for this buy-in",
    "already_seated": "You are already seated; send leave_table first to join another table",
    "already_in_lobby": "You are already in the lobby",
    "lobby_full": "The lobby is full; try again later",
    "not_at_table": "You are not at a table",
    "not_registered_for_season": "Not registered for this season",
    "no_active_season": "No active season",
    "season_error": "The season changed; try again",
    "season_buy_in_failed": "The buy-in could not be taken from your season chips",
    "invalid_buy_in": "Buy-in must be between 1000 and 5000",
    "invalid_rebuy": "You can rebuy only when out of chips and off the table",
    "rebuy_during_hand": "You cannot rebuy during a hand",
    "rebuy_cooldown": "Rebuy on cooldown",
    "leave_pending": "You are already leaving the table",
    "table_not_found": "Table not found",
    "email_not_verified": "Verify your email address first",
    "not_season_mode": "This action requires season mode",
    "flood_warning": "Too many invalid actions; keep on and you are removed from the table",
    "flood_kick": "Too many invalid actions; you were removed from the table",
    "scope_connection_already_active": "You are seated in another competition; leave that table first",
}


#: By code of `action_rejected`.
REJECTION_TEXTS: Dict[str, str] = {
    "not_at_table": "You are not at a table",
    "table_not_found": "Table not found",
    "no_hand_in_progress": "No hand in progress",
    "not_your_turn": "Not your turn",
    "missing_action_id": "Missing client_action_id",
    "action_id_conflict": "Conflicting payload for existing client_action_id",
    "legacy_action_protocol": "Legacy action protocol: hand_id and turn_token of your_turn are required",
    "stale_hand_action": "Stale hand_id: the action names another hand",
    "stale_turn_token": "Stale or missing turn_token",
    "invalid_action": "Invalid action",
}