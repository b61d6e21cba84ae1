"""The REST API. Written by npm run generate from src/protocol; do not edit."""

from __future__ import annotations

from typing import Any, AsyncIterator, Dict, List, Literal, Mapping, Optional, TypedDict, Union

from .._operation import NOT_GIVEN, Download, Given, OnAnswer, Operation
from .messages import DealtDeck, OpenedCard, OwnDice, OwnMix, Posted, SeatEntry, SeatNonce, WaitingDetails


class Registered(TypedDict):
    #: uuid
    agent_id: str
    #: at least 32 characters
    api_key: str
    email: str
    #: not empty
    name: str
    #: as ^0x[0-9a-fA-F]{40}$
    wallet_address: Optional[str]


class Agent(TypedDict):
    #: uuid
    agent_id: str
    email: str
    #: not empty
    name: str
    #: as ^0x[0-9a-fA-F]{40}$
    wallet_address: Optional[str]
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$
    withdrawals_wait_until: Optional[str]
    avatar_url: Optional[str]
    balance: float
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$
    created_at: str
    email_verified: bool
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$
    onboarded_at: Optional[str]
    mode: Optional[Literal["hosted", "byo"]]
    runtime: Literal["self_hosted", "browser", "hosted", "stopped"]
    #: at least 1
    runtime_generation: int
    public_profile_slug: Optional[str]
    public_profile: bool


class NewKey(TypedDict):
    #: at least 32 characters
    api_key: str


class Runtime(TypedDict):
    runtime: Literal["self_hosted", "browser", "hosted", "stopped"]
    #: at least 1
    runtime_generation: int


class ActiveGamePlaying(TypedDict):
    playing: Literal[True]
    #: 1 to 128 characters
    table_id: str
    #: 0 to 5
    seat: int
    stack: int
    stack_chips: int
    #: uuid
    competition_id: Optional[str]


class ActiveGameNotPlaying(TypedDict):
    playing: Literal[False]
    table_id: None
    seat: None
    stack: None
    stack_chips: None
    competition_id: None


ActiveGame = Union[ActiveGamePlaying, ActiveGameNotPlaying]


class Mishap(TypedDict):
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$
    at: str
    #: rejected: an action was rejected. timeout: a decision came too late. error: another message got an error. flood:
    #: too many of them. disconnect: a socket ended
    kind: Literal["rejected", "timeout", "error", "flood", "disconnect"]
    #: The code of the rejection or error. For a timeout: the action taken instead. For a disconnect: the close code
    code: str
    message: str
    #: 1 to 128 characters
    table_id: Optional[str]
    #: uuid
    hand_id: Optional[str]
    #: The frame as text. A long frame is cut
    sent: Optional[str]
    #: The frame as text. A long frame is cut
    received: Optional[str]
    #: For a timeout: the time that the bot had
    used_ms: Optional[int]
    #: For a timeout: the time that the server stood still. It was added to the turn
    server_lag_ms: Optional[int]
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$
    sent_at: Optional[str]
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$
    deadline_at: Optional[str]


class Mishaps(TypedDict):
    #: The newest first; at most 100 items
    mishaps: List[Mishap]


class WalletChallenge(TypedDict):
    message: str
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$
    expires_at: str


class WalletProof(TypedDict):
    #: as ^0x[0-9a-fA-F]{40}$
    wallet_address: str
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$
    proven_at: str
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$
    withdrawals_wait_until: Optional[str]


class WalletChangeCancelled(TypedDict):
    #: as ^0x[0-9a-fA-F]{40}$
    wallet_address: Optional[str]
    withdrawals_returned: int
    key_ended: bool


class SignInLinkRequested(TypedDict):
    message: str


class FollowedLink(TypedDict):
    signed_in: Literal[True]
    email: str
    #: uuid
    agent_id: Optional[str]
    #: not empty
    agent_name: Optional[str]
    is_operator: bool
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$
    expires_at: str
    key_ended: bool


class SessionSignedIn(TypedDict):
    signed_in: Literal[True]
    email: str
    #: uuid
    agent_id: Optional[str]
    #: not empty
    agent_name: Optional[str]
    is_operator: bool
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$
    expires_at: str


class SessionNotSignedIn(TypedDict):
    signed_in: Literal[False]
    email: None
    agent_id: None
    agent_name: None
    is_operator: Literal[False]
    expires_at: None


Session = Union[SessionSignedIn, SessionNotSignedIn]


class SignedOut(TypedDict):
    signed_in: Literal[False]
    email: None
    agent_id: None
    agent_name: None
    is_operator: Literal[False]
    expires_at: None


class CurrentSeason(TypedDict):
    #: uuid
    season_id: str
    #: at least 1
    season_number: int
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$
    start_date: str
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$
    end_date: str
    status: Literal["active", "ended"]
    time_remaining_seconds: float
    winding_down: bool
    total_registered: int


class Season(TypedDict):
    #: uuid
    season_id: str
    #: at least 1
    season_number: int
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$
    start_date: str
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$
    end_date: str
    status: Literal["active", "ended"]
    #: SHA-256 of the value function that measures luck in the hands: fixed before the first one. Null: luck is not
    #: measured.; as ^[0-9a-f]{64}$
    value_function_sha256: Optional[str]


class LeaderboardRow(TypedDict):
    #: at least 1
    rank: int
    #: not empty
    bot_name: str
    score: int
    chip_balance: int
    chips_at_table: int
    rebuys: int
    hands_played: int
    hands_won: int
    public_profile_slug: Optional[str]
    #: 0 to 1
    win_rate: float
    premium: bool
    banned: bool
    #: Hands that the estimates are over. Hands are counted seconds after they are played.
    hands_counted: int
    #: 100 × the mean of the chips won in a hand, in big blinds. Null until hands are counted.
    bb_per_100: Optional[float]
    #: Its 95 % interval: low, high. It holds however often it is looked at. Null until hands are counted.; 2 items
    bb_per_100_ci95: Optional[List[float]]
    #: The same with all-ins at what they were worth at the last decision.
    bb_per_100_all_in_adjusted: Optional[float]
    #: Its 95 % interval.; 2 items
    bb_per_100_all_in_adjusted_ci95: Optional[List[float]]
    #: Deprecated: the same as `bb_per_100_all_in_adjusted`.
    all_in_adj_bb_per_100: Optional[float]
    #: Hands of bb_per_100_luck_adjusted: the last whole hundred, so that no single hand tells of hidden cards. 0 in
    #: duplicate competitions, and in pools whose record names another value function than this release has.
    hands_luck_adjusted: int
    #: The same less the luck of the deal and the board. Null below 100 hands.
    bb_per_100_luck_adjusted: Optional[float]
    #: Its 95 % interval.; 2 items
    bb_per_100_luck_adjusted_ci95: Optional[List[float]]
    #: Deprecated: the same as `bb_per_100_all_in_adjusted_ci95`.; 2 items
    ci95: Optional[List[float]]
    #: Big blinds per 100 hands above the pool's average agent: a linear model of all-in-adjusted results, shrunk to 0.
    #: The model takes out how strong the opponents were. Null without a rated hand.
    rating: Optional[float]
    #: low, high: holds the rating with 95 % at all sample sizes at once, as far as the model is true.; 2 items
    rating_interval: Optional[List[float]]
    #: Hands that are rated so far.
    rating_hands: int
    #: Fewer hands than the server asks for (RATING_MIN_HANDS, 300).
    provisional: bool
    #: 0 to 1
    above_next: Optional[float]
    #: at least 1
    rank_hour_ago: Optional[int]
    #: at least 1
    rank_day_ago: Optional[int]


class RankedSeasonEntry(TypedDict):
    #: uuid
    season_id: str
    #: uuid
    agent_id: str
    chip_balance: int
    chips_at_table: int
    rebuys: int
    hands_played: int
    hands_won: int
    premium: bool
    auto_rebuy: bool
    score: int
    #: at least 1
    rank: int
    total_participants: int


class SeasonEntry(TypedDict):
    #: uuid
    season_id: str
    #: uuid
    agent_id: str
    chip_balance: int
    chips_at_table: int
    rebuys: int
    hands_played: int
    hands_won: int
    premium: bool
    auto_rebuy: bool
    score: int


class Rebuy(TypedDict):
    chip_balance: int
    rebuys: int
    cooldown_seconds: int


class Prize(TypedDict):
    #: uuid
    prize_id: str
    #: uuid
    season_id: str
    #: at least 1
    season_number: int
    #: at least 1
    rank: int
    #: 1 to 3
    place: int
    prize_cents: int
    status: Literal["held", "paid", "refused"]
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$
    held_until: str
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$
    decided_at: Optional[str]
    reason: Optional[str]


class Prizes(TypedDict):
    prizes: List[Prize]


class SeasonStats(TypedDict):
    #: at least 1
    season_number: int
    hands_played: int
    hands_won: int
    #: 0 to 1
    win_rate: float
    total_chips_won: int
    total_chips_lost: int
    net_chips: int
    avg_profit_per_hand: float
    score: int


class OwnStatsNotPremium(TypedDict):
    current: SeasonStats
    premium: Literal[False]


class OwnStatsPremium(TypedDict):
    current: SeasonStats
    seasons: List[SeasonStats]
    lifetime_hands: int
    #: 0 to 1
    lifetime_win_rate: float
    lifetime_net_chips: int
    premium: Literal[True]


OwnStats = Union[OwnStatsNotPremium, OwnStatsPremium]


class ChartDataWinRateSeriesItem(TypedDict):
    #: at least 49
    hand_index: int
    #: 0 to 1
    win_rate: float


class ChartDataPnlSeriesItem(TypedDict):
    session_index: int
    #: 1 to 128 characters
    table_id: str
    cumulative_profit: float


class ChartData(TypedDict):
    win_rate_series: List[ChartDataWinRateSeriesItem]
    pnl_series: List[ChartDataPnlSeriesItem]


class FrozenLeaderboardRow(TypedDict):
    #: at least 1
    rank: int
    #: not empty
    bot_name: str
    score: int
    chip_balance: int
    chips_at_table: int
    rebuys: int
    hands_played: int
    hands_won: int
    badge: Optional[Literal["gold", "silver", "bronze"]]
    prize_cents: int
    prize_status: Optional[Literal["held", "paid", "refused"]]
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$
    prize_held_until: Optional[str]


class AnalyticsPositionStat(TypedDict):
    position: Literal["UTG", "MP", "CO", "BTN", "SB", "BB"]
    hand_count: int
    #: 0 to 1
    vpip: float
    #: 0 to 1
    pfr: float
    #: 0 to 1
    win_rate: float
    bb_per_100: float
    #: Its 95 % interval: low, high. It holds however often it is looked at. Null until hands are counted.; 2 items
    bb_per_100_ci95: Optional[List[float]]


class AnalyticsStartingHandGridItem(TypedDict):
    #: as ^([2-9TJQKA])(\1|[2-9TJQKA][so])$
    label: str
    #: as ^[2-9TJQKA]$
    rank1: str
    #: as ^[2-9TJQKA]$
    rank2: str
    suited: bool
    hand_count: int
    bb_per_100: float
    #: Its 95 % interval: low, high. It holds however often it is looked at. Null until hands are counted.; 2 items
    bb_per_100_ci95: Optional[List[float]]


class AnalyticsStartingHandGroup(TypedDict):
    #: not empty
    name: str
    #: not empty
    labels: List[str]
    hand_count: int
    bb_per_100: float
    #: Its 95 % interval: low, high. It holds however often it is looked at. Null until hands are counted.; 2 items
    bb_per_100_ci95: Optional[List[float]]


class AnalyticsPnlSeriesItem(TypedDict):
    #: at least 1
    hand_number: int
    cumulative_profit: int


class AnalyticsRecentHand(TypedDict):
    #: uuid
    hand_id: str
    #: 1 to 128 characters
    table_id: str
    #: The number of the hand at its table; at least 1
    table_hand_number: int
    #: The number of a hand, among the agent's hands of the season.; at least 1
    hand_number: int
    profit: int
    #: not empty
    action_summary: str
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$
    started_at: str


class Analytics(TypedDict):
    #: uuid
    agent_id: str
    #: Hands that are counted so far: the sample of all estimates.
    total_hands: int
    #: Fewer than 1,000 hands: luck decides the figures.
    sample_warning: bool
    #: Hands with a call or a raise before the flop / hands. Unlike in PokerTracker, walks count as hands.; 0 to 1
    vpip: float
    #: Hands with a raise before the flop / hands.; 0 to 1
    pfr: float
    #: Hands with a raise / hands in which the agent could raise after exactly one raise of another player, preflop.; 0
    #: to 1
    three_bet_pct: float
    #: Hands with a fold / hands with the first raise, then exactly one re-raise, preflop.; 0 to 1
    fold_to_three_bet_pct: float
    #: Hands with a bet / hands with the last raise preflop and the chance to bet first on the flop.; 0 to 1
    cbet_rate: float
    #: Raises after the flop / calls after the flop. Without a call the number of raises.
    aggression_factor: float
    #: Showdowns / hands in which the agent saw the flop, also all-in.; 0 to 1
    wtsd: float
    #: Showdowns with a part of a pot / showdowns.; 0 to 1
    w_sd: float
    #: The share of these bets after which all opponents folded at once.; 0 to 1
    cbet_success_rate: float
    #: Hands with a net gain / hands.; 0 to 1
    win_rate: float
    #: 100 × the mean of the chips won in a hand, in big blinds.
    bb_per_100: float
    #: Its 95 % interval: low, high. It holds however often it is looked at. Null until hands are counted.; 2 items
    bb_per_100_ci95: Optional[List[float]]
    #: The same with all-ins at what they were worth at the last decision.
    bb_per_100_all_in_adjusted: float
    #: Its 95 % interval.; 2 items
    bb_per_100_all_in_adjusted_ci95: Optional[List[float]]
    #: Deprecated: the same as `bb_per_100_all_in_adjusted`.
    all_in_adj_bb_per_100: float
    #: Deprecated: the same as `bb_per_100_all_in_adjusted_ci95`.; 2 items
    all_in_adj_bb_per_100_ci95: Optional[List[float]]
    #: Hands of bb_per_100_luck_adjusted: the last whole hundred, so that no single hand tells of hidden cards. 0 in
    #: duplicate competitions, and in pools whose record names another value function than this release has.
    hands_luck_adjusted: int
    #: The same less the luck of the deal and the board. Null below 100 hands.
    bb_per_100_luck_adjusted: Optional[float]
    #: Its 95 % interval.; 2 items
    bb_per_100_luck_adjusted_ci95: Optional[List[float]]
    #: Profit of the hands that the agent showed down.
    showdown_winnings: int
    #: Profit of the other hands.
    non_showdown_winnings: int
    #: Rebuys of the season.
    rebuys: int
    #: All six, in the order of preflop action. Tables with fewer players have no early positions. Heads-up has BTN and
    #: BB.
    position_stats: List[AnalyticsPositionStat]
    #: All 169, row by row from the aces. Pairs are on the diagonal, suited hands above it.
    starting_hand_grid: List[AnalyticsStartingHandGridItem]
    #: The same by kinds of hands, for small samples. Each of the 169 hands is in one group.
    starting_hand_groups: List[AnalyticsStartingHandGroup]
    #: The profit so far, in at most 257 points. The last point is the last hand.
    pnl_series: List[AnalyticsPnlSeriesItem]
    #: The last 20, newest first.
    recent_hands: List[AnalyticsRecentHand]


class Opponent(TypedDict):
    #: not empty
    name: str
    public_profile_slug: Optional[str]
    is_house: bool
    #: Hands that both players were dealt into. All figures here count these hands.
    hands: int
    #: Chips that you won in these hands, from all players.
    net: int
    #: net per 100 hands, in big blinds.
    bb_per_100: float
    #: Its 95 % interval: low, high. It holds at all looks while `hands` covers the whole season.; 2 items
    bb_per_100_ci95: Optional[List[float]]
    #: The part of net that this opponent paid. Each winner of a hand has a share of each loss.
    won_from: int
    #: Hands with a call or a raise before the flop / hands. Unlike in PokerTracker, walks count as hands.; 0 to 1
    vpip: float
    #: Hands with a raise before the flop / hands.; 0 to 1
    pfr: float
    #: Hands with a raise / hands in which the agent could raise after exactly one raise of another player, preflop.; 0
    #: to 1
    three_bet_pct: float
    #: Hands with a fold / hands with the first raise, then exactly one re-raise, preflop.; 0 to 1
    fold_to_three_bet_pct: float
    #: Hands with a bet / hands with the last raise preflop and the chance to bet first on the flop.; 0 to 1
    cbet_rate: float
    #: Raises after the flop / calls after the flop. Without a call the number of raises.
    aggression_factor: float
    #: Showdowns / hands in which the agent saw the flop, also all-in.; 0 to 1
    wtsd: float
    #: Showdowns with a part of a pot / showdowns.; 0 to 1
    w_sd: float


class Opponents(TypedDict):
    hands: int
    #: The opponents with the most common hands first; at most 200 items
    opponents: List[Opponent]


class RatedVersion(TypedDict):
    #: Null: hands without a version, and those of versions after the first 50 of the season.; 1 to 32 characters; as
    #: ^[A-Za-z0-9._-]{1,32}$
    version: Optional[str]
    #: Big blinds per 100 hands above the pool's average agent: a linear model of all-in-adjusted results, shrunk to 0.
    #: The model takes out how strong the opponents were. Null without a rated hand.
    rating: Optional[float]
    #: low, high: holds the rating with 95 % at all sample sizes at once, as far as the model is true.; 2 items
    rating_interval: Optional[List[float]]
    #: Hands that are rated so far.
    rating_hands: int
    #: Fewer hands than the server asks for (RATING_MIN_HANDS, 300).
    provisional: bool


class BotVersions(TypedDict):
    #: Those with the most hands first. Empty unless the bot ever told a version.; at most 51 items
    versions: List[RatedVersion]


class _FieldBoundsAlways(TypedDict):
    type: Literal["string", "integer", "boolean", "date-time", "enum"]
    required: bool
    default: Optional[Union[str, int, bool]]
    minimum: Optional[int]
    maximum: Optional[int]


class FieldBounds(_FieldBoundsAlways, total=False):
    values: List[str]


_CompetitionMetadataTransitionWords = TypedDict(
    "_CompetitionMetadataTransitionWords",
    {
        "from": List[
            Literal[
                "draft",
                "enrolling",
                "enrollment_closed",
                "active",
                "paused",
                "ending",
                "results_pending",
                "finalized",
                "cancelled",
            ],
        ],
    },
)


class CompetitionMetadataTransition(_CompetitionMetadataTransitionWords):
    step: str
    to: Literal[
        "draft",
        "enrolling",
        "enrollment_closed",
        "active",
        "paused",
        "ending",
        "results_pending",
        "finalized",
        "cancelled",
    ]


class CompetitionMetadata(TypedDict):
    fields: Dict[str, FieldBounds]
    statuses: List[
        Literal[
            "draft",
            "enrolling",
            "enrollment_closed",
            "active",
            "paused",
            "ending",
            "results_pending",
            "finalized",
            "cancelled",
        ],
    ]
    transitions: List[CompetitionMetadataTransition]
    competitions_at_once: int
    competitions_a_day: int


class PodiumPlace(TypedDict):
    #: 1 to 3
    rank: int
    #: not empty
    name: str
    public_profile_slug: Optional[str]
    score: int


class ListedCompetition(TypedDict):
    #: not empty
    slug: str
    status: Literal[
        "draft",
        "enrolling",
        "enrollment_closed",
        "active",
        "paused",
        "ending",
        "results_pending",
        "finalized",
        "cancelled",
    ]
    name: str
    #: not empty
    organizer_name: str
    organizer_profile_slug: Optional[str]
    organization_name: Optional[str]
    participant_cap: int
    join_requests: bool
    participant_count: int
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$
    enrollment_deadline: Optional[str]
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$
    starts_at: Optional[str]
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$
    ends_at: str
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$
    started_at: Optional[str]
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$
    ended_at: Optional[str]
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$
    finalized_at: Optional[str]
    duplicate: bool
    #: at most 3 items
    podium: List[PodiumPlace]


class ListedCompetitionsTotals(TypedDict):
    running: int
    open: int
    finished: int


class ListedCompetitions(TypedDict):
    #: at most 100 items
    competitions: List[ListedCompetition]
    total: int
    totals: ListedCompetitionsTotals
    #: 1 to 100
    limit: int
    offset: int


class Competition(TypedDict):
    #: uuid
    competition_id: str
    #: not empty
    slug: str
    status: Literal[
        "draft",
        "enrolling",
        "enrollment_closed",
        "active",
        "paused",
        "ending",
        "results_pending",
        "finalized",
        "cancelled",
    ]
    #: at least 1
    version: int
    #: uuid
    organizer_id: str
    is_organizer: bool
    is_co_organizer: bool
    participation: Optional[Literal["enrolled", "withdrawn", "removed", "disqualified"]]
    participant_count: int
    name: str
    organization_name: Optional[str]
    description: Optional[str]
    reward_description: Optional[str]
    display_timezone: str
    participant_cap: int
    join_requests: bool
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$
    enrollment_deadline: Optional[str]
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$
    starts_at: Optional[str]
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$
    ends_at: str
    starting_chips: int
    minimum_buy_in: int
    default_buy_in: int
    maximum_buy_in: int
    small_blind: int
    big_blind: int
    #: 2 to 6
    max_players: int
    minimum_hands: int
    rebuys_enabled: bool
    max_rebuys: int
    rebuy_chips: int
    rebuy_score_penalty: int
    rebuy_cooldown_seconds: int
    duplicate: bool
    between_hands_ms: Optional[int]
    action_timeout_ms: Optional[int]
    time_bank: bool
    hand_limit: Optional[int]
    spectators: Literal["public", "participants", "none"]
    open_cards: Literal["never", "after_pool", "after_hand"]
    duplicate_note: Optional[str]
    #: SHA-256 of the value function that measures luck in the hands: fixed before the first one. Null: luck is not
    #: measured.; as ^[0-9a-f]{64}$
    value_function_sha256: Optional[str]
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$
    created_at: str
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$
    updated_at: str
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$
    started_at: Optional[str]
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$
    ended_at: Optional[str]
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$
    finalized_at: Optional[str]
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$
    cancelled_at: Optional[str]


class Competitions(TypedDict):
    #: at most 100 items
    competitions: List[Competition]
    total: int
    #: 1 to 100
    limit: int
    offset: int


class CompetitionAuditEntry(TypedDict):
    entry_id: int
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$
    at: str
    actor: str
    action: str
    detail: Dict[str, Any]


class CompetitionAudit(TypedDict):
    #: at most 100 items
    entries: List[CompetitionAuditEntry]
    total: int
    #: 1 to 100
    limit: int
    offset: int


class _BotStrategyAlways(TypedDict):
    template: Literal["shark", "rock", "gambler", "bluffer", "gto_lite", "calling_station"]


class BotStrategy(_BotStrategyAlways, total=False):
    #: 0 to 1
    vpip: float
    #: 0 to 1
    pfr: float
    #: 0 to 1
    three_bet: float
    #: 0 to 1
    aggression: float
    #: 0 to 1
    bluff: float
    #: 0 to 1
    call_down: float
    #: 0 to 1
    balance: float
    #: 0 to 1
    tilt: float
    auto_rebuy: bool


class SavedStrategyEffective(TypedDict):
    template: Literal["shark", "rock", "gambler", "bluffer", "gto_lite", "calling_station"]
    #: 0 to 1
    vpip: float
    #: 0 to 1
    pfr: float
    #: 0 to 1
    three_bet: float
    #: 0 to 1
    aggression: float
    #: 0 to 1
    bluff: float
    #: 0 to 1
    call_down: float
    #: 0 to 1
    balance: float
    #: 0 to 1
    tilt: float
    auto_rebuy: bool


class SavedStrategy(TypedDict):
    strategy: BotStrategy
    effective: SavedStrategyEffective
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$
    saved_at: Optional[str]


class BotToken(TypedDict):
    #: as ^bt_[A-Za-z0-9_-]{43}$
    bot_token: str
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$
    expires_at: str
    #: uuid
    season_id: str


class Deployed(TypedDict):
    state: Literal["stopped", "starting", "running", "error"]
    mode: Literal["browser", "hosted"]
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$
    deployed_at: str
    hands_played: int
    last_error: None
    #: at least 1
    runtime_generation: int
    token: Optional[BotToken]


class HostedBot(TypedDict):
    state: Literal["stopped", "starting", "running", "error"]
    mode: Literal["hosted"]
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$
    deployed_at: str
    hands_played: int
    last_error: None
    #: at least 1
    runtime_generation: int
    token: None


class StoppedBot(TypedDict):
    state: Literal["stopped"]
    mode: None
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$
    deployed_at: Optional[str]
    hands_played: int
    #: not empty
    last_error: Optional[str]


class BotStatus(TypedDict):
    state: Literal["stopped", "starting", "running", "error"]
    mode: Optional[Literal["browser", "hosted"]]
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$
    deployed_at: Optional[str]
    hands_played: int
    #: not empty
    last_error: Optional[str]


class LedgerTransaction(TypedDict):
    #: uuid
    transaction_id: str
    type: Literal["deposit", "dev_deposit", "withdraw", "withdraw_refund", "season_pass", "prize", "sponsor"]
    amount: float
    balance_after: float


class Balance(TypedDict):
    #: uuid
    agent_id: str
    balance: float
    locked_in_play: float
    total: float


class Transaction(TypedDict):
    #: uuid
    transaction_id: str
    type: Literal["deposit", "dev_deposit", "withdraw", "withdraw_refund", "season_pass", "prize", "sponsor"]
    amount: float
    balance_after: float
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$
    created_at: str
    reference: Optional[str]


class Transactions(TypedDict):
    #: at most 200 items
    transactions: List[Transaction]
    #: 1 to 200
    limit: int
    offset: int


class PublicHandCompetition(TypedDict):
    #: uuid
    competition_id: str
    slug: str
    name: str


class PublicHandPlayer(TypedDict):
    #: 0 to 5
    seat: int
    #: not empty
    name: str
    public_profile_slug: Optional[str]
    avatar_url: Optional[str]
    is_house: bool
    stack_start: int
    stack_end: int
    contributed: int
    payout: int
    shown: bool
    #: 2 items
    hole_cards: Optional[List[str]]
    opened: Optional[List[OpenedCard]]


class PublicHandStartBlinds(TypedDict):
    small_blind: int
    big_blind: int


class _PublicHandStartAlways(TypedDict):
    type: Literal["hand_start"]
    #: 0 to 5
    dealer_seat: int
    blinds: PublicHandStartBlinds
    #: at least 2 items
    posts: List[Posted]
    at_ms: int


class PublicHandStart(_PublicHandStartAlways, total=False):
    #: at least 1
    hand_number: int
    #: as ^[0-9a-f]{64}$
    deck_commitment: str
    #: at most 6 items
    deal_nonces: List[SeatNonce]


class _PublicPlayerActionAlways(TypedDict):
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
    amount_mode: Literal["incremental", "to_total"]
    pot_before: int
    pot_after: int
    to_call_before: Optional[int]
    stack_before: int
    stack_after: int
    contribution_delta: int
    player_stack_before: int
    player_stack_after: int
    at_ms: int


class PublicPlayerAction(_PublicPlayerActionAlways, total=False):
    used_ms: int
    server_lag_ms: int
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$
    sent_at: str
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$
    deadline_at: str


class PublicFlop(TypedDict):
    type: Literal["community_cards"]
    street: Literal["flop"]
    #: 3 items
    cards: List[str]
    at_ms: int


class PublicTurnOrRiver(TypedDict):
    type: Literal["community_cards"]
    street: Literal["turn", "river"]
    #: 1 to 5 items
    cards: List[str]
    at_ms: int


class PublicHandResultWinner(TypedDict):
    #: 0 to 5
    seat: int
    #: not empty
    name: str
    stack: int
    amount: int
    #: not empty
    hand_description: str


class PublicHandResultAction(TypedDict):
    #: 0 to 5
    seat: int
    action: Literal["fold", "check", "call", "raise", "all_in"]
    amount: Optional[int]
    street: Literal["preflop", "flop", "turn", "river"]


class PublicHandResultPayout(TypedDict):
    #: 0 to 5
    seat: int
    amount: int


class _PublicHandResultAlways(TypedDict):
    type: Literal["hand_result"]
    #: amount is the net gain. hand_description names rank 2 "Two" or "Twos", and no kickers. Without a showdown it is
    #: Uncontested; not empty
    winners: List[PublicHandResultWinner]
    pot: int
    total_pot: int
    transferable_pot: int
    net_pot_after_rake: int
    final_stacks: Dict[str, int]
    pot_kind: Literal["transferable"]
    rake: Literal[0]
    rake_settled: Literal[0]
    shown_cards: Dict[str, List[str]]
    actions: List[PublicHandResultAction]
    #: not empty
    payouts: List[PublicHandResultPayout]
    outcome_kind: Literal["win", "split", "multiple_winners"]
    at_ms: int


class PublicHandResult(_PublicHandResultAlways, total=False):
    deal_proof: DealtDeck


PublicHandEvent = Union[PublicHandStart, PublicPlayerAction, PublicFlop, PublicTurnOrRiver, PublicHandResult]


class PublicHandPot(TypedDict):
    amount: int
    #: 1 to 6 items
    seats: List[int]
    #: 1 to 6 items
    winners: List[int]


class PublicHandReturned(TypedDict):
    #: 0 to 5
    seat: int
    amount: int


class PublicHandOwn(TypedDict):
    #: 0 to 5
    seat: int
    #: 2 items
    hole_cards: List[str]
    opened: Optional[List[OpenedCard]]


class PublicHand(TypedDict):
    #: uuid
    hand_id: str
    #: 1 to 128 characters
    table_id: str
    #: at least 1
    hand_number: int
    #: uuid
    season_id: Optional[str]
    competition: Optional[PublicHandCompetition]
    open_cards: Literal["never", "after_pool", "after_hand"]
    #: 0 to 5
    dealer_seat: int
    small_blind: int
    big_blind: int
    #: 2 to 6 items
    players: List[PublicHandPlayer]
    #: at least 2 items
    blinds: List[Posted]
    #: at least 2 items
    events: List[PublicHandEvent]
    #: not empty
    pots: List[PublicHandPot]
    returned: Optional[PublicHandReturned]
    own: Optional[PublicHandOwn]
    #: uuid
    previous_hand_id: Optional[str]
    #: uuid
    next_hand_id: Optional[str]
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$
    started_at: str
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$
    ended_at: str


class AgentProfileBadge(TypedDict):
    #: at least 1
    season_number: int
    badge: Literal["gold", "silver", "bronze"]


class AgentProfileSeasonCurveItem(TypedDict):
    #: at least 1
    hand_number: int
    cumulative_profit: int
    all_in_adjusted: Optional[int]


class AgentProfileSeasonLuckCurveItem(TypedDict):
    #: at least 1
    hand_number: int
    luck_adjusted: int
    low: int
    high: int


class AgentProfileSeason(TypedDict):
    #: at least 1
    season_number: int
    #: at least 1
    rank: Optional[int]
    total_participants: int
    score: int
    rebuys: int
    premium: bool
    hands_played: int
    hands_won: int
    #: 0 to 1
    win_rate: float
    #: Hands that the estimates are over. Hands are counted seconds after they are played.
    hands_counted: int
    #: 100 × the mean of the chips won in a hand, in big blinds. Null until hands are counted.
    bb_per_100: Optional[float]
    #: Its 95 % interval: low, high. It holds however often it is looked at. Null until hands are counted.; 2 items
    bb_per_100_ci95: Optional[List[float]]
    #: The same with all-ins at what they were worth at the last decision.
    bb_per_100_all_in_adjusted: Optional[float]
    #: Its 95 % interval.; 2 items
    bb_per_100_all_in_adjusted_ci95: Optional[List[float]]
    #: Deprecated: the same as `bb_per_100_all_in_adjusted`.
    all_in_adj_bb_per_100: Optional[float]
    #: Hands of bb_per_100_luck_adjusted: the last whole hundred, so that no single hand tells of hidden cards. 0 in
    #: duplicate competitions, and in pools whose record names another value function than this release has.
    hands_luck_adjusted: int
    #: The same less the luck of the deal and the board. Null below 100 hands.
    bb_per_100_luck_adjusted: Optional[float]
    #: Its 95 % interval.; 2 items
    bb_per_100_luck_adjusted_ci95: Optional[List[float]]
    #: Deprecated: the same as `bb_per_100_all_in_adjusted_ci95`.; 2 items
    all_in_adj_bb_per_100_ci95: Optional[List[float]]
    #: Chips won less chips lost, every 50 hands or more, and now; and the same with all-ins at their worth.
    curve: List[AgentProfileSeasonCurveItem]
    #: Chips won less luck, every 100 hands or more, with the limits of the 95 % interval.
    luck_curve: List[AgentProfileSeasonLuckCurveItem]


class AgentProfileRecentHand(TypedDict):
    #: uuid
    hand_id: str
    #: 1 to 128 characters
    table_id: str
    #: at least 1
    hand_number: int
    #: 0 to 5
    seat: int
    profit: int
    total_pot: int
    #: not empty
    action_summary: str
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$
    started_at: str


class AgentProfile(TypedDict):
    public_profile_slug: str
    #: not empty
    name: str
    avatar_url: Optional[str]
    is_house: bool
    badges: List[AgentProfileBadge]
    season: Optional[AgentProfileSeason]
    #: at most 20 items
    recent_hands: List[AgentProfileRecentHand]


class AgentTable(TypedDict):
    #: 1 to 128 characters
    table_id: Optional[str]
    #: 0 to 5
    seat: Optional[int]


class MomentPlayer(TypedDict):
    #: 0 to 5
    seat: int
    #: not empty
    name: str
    public_profile_slug: Optional[str]
    payout: int
    #: Those that were shown to the table; 2 items
    hole_cards: Optional[List[str]]
    #: The expected part of the pot after the last decision, over every board that could still come. Null for a big pot;
    #: 0 to 1
    equity: Optional[float]


class Moment(TypedDict):
    #: uuid
    hand_id: str
    #: 1 to 128 characters
    table_id: str
    #: at least 1
    hand_number: int
    #: The step of the replay, as it stands behind # in its address
    step: str
    total_pot: int
    big_blind: int
    #: 1 to 6 items
    players: List[MomentPlayer]
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$
    started_at: str


class MomentsOfDay(TypedDict):
    #: The largest first; at most 5 items
    big_pots: List[Moment]
    #: All shown, with cards to come: the largest pot first; at most 5 items
    all_ins: List[Moment]
    #: Such all-ins of 20 big blinds that a player won with less than its equal share: the lowest equity first; at most
    #: 5 items
    upsets: List[Moment]


class VersusAgentTogether(TypedDict):
    #: Chips won in the common hands, from all players.
    net: int
    #: net per 100 common hands, in big blinds.
    bb_per_100: float
    #: The 95 % interval of bb_per_100: low, high.; 2 items
    bb_per_100_ci95: Optional[List[float]]
    #: Chips won from the other one. Each winner of a hand has a share of each loss.
    won_from: int
    #: won_from per 100 common hands, in big blinds.
    won_from_per_100: float
    #: The 95 % interval of won_from_per_100: low, high.; 2 items
    won_from_per_100_ci95: Optional[List[float]]
    #: Hands with a call or a raise before the flop / hands. Unlike in PokerTracker, walks count as hands.; 0 to 1
    vpip: float
    #: Hands with a raise before the flop / hands.; 0 to 1
    pfr: float
    #: Hands with a raise / hands in which the agent could raise after exactly one raise of another player, preflop.; 0
    #: to 1
    three_bet_pct: float
    #: Hands with a fold / hands with the first raise, then exactly one re-raise, preflop.; 0 to 1
    fold_to_three_bet_pct: float
    #: Hands with a bet / hands with the last raise preflop and the chance to bet first on the flop.; 0 to 1
    cbet_rate: float
    #: Raises after the flop / calls after the flop. Without a call the number of raises.
    aggression_factor: float
    #: Showdowns / hands in which the agent saw the flop, also all-in.; 0 to 1
    wtsd: float
    #: Showdowns with a part of a pot / showdowns.; 0 to 1
    w_sd: float


class VersusAgent(TypedDict):
    #: not empty
    name: str
    public_profile_slug: str
    is_house: bool
    #: Null for a house bot, and without a part in the season.; at least 1
    rank: Optional[int]
    #: Big blinds per 100 hands above the pool's average agent: a linear model of all-in-adjusted results, shrunk to 0.
    #: The model takes out how strong the opponents were. Null without a rated hand.
    rating: Optional[float]
    #: low, high: holds the rating with 95 % at all sample sizes at once, as far as the model is true.; 2 items
    rating_interval: Optional[List[float]]
    #: Hands that are rated so far.
    rating_hands: int
    #: Fewer hands than the server asks for (RATING_MIN_HANDS, 300).
    provisional: bool
    #: Over the common hands. Null without one, and if spectators see no hands of the season.
    together: Optional[VersusAgentTogether]


class VersusLastHand(TypedDict):
    #: uuid
    hand_id: str
    #: 1 to 128 characters
    table_id: str
    #: at least 1
    hand_number: int
    total_pot: int
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$
    started_at: str
    #: Chips won by each of the two, in the order of `agents`.; 2 items
    profits: List[int]


class Versus(TypedDict):
    #: at least 1
    season_number: int
    #: Common hands that are counted: the newest 2000 at most, as old as spectators must wait. The sample of `together`.
    hands: int
    #: In the order of the path.; 2 items
    agents: List[VersusAgent]
    #: The newest common hands.; at most 20 items
    last_hands: List[VersusLastHand]


class HandProofOpenedHand(TypedDict):
    #: 0 to 5
    seat: int
    #: 2 items
    hole_cards: List[str]
    opened: List[OpenedCard]


class _HandProofAlways(TypedDict):
    #: uuid
    hand_id: str
    #: 1 to 128 characters
    table_id: str
    #: at least 1
    hand_number: int
    #: 0 to 5
    dealer_seat: int
    #: 0 to 5
    seat: int
    #: 2 to 6 items
    seats: List[int]
    #: 2 items
    hole_cards: List[str]
    #: at most 5 items
    board: List[str]
    shown_cards: Dict[str, List[str]]
    #: as ^[0-9a-f]{64}$
    deck_commitment: str
    #: at most 6 items
    deal_nonces: List[SeatNonce]
    deal_proof: DealtDeck
    own_opened: List[OpenedCard]
    opened_hands: List[HandProofOpenedHand]


class HandProof(_HandProofAlways, total=False):
    #: Opens the dice of a player that mixed actions in the hand
    own_dice: OwnDice


class _HistoryActionAlways(TypedDict):
    #: 0 to 5
    seat: int
    action: Literal["fold", "check", "call", "raise", "all_in"]
    amount: Optional[int]
    street: Literal["preflop", "flop", "turn", "river"]


class HistoryAction(_HistoryActionAlways, total=False):
    #: The time of the player was up: the server acted for it
    timeout: Literal[True]
    #: A mixed action, and what was drawn of it: only for readers that see the cards
    mix: OwnMix


class HistoryHandPlayer(TypedDict):
    #: 0 to 5
    seat: int
    #: not empty
    name: str
    public_profile_slug: Optional[str]


class _HistoryHandAlways(TypedDict):
    #: uuid
    hand_id: str
    #: 1 to 128 characters
    table_id: str
    #: at least 1
    hand_number: int
    #: 0 to 5
    seat: int
    stack_start: int
    stack_end: int
    profit: int
    small_blind: int
    big_blind: int
    #: 2 items
    hole_cards: List[str]
    #: at most 5 items
    board: List[str]
    #: at least 2 items
    posts: List[Posted]
    actions: List[HistoryAction]
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$
    started_at: str
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$
    ended_at: str


class HistoryHand(_HistoryHandAlways, total=False):
    #: With `with_players`.
    total_pot: int
    #: With `with_players`: all players of the hand, under their present names.; 2 to 6 items
    players: List[HistoryHandPlayer]


class _HandHistoryAlways(TypedDict):
    #: at most 200 items
    hands: List[HistoryHand]
    limit: int
    offset: int
    #: Hands of the season or competition and the times, on all pages. The other filters do not lower it.
    total_hands: int
    #: For the next page; null on the last one. With a filter or an order: for the hands behind `searched_hands`.; not
    #: empty
    next_cursor: Optional[str]


class HandHistory(_HandHistoryAlways, total=False):
    #: With a filter or an order: the newest hands, or those behind the cursor, that were looked through. At most 5000.
    searched_hands: int
    #: With a filter or an order: the hands among these that fit.
    found_hands: int


class ExportedHandPlayer(TypedDict):
    #: 0 to 5
    seat: int
    #: not empty
    name: str
    stack_start: int
    stack_end: int


class ExportedHand(TypedDict):
    #: uuid
    hand_id: str
    #: 1 to 128 characters
    table_id: str
    #: at least 1
    hand_number: int
    #: 0 to 5
    seat: int
    stack_start: int
    stack_end: int
    profit: int
    small_blind: int
    big_blind: int
    #: 2 items
    hole_cards: List[str]
    #: at most 5 items
    board: List[str]
    #: at least 2 items
    posts: List[Posted]
    actions: List[HistoryAction]
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$
    started_at: str
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$
    ended_at: str
    #: uuid
    season_id: Optional[str]
    #: uuid
    competition_id: Optional[str]
    #: 0 to 5
    button: int
    total_pot: int
    shown_cards: Dict[str, List[str]]
    opened_cards: Dict[str, List[str]]
    #: 2 to 6 items
    players: List[ExportedHandPlayer]


class ExportedHands(TypedDict):
    hands: List[ExportedHand]


class ChipMovement(TypedDict):
    #: at least 1
    entry_id: int
    #: uuid
    season_id: Optional[str]
    #: uuid
    competition_id: Optional[str]
    type: Literal["grant", "rebuy", "reset", "buy_in", "cash_out", "skim"]
    amount: int
    balance_after: int
    #: 1 to 128 characters
    table_id: Optional[str]
    #: uuid
    hand_id: Optional[str]
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$
    created_at: str


class ChipLedger(TypedDict):
    #: at most 200 items
    entries: List[ChipMovement]
    limit: int
    offset: int


class OnchainDeposit(TypedDict):
    #: uuid
    deposit_id: str
    #: as ^0x[0-9a-fA-F]{64}$
    tx_hash: str
    status: Literal["pending", "confirmed", "orphaned"]
    amount: float
    amount_cents: int
    amount_ucents: int
    confirmations_seen: int
    confirmations_required: int


class OnchainClaim(TypedDict):
    #: uuid
    transfer_id: str
    #: as ^0x[0-9a-fA-F]{64}$
    tx_hash: str
    log_index: int
    status: Literal["pending", "confirmed", "orphaned"]
    amount: float
    amount_cents: int
    amount_ucents: int
    confirmations_seen: int
    confirmations_required: int


class WithdrawAnswer(TypedDict):
    #: uuid
    transaction_id: str
    type: Literal["withdraw"]
    amount: float
    balance_after: float
    #: uuid
    withdrawal_id: str
    withdrawal_status: Literal["pending", "processing", "submitted", "confirmed", "failed"]
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$
    waits_until: Optional[str]


class Withdrawal(TypedDict):
    #: uuid
    withdrawal_id: str
    to_address: str
    amount: float
    amount_cents: int
    amount_ucents: int
    status: Literal["pending", "processing", "submitted", "confirmed", "failed"]
    #: as ^0x[0-9a-fA-F]{64}$
    tx_hash: Optional[str]
    error_message: Optional[str]
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$
    waits_until: Optional[str]
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$
    created_at: str
    #: uuid
    agent_id: str
    confirmations_seen: int


class WithdrawalItem(TypedDict):
    #: uuid
    withdrawal_id: str
    to_address: str
    amount: float
    amount_cents: int
    amount_ucents: int
    status: Literal["pending", "processing", "submitted", "confirmed", "failed"]
    #: as ^0x[0-9a-fA-F]{64}$
    tx_hash: Optional[str]
    error_message: Optional[str]
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$
    waits_until: Optional[str]
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$
    created_at: str


class Withdrawals(TypedDict):
    withdrawals: List[WithdrawalItem]
    limit: int
    offset: int


class Accounting(TypedDict):
    total_deposited_ucents: int
    total_balance_ucents: int
    total_in_play_ucents: int
    total_rake_ucents: int
    total_withdrawn_ucents: int
    invariant_holds: bool
    drift_ucents: int


class Revenue(TypedDict):
    total_rake_cents: int
    today_rake_cents: int
    total_rake_ucents: int
    today_rake_ucents: int
    hand_count: int


class CoOrganizer(TypedDict):
    #: uuid
    competition_id: str
    #: uuid
    agent_id: str
    #: not empty
    name: str
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$
    added_at: str


class CoOrganizers(TypedDict):
    #: at most 10 items
    co_organizers: List[CoOrganizer]
    maximum: Literal[10]


class Participation(TypedDict):
    #: uuid
    competition_id: str
    #: uuid
    agent_id: str
    #: not empty
    name: str
    display_name: Optional[str]
    status: Literal["enrolled", "withdrawn", "removed", "disqualified"]
    is_organizer: bool
    is_co_organizer: bool
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$
    accepted_at: str
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$
    changed_at: str


class ListedInvitation(TypedDict):
    #: uuid
    invite_id: str
    #: uuid
    competition_id: str
    email: str
    status: Literal["pending", "accepted", "declined", "revoked", "expired"]
    #: at least 1
    version: int
    #: at least 1
    sends: int
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$
    expires_at: str
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$
    created_at: str
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$
    sent_at: str
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$
    answered_at: Optional[str]
    #: uuid
    agent_id: Optional[str]


class Invitations(TypedDict):
    #: at most 100 items
    invitations: List[ListedInvitation]
    total: int
    #: 1 to 100
    limit: int
    offset: int


class Invitation(TypedDict):
    #: uuid
    invite_id: str
    #: uuid
    competition_id: str
    email: str
    status: Literal["pending", "accepted", "declined", "revoked", "expired"]
    #: at least 1
    version: int
    #: at least 1
    sends: int
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$
    expires_at: str
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$
    created_at: str
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$
    sent_at: str


class InvitedRefusedItem(TypedDict):
    email: str
    reason: Literal["already_invited", "already_participates", "removed", "mailbox_full"]


class Invited(TypedDict):
    #: at most 100 items
    invitations: List[Invitation]
    #: at most 100 items
    refused: List[InvitedRefusedItem]


class NewInviteLink(TypedDict):
    #: uuid
    link_id: str
    #: uuid
    competition_id: str
    status: Literal["open", "used_up", "revoked", "expired"]
    #: 1 to 100
    max_uses: int
    uses: int
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$
    expires_at: str
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$
    created_at: str
    #: at least 43 characters
    token: str
    url: str


class InviteLink(TypedDict):
    #: uuid
    link_id: str
    #: uuid
    competition_id: str
    status: Literal["open", "used_up", "revoked", "expired"]
    #: 1 to 100
    max_uses: int
    uses: int
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$
    expires_at: str
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$
    created_at: str
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$
    revoked_at: Optional[str]


class InviteLinks(TypedDict):
    #: at most 100 items
    links: List[InviteLink]
    total: int
    #: 1 to 100
    limit: int
    offset: int


class CompetitionRules(TypedDict):
    starting_chips: int
    minimum_buy_in: int
    default_buy_in: int
    maximum_buy_in: int
    small_blind: int
    big_blind: int
    #: 2 to 6
    max_players: int
    minimum_hands: int
    rebuys_enabled: bool
    max_rebuys: int
    rebuy_chips: int
    rebuy_score_penalty: int
    rebuy_cooldown_seconds: int
    duplicate: bool
    between_hands_ms: Optional[int]
    action_timeout_ms: Optional[int]
    time_bank: bool
    hand_limit: Optional[int]
    spectators: Literal["public", "participants", "none"]
    open_cards: Literal["never", "after_pool", "after_hand"]


class InvitePreviewCompetition(TypedDict):
    #: uuid
    competition_id: str
    #: not empty
    slug: str
    status: Literal[
        "draft",
        "enrolling",
        "enrollment_closed",
        "active",
        "paused",
        "ending",
        "results_pending",
        "finalized",
        "cancelled",
    ]
    name: str
    #: not empty
    organizer_name: str
    organizer_profile_slug: Optional[str]
    organization_name: Optional[str]
    participant_cap: int
    join_requests: bool
    participant_count: int
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$
    enrollment_deadline: Optional[str]
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$
    starts_at: Optional[str]
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$
    ends_at: str
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$
    started_at: Optional[str]
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$
    ended_at: Optional[str]
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$
    finalized_at: Optional[str]
    description: Optional[str]
    reward_description: Optional[str]
    display_timezone: str
    rules: CompetitionRules


class InvitePreview(TypedDict):
    kind: Literal["invitation", "link"]
    status: Literal["pending", "accepted", "declined", "revoked", "expired", "open", "used_up"]
    email: Optional[str]
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$
    expires_at: str
    can_accept: bool
    competition: InvitePreviewCompetition


class Declined(TypedDict):
    kind: Literal["invitation", "link"]
    #: uuid
    competition_id: str
    status: Literal["declined"]


class OwnInvitation(TypedDict):
    #: uuid
    invite_id: str
    #: uuid
    competition_id: str
    competition_name: str
    competition_status: Literal[
        "draft",
        "enrolling",
        "enrollment_closed",
        "active",
        "paused",
        "ending",
        "results_pending",
        "finalized",
        "cancelled",
    ]
    #: not empty
    organizer_name: str
    organization_name: Optional[str]
    status: Literal["pending", "accepted", "declined", "revoked", "expired"]
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$
    expires_at: str
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$
    created_at: str
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$
    answered_at: Optional[str]
    accept_path: Optional[str]


class OwnInvitations(TypedDict):
    #: at most 100 items
    invitations: List[OwnInvitation]
    email_verified: bool
    total: int
    #: 1 to 100
    limit: int
    offset: int


class JoinRequest(TypedDict):
    #: uuid
    competition_id: str
    display_name: Optional[str]
    status: Literal["open", "accepted", "declined", "withdrawn", "lapsed"]
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$
    asked_at: str
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$
    answered_at: Optional[str]
    #: uuid
    agent_id: str
    #: not empty
    name: str
    public_profile_slug: Optional[str]


class JoinRequests(TypedDict):
    #: at most 100 items
    requests: List[JoinRequest]
    total: int
    #: 1 to 100
    limit: int
    offset: int


class OwnJoinRequest(TypedDict):
    #: uuid
    competition_id: str
    display_name: Optional[str]
    status: Literal["open", "accepted", "declined", "withdrawn", "lapsed"]
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$
    asked_at: str
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$
    answered_at: Optional[str]
    #: not empty
    slug: str
    competition_name: str
    competition_status: Literal[
        "draft",
        "enrolling",
        "enrollment_closed",
        "active",
        "paused",
        "ending",
        "results_pending",
        "finalized",
        "cancelled",
    ]


class OwnJoinRequests(TypedDict):
    #: at most 100 items
    requests: List[OwnJoinRequest]
    total: int
    #: 1 to 100
    limit: int
    offset: int


class Participant(TypedDict):
    #: uuid
    competition_id: str
    #: uuid
    agent_id: str
    #: not empty
    name: str
    display_name: Optional[str]
    status: Literal["enrolled", "withdrawn", "removed", "disqualified"]
    is_organizer: bool
    is_co_organizer: bool
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$
    accepted_at: str
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$
    changed_at: str
    reason: Optional[str]


class Participants(TypedDict):
    #: at most 100 items
    participants: List[Participant]
    total: int
    #: 1 to 100
    limit: int
    offset: int


class CompetitionHandPlayer(TypedDict):
    #: 0 to 5
    seat: int
    #: uuid
    agent_id: str
    #: not empty
    name: str
    stack_start: int
    stack_end: int
    profit: int
    contributed: int
    payout: int
    shown: bool
    #: 2 items
    hole_cards: Optional[List[str]]


class CompetitionHand(TypedDict):
    #: uuid
    hand_id: str
    #: 1 to 128 characters
    table_id: str
    #: at least 1
    hand_number: int
    #: uuid
    competition_id: str
    #: 0 to 5
    button: int
    small_blind: int
    big_blind: int
    #: at most 5 items
    board: List[str]
    total_pot: int
    #: 2 to 6 items
    players: List[CompetitionHandPlayer]
    #: at least 2 items
    posts: List[Posted]
    actions: List[HistoryAction]
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$
    started_at: str
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$
    ended_at: str


class CompetitionHands(TypedDict):
    #: at most 100 items
    hands: List[CompetitionHand]
    #: 1 to 100
    limit: int
    #: not empty
    next_cursor: Optional[str]


class ExportedCompetitionHands(TypedDict):
    hands: List[CompetitionHand]


class PublicCompetitionHandPlayer(TypedDict):
    #: not empty
    name: str
    public_profile_slug: Optional[str]
    profit: int


class PublicCompetitionHand(TypedDict):
    #: uuid
    hand_id: str
    #: 1 to 128 characters
    table_id: str
    #: at least 1
    hand_number: int
    big_blind: int
    total_pot: int
    #: at most 5 items
    board: List[str]
    #: 2 to 6 items
    players: List[PublicCompetitionHandPlayer]
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$
    ended_at: str


class PublicCompetitionHands(TypedDict):
    #: at most 100 items
    hands: List[PublicCompetitionHand]
    #: 1 to 100
    limit: int


class CompetitionHandDetailPot(TypedDict):
    amount: int
    #: 1 to 6 items
    seats: List[int]
    #: 1 to 6 items
    winners: List[int]


class CompetitionHandDetail(TypedDict):
    #: uuid
    hand_id: str
    #: 1 to 128 characters
    table_id: str
    #: at least 1
    hand_number: int
    #: uuid
    competition_id: str
    #: 0 to 5
    button: int
    small_blind: int
    big_blind: int
    #: at most 5 items
    board: List[str]
    total_pot: int
    #: 2 to 6 items
    players: List[CompetitionHandPlayer]
    #: at least 2 items
    posts: List[Posted]
    actions: List[HistoryAction]
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$
    started_at: str
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$
    ended_at: str
    showdown: bool
    #: not empty
    pots: List[CompetitionHandDetailPot]


class DuplicateScore(TypedDict):
    hands: int
    uncompared: int
    #: 100 × the mean difference, in big blinds, from all who held the same cards. Null before there is one to compare.
    bb_per_100_duplicate: Optional[float]
    #: Its 95 % interval.; 2 items
    bb_per_100_duplicate_ci95: Optional[List[float]]
    #: Deprecated: the same as `bb_per_100_duplicate`.
    bb_per_100: Optional[float]
    #: Deprecated: the same as `bb_per_100_duplicate_ci95`.; 2 items
    ci95: Optional[List[float]]


class StandingLine(TypedDict):
    #: uuid
    agent_id: str
    #: at least 1
    rank: Optional[int]
    #: not empty
    name: str
    public_profile_slug: Optional[str]
    status: Literal["enrolled", "disqualified"]
    score: int
    chip_balance: int
    chips_at_table: int
    rebuys: int
    rebuy_penalty: int
    hands_played: int
    hands_won: int
    #: 0 to 1
    win_rate: float
    #: Hands that the estimates are over. Hands are counted seconds after they are played.
    hands_counted: int
    #: 100 × the mean of the chips won in a hand, in big blinds. Null until hands are counted.
    bb_per_100: Optional[float]
    #: Its 95 % interval: low, high. It holds however often it is looked at. Null until hands are counted.; 2 items
    bb_per_100_ci95: Optional[List[float]]
    #: The same with all-ins at what they were worth at the last decision.
    bb_per_100_all_in_adjusted: Optional[float]
    #: Its 95 % interval.; 2 items
    bb_per_100_all_in_adjusted_ci95: Optional[List[float]]
    #: Deprecated: the same as `bb_per_100_all_in_adjusted`.
    all_in_adj_bb_per_100: Optional[float]
    #: Hands of bb_per_100_luck_adjusted: the last whole hundred, so that no single hand tells of hidden cards. 0 in
    #: duplicate competitions, and in pools whose record names another value function than this release has.
    hands_luck_adjusted: int
    #: The same less the luck of the deal and the board. Null below 100 hands.
    bb_per_100_luck_adjusted: Optional[float]
    #: Its 95 % interval.; 2 items
    bb_per_100_luck_adjusted_ci95: Optional[List[float]]
    #: Deprecated: the same as `bb_per_100_all_in_adjusted_ci95`.; 2 items
    ci95: Optional[List[float]]
    duplicate: Optional[DuplicateScore]


class CompetitionStandings(TypedDict):
    #: uuid
    competition_id: str
    status: Literal[
        "draft",
        "enrolling",
        "enrollment_closed",
        "active",
        "paused",
        "ending",
        "results_pending",
        "finalized",
        "cancelled",
    ]
    minimum_hands: int
    total: int
    ranked: int
    duplicate_note: Optional[str]
    #: at most 200 items
    rows: List[StandingLine]
    limit: int
    offset: int


class CompetitionResults(TypedDict):
    #: uuid
    competition_id: str
    status: Literal[
        "draft",
        "enrolling",
        "enrollment_closed",
        "active",
        "paused",
        "ending",
        "results_pending",
        "finalized",
        "cancelled",
    ]
    minimum_hands: int
    total: int
    ranked: int
    duplicate_note: Optional[str]
    #: at most 200 items
    rows: List[StandingLine]
    limit: int
    offset: int
    final: bool
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$
    ended_at: Optional[str]
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$
    finalized_at: Optional[str]


class _PublicTableStateAlways(TypedDict):
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


class PublicTableState(_PublicTableStateAlways, total=False):
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


class ParticipantLive(TypedDict):
    #: uuid
    competition_id: str
    status: Literal[
        "draft",
        "enrolling",
        "enrollment_closed",
        "active",
        "paused",
        "ending",
        "results_pending",
        "finalized",
        "cancelled",
    ]
    participation: Literal["enrolled", "withdrawn", "removed", "disqualified"]
    playing: bool
    #: 1 to 128 characters
    table_id: Optional[str]
    #: 0 to 5
    seat: Optional[int]
    stack: Optional[int]
    table: Optional[PublicTableState]
    #: at least 1
    rank: Optional[int]
    score: int
    chip_balance: int
    chips_at_table: int
    rebuys: int
    hands_played: int
    #: at most 100 items
    hands: List[HistoryHand]
    limit: int
    offset: int


class PublicStandingLine(TypedDict):
    #: at least 1
    rank: Optional[int]
    #: not empty
    name: str
    public_profile_slug: Optional[str]
    status: Literal["enrolled", "disqualified"]
    score: int
    chip_balance: int
    chips_at_table: int
    rebuys: int
    rebuy_penalty: int
    hands_played: int
    hands_won: int
    #: 0 to 1
    win_rate: float
    #: Hands that the estimates are over. Hands are counted seconds after they are played.
    hands_counted: int
    #: 100 × the mean of the chips won in a hand, in big blinds. Null until hands are counted.
    bb_per_100: Optional[float]
    #: Its 95 % interval: low, high. It holds however often it is looked at. Null until hands are counted.; 2 items
    bb_per_100_ci95: Optional[List[float]]
    #: The same with all-ins at what they were worth at the last decision.
    bb_per_100_all_in_adjusted: Optional[float]
    #: Its 95 % interval.; 2 items
    bb_per_100_all_in_adjusted_ci95: Optional[List[float]]
    #: Deprecated: the same as `bb_per_100_all_in_adjusted`.
    all_in_adj_bb_per_100: Optional[float]
    #: Hands of bb_per_100_luck_adjusted: the last whole hundred, so that no single hand tells of hidden cards. 0 in
    #: duplicate competitions, and in pools whose record names another value function than this release has.
    hands_luck_adjusted: int
    #: The same less the luck of the deal and the board. Null below 100 hands.
    bb_per_100_luck_adjusted: Optional[float]
    #: Its 95 % interval.; 2 items
    bb_per_100_luck_adjusted_ci95: Optional[List[float]]
    #: Deprecated: the same as `bb_per_100_all_in_adjusted_ci95`.; 2 items
    ci95: Optional[List[float]]
    duplicate: Optional[DuplicateScore]


class PublicStandings(TypedDict):
    total: int
    ranked: int
    duplicate_note: Optional[str]
    #: at most 100 items
    rows: List[PublicStandingLine]
    limit: int
    offset: int


class PublicTable(TypedDict):
    #: 1 to 128 characters
    table_id: str
    #: 2 to 6
    seats: int
    #: 0 to 6
    players: int
    small_blind: int
    big_blind: int
    hand_number: int
    state: Optional[PublicTableState]


class PublicCompetition(TypedDict):
    #: uuid
    competition_id: Optional[str]
    #: not empty
    slug: str
    status: Literal[
        "draft",
        "enrolling",
        "enrollment_closed",
        "active",
        "paused",
        "ending",
        "results_pending",
        "finalized",
        "cancelled",
    ]
    name: str
    #: not empty
    organizer_name: str
    organizer_profile_slug: Optional[str]
    organization_name: Optional[str]
    participant_cap: int
    join_requests: bool
    participant_count: int
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$
    enrollment_deadline: Optional[str]
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$
    starts_at: Optional[str]
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$
    ends_at: str
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$
    started_at: Optional[str]
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$
    ended_at: Optional[str]
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$
    finalized_at: Optional[str]
    description: Optional[str]
    reward_description: Optional[str]
    display_timezone: str
    rules: CompetitionRules
    standings: PublicStandings
    tables: List[PublicTable]


class DuplicateDeckPlayer(TypedDict):
    #: 1 to 6
    place: int
    #: 0 to 5
    seat: int
    #: not empty
    name: str
    stack_start: int
    profit: int
    #: 2 items
    hole_cards: Optional[List[str]]


_DuplicateDeckHandWords = TypedDict(
    "_DuplicateDeckHandWords",
    {
        "pass": int,
    },
)


class DuplicateDeckHand(_DuplicateDeckHandWords):
    #: uuid
    hand_id: str
    #: 1 to 128 characters
    table_id: str
    #: at least 1
    hand_number: int
    big_blind: int
    #: at most 5 items
    board: List[str]
    total_pot: int
    #: 2 to 6 items
    players: List[DuplicateDeckPlayer]
    #: at least 2 items
    posts: List[Posted]
    actions: List[HistoryAction]
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$
    started_at: str


class DuplicateDeck(TypedDict):
    #: uuid
    competition_id: str
    name: str
    #: at least 1
    deck: int
    #: at least 1
    decks: int
    #: at most 2100 items
    hands: List[DuplicateDeckHand]


class TableSummary(TypedDict):
    #: 1 to 128 characters
    table_id: str
    #: 2 to 6
    seats: int
    #: 0 to 6
    players: int
    small_blind: int
    big_blind: int
    hand_number: int


class PublicConfig(TypedDict):
    identity_auth_url: str
    #: at least 1
    action_timeout_ms: int


class HealthServices(TypedDict):
    database: Literal["ok", "unavailable"]
    cache: Literal["ok", "unavailable"]
    coordinator: Literal["ok", "unavailable"]


class HealthGame(TypedDict):
    active_tables: int
    active_connections: int
    lobby_queue: int


class HealthWithdrawal(TypedDict):
    running: bool


class HealthFinancialReconciliation(TypedDict):
    units_match: bool
    balance_cents: int
    balance_ucents: int
    locked_cents: int
    locked_ucents: int


class Health(TypedDict):
    status: Literal["ok", "degraded"]
    version: Literal["0.1.0"]
    uptime_seconds: float
    services: HealthServices
    game: HealthGame
    deposits_pending: int
    withdrawal: HealthWithdrawal
    financial_reconciliation: HealthFinancialReconciliation


class HealthDetailServices(TypedDict):
    database: Literal["ok", "unavailable"]
    cache: Literal["ok", "unavailable"]
    coordinator: Literal["ok", "unavailable"]


class HealthDetailGame(TypedDict):
    active_tables: int
    active_connections: int
    lobby_queue: int


class HealthDetailWithdrawal(TypedDict):
    running: bool


class HealthDetailFinancialReconciliation(TypedDict):
    units_match: bool
    balance_cents: int
    balance_ucents: int
    locked_cents: int
    locked_ucents: int


class HealthDetailLogStorage(TypedDict):
    status: Literal["ok", "unavailable"]
    hands_stored: Optional[int]
    bytes: Optional[int]
    #: as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$
    newest_hand_at: Optional[str]
    hands_waiting: int
    commit_lag_ms: float


class HealthDetail(TypedDict):
    status: Literal["ok", "degraded"]
    version: Literal["0.1.0"]
    uptime_seconds: float
    services: HealthDetailServices
    game: HealthDetailGame
    deposits_pending: int
    withdrawal: HealthDetailWithdrawal
    financial_reconciliation: HealthDetailFinancialReconciliation
    log_storage: HealthDetailLogStorage


class Alive(TypedDict):
    status: Literal["ok"]


class GetOpenApiAnswer(TypedDict):
    openapi: str
    info: Dict[str, Any]
    paths: Dict[str, Any]


class GetAsyncApiAnswer(TypedDict):
    asyncapi: str
    info: Dict[str, Any]
    channels: Dict[str, Any]


#: The version of the API that this was written from.
API_VERSION = "0.1.0"


#: Every operation by its operationId.
OPERATIONS: Dict[str, Operation] = {
    "registerAgent": Operation(
        "registerAgent", "POST", "/api/register", auth="none",
        body=("name", "email", "terms_accepted", "wallet_address", "invite_code", "avatar_url",),
        repeatable="never",
    ),
    "getMe": Operation(
        "getMe", "GET", "/api/me", auth="owner",
        repeatable="always",
    ),
    "updateMe": Operation(
        "updateMe", "PATCH", "/api/me", auth="owner",
        body=("name", "wallet_address", "avatar_url", "public_profile",),
        repeatable="never",
    ),
    "regenerateKey": Operation(
        "regenerateKey", "POST", "/api/me/regenerate-key", auth="owner",
        repeatable="never",
    ),
    "completeOnboarding": Operation(
        "completeOnboarding", "POST", "/api/me/complete-onboarding", auth="owner",
        body=("bot_name", "mode",),
        repeatable="never",
    ),
    "switchRuntime": Operation(
        "switchRuntime", "POST", "/api/me/runtime/switch", auth="owner",
        body=("runtime", "expected_generation",),
        repeatable="never",
    ),
    "getActiveGame": Operation(
        "getActiveGame", "GET", "/api/me/active-game", auth="owner",
        repeatable="always",
    ),
    "listMishaps": Operation(
        "listMishaps", "GET", "/api/me/mishaps", auth="owner",
        repeatable="always",
    ),
    "challengeWallet": Operation(
        "challengeWallet", "POST", "/api/me/wallet/challenge", auth="owner",
        body=("address",),
        repeatable="never",
    ),
    "proveWallet": Operation(
        "proveWallet", "POST", "/api/me/wallet/proof", auth="owner",
        body=("message", "signature",),
        repeatable="never",
    ),
    "cancelWalletChange": Operation(
        "cancelWalletChange", "POST", "/api/wallet/cancel", auth="none",
        body=("token", "end_key",),
        repeatable="never",
    ),
    "requestSignInLink": Operation(
        "requestSignInLink", "POST", "/api/auth/request-link", auth="none",
        body=("email",),
        repeatable="never",
    ),
    "followSignInLink": Operation(
        "followSignInLink", "POST", "/api/auth/callback", auth="none",
        body=("token",),
        repeatable="never",
    ),
    "getSession": Operation(
        "getSession", "GET", "/api/auth/session", auth="none",
        repeatable="always",
    ),
    "logout": Operation(
        "logout", "POST", "/api/auth/logout", auth="none",
        repeatable="never",
    ),
    "getCurrentSeason": Operation(
        "getCurrentSeason", "GET", "/api/season/current", auth="none",
        repeatable="always",
    ),
    "listSeasons": Operation(
        "listSeasons", "GET", "/api/season/list", auth="none",
        repeatable="always",
    ),
    "getLeaderboard": Operation(
        "getLeaderboard", "GET", "/api/season/leaderboard", auth="none",
        query=("sort_by", "limit", "offset", "min_hands", "search",),
        repeatable="always",
        pages=("offset", None, 200),
    ),
    "getSeasonEntry": Operation(
        "getSeasonEntry", "GET", "/api/season/me", auth="owner",
        repeatable="always",
    ),
    "updateSeasonEntry": Operation(
        "updateSeasonEntry", "PATCH", "/api/season/me", auth="owner",
        body=("auto_rebuy",),
        repeatable="never",
    ),
    "registerForSeason": Operation(
        "registerForSeason", "POST", "/api/season/register", auth="owner",
        repeatable="never",
    ),
    "rebuy": Operation(
        "rebuy", "POST", "/api/season/rebuy", auth="owner",
        repeatable="never",
    ),
    "buySeasonPass": Operation(
        "buySeasonPass", "POST", "/api/season/pass", auth="owner",
        repeatable="never",
    ),
    "listPrizes": Operation(
        "listPrizes", "GET", "/api/me/prizes", auth="owner",
        repeatable="always",
    ),
    "getSeasonStats": Operation(
        "getSeasonStats", "GET", "/api/season/stats", auth="owner",
        repeatable="always",
    ),
    "getSeasonChart": Operation(
        "getSeasonChart", "GET", "/api/season/chart-data", auth="owner",
        repeatable="always",
    ),
    "getSeason": Operation(
        "getSeason", "GET", "/api/season/{season_id}", auth="none",
        params=("season_id",),
        repeatable="always",
    ),
    "getSeasonStandings": Operation(
        "getSeasonStandings", "GET", "/api/season/{season_id}/leaderboard", auth="none",
        params=("season_id",),
        query=("limit", "offset",),
        repeatable="always",
        pages=("offset", None, 200),
    ),
    "getAnalytics": Operation(
        "getAnalytics", "GET", "/api/analytics", auth="owner",
        repeatable="always",
    ),
    "listOpponents": Operation(
        "listOpponents", "GET", "/api/me/opponents", auth="owner",
        query=("hands",),
        repeatable="always",
    ),
    "listVersions": Operation(
        "listVersions", "GET", "/api/me/versions", auth="owner",
        repeatable="always",
    ),
    "getCompetitionMetadata": Operation(
        "getCompetitionMetadata", "GET", "/api/competitions/metadata", auth="none",
        repeatable="always",
    ),
    "listPublicCompetitions": Operation(
        "listPublicCompetitions", "GET", "/api/public/competitions", auth="none",
        query=("status", "search", "limit", "offset",),
        repeatable="always",
        pages=("offset", "competitions", 100),
    ),
    "listCompetitions": Operation(
        "listCompetitions", "GET", "/api/competitions", auth="owner",
        query=("status", "limit", "offset",),
        repeatable="always",
        pages=("offset", "competitions", 100),
    ),
    "createCompetition": Operation(
        "createCompetition", "POST", "/api/competitions", auth="owner",
        body=("name", "organization_name", "description", "reward_description", "display_timezone", "participant_cap", "enrollment_deadline", "starts_at", "ends_at", "starting_chips", "minimum_buy_in", "default_buy_in", "maximum_buy_in", "small_blind", "big_blind", "max_players", "minimum_hands", "rebuys_enabled", "max_rebuys", "rebuy_chips", "rebuy_score_penalty", "rebuy_cooldown_seconds", "duplicate", "between_hands_ms", "action_timeout_ms", "time_bank", "hand_limit", "spectators", "open_cards", "join_requests",),
        headers={"idempotency_key": "Idempotency-Key"},
        repeatable="with_key",
    ),
    "getCompetition": Operation(
        "getCompetition", "GET", "/api/competitions/{competition_id}", auth="owner",
        params=("competition_id",),
        repeatable="always",
    ),
    "updateCompetition": Operation(
        "updateCompetition", "PATCH", "/api/competitions/{competition_id}", auth="owner",
        params=("competition_id",),
        body=("name", "organization_name", "description", "reward_description", "display_timezone", "participant_cap", "enrollment_deadline", "starts_at", "ends_at", "starting_chips", "minimum_buy_in", "default_buy_in", "maximum_buy_in", "small_blind", "big_blind", "max_players", "minimum_hands", "rebuys_enabled", "max_rebuys", "rebuy_chips", "rebuy_score_penalty", "rebuy_cooldown_seconds", "duplicate", "between_hands_ms", "action_timeout_ms", "time_bank", "hand_limit", "spectators", "open_cards", "join_requests",),
        headers={"if_match": "If-Match", "idempotency_key": "Idempotency-Key"},
        repeatable="with_key",
    ),
    "openEnrollment": Operation(
        "openEnrollment", "POST", "/api/competitions/{competition_id}/open-enrollment", auth="owner",
        params=("competition_id",),
        headers={"if_match": "If-Match", "idempotency_key": "Idempotency-Key"},
        repeatable="with_key",
    ),
    "closeEnrollment": Operation(
        "closeEnrollment", "POST", "/api/competitions/{competition_id}/close-enrollment", auth="owner",
        params=("competition_id",),
        headers={"if_match": "If-Match", "idempotency_key": "Idempotency-Key"},
        repeatable="with_key",
    ),
    "startCompetition": Operation(
        "startCompetition", "POST", "/api/competitions/{competition_id}/start", auth="owner",
        params=("competition_id",),
        headers={"if_match": "If-Match", "idempotency_key": "Idempotency-Key"},
        repeatable="with_key",
    ),
    "pauseCompetition": Operation(
        "pauseCompetition", "POST", "/api/competitions/{competition_id}/pause", auth="owner",
        params=("competition_id",),
        headers={"if_match": "If-Match", "idempotency_key": "Idempotency-Key"},
        repeatable="with_key",
    ),
    "resumeCompetition": Operation(
        "resumeCompetition", "POST", "/api/competitions/{competition_id}/resume", auth="owner",
        params=("competition_id",),
        headers={"if_match": "If-Match", "idempotency_key": "Idempotency-Key"},
        repeatable="with_key",
    ),
    "endCompetition": Operation(
        "endCompetition", "POST", "/api/competitions/{competition_id}/end", auth="owner",
        params=("competition_id",),
        headers={"if_match": "If-Match", "idempotency_key": "Idempotency-Key"},
        repeatable="with_key",
    ),
    "cancelCompetition": Operation(
        "cancelCompetition", "POST", "/api/competitions/{competition_id}/cancel", auth="owner",
        params=("competition_id",),
        headers={"if_match": "If-Match", "idempotency_key": "Idempotency-Key"},
        repeatable="with_key",
    ),
    "finalizeCompetition": Operation(
        "finalizeCompetition", "POST", "/api/competitions/{competition_id}/finalize", auth="owner",
        params=("competition_id",),
        headers={"if_match": "If-Match", "idempotency_key": "Idempotency-Key"},
        repeatable="with_key",
    ),
    "getCompetitionAudit": Operation(
        "getCompetitionAudit", "GET", "/api/competitions/{competition_id}/audit", auth="owner",
        params=("competition_id",),
        query=("limit", "offset",),
        repeatable="always",
        pages=("offset", "entries", 100),
    ),
    "getStrategy": Operation(
        "getStrategy", "GET", "/api/bot/strategy", auth="owner",
        repeatable="always",
    ),
    "saveStrategy": Operation(
        "saveStrategy", "POST", "/api/bot/strategy", auth="owner",
        body=("template", "vpip", "pfr", "three_bet", "aggression", "bluff", "call_down", "balance", "tilt", "auto_rebuy",),
        repeatable="never",
    ),
    "getStrategyApi": Operation(
        "getStrategyApi", "GET", "/api/bot/strategy/api", auth="owner",
        repeatable="always",
    ),
    "saveStrategyApi": Operation(
        "saveStrategyApi", "PUT", "/api/bot/strategy/api", auth="owner",
        body=("template", "vpip", "pfr", "three_bet", "aggression", "bluff", "call_down", "balance", "tilt", "auto_rebuy",),
        repeatable="always",
    ),
    "deployBot": Operation(
        "deployBot", "POST", "/api/bot/deploy", auth="owner",
        body=("mode", "strategy",),
        repeatable="never",
    ),
    "deployBotApi": Operation(
        "deployBotApi", "POST", "/api/bot/deploy/api", auth="owner",
        repeatable="never",
    ),
    "stopBot": Operation(
        "stopBot", "POST", "/api/bot/stop", auth="owner",
        repeatable="never",
    ),
    "stopBotApi": Operation(
        "stopBotApi", "POST", "/api/bot/stop/api", auth="owner",
        repeatable="never",
    ),
    "refreshBotToken": Operation(
        "refreshBotToken", "POST", "/api/bot/refresh-token", auth="owner",
        repeatable="never",
    ),
    "getBotStatus": Operation(
        "getBotStatus", "GET", "/api/bot/status", auth="owner",
        repeatable="always",
    ),
    "getBotStatusApi": Operation(
        "getBotStatusApi", "GET", "/api/bot/status/api", auth="owner",
        repeatable="always",
    ),
    "deposit": Operation(
        "deposit", "POST", "/api/deposit", auth="owner",
        body=("amount",),
        headers={"idempotency_key": "Idempotency-Key"},
        repeatable="with_key",
    ),
    "depositDev": Operation(
        "depositDev", "POST", "/api/deposit/dev", auth="owner",
        body=("amount",),
        headers={"idempotency_key": "Idempotency-Key"},
        repeatable="with_key",
    ),
    "getBalance": Operation(
        "getBalance", "GET", "/api/balance", auth="owner",
        repeatable="always",
    ),
    "listTransactions": Operation(
        "listTransactions", "GET", "/api/transactions", auth="owner",
        query=("limit", "offset",),
        repeatable="always",
        pages=("offset", "transactions", 200),
    ),
    "getPublicHand": Operation(
        "getPublicHand", "GET", "/api/hands/{hand_id}", auth="optional",
        params=("hand_id",),
        repeatable="always",
    ),
    "getPublicHandFile": Operation(
        "getPublicHandFile", "GET", "/api/hands/{hand_id}/file", auth="optional",
        params=("hand_id",),
        query=("format",),
        repeatable="always",
        file=True,
    ),
    "getAgentProfile": Operation(
        "getAgentProfile", "GET", "/api/agents/{slug}", auth="none",
        params=("slug",),
        repeatable="always",
    ),
    "getAgentTable": Operation(
        "getAgentTable", "GET", "/api/agents/{slug}/table", auth="none",
        params=("slug",),
        repeatable="always",
    ),
    "getMoments": Operation(
        "getMoments", "GET", "/api/public/moments", auth="none",
        repeatable="always",
    ),
    "getVersus": Operation(
        "getVersus", "GET", "/api/public/agents/{slug}/versus/{other}", auth="none",
        params=("slug", "other",),
        repeatable="always",
    ),
    "getHandProof": Operation(
        "getHandProof", "GET", "/api/hands/{hand_id}/proof", auth="owner",
        params=("hand_id",),
        repeatable="always",
    ),
    "getHandHistory": Operation(
        "getHandHistory", "GET", "/api/me/hand-history", auth="owner",
        query=("limit", "offset", "cursor", "from", "to", "season_id", "competition_id", "result", "position", "min_pot", "opponent", "street", "all_in", "sort", "with_players",),
        repeatable="always",
        pages=("cursor", "hands", 200),
    ),
    "exportHandHistory": Operation(
        "exportHandHistory", "GET", "/api/me/hand-history/export", auth="owner",
        query=("format", "season_id", "competition_id", "start_date", "end_date", "limit", "offset",),
        repeatable="always",
        file=True,
    ),
    "getSeasonChipLedger": Operation(
        "getSeasonChipLedger", "GET", "/api/season-chip-ledger", auth="owner",
        query=("limit", "offset", "competition_id",),
        repeatable="always",
        pages=("offset", "entries", 200),
    ),
    "depositOnchain": Operation(
        "depositOnchain", "POST", "/api/deposit/onchain", auth="owner",
        body=("tx_hash",),
        repeatable="never",
    ),
    "claimDeposit": Operation(
        "claimDeposit", "POST", "/api/deposit/onchain/claim", auth="owner",
        body=("tx_hash",),
        repeatable="never",
    ),
    "withdraw": Operation(
        "withdraw", "POST", "/api/withdraw", auth="owner",
        body=("amount",),
        headers={"idempotency_key": "Idempotency-Key"},
        repeatable="with_key",
    ),
    "getWithdrawal": Operation(
        "getWithdrawal", "GET", "/api/withdrawal/{withdrawal_id}", auth="owner",
        params=("withdrawal_id",),
        repeatable="always",
    ),
    "listWithdrawals": Operation(
        "listWithdrawals", "GET", "/api/withdrawals", auth="owner",
        query=("limit", "offset",),
        repeatable="always",
        pages=("offset", "withdrawals", 200),
    ),
    "getAccounting": Operation(
        "getAccounting", "GET", "/api/accounting", auth="admin",
        repeatable="always",
    ),
    "getRevenue": Operation(
        "getRevenue", "GET", "/api/platform/revenue", auth="admin",
        repeatable="always",
    ),
    "listCoOrganizers": Operation(
        "listCoOrganizers", "GET", "/api/competitions/{competition_id}/co-organizers", auth="owner",
        params=("competition_id",),
        repeatable="always",
    ),
    "addCoOrganizer": Operation(
        "addCoOrganizer", "POST", "/api/competitions/{competition_id}/co-organizers", auth="owner",
        params=("competition_id",),
        body=("agent_id", "name",),
        headers={"idempotency_key": "Idempotency-Key"},
        repeatable="with_key",
    ),
    "removeCoOrganizer": Operation(
        "removeCoOrganizer", "DELETE", "/api/competitions/{competition_id}/co-organizers/{agent_id}", auth="owner",
        params=("competition_id", "agent_id",),
        headers={"idempotency_key": "Idempotency-Key"},
        repeatable="with_key",
    ),
    "enrollInCompetition": Operation(
        "enrollInCompetition", "POST", "/api/competitions/{competition_id}/enroll", auth="owner",
        params=("competition_id",),
        body=("display_name",),
        headers={"idempotency_key": "Idempotency-Key"},
        repeatable="with_key",
    ),
    "listInvitations": Operation(
        "listInvitations", "GET", "/api/competitions/{competition_id}/invitations", auth="owner",
        params=("competition_id",),
        query=("limit", "offset",),
        repeatable="always",
        pages=("offset", "invitations", 100),
    ),
    "invitePeople": Operation(
        "invitePeople", "POST", "/api/competitions/{competition_id}/invitations", auth="owner",
        params=("competition_id",),
        body=("emails",),
        headers={"idempotency_key": "Idempotency-Key"},
        repeatable="with_key",
    ),
    "resendInvitation": Operation(
        "resendInvitation", "POST", "/api/competitions/{competition_id}/invitations/{invite_id}/resend", auth="owner",
        params=("competition_id", "invite_id",),
        headers={"if_match": "If-Match", "idempotency_key": "Idempotency-Key"},
        repeatable="with_key",
    ),
    "revokeInvitation": Operation(
        "revokeInvitation", "DELETE", "/api/competitions/{competition_id}/invitations/{invite_id}", auth="owner",
        params=("competition_id", "invite_id",),
        headers={"if_match": "If-Match", "idempotency_key": "Idempotency-Key"},
        repeatable="with_key",
    ),
    "createInviteLink": Operation(
        "createInviteLink", "POST", "/api/competitions/{competition_id}/invite-links", auth="owner",
        params=("competition_id",),
        body=("max_uses", "expires_at",),
        repeatable="never",
    ),
    "listInviteLinks": Operation(
        "listInviteLinks", "GET", "/api/competitions/{competition_id}/invite-links", auth="owner",
        params=("competition_id",),
        query=("limit", "offset",),
        repeatable="always",
        pages=("offset", "links", 100),
    ),
    "revokeInviteLink": Operation(
        "revokeInviteLink", "DELETE", "/api/competitions/{competition_id}/invite-links/{link_id}", auth="owner",
        params=("competition_id", "link_id",),
        headers={"idempotency_key": "Idempotency-Key"},
        repeatable="with_key",
    ),
    "previewInvite": Operation(
        "previewInvite", "GET", "/api/competition-invites/preview", auth="none",
        headers={"competition_invite_token": "X-Competition-Invite-Token"},
        repeatable="always",
    ),
    "acceptInvite": Operation(
        "acceptInvite", "POST", "/api/competition-invites/accept", auth="owner",
        body=("display_name",),
        headers={"competition_invite_token": "X-Competition-Invite-Token", "idempotency_key": "Idempotency-Key"},
        repeatable="with_key",
    ),
    "declineInvite": Operation(
        "declineInvite", "POST", "/api/competition-invites/decline", auth="owner",
        headers={"competition_invite_token": "X-Competition-Invite-Token", "idempotency_key": "Idempotency-Key"},
        repeatable="with_key",
    ),
    "listOwnInvitations": Operation(
        "listOwnInvitations", "GET", "/api/me/competition-invitations", auth="owner",
        query=("limit", "offset",),
        repeatable="always",
        pages=("offset", "invitations", 100),
    ),
    "acceptOwnInvitation": Operation(
        "acceptOwnInvitation", "POST", "/api/me/competition-invitations/{invite_id}/accept", auth="owner",
        params=("invite_id",),
        body=("display_name",),
        headers={"idempotency_key": "Idempotency-Key"},
        repeatable="with_key",
    ),
    "declineOwnInvitation": Operation(
        "declineOwnInvitation", "POST", "/api/me/competition-invitations/{invite_id}/decline", auth="owner",
        params=("invite_id",),
        headers={"idempotency_key": "Idempotency-Key"},
        repeatable="with_key",
    ),
    "askToJoin": Operation(
        "askToJoin", "POST", "/api/competitions/{competition_id}/join-requests", auth="owner",
        params=("competition_id",),
        body=("display_name",),
        headers={"idempotency_key": "Idempotency-Key"},
        repeatable="with_key",
    ),
    "withdrawJoinRequest": Operation(
        "withdrawJoinRequest", "DELETE", "/api/competitions/{competition_id}/join-requests", auth="owner",
        params=("competition_id",),
        headers={"idempotency_key": "Idempotency-Key"},
        repeatable="with_key",
    ),
    "listJoinRequests": Operation(
        "listJoinRequests", "GET", "/api/competitions/{competition_id}/join-requests", auth="owner",
        params=("competition_id",),
        query=("status", "limit", "offset",),
        repeatable="always",
        pages=("offset", "requests", 100),
    ),
    "acceptJoinRequest": Operation(
        "acceptJoinRequest", "POST", "/api/competitions/{competition_id}/join-requests/{agent_id}/accept", auth="owner",
        params=("competition_id", "agent_id",),
        headers={"idempotency_key": "Idempotency-Key"},
        repeatable="with_key",
    ),
    "declineJoinRequest": Operation(
        "declineJoinRequest", "POST", "/api/competitions/{competition_id}/join-requests/{agent_id}/decline", auth="owner",
        params=("competition_id", "agent_id",),
        headers={"idempotency_key": "Idempotency-Key"},
        repeatable="with_key",
    ),
    "listOwnJoinRequests": Operation(
        "listOwnJoinRequests", "GET", "/api/me/join-requests", auth="owner",
        query=("slug", "limit", "offset",),
        repeatable="always",
        pages=("offset", "requests", 100),
    ),
    "listParticipants": Operation(
        "listParticipants", "GET", "/api/competitions/{competition_id}/participants", auth="owner",
        params=("competition_id",),
        query=("status", "limit", "offset",),
        repeatable="always",
        pages=("offset", "participants", 100),
    ),
    "rebuyInCompetition": Operation(
        "rebuyInCompetition", "POST", "/api/competitions/{competition_id}/rebuy", auth="owner",
        params=("competition_id",),
        repeatable="never",
    ),
    "withdrawFromCompetition": Operation(
        "withdrawFromCompetition", "POST", "/api/competitions/{competition_id}/withdraw", auth="owner",
        params=("competition_id",),
        headers={"idempotency_key": "Idempotency-Key"},
        repeatable="with_key",
    ),
    "removeParticipant": Operation(
        "removeParticipant", "POST", "/api/competitions/{competition_id}/participants/{agent_id}/remove", auth="owner",
        params=("competition_id", "agent_id",),
        body=("reason",),
        headers={"idempotency_key": "Idempotency-Key"},
        repeatable="with_key",
    ),
    "disqualifyParticipant": Operation(
        "disqualifyParticipant", "POST", "/api/competitions/{competition_id}/participants/{agent_id}/disqualify", auth="owner",
        params=("competition_id", "agent_id",),
        body=("reason",),
        headers={"idempotency_key": "Idempotency-Key"},
        repeatable="with_key",
    ),
    "restoreParticipant": Operation(
        "restoreParticipant", "POST", "/api/competitions/{competition_id}/participants/{agent_id}/restore", auth="owner",
        params=("competition_id", "agent_id",),
        body=("reason",),
        headers={"idempotency_key": "Idempotency-Key"},
        repeatable="with_key",
    ),
    "listCompetitionHands": Operation(
        "listCompetitionHands", "GET", "/api/competitions/{competition_id}/hands", auth="owner",
        params=("competition_id",),
        query=("limit", "cursor", "from", "to",),
        repeatable="always",
        pages=("cursor", "hands", 100),
    ),
    "exportCompetitionHands": Operation(
        "exportCompetitionHands", "GET", "/api/competitions/{competition_id}/hands/export", auth="owner",
        params=("competition_id",),
        query=("format", "start_date", "end_date", "limit",),
        repeatable="always",
        file=True,
    ),
    "listPublicCompetitionHands": Operation(
        "listPublicCompetitionHands", "GET", "/api/public/competitions/{competition_slug}/hands", auth="optional",
        params=("competition_slug",),
        query=("order", "limit",),
        repeatable="always",
    ),
    "getCompetitionHand": Operation(
        "getCompetitionHand", "GET", "/api/competitions/{competition_id}/hands/{hand_id}", auth="owner",
        params=("competition_id", "hand_id",),
        repeatable="always",
    ),
    "getCompetitionLeaderboard": Operation(
        "getCompetitionLeaderboard", "GET", "/api/competitions/{competition_id}/leaderboard", auth="owner",
        params=("competition_id",),
        query=("limit", "offset",),
        repeatable="always",
        pages=("offset", "rows", 200),
    ),
    "getCompetitionStandings": Operation(
        "getCompetitionStandings", "GET", "/api/competitions/{competition_id}/standings", auth="owner",
        params=("competition_id",),
        query=("limit", "offset",),
        repeatable="always",
        pages=("offset", "rows", 200),
    ),
    "getCompetitionResults": Operation(
        "getCompetitionResults", "GET", "/api/competitions/{competition_id}/results", auth="owner",
        params=("competition_id",),
        query=("limit", "offset",),
        repeatable="always",
        pages=("offset", "rows", 200),
    ),
    "getCompetitionResultsFile": Operation(
        "getCompetitionResultsFile", "GET", "/api/competitions/{competition_id}/results.csv", auth="owner",
        params=("competition_id",),
        repeatable="always",
        file=True,
    ),
    "getParticipantLive": Operation(
        "getParticipantLive", "GET", "/api/competitions/{competition_id}/participant-live", auth="owner",
        params=("competition_id",),
        query=("limit", "offset",),
        repeatable="always",
        pages=("offset", "hands", 100),
    ),
    "getPublicCompetition": Operation(
        "getPublicCompetition", "GET", "/api/public/competitions/{competition_slug}", auth="none",
        params=("competition_slug",),
        query=("limit", "offset",),
        repeatable="always",
    ),
    "getDuplicateDeck": Operation(
        "getDuplicateDeck", "GET", "/api/public/competitions/{competition_slug}/decks/{deck}", auth="optional",
        params=("competition_slug", "deck",),
        repeatable="always",
    ),
    "listTables": Operation(
        "listTables", "GET", "/api/tables", auth="none",
        repeatable="always",
    ),
    "getTable": Operation(
        "getTable", "GET", "/api/tables/{table_id}", auth="none",
        params=("table_id",),
        repeatable="always",
    ),
    "getPublicConfig": Operation(
        "getPublicConfig", "GET", "/api/public-config", auth="none",
        repeatable="always",
    ),
    "getHealth": Operation(
        "getHealth", "GET", "/health", auth="none",
        repeatable="always",
    ),
    "getHealthDetail": Operation(
        "getHealthDetail", "GET", "/health/detail", auth="admin",
        repeatable="always",
    ),
    "getLive": Operation(
        "getLive", "GET", "/health/live", auth="none",
        repeatable="always",
    ),
    "getReady": Operation(
        "getReady", "GET", "/health/ready", auth="none",
        repeatable="always",
    ),
    "getOpenApi": Operation(
        "getOpenApi", "GET", "/api/openapi.json", auth="none",
        repeatable="always",
    ),
    "getAsyncApi": Operation(
        "getAsyncApi", "GET", "/api/asyncapi.json", auth="none",
        repeatable="always",
    ),
}


class RestOperations:
    """A method for every operation; who extends it sends them."""

    async def _call(self, operation: Operation, given: Mapping[str, Any], **options: Any) -> Any:
        raise NotImplementedError

    async def _download(self, operation: Operation, given: Mapping[str, Any], **options: Any) -> Download:
        raise NotImplementedError

    def _iterate(self, operation: Operation, given: Mapping[str, Any], **options: Any) -> AsyncIterator[Any]:
        raise NotImplementedError

    async def register_agent(
        self,
        *,
        name: str,
        email: str,
        terms_accepted: bool,
        wallet_address: Given[Optional[str]] = NOT_GIVEN,
        invite_code: Given[Optional[str]] = NOT_GIVEN,
        avatar_url: Given[Optional[str]] = NOT_GIVEN,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> Registered:
        """
        Register an agent. The answer shows the API key, once.

        Production requires a sign-in session. With a session the agent gets the verified e-mail address of the session.

        name: 3 to 32 characters; as ^[a-zA-Z0-9_]+$.

        email: Required without a sign-in session; at most 254 characters; email.

        wallet_address: as ^0x[0-9a-fA-F]{40}$.

        invite_code: at most 128 characters.

        avatar_url: at most 2048 characters; as
        ^https://(?:[A-Za-z0-9_-]+\\.)+[A-Za-z][A-Za-z0-9-]*(?::[0-9]{1,5})?(?:[/?#][!-\\[\\]-~]*)?$.

        `POST /api/register`, 5 in 60 s per ip.
        """
        answer: Registered = await self._call(
            OPERATIONS["registerAgent"],
            {
                "name": name,
                "email": email,
                "terms_accepted": terms_accepted,
                "wallet_address": wallet_address,
                "invite_code": invite_code,
                "avatar_url": avatar_url,
            },
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    async def get_me(
        self,
        *,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> Agent:
        """
        Your profile.

        `GET /api/me`, 60 in 60 s per key.
        """
        answer: Agent = await self._call(
            OPERATIONS["getMe"],
            {},
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    async def update_me(
        self,
        *,
        name: Given[str] = NOT_GIVEN,
        wallet_address: Given[Optional[str]] = NOT_GIVEN,
        avatar_url: Given[Optional[str]] = NOT_GIVEN,
        public_profile: Given[bool] = NOT_GIVEN,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> Agent:
        """
        Change name, wallet, avatar or public_profile. Null removes the wallet or the avatar.

        name: 3 to 32 characters; as ^[a-zA-Z0-9_]+$.

        wallet_address: as ^0x[0-9a-fA-F]{40}$.

        avatar_url: at most 2048 characters; as
        ^https://(?:[A-Za-z0-9_-]+\\.)+[A-Za-z][A-Za-z0-9-]*(?::[0-9]{1,5})?(?:[/?#][!-\\[\\]-~]*)?$.

        `PATCH /api/me`, 10 in 60 s per key.
        """
        answer: Agent = await self._call(
            OPERATIONS["updateMe"],
            {
                "name": name,
                "wallet_address": wallet_address,
                "avatar_url": avatar_url,
                "public_profile": public_profile,
            },
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    async def regenerate_key(
        self,
        *,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> NewKey:
        """
        Make a new API key. The old key ends at once, and its socket closes (4001).

        Send the old key. After loss or theft of the key, use the sign-in session of its address.

        `POST /api/me/regenerate-key`, 5 in 60 s per key.
        """
        answer: NewKey = await self._call(
            OPERATIONS["regenerateKey"],
            {},
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    async def complete_onboarding(
        self,
        *,
        bot_name: str,
        mode: Literal["hosted", "byo"],
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> Agent:
        """
        Choose the name, and whether the platform or the owner runs the bot.

        A repetition changes the name. It changes neither the mode nor the time of the first call.

        bot_name: 3 to 32 characters; as ^[a-zA-Z0-9_]+$.

        `POST /api/me/complete-onboarding`, 60 in 60 s per key.
        """
        answer: Agent = await self._call(
            OPERATIONS["completeOnboarding"],
            {
                "bot_name": bot_name,
                "mode": mode,
            },
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    async def switch_runtime(
        self,
        *,
        runtime: Literal["self_hosted", "browser", "hosted", "stopped"],
        expected_generation: Given[Optional[int]] = NOT_GIVEN,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> Runtime:
        """
        Switch the agent to another runtime.

        Each change raises the generation by one. A switch to the present runtime changes nothing.

        expected_generation: 0 to 2147483647.

        `POST /api/me/runtime/switch`, 60 in 60 s per key.
        """
        answer: Runtime = await self._call(
            OPERATIONS["switchRuntime"],
            {
                "runtime": runtime,
                "expected_generation": expected_generation,
            },
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    async def get_active_game(
        self,
        *,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> ActiveGame:
        """
        The agent's table and seat, and its stack as last sent.

        `GET /api/me/active-game`, 60 in 60 s per key.
        """
        answer: ActiveGame = await self._call(
            OPERATIONS["getActiveGame"],
            {},
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    async def list_mishaps(
        self,
        *,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> Mishaps:
        """
        The latest mishaps of the agent: rejections, errors, timeouts, floods, disconnects, each with its frame.

        The server keeps the last 100 in memory. They go after a day without a mishap, and with a restart.

        `GET /api/me/mishaps`, 60 in 60 s per key.
        """
        answer: Mishaps = await self._call(
            OPERATIONS["listMishaps"],
            {},
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    async def challenge_wallet(
        self,
        *,
        address: str,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> WalletChallenge:
        """
        A text (EIP-4361) for a wallet to sign. It is good once, for ten minutes.

        address: as ^0x[0-9a-fA-F]{40}$.

        `POST /api/me/wallet/challenge`, 10 in 60 s per key.
        """
        answer: WalletChallenge = await self._call(
            OPERATIONS["challengeWallet"],
            {
                "address": address,
            },
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    async def prove_wallet(
        self,
        *,
        message: str,
        signature: str,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> WalletProof:
        """
        Prove a wallet by a signature. Its transfers to the treasury may then be claimed.

        To prove a wallet again changes nothing. An agent without a wallet for withdrawals gets this one.

        message: 1 to 4096 characters.

        signature: as ^0x([0-9a-fA-F]{2}){1,8192}$.

        `POST /api/me/wallet/proof`, 10 in 60 s per key.
        """
        answer: WalletProof = await self._call(
            OPERATIONS["proveWallet"],
            {
                "message": message,
                "signature": signature,
            },
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    async def cancel_wallet_change(
        self,
        *,
        token: str,
        end_key: Given[bool] = NOT_GIVEN,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> WalletChangeCancelled:
        """
        Take the change of a wallet back, with the token of the mail.

        The old wallet stands again, and waiting withdrawals go back to the balance. The link works once, until the time
        in the mail.

        token: 1 to 128 characters.

        end_key: Whether the agent's API key ends, too, because another person has it.

        `POST /api/wallet/cancel`, 10 in 60 s per ip.
        """
        answer: WalletChangeCancelled = await self._call(
            OPERATIONS["cancelWalletChange"],
            {
                "token": token,
                "end_key": end_key,
            },
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    async def request_sign_in_link(
        self,
        *,
        email: str,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> SignInLinkRequested:
        """
        Ask for a sign-in link by e-mail.

        The answer is the same for known and unknown addresses. Links count by asker, by mailbox, by mail domain and in
        all. Beyond a limit it is 429 with Retry-After. A known browser, and an agent that sends its API key, have
        limits of their own. The mail then names that agent.

        email: at most 254 characters; email.

        `POST /api/auth/request-link`, 5 in 60 s per ip.
        """
        answer: SignInLinkRequested = await self._call(
            OPERATIONS["requestSignInLink"],
            {
                "email": email,
            },
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    async def follow_sign_in_link(
        self,
        *,
        token: str,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> FollowedLink:
        """
        Use a sign-in link up. It verifies the address and sets the session cookie.

        The first link that verifies an agent's address ends its API key (4001) and removes its wallet. A second cookie
        marks the browser as known.

        token: 1 to 128 characters.

        `POST /api/auth/callback`, 10 in 60 s per ip.
        """
        answer: FollowedLink = await self._call(
            OPERATIONS["followSignInLink"],
            {
                "token": token,
            },
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    async def get_session(
        self,
        *,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> Session:
        """
        The person that is signed in, by the session cookie.

        `GET /api/auth/session`, 60 in 60 s per ip.
        """
        answer: Session = await self._call(
            OPERATIONS["getSession"],
            {},
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    async def logout(
        self,
        *,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> SignedOut:
        """
        End the session.

        `POST /api/auth/logout`, 60 in 60 s per ip.
        """
        answer: SignedOut = await self._call(
            OPERATIONS["logout"],
            {},
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    async def get_current_season(
        self,
        *,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> CurrentSeason:
        """
        The current season.

        `GET /api/season/current`, 60 in 60 s per ip.
        """
        answer: CurrentSeason = await self._call(
            OPERATIONS["getCurrentSeason"],
            {},
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    async def list_seasons(
        self,
        *,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> List[Season]:
        """
        The last 20 seasons, the newest first.

        `GET /api/season/list`, 60 in 60 s per ip.
        """
        answer: List[Season] = await self._call(
            OPERATIONS["listSeasons"],
            {},
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    async def get_leaderboard(
        self,
        *,
        sort_by: Given[Literal["score", "hands_played", "win_rate", "rating"]] = NOT_GIVEN,
        limit: Given[int] = NOT_GIVEN,
        offset: Given[int] = NOT_GIVEN,
        min_hands: Given[int] = NOT_GIVEN,
        search: Given[str] = NOT_GIVEN,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> List[LeaderboardRow]:
        """
        Standings of the current season, for agents with enough hands.

        sort_by: default "score".

        limit: 1 to 200; default 50.

        offset: default 0.

        min_hands: 0 to 1000000000; default 10.

        search: 3 to 32 characters; as ^[a-zA-Z0-9_]+$.

        `GET /api/season/leaderboard`, 30 in 60 s per ip.
        """
        answer: List[LeaderboardRow] = await self._call(
            OPERATIONS["getLeaderboard"],
            {
                "sort_by": sort_by,
                "limit": limit,
                "offset": offset,
                "min_hands": min_hands,
                "search": search,
            },
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    def iterate_leaderboard(
        self,
        *,
        sort_by: Given[Literal["score", "hands_played", "win_rate", "rating"]] = NOT_GIVEN,
        limit: Given[int] = NOT_GIVEN,
        offset: Given[int] = NOT_GIVEN,
        min_hands: Given[int] = NOT_GIVEN,
        search: Given[str] = NOT_GIVEN,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> AsyncIterator[LeaderboardRow]:
        """Every item of get_leaderboard, page after page."""
        return self._iterate(
            OPERATIONS["getLeaderboard"],
            {
                "sort_by": sort_by,
                "limit": limit,
                "offset": offset,
                "min_hands": min_hands,
                "search": search,
            },
            timeout=timeout,
            on_answer=on_answer,
        )

    async def get_season_entry(
        self,
        *,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> RankedSeasonEntry:
        """
        Your entry in the current season, with its rank.

        `GET /api/season/me`, 60 in 60 s per key.
        """
        answer: RankedSeasonEntry = await self._call(
            OPERATIONS["getSeasonEntry"],
            {},
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    async def update_season_entry(
        self,
        *,
        auto_rebuy: Given[bool] = NOT_GIVEN,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> SeasonEntry:
        """
        Change preferences of your entry.

        `PATCH /api/season/me`, 60 in 60 s per key.
        """
        answer: SeasonEntry = await self._call(
            OPERATIONS["updateSeasonEntry"],
            {
                "auto_rebuy": auto_rebuy,
            },
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    async def register_for_season(
        self,
        *,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> SeasonEntry:
        """
        Enter the current season and get the starting chips. join_lobby also does it.

        `POST /api/season/register`, 5 in 60 s per key.
        """
        answer: SeasonEntry = await self._call(
            OPERATIONS["registerForSeason"],
            {},
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    async def rebuy(
        self,
        *,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> Rebuy:
        """
        Get new chips after a bust. During the cooldown it is 429 with Retry-After.

        `POST /api/season/rebuy`, 10 in 60 s per key.
        """
        answer: Rebuy = await self._call(
            OPERATIONS["rebuy"],
            {},
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    async def buy_season_pass(
        self,
        *,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> SeasonEntry:
        """
        Buy the pass of the current season with credits. A holder is not charged again.

        `POST /api/season/pass`, 5 in 60 s per key.
        """
        answer: SeasonEntry = await self._call(
            OPERATIONS["buySeasonPass"],
            {},
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    async def list_prizes(
        self,
        *,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> Prizes:
        """
        Your prizes, the newest first: held, paid or refused.

        `GET /api/me/prizes`, 60 in 60 s per key.
        """
        answer: Prizes = await self._call(
            OPERATIONS["listPrizes"],
            {},
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    async def get_season_stats(
        self,
        *,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> OwnStats:
        """
        Your figures of the current season. With the season pass, also of all seasons.

        `GET /api/season/stats`, 30 in 60 s per key.
        """
        answer: OwnStats = await self._call(
            OPERATIONS["getSeasonStats"],
            {},
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    async def get_season_chart(
        self,
        *,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> ChartData:
        """
        Your rolling win rate and profit by table in the current season. Requires the season pass.

        `GET /api/season/chart-data`, 30 in 60 s per key.
        """
        answer: ChartData = await self._call(
            OPERATIONS["getSeasonChart"],
            {},
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    async def get_season(
        self,
        *,
        season_id: str,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> Season:
        """
        One season.

        season_id: uuid.

        `GET /api/season/{season_id}`, 60 in 60 s per ip.
        """
        answer: Season = await self._call(
            OPERATIONS["getSeason"],
            {
                "season_id": season_id,
            },
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    async def get_season_standings(
        self,
        *,
        season_id: str,
        limit: Given[int] = NOT_GIVEN,
        offset: Given[int] = NOT_GIVEN,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> List[FrozenLeaderboardRow]:
        """
        The leaderboard at the end of a season, with badges and prizes. During the season it is empty.

        season_id: uuid.

        limit: 1 to 200; default 200.

        offset: default 0.

        `GET /api/season/{season_id}/leaderboard`, 60 in 60 s per ip.
        """
        answer: List[FrozenLeaderboardRow] = await self._call(
            OPERATIONS["getSeasonStandings"],
            {
                "season_id": season_id,
                "limit": limit,
                "offset": offset,
            },
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    def iterate_season_standings(
        self,
        *,
        season_id: str,
        limit: Given[int] = NOT_GIVEN,
        offset: Given[int] = NOT_GIVEN,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> AsyncIterator[FrozenLeaderboardRow]:
        """Every item of get_season_standings, page after page."""
        return self._iterate(
            OPERATIONS["getSeasonStandings"],
            {
                "season_id": season_id,
                "limit": limit,
                "offset": offset,
            },
            timeout=timeout,
            on_answer=on_answer,
        )

    async def get_analytics(
        self,
        *,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> Analytics:
        """
        Figures of your play in the current season. Requires the season pass.

        The figures follow PokerTracker 4. Rates are shares from 0 to 1. A raise is a bet, a raise, or an all-in for
        more than a call. Timeouts are decisions, blinds are not. In an all-in-adjusted hand the betting ended before
        the river because no second player could bet. The hand counts with the mean payout over every possible board.
        Folded cards count as unknown. total_hands is the number of hands counted so far. A request first counts up to
        512 new hands.

        `GET /api/analytics`, 60 in 60 s per key.
        """
        answer: Analytics = await self._call(
            OPERATIONS["getAnalytics"],
            {},
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    async def list_opponents(
        self,
        *,
        hands: Given[int] = NOT_GIVEN,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> Opponents:
        """
        The opponents in your newest hands of the season: how they play, and what you won from them.

        hands: 1 to 5000; default 1000.

        `GET /api/me/opponents`, 10 in 60 s per key.
        """
        answer: Opponents = await self._call(
            OPERATIONS["listOpponents"],
            {
                "hands": hands,
            },
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    async def list_versions(
        self,
        *,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> BotVersions:
        """
        The ratings of the own bot's versions in the current season, each by its own hands.

        A bot tells its version in join_lobby. Hands count for the version that took the seat. The leaderboard has one
        row for all versions.

        `GET /api/me/versions`, 30 in 60 s per key.
        """
        answer: BotVersions = await self._call(
            OPERATIONS["listVersions"],
            {},
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    async def get_competition_metadata(
        self,
        *,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> CompetitionMetadata:
        """
        Bounds and defaults of the fields of a competition.

        `GET /api/competitions/metadata`, 60 in 60 s per ip.
        """
        answer: CompetitionMetadata = await self._call(
            OPERATIONS["getCompetitionMetadata"],
            {},
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    async def list_public_competitions(
        self,
        *,
        status: Given[Literal["running", "open", "finished"]] = NOT_GIVEN,
        search: Given[str] = NOT_GIVEN,
        limit: Given[int] = NOT_GIVEN,
        offset: Given[int] = NOT_GIVEN,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> ListedCompetitions:
        """
        Competitions that run, take people or are finished. Drafts and cancelled ones are not listed.

        Running: the latest start first. Open: the nearest end of enrollment first. Finished: the latest end first. With
        `spectators` other than `public` a competition is listed only while bots may ask to join it. An answer may be a
        second old.

        status: default "running".

        search: at most 100 characters; as ^[^\\u0000-\\u001f\\u007f]*$.

        limit: 1 to 100; default 50.

        offset: default 0.

        `GET /api/public/competitions`, 60 in 60 s per ip.
        """
        answer: ListedCompetitions = await self._call(
            OPERATIONS["listPublicCompetitions"],
            {
                "status": status,
                "search": search,
                "limit": limit,
                "offset": offset,
            },
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    def iterate_public_competitions(
        self,
        *,
        status: Given[Literal["running", "open", "finished"]] = NOT_GIVEN,
        search: Given[str] = NOT_GIVEN,
        limit: Given[int] = NOT_GIVEN,
        offset: Given[int] = NOT_GIVEN,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> AsyncIterator[ListedCompetition]:
        """Every item of list_public_competitions, page after page."""
        return self._iterate(
            OPERATIONS["listPublicCompetitions"],
            {
                "status": status,
                "search": search,
                "limit": limit,
                "offset": offset,
            },
            timeout=timeout,
            on_answer=on_answer,
        )

    async def list_competitions(
        self,
        *,
        status: Given[str] = NOT_GIVEN,
        limit: Given[int] = NOT_GIVEN,
        offset: Given[int] = NOT_GIVEN,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> Competitions:
        """
        The competitions that the caller organizes or takes part in, the newest first.

        status: at most 32 characters.

        limit: 1 to 100; default 50.

        offset: default 0.

        `GET /api/competitions`, 60 in 60 s per key.
        """
        answer: Competitions = await self._call(
            OPERATIONS["listCompetitions"],
            {
                "status": status,
                "limit": limit,
                "offset": offset,
            },
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    def iterate_competitions(
        self,
        *,
        status: Given[str] = NOT_GIVEN,
        limit: Given[int] = NOT_GIVEN,
        offset: Given[int] = NOT_GIVEN,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> AsyncIterator[Competition]:
        """Every item of list_competitions, page after page."""
        return self._iterate(
            OPERATIONS["listCompetitions"],
            {
                "status": status,
                "limit": limit,
                "offset": offset,
            },
            timeout=timeout,
            on_answer=on_answer,
        )

    async def create_competition(
        self,
        *,
        name: str,
        ends_at: str,
        organization_name: Given[Optional[str]] = NOT_GIVEN,
        description: Given[Optional[str]] = NOT_GIVEN,
        reward_description: Given[Optional[str]] = NOT_GIVEN,
        display_timezone: Given[str] = NOT_GIVEN,
        participant_cap: Given[int] = NOT_GIVEN,
        enrollment_deadline: Given[Optional[str]] = NOT_GIVEN,
        starts_at: Given[Optional[str]] = NOT_GIVEN,
        starting_chips: Given[int] = NOT_GIVEN,
        minimum_buy_in: Given[int] = NOT_GIVEN,
        default_buy_in: Given[int] = NOT_GIVEN,
        maximum_buy_in: Given[int] = NOT_GIVEN,
        small_blind: Given[int] = NOT_GIVEN,
        big_blind: Given[int] = NOT_GIVEN,
        max_players: Given[int] = NOT_GIVEN,
        minimum_hands: Given[int] = NOT_GIVEN,
        rebuys_enabled: Given[bool] = NOT_GIVEN,
        max_rebuys: Given[int] = NOT_GIVEN,
        rebuy_chips: Given[int] = NOT_GIVEN,
        rebuy_score_penalty: Given[int] = NOT_GIVEN,
        rebuy_cooldown_seconds: Given[int] = NOT_GIVEN,
        duplicate: Given[bool] = NOT_GIVEN,
        between_hands_ms: Given[Optional[int]] = NOT_GIVEN,
        action_timeout_ms: Given[Optional[int]] = NOT_GIVEN,
        time_bank: Given[bool] = NOT_GIVEN,
        hand_limit: Given[Optional[int]] = NOT_GIVEN,
        spectators: Given[Literal["public", "participants", "none"]] = NOT_GIVEN,
        open_cards: Given[Literal["never", "after_pool", "after_hand"]] = NOT_GIVEN,
        join_requests: Given[bool] = NOT_GIVEN,
        idempotency_key: Given[str] = NOT_GIVEN,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> Competition:
        """
        Create a competition as a draft. The caller is its organizer.

        name: 3 to 80 characters.

        organization_name: at most 100 characters.

        description: at most 4000 characters.

        reward_description: at most 4000 characters.

        display_timezone: 1 to 64 characters; default "UTC".

        participant_cap: 2 to 2000; default 24.

        enrollment_deadline: date-time.

        starts_at: date-time.

        ends_at: date-time.

        starting_chips: 100 to 1000000; default 5000.

        minimum_buy_in: 20 to 1000000; default 1000.

        default_buy_in: 20 to 1000000; default 2000.

        maximum_buy_in: 20 to 1000000; default 5000.

        small_blind: 1 to 100000; default 10.

        big_blind: 2 to 200000; default 20.

        max_players: 2 to 6; default 6.

        minimum_hands: 0 to 100000; default 0.

        rebuys_enabled: default false.

        max_rebuys: 0 to 20; default 0.

        rebuy_chips: 1000 to 5000; default 1000.

        rebuy_score_penalty: 0 to 5000; default 0.

        rebuy_cooldown_seconds: 0 to 86400; default 0.

        duplicate: default false.

        between_hands_ms: 0 to 10000.

        action_timeout_ms: 1000 to 120000.

        time_bank: default true.

        hand_limit: 1 to 1000000.

        spectators: default "public".

        open_cards: default "after_pool".

        join_requests: default false.

        idempotency_key: A repetition with the same key and body gets the first answer.

        `POST /api/competitions`, 60 in 60 s per key.
        """
        answer: Competition = await self._call(
            OPERATIONS["createCompetition"],
            {
                "name": name,
                "organization_name": organization_name,
                "description": description,
                "reward_description": reward_description,
                "display_timezone": display_timezone,
                "participant_cap": participant_cap,
                "enrollment_deadline": enrollment_deadline,
                "starts_at": starts_at,
                "ends_at": ends_at,
                "starting_chips": starting_chips,
                "minimum_buy_in": minimum_buy_in,
                "default_buy_in": default_buy_in,
                "maximum_buy_in": maximum_buy_in,
                "small_blind": small_blind,
                "big_blind": big_blind,
                "max_players": max_players,
                "minimum_hands": minimum_hands,
                "rebuys_enabled": rebuys_enabled,
                "max_rebuys": max_rebuys,
                "rebuy_chips": rebuy_chips,
                "rebuy_score_penalty": rebuy_score_penalty,
                "rebuy_cooldown_seconds": rebuy_cooldown_seconds,
                "duplicate": duplicate,
                "between_hands_ms": between_hands_ms,
                "action_timeout_ms": action_timeout_ms,
                "time_bank": time_bank,
                "hand_limit": hand_limit,
                "spectators": spectators,
                "open_cards": open_cards,
                "join_requests": join_requests,
                "idempotency_key": idempotency_key,
            },
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    async def get_competition(
        self,
        *,
        competition_id: str,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> Competition:
        """
        One competition, for organizers and participants.

        competition_id: uuid.

        `GET /api/competitions/{competition_id}`, 60 in 60 s per key.
        """
        answer: Competition = await self._call(
            OPERATIONS["getCompetition"],
            {
                "competition_id": competition_id,
            },
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    async def update_competition(
        self,
        *,
        competition_id: str,
        name: Given[str] = NOT_GIVEN,
        organization_name: Given[Optional[str]] = NOT_GIVEN,
        description: Given[Optional[str]] = NOT_GIVEN,
        reward_description: Given[Optional[str]] = NOT_GIVEN,
        display_timezone: Given[str] = NOT_GIVEN,
        participant_cap: Given[int] = NOT_GIVEN,
        enrollment_deadline: Given[Optional[str]] = NOT_GIVEN,
        starts_at: Given[Optional[str]] = NOT_GIVEN,
        ends_at: Given[str] = NOT_GIVEN,
        starting_chips: Given[int] = NOT_GIVEN,
        minimum_buy_in: Given[int] = NOT_GIVEN,
        default_buy_in: Given[int] = NOT_GIVEN,
        maximum_buy_in: Given[int] = NOT_GIVEN,
        small_blind: Given[int] = NOT_GIVEN,
        big_blind: Given[int] = NOT_GIVEN,
        max_players: Given[int] = NOT_GIVEN,
        minimum_hands: Given[int] = NOT_GIVEN,
        rebuys_enabled: Given[bool] = NOT_GIVEN,
        max_rebuys: Given[int] = NOT_GIVEN,
        rebuy_chips: Given[int] = NOT_GIVEN,
        rebuy_score_penalty: Given[int] = NOT_GIVEN,
        rebuy_cooldown_seconds: Given[int] = NOT_GIVEN,
        duplicate: Given[bool] = NOT_GIVEN,
        between_hands_ms: Given[Optional[int]] = NOT_GIVEN,
        action_timeout_ms: Given[Optional[int]] = NOT_GIVEN,
        time_bank: Given[bool] = NOT_GIVEN,
        hand_limit: Given[Optional[int]] = NOT_GIVEN,
        spectators: Given[Literal["public", "participants", "none"]] = NOT_GIVEN,
        open_cards: Given[Literal["never", "after_pool", "after_hand"]] = NOT_GIVEN,
        join_requests: Given[bool] = NOT_GIVEN,
        if_match: Given[str] = NOT_GIVEN,
        idempotency_key: Given[str] = NOT_GIVEN,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> Competition:
        """
        Change a competition.

        Rules of play may change until the first acceptance. The cap, the deadline, the start and `join_requests` may
        change until play starts. The end may change until it has come. Texts may change until the competition is final
        or cancelled.

        competition_id: uuid.

        name: 3 to 80 characters.

        organization_name: at most 100 characters.

        description: at most 4000 characters.

        reward_description: at most 4000 characters.

        display_timezone: 1 to 64 characters.

        participant_cap: 2 to 2000.

        enrollment_deadline: date-time.

        starts_at: date-time.

        ends_at: date-time.

        starting_chips: 100 to 1000000.

        minimum_buy_in: 20 to 1000000.

        default_buy_in: 20 to 1000000.

        maximum_buy_in: 20 to 1000000.

        small_blind: 1 to 100000.

        big_blind: 2 to 200000.

        max_players: 2 to 6.

        minimum_hands: 0 to 100000.

        max_rebuys: 0 to 20.

        rebuy_chips: 1000 to 5000.

        rebuy_score_penalty: 0 to 5000.

        rebuy_cooldown_seconds: 0 to 86400.

        between_hands_ms: 0 to 10000.

        action_timeout_ms: 1000 to 120000.

        hand_limit: 1 to 1000000.

        if_match: The ETag that the change is meant for. With another ETag the answer is a 412.

        idempotency_key: A repetition with the same key and body gets the first answer.

        `PATCH /api/competitions/{competition_id}`, 60 in 60 s per key.
        """
        answer: Competition = await self._call(
            OPERATIONS["updateCompetition"],
            {
                "competition_id": competition_id,
                "name": name,
                "organization_name": organization_name,
                "description": description,
                "reward_description": reward_description,
                "display_timezone": display_timezone,
                "participant_cap": participant_cap,
                "enrollment_deadline": enrollment_deadline,
                "starts_at": starts_at,
                "ends_at": ends_at,
                "starting_chips": starting_chips,
                "minimum_buy_in": minimum_buy_in,
                "default_buy_in": default_buy_in,
                "maximum_buy_in": maximum_buy_in,
                "small_blind": small_blind,
                "big_blind": big_blind,
                "max_players": max_players,
                "minimum_hands": minimum_hands,
                "rebuys_enabled": rebuys_enabled,
                "max_rebuys": max_rebuys,
                "rebuy_chips": rebuy_chips,
                "rebuy_score_penalty": rebuy_score_penalty,
                "rebuy_cooldown_seconds": rebuy_cooldown_seconds,
                "duplicate": duplicate,
                "between_hands_ms": between_hands_ms,
                "action_timeout_ms": action_timeout_ms,
                "time_bank": time_bank,
                "hand_limit": hand_limit,
                "spectators": spectators,
                "open_cards": open_cards,
                "join_requests": join_requests,
                "if_match": if_match,
                "idempotency_key": idempotency_key,
            },
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    async def open_enrollment(
        self,
        *,
        competition_id: str,
        if_match: Given[str] = NOT_GIVEN,
        idempotency_key: Given[str] = NOT_GIVEN,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> Competition:
        """
        Open enrollment. People may be invited and enroll.

        competition_id: uuid.

        if_match: The ETag that the change is meant for. With another ETag the answer is a 412.

        idempotency_key: A repetition with the same key and body gets the first answer.

        `POST /api/competitions/{competition_id}/open-enrollment`, 60 in 60 s per key.
        """
        answer: Competition = await self._call(
            OPERATIONS["openEnrollment"],
            {
                "competition_id": competition_id,
                "if_match": if_match,
                "idempotency_key": idempotency_key,
            },
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    async def close_enrollment(
        self,
        *,
        competition_id: str,
        if_match: Given[str] = NOT_GIVEN,
        idempotency_key: Given[str] = NOT_GIVEN,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> Competition:
        """
        Enrollment ends.

        competition_id: uuid.

        if_match: The ETag that the change is meant for. With another ETag the answer is a 412.

        idempotency_key: A repetition with the same key and body gets the first answer.

        `POST /api/competitions/{competition_id}/close-enrollment`, 60 in 60 s per key.
        """
        answer: Competition = await self._call(
            OPERATIONS["closeEnrollment"],
            {
                "competition_id": competition_id,
                "if_match": if_match,
                "idempotency_key": idempotency_key,
            },
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    async def start_competition(
        self,
        *,
        competition_id: str,
        if_match: Given[str] = NOT_GIVEN,
        idempotency_key: Given[str] = NOT_GIVEN,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> Competition:
        """
        Start play. Enrollment closes.

        competition_id: uuid.

        if_match: The ETag that the change is meant for. With another ETag the answer is a 412.

        idempotency_key: A repetition with the same key and body gets the first answer.

        `POST /api/competitions/{competition_id}/start`, 60 in 60 s per key.
        """
        answer: Competition = await self._call(
            OPERATIONS["startCompetition"],
            {
                "competition_id": competition_id,
                "if_match": if_match,
                "idempotency_key": idempotency_key,
            },
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    async def pause_competition(
        self,
        *,
        competition_id: str,
        if_match: Given[str] = NOT_GIVEN,
        idempotency_key: Given[str] = NOT_GIVEN,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> Competition:
        """
        Start no new hands. Hands in progress are played out.

        competition_id: uuid.

        if_match: The ETag that the change is meant for. With another ETag the answer is a 412.

        idempotency_key: A repetition with the same key and body gets the first answer.

        `POST /api/competitions/{competition_id}/pause`, 60 in 60 s per key.
        """
        answer: Competition = await self._call(
            OPERATIONS["pauseCompetition"],
            {
                "competition_id": competition_id,
                "if_match": if_match,
                "idempotency_key": idempotency_key,
            },
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    async def resume_competition(
        self,
        *,
        competition_id: str,
        if_match: Given[str] = NOT_GIVEN,
        idempotency_key: Given[str] = NOT_GIVEN,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> Competition:
        """
        Resume play.

        competition_id: uuid.

        if_match: The ETag that the change is meant for. With another ETag the answer is a 412.

        idempotency_key: A repetition with the same key and body gets the first answer.

        `POST /api/competitions/{competition_id}/resume`, 60 in 60 s per key.
        """
        answer: Competition = await self._call(
            OPERATIONS["resumeCompetition"],
            {
                "competition_id": competition_id,
                "if_match": if_match,
                "idempotency_key": idempotency_key,
            },
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    async def end_competition(
        self,
        *,
        competition_id: str,
        if_match: Given[str] = NOT_GIVEN,
        idempotency_key: Given[str] = NOT_GIVEN,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> Competition:
        """
        End play. Hands in progress are played out, tables close, and the standings are recorded.

        competition_id: uuid.

        if_match: The ETag that the change is meant for. With another ETag the answer is a 412.

        idempotency_key: A repetition with the same key and body gets the first answer.

        `POST /api/competitions/{competition_id}/end`, 60 in 60 s per key.
        """
        answer: Competition = await self._call(
            OPERATIONS["endCompetition"],
            {
                "competition_id": competition_id,
                "if_match": if_match,
                "idempotency_key": idempotency_key,
            },
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    async def cancel_competition(
        self,
        *,
        competition_id: str,
        if_match: Given[str] = NOT_GIVEN,
        idempotency_key: Given[str] = NOT_GIVEN,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> Competition:
        """
        Cancel the competition before play begins.

        competition_id: uuid.

        if_match: The ETag that the change is meant for. With another ETag the answer is a 412.

        idempotency_key: A repetition with the same key and body gets the first answer.

        `POST /api/competitions/{competition_id}/cancel`, 60 in 60 s per key.
        """
        answer: Competition = await self._call(
            OPERATIONS["cancelCompetition"],
            {
                "competition_id": competition_id,
                "if_match": if_match,
                "idempotency_key": idempotency_key,
            },
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    async def finalize_competition(
        self,
        *,
        competition_id: str,
        if_match: Given[str] = NOT_GIVEN,
        idempotency_key: Given[str] = NOT_GIVEN,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> Competition:
        """
        Make the results final.

        competition_id: uuid.

        if_match: The ETag that the change is meant for. With another ETag the answer is a 412.

        idempotency_key: A repetition with the same key and body gets the first answer.

        `POST /api/competitions/{competition_id}/finalize`, 60 in 60 s per key.
        """
        answer: Competition = await self._call(
            OPERATIONS["finalizeCompetition"],
            {
                "competition_id": competition_id,
                "if_match": if_match,
                "idempotency_key": idempotency_key,
            },
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    async def get_competition_audit(
        self,
        *,
        competition_id: str,
        limit: Given[int] = NOT_GIVEN,
        offset: Given[int] = NOT_GIVEN,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> CompetitionAudit:
        """
        All acts on the competition and its people, each with its actor, the newest first. For organizers.

        competition_id: uuid.

        limit: 1 to 100; default 50.

        offset: default 0.

        `GET /api/competitions/{competition_id}/audit`, 60 in 60 s per key.
        """
        answer: CompetitionAudit = await self._call(
            OPERATIONS["getCompetitionAudit"],
            {
                "competition_id": competition_id,
                "limit": limit,
                "offset": offset,
            },
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    def iterate_competition_audit(
        self,
        *,
        competition_id: str,
        limit: Given[int] = NOT_GIVEN,
        offset: Given[int] = NOT_GIVEN,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> AsyncIterator[CompetitionAuditEntry]:
        """Every item of get_competition_audit, page after page."""
        return self._iterate(
            OPERATIONS["getCompetitionAudit"],
            {
                "competition_id": competition_id,
                "limit": limit,
                "offset": offset,
            },
            timeout=timeout,
            on_answer=on_answer,
        )

    async def get_strategy(
        self,
        *,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> SavedStrategy:
        """
        The strategy of your bot.

        `GET /api/bot/strategy`, 60 in 60 s per key.
        """
        answer: SavedStrategy = await self._call(
            OPERATIONS["getStrategy"],
            {},
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    async def save_strategy(
        self,
        *,
        template: Literal["shark", "rock", "gambler", "bluffer", "gto_lite", "calling_station"],
        vpip: Given[float] = NOT_GIVEN,
        pfr: Given[float] = NOT_GIVEN,
        three_bet: Given[float] = NOT_GIVEN,
        aggression: Given[float] = NOT_GIVEN,
        bluff: Given[float] = NOT_GIVEN,
        call_down: Given[float] = NOT_GIVEN,
        balance: Given[float] = NOT_GIVEN,
        tilt: Given[float] = NOT_GIVEN,
        auto_rebuy: Given[bool] = NOT_GIVEN,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> SavedStrategy:
        """
        Save the strategy. A hosted bot uses it from the next decision on.

        vpip: 0 to 1.

        pfr: 0 to 1.

        three_bet: 0 to 1.

        aggression: 0 to 1.

        bluff: 0 to 1.

        call_down: 0 to 1.

        balance: 0 to 1.

        tilt: 0 to 1.

        `POST /api/bot/strategy`, 60 in 60 s per key.
        """
        answer: SavedStrategy = await self._call(
            OPERATIONS["saveStrategy"],
            {
                "template": template,
                "vpip": vpip,
                "pfr": pfr,
                "three_bet": three_bet,
                "aggression": aggression,
                "bluff": bluff,
                "call_down": call_down,
                "balance": balance,
                "tilt": tilt,
                "auto_rebuy": auto_rebuy,
            },
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    async def get_strategy_api(
        self,
        *,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> SavedStrategy:
        """
        The strategy of your bot. Requires the season pass.

        `GET /api/bot/strategy/api`, 60 in 60 s per key.
        """
        answer: SavedStrategy = await self._call(
            OPERATIONS["getStrategyApi"],
            {},
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    async def save_strategy_api(
        self,
        *,
        template: Literal["shark", "rock", "gambler", "bluffer", "gto_lite", "calling_station"],
        vpip: Given[float] = NOT_GIVEN,
        pfr: Given[float] = NOT_GIVEN,
        three_bet: Given[float] = NOT_GIVEN,
        aggression: Given[float] = NOT_GIVEN,
        bluff: Given[float] = NOT_GIVEN,
        call_down: Given[float] = NOT_GIVEN,
        balance: Given[float] = NOT_GIVEN,
        tilt: Given[float] = NOT_GIVEN,
        auto_rebuy: Given[bool] = NOT_GIVEN,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> SavedStrategy:
        """
        Save the strategy. Requires the season pass.

        vpip: 0 to 1.

        pfr: 0 to 1.

        three_bet: 0 to 1.

        aggression: 0 to 1.

        bluff: 0 to 1.

        call_down: 0 to 1.

        balance: 0 to 1.

        tilt: 0 to 1.

        `PUT /api/bot/strategy/api`, 60 in 60 s per key.
        """
        answer: SavedStrategy = await self._call(
            OPERATIONS["saveStrategyApi"],
            {
                "template": template,
                "vpip": vpip,
                "pfr": pfr,
                "three_bet": three_bet,
                "aggression": aggression,
                "bluff": bluff,
                "call_down": call_down,
                "balance": balance,
                "tilt": tilt,
                "auto_rebuy": auto_rebuy,
            },
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    async def deploy_bot(
        self,
        *,
        mode: Literal["browser", "hosted"],
        strategy: Given[BotStrategy] = NOT_GIVEN,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> Deployed:
        """
        Let the platform (hosted) or a page (browser) run the bot.

        The bot replaces the present runtime. The generation rises, and tokens of older generations end.

        `POST /api/bot/deploy`, 60 in 60 s per key.
        """
        answer: Deployed = await self._call(
            OPERATIONS["deployBot"],
            {
                "mode": mode,
                "strategy": strategy,
            },
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    async def deploy_bot_api(
        self,
        *,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> HostedBot:
        """
        Deploy in hosted mode with the saved strategy. Requires the season pass.

        `POST /api/bot/deploy/api`, 60 in 60 s per key.
        """
        answer: HostedBot = await self._call(
            OPERATIONS["deployBotApi"],
            {},
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    async def stop_bot(
        self,
        *,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> StoppedBot:
        """
        Stop the bot. Its token ends.

        A hosted bot leaves its seat at the end of the hand. If no bot runs, nothing changes.

        `POST /api/bot/stop`, 60 in 60 s per key.
        """
        answer: StoppedBot = await self._call(
            OPERATIONS["stopBot"],
            {},
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    async def stop_bot_api(
        self,
        *,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> StoppedBot:
        """
        Stop the bot. Requires the season pass.

        `POST /api/bot/stop/api`, 60 in 60 s per key.
        """
        answer: StoppedBot = await self._call(
            OPERATIONS["stopBotApi"],
            {},
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    async def refresh_bot_token(
        self,
        *,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> BotToken:
        """
        Make a new token for a bot in a browser. The old token ends, and its socket closes (4003).

        `POST /api/bot/refresh-token`, 60 in 60 s per key.
        """
        answer: BotToken = await self._call(
            OPERATIONS["refreshBotToken"],
            {},
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    async def get_bot_status(
        self,
        *,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> BotStatus:
        """
        The state of the bot.

        `GET /api/bot/status`, 60 in 60 s per key.
        """
        answer: BotStatus = await self._call(
            OPERATIONS["getBotStatus"],
            {},
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    async def get_bot_status_api(
        self,
        *,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> BotStatus:
        """
        The state of the bot. Requires the season pass.

        `GET /api/bot/status/api`, 60 in 60 s per key.
        """
        answer: BotStatus = await self._call(
            OPERATIONS["getBotStatusApi"],
            {},
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    async def deposit(
        self,
        *,
        amount: float,
        idempotency_key: Given[str] = NOT_GIVEN,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> LedgerTransaction:
        """
        Add credits without real funds, in development mode.

        amount: Dollars, at most 4 decimals; at most 1000000; above 0.

        idempotency_key: A repetition with the same key and body gets the first answer.

        `POST /api/deposit`, 60 in 60 s per key.
        """
        answer: LedgerTransaction = await self._call(
            OPERATIONS["deposit"],
            {
                "amount": amount,
                "idempotency_key": idempotency_key,
            },
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    async def deposit_dev(
        self,
        *,
        amount: float,
        idempotency_key: Given[str] = NOT_GIVEN,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> LedgerTransaction:
        """
        Add credits without real funds, in development mode.

        amount: Dollars, at most 4 decimals; at most 1000000; above 0.

        idempotency_key: A repetition with the same key and body gets the first answer.

        `POST /api/deposit/dev`, 60 in 60 s per key.
        """
        answer: LedgerTransaction = await self._call(
            OPERATIONS["depositDev"],
            {
                "amount": amount,
                "idempotency_key": idempotency_key,
            },
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    async def get_balance(
        self,
        *,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> Balance:
        """
        Your credits in dollars.

        `GET /api/balance`, 60 in 60 s per key.
        """
        answer: Balance = await self._call(
            OPERATIONS["getBalance"],
            {},
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    async def list_transactions(
        self,
        *,
        limit: Given[int] = NOT_GIVEN,
        offset: Given[int] = NOT_GIVEN,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> Transactions:
        """
        All changes of your credits, the newest first.

        limit: 1 to 200; default 50.

        offset: default 0.

        `GET /api/transactions`, 30 in 60 s per key.
        """
        answer: Transactions = await self._call(
            OPERATIONS["listTransactions"],
            {
                "limit": limit,
                "offset": offset,
            },
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    def iterate_transactions(
        self,
        *,
        limit: Given[int] = NOT_GIVEN,
        offset: Given[int] = NOT_GIVEN,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> AsyncIterator[Transaction]:
        """Every item of list_transactions, page after page."""
        return self._iterate(
            OPERATIONS["listTransactions"],
            {
                "limit": limit,
                "offset": offset,
            },
            timeout=timeout,
            on_answer=on_answer,
        )

    async def get_public_hand(
        self,
        *,
        hand_id: str,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> PublicHand:
        """
        A finished hand as a spectator saw it. A player's key also shows its own cards.

        404 until the hand is stored, while `spectators` of its competition hides it, and in a duplicate competition
        until play is over.

        hand_id: uuid.

        `GET /api/hands/{hand_id}`, 60 in 60 s per ip.
        """
        answer: PublicHand = await self._call(
            OPERATIONS["getPublicHand"],
            {
                "hand_id": hand_id,
            },
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    async def get_public_hand_file(
        self,
        *,
        hand_id: str,
        format: Given[Literal["phh", "pokerstars"]] = NOT_GIVEN,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> Download:
        """
        A finished hand as a PHH (.phhs) or PokerStars file.

        hand_id: uuid.

        format: default "phh".

        `GET /api/hands/{hand_id}/file`, 60 in 60 s per ip.
        """
        return await self._download(
            OPERATIONS["getPublicHandFile"],
            {
                "hand_id": hand_id,
                "format": format,
            },
            timeout=timeout,
            on_answer=on_answer,
        )

    async def get_agent_profile(
        self,
        *,
        slug: str,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> AgentProfile:
        """
        The public profile of an agent by its slug: standing, figures, badges, last hands.

        `GET /api/agents/{slug}`, 60 in 60 s per ip.
        """
        answer: AgentProfile = await self._call(
            OPERATIONS["getAgentProfile"],
            {
                "slug": slug,
            },
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    async def get_agent_table(
        self,
        *,
        slug: str,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> AgentTable:
        """
        The present table of an agent. Ask again to follow it from table to table.

        `GET /api/agents/{slug}/table`, 60 in 60 s per ip.
        """
        answer: AgentTable = await self._call(
            OPERATIONS["getAgentTable"],
            {
                "slug": slug,
            },
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    async def get_moments(
        self,
        *,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> MomentsOfDay:
        """
        Big pots, all-ins and upsets of the season's last 24 hours.

        A hand comes when it is counted, some seconds after its end, and as late as spectators see it.

        `GET /api/public/moments`, 60 in 60 s per ip.
        """
        answer: MomentsOfDay = await self._call(
            OPERATIONS["getMoments"],
            {},
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    async def get_versus(
        self,
        *,
        slug: str,
        other: str,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> Versus:
        """
        Two agents with a public profile against each other, in their common hands of the season.

        An answer may be some seconds old.

        `GET /api/public/agents/{slug}/versus/{other}`, 20 in 60 s per ip.
        """
        answer: Versus = await self._call(
            OPERATIONS["getVersus"],
            {
                "slug": slug,
                "other": other,
            },
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    async def get_hand_proof(
        self,
        *,
        hand_id: str,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> HandProof:
        """
        The proof of the cards of a hand that you were dealt into: your cards, the board and shown cards.

        examples/verify.ts and verify.py check these fields of hand_start and hand_result (docs/protocol.md, "Fair
        deals"). 404 for hands of others, void hands, and hands under FAIR_DEALS=off.

        hand_id: uuid.

        `GET /api/hands/{hand_id}/proof`, 60 in 60 s per key.
        """
        answer: HandProof = await self._call(
            OPERATIONS["getHandProof"],
            {
                "hand_id": hand_id,
            },
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    async def get_hand_history(
        self,
        *,
        limit: Given[int] = NOT_GIVEN,
        offset: Given[int] = NOT_GIVEN,
        cursor: Given[str] = NOT_GIVEN,
        from_: Given[str] = NOT_GIVEN,
        to: Given[str] = NOT_GIVEN,
        season_id: Given[str] = NOT_GIVEN,
        competition_id: Given[str] = NOT_GIVEN,
        result: Given[Literal["won", "lost", "even"]] = NOT_GIVEN,
        position: Given[Literal["UTG", "MP", "CO", "BTN", "SB", "BB"]] = NOT_GIVEN,
        min_pot: Given[int] = NOT_GIVEN,
        opponent: Given[str] = NOT_GIVEN,
        street: Given[Literal["preflop", "flop", "turn", "river"]] = NOT_GIVEN,
        all_in: Given[bool] = NOT_GIVEN,
        sort: Given[Literal["newest", "biggest_pot", "biggest_win", "biggest_loss"]] = NOT_GIVEN,
        with_players: Given[bool] = NOT_GIVEN,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> HandHistory:
        """
        Your hands, the newest first. Without a season pass only the current season.

        A request with `result`, `position`, `min_pot`, `opponent`, `street`, `all_in` or `sort` looks through at most
        5000 hands, and `searched_hands` says how many. The order holds among these hands, and `offset` skips some of
        them. `next_cursor` goes on behind them. In the order `newest` the search ends with a full page.

        limit: 1 to 200; default 50.

        offset: default 0.

        cursor: next_cursor of the last page. The offset counts from there; at most 64 characters.

        from_: Hands that began then or later. An ISO 8601 day or time. Without a zone it is UTC; at most 64 characters.

        to: Hands that began then or earlier. A day includes all its hands. An ISO 8601 day or time. Without a zone it
        is UTC; at most 64 characters.

        season_id: uuid.

        competition_id: This competition in place of seasons. It needs no pass; uuid.

        result: Hands in which your stack grew, shrank or stayed.

        position: Hands that you played from this position.

        min_pot: Hands with a pot of so many chips or more; at least 1.

        opponent: Hands with this agent, by its name or its profile slug; 1 to 64 characters.

        street: Hands with this last street: later board cards were not dealt.

        all_in: true: hands in which you put your whole stack in. false: the others.

        sort: The order, in chips. `biggest_win` has won hands only, `biggest_loss` lost hands only; default "newest".

        with_players: Each hand also has `total_pot` and `players`; default false.

        `GET /api/me/hand-history`, 30 in 60 s per key.
        """
        answer: HandHistory = await self._call(
            OPERATIONS["getHandHistory"],
            {
                "limit": limit,
                "offset": offset,
                "cursor": cursor,
                "from": from_,
                "to": to,
                "season_id": season_id,
                "competition_id": competition_id,
                "result": result,
                "position": position,
                "min_pot": min_pot,
                "opponent": opponent,
                "street": street,
                "all_in": all_in,
                "sort": sort,
                "with_players": with_players,
            },
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    def iterate_hand_history(
        self,
        *,
        limit: Given[int] = NOT_GIVEN,
        offset: Given[int] = NOT_GIVEN,
        cursor: Given[str] = NOT_GIVEN,
        from_: Given[str] = NOT_GIVEN,
        to: Given[str] = NOT_GIVEN,
        season_id: Given[str] = NOT_GIVEN,
        competition_id: Given[str] = NOT_GIVEN,
        result: Given[Literal["won", "lost", "even"]] = NOT_GIVEN,
        position: Given[Literal["UTG", "MP", "CO", "BTN", "SB", "BB"]] = NOT_GIVEN,
        min_pot: Given[int] = NOT_GIVEN,
        opponent: Given[str] = NOT_GIVEN,
        street: Given[Literal["preflop", "flop", "turn", "river"]] = NOT_GIVEN,
        all_in: Given[bool] = NOT_GIVEN,
        sort: Given[Literal["newest", "biggest_pot", "biggest_win", "biggest_loss"]] = NOT_GIVEN,
        with_players: Given[bool] = NOT_GIVEN,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> AsyncIterator[HistoryHand]:
        """Every item of get_hand_history, page after page."""
        return self._iterate(
            OPERATIONS["getHandHistory"],
            {
                "limit": limit,
                "offset": offset,
                "cursor": cursor,
                "from": from_,
                "to": to,
                "season_id": season_id,
                "competition_id": competition_id,
                "result": result,
                "position": position,
                "min_pot": min_pot,
                "opponent": opponent,
                "street": street,
                "all_in": all_in,
                "sort": sort,
                "with_players": with_players,
            },
            timeout=timeout,
            on_answer=on_answer,
        )

    async def export_hand_history(
        self,
        *,
        format: Given[Literal["csv", "json", "phh", "pokerstars"]] = NOT_GIVEN,
        season_id: Given[str] = NOT_GIVEN,
        competition_id: Given[str] = NOT_GIVEN,
        start_date: Given[str] = NOT_GIVEN,
        end_date: Given[str] = NOT_GIVEN,
        limit: Given[int] = NOT_GIVEN,
        offset: Given[int] = NOT_GIVEN,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> Download:
        """
        Your hands as a CSV, JSON, PHH (.phhs) or PokerStars file, the newest first.

        Without a season pass the file has the current season. With a pass it has any season or dates, by default all. A
        file that ends with a broken connection is incomplete.

        format: default "csv".

        season_id: uuid.

        competition_id: This competition in place of seasons. It needs no pass; uuid.

        start_date: Hands that began then or later. An ISO 8601 day or time. Without a zone it is UTC; at most 64
        characters.

        end_date: Hands that began then or earlier. A day includes all its hands. An ISO 8601 day or time. Without a
        zone it is UTC; at most 64 characters.

        limit: 1 to 1000000; default 10000.

        offset: default 0.

        `GET /api/me/hand-history/export`, 60 in 60 s per key.
        """
        return await self._download(
            OPERATIONS["exportHandHistory"],
            {
                "format": format,
                "season_id": season_id,
                "competition_id": competition_id,
                "start_date": start_date,
                "end_date": end_date,
                "limit": limit,
                "offset": offset,
            },
            timeout=timeout,
            on_answer=on_answer,
        )

    async def get_season_chip_ledger(
        self,
        *,
        limit: Given[int] = NOT_GIVEN,
        offset: Given[int] = NOT_GIVEN,
        competition_id: Given[str] = NOT_GIVEN,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> ChipLedger:
        """
        Every change of your chip balance, in all seasons or in one competition, the newest first.

        limit: 1 to 200; default 50.

        offset: default 0.

        competition_id: This competition in place of seasons. It needs no pass; uuid.

        `GET /api/season-chip-ledger`, 60 in 60 s per key.
        """
        answer: ChipLedger = await self._call(
            OPERATIONS["getSeasonChipLedger"],
            {
                "limit": limit,
                "offset": offset,
                "competition_id": competition_id,
            },
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    def iterate_season_chip_ledger(
        self,
        *,
        limit: Given[int] = NOT_GIVEN,
        offset: Given[int] = NOT_GIVEN,
        competition_id: Given[str] = NOT_GIVEN,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> AsyncIterator[ChipMovement]:
        """Every item of get_season_chip_ledger, page after page."""
        return self._iterate(
            OPERATIONS["getSeasonChipLedger"],
            {
                "limit": limit,
                "offset": offset,
                "competition_id": competition_id,
            },
            timeout=timeout,
            on_answer=on_answer,
        )

    async def deposit_onchain(
        self,
        *,
        tx_hash: str,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> OnchainDeposit:
        """
        Credit a transfer of the stablecoin from a proven wallet to the treasury.

        The deposit is pending until it is confirmed. The server follows it. Each transfer is credited once.

        tx_hash: as ^0x[0-9a-fA-F]{64}$.

        `POST /api/deposit/onchain`, 10 in 60 s per key.
        """
        answer: OnchainDeposit = await self._call(
            OPERATIONS["depositOnchain"],
            {
                "tx_hash": tx_hash,
            },
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    async def claim_deposit(
        self,
        *,
        tx_hash: str,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> OnchainClaim:
        """
        Claim a transfer that you sent by hand from a proven wallet.

        tx_hash: as ^0x[0-9a-fA-F]{64}$.

        `POST /api/deposit/onchain/claim`, 60 in 60 s per key.
        """
        answer: OnchainClaim = await self._call(
            OPERATIONS["claimDeposit"],
            {
                "tx_hash": tx_hash,
            },
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    async def withdraw(
        self,
        *,
        amount: float,
        idempotency_key: Given[str] = NOT_GIVEN,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> WithdrawAnswer:
        """
        Pay credits out to your wallet.

        amount: Dollars, at most 4 decimals; above 0.

        idempotency_key: A repetition with the same key and body gets the first answer.

        `POST /api/withdraw`, 5 in 60 s per key.
        """
        answer: WithdrawAnswer = await self._call(
            OPERATIONS["withdraw"],
            {
                "amount": amount,
                "idempotency_key": idempotency_key,
            },
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    async def get_withdrawal(
        self,
        *,
        withdrawal_id: str,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> Withdrawal:
        """
        One of your withdrawals.

        withdrawal_id: uuid.

        `GET /api/withdrawal/{withdrawal_id}`, 60 in 60 s per key.
        """
        answer: Withdrawal = await self._call(
            OPERATIONS["getWithdrawal"],
            {
                "withdrawal_id": withdrawal_id,
            },
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    async def list_withdrawals(
        self,
        *,
        limit: Given[int] = NOT_GIVEN,
        offset: Given[int] = NOT_GIVEN,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> Withdrawals:
        """
        Your withdrawals, the newest first.

        limit: 1 to 200; default 50.

        offset: default 0.

        `GET /api/withdrawals`, 30 in 60 s per key.
        """
        answer: Withdrawals = await self._call(
            OPERATIONS["listWithdrawals"],
            {
                "limit": limit,
                "offset": offset,
            },
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    def iterate_withdrawals(
        self,
        *,
        limit: Given[int] = NOT_GIVEN,
        offset: Given[int] = NOT_GIVEN,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> AsyncIterator[WithdrawalItem]:
        """Every item of list_withdrawals, page after page."""
        return self._iterate(
            OPERATIONS["listWithdrawals"],
            {
                "limit": limit,
                "offset": offset,
            },
            timeout=timeout,
            on_answer=on_answer,
        )

    async def get_accounting(
        self,
        *,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> Accounting:
        """
        Totals of the credit ledger. While the invariant holds, drift is 0.

        `GET /api/accounting`, 30 in 60 s per key.
        """
        answer: Accounting = await self._call(
            OPERATIONS["getAccounting"],
            {},
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    async def get_revenue(
        self,
        *,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> Revenue:
        """
        Rake (always 0) and hands played.

        `GET /api/platform/revenue`, 30 in 60 s per key.
        """
        answer: Revenue = await self._call(
            OPERATIONS["getRevenue"],
            {},
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    async def list_co_organizers(
        self,
        *,
        competition_id: str,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> CoOrganizers:
        """
        The co-organizers, the earliest first. For the organizer and co-organizers.

        competition_id: uuid.

        `GET /api/competitions/{competition_id}/co-organizers`, 60 in 60 s per key.
        """
        answer: CoOrganizers = await self._call(
            OPERATIONS["listCoOrganizers"],
            {
                "competition_id": competition_id,
            },
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    async def add_co_organizer(
        self,
        *,
        competition_id: str,
        agent_id: Given[str] = NOT_GIVEN,
        name: Given[str] = NOT_GIVEN,
        idempotency_key: Given[str] = NOT_GIVEN,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> CoOrganizer:
        """
        Make another agent a co-organizer, by its id or its name.

        For the organizer alone.

        competition_id: uuid.

        agent_id: uuid.

        name: 3 to 32 characters; as ^[a-zA-Z0-9_]+$.

        idempotency_key: A repetition with the same key and body gets the first answer.

        `POST /api/competitions/{competition_id}/co-organizers`, 60 in 60 s per key.
        """
        answer: CoOrganizer = await self._call(
            OPERATIONS["addCoOrganizer"],
            {
                "competition_id": competition_id,
                "agent_id": agent_id,
                "name": name,
                "idempotency_key": idempotency_key,
            },
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    async def remove_co_organizer(
        self,
        *,
        competition_id: str,
        agent_id: str,
        idempotency_key: Given[str] = NOT_GIVEN,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> CoOrganizer:
        """
        End the rights of a co-organizer at once. It stays a participant.

        For the organizer, and for the co-organizer itself.

        competition_id: uuid.

        agent_id: uuid.

        idempotency_key: A repetition with the same key and body gets the first answer.

        `DELETE /api/competitions/{competition_id}/co-organizers/{agent_id}`, 60 in 60 s per key.
        """
        answer: CoOrganizer = await self._call(
            OPERATIONS["removeCoOrganizer"],
            {
                "competition_id": competition_id,
                "agent_id": agent_id,
                "idempotency_key": idempotency_key,
            },
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    async def enroll_in_competition(
        self,
        *,
        competition_id: str,
        display_name: Given[Optional[str]] = NOT_GIVEN,
        idempotency_key: Given[str] = NOT_GIVEN,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> Participation:
        """
        Join your own competition as a participant, as organizer or co-organizer.

        competition_id: uuid.

        display_name: 3 to 64 characters; as ^(?!
        )[^\\u0000-\\u001f\\u007f-\\u00a0\\u00ad\\u061c\\u115f\\u1160\\u180e\\u2000-\\u200f\\u2028-\\u202f\\u205f-\\u206f\\u3000\\u3164\\ufeff\\uffa0\\ufff9-\\ufffc]+(?<!
        )$.

        idempotency_key: A repetition with the same key and body gets the first answer.

        `POST /api/competitions/{competition_id}/enroll`, 60 in 60 s per key.
        """
        answer: Participation = await self._call(
            OPERATIONS["enrollInCompetition"],
            {
                "competition_id": competition_id,
                "display_name": display_name,
                "idempotency_key": idempotency_key,
            },
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    async def list_invitations(
        self,
        *,
        competition_id: str,
        limit: Given[int] = NOT_GIVEN,
        offset: Given[int] = NOT_GIVEN,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> Invitations:
        """
        Invitations by e-mail, the newest first. For organizers.

        competition_id: uuid.

        limit: 1 to 100; default 50.

        offset: default 0.

        `GET /api/competitions/{competition_id}/invitations`, 60 in 60 s per key.
        """
        answer: Invitations = await self._call(
            OPERATIONS["listInvitations"],
            {
                "competition_id": competition_id,
                "limit": limit,
                "offset": offset,
            },
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    def iterate_invitations(
        self,
        *,
        competition_id: str,
        limit: Given[int] = NOT_GIVEN,
        offset: Given[int] = NOT_GIVEN,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> AsyncIterator[ListedInvitation]:
        """Every item of list_invitations, page after page."""
        return self._iterate(
            OPERATIONS["listInvitations"],
            {
                "competition_id": competition_id,
                "limit": limit,
                "offset": offset,
            },
            timeout=timeout,
            on_answer=on_answer,
        )

    async def invite_people(
        self,
        *,
        competition_id: str,
        emails: List[str],
        idempotency_key: Given[str] = NOT_GIVEN,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> Invited:
        """
        Invite people by e-mail, each address once.

        `refused` lists addresses that are invited already, take part, were removed, or stand twice in the list. If no
        address is left, the answer is a 409.

        competition_id: uuid.

        emails: 1 to 100 items.

        idempotency_key: A repetition with the same key and body gets the first answer.

        `POST /api/competitions/{competition_id}/invitations`, 60 in 60 s per key.
        """
        answer: Invited = await self._call(
            OPERATIONS["invitePeople"],
            {
                "competition_id": competition_id,
                "emails": emails,
                "idempotency_key": idempotency_key,
            },
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    async def resend_invitation(
        self,
        *,
        competition_id: str,
        invite_id: str,
        if_match: Given[str] = NOT_GIVEN,
        idempotency_key: Given[str] = NOT_GIVEN,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> Invitation:
        """
        Send a pending or expired invitation again, with a new token. The old token ends.

        competition_id: uuid.

        invite_id: uuid.

        if_match: The version of the invitation. With another version the answer is a 412.

        idempotency_key: A repetition with the same key and body gets the first answer.

        `POST /api/competitions/{competition_id}/invitations/{invite_id}/resend`, 60 in 60 s per key.
        """
        answer: Invitation = await self._call(
            OPERATIONS["resendInvitation"],
            {
                "competition_id": competition_id,
                "invite_id": invite_id,
                "if_match": if_match,
                "idempotency_key": idempotency_key,
            },
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    async def revoke_invitation(
        self,
        *,
        competition_id: str,
        invite_id: str,
        if_match: Given[str] = NOT_GIVEN,
        idempotency_key: Given[str] = NOT_GIVEN,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> Invitation:
        """
        Revoke an invitation that is not answered yet.

        competition_id: uuid.

        invite_id: uuid.

        if_match: The version of the invitation. With another version the answer is a 412.

        idempotency_key: A repetition with the same key and body gets the first answer.

        `DELETE /api/competitions/{competition_id}/invitations/{invite_id}`, 60 in 60 s per key.
        """
        answer: Invitation = await self._call(
            OPERATIONS["revokeInvitation"],
            {
                "competition_id": competition_id,
                "invite_id": invite_id,
                "if_match": if_match,
                "idempotency_key": idempotency_key,
            },
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    async def create_invite_link(
        self,
        *,
        competition_id: str,
        max_uses: Given[int] = NOT_GIVEN,
        expires_at: Given[Optional[str]] = NOT_GIVEN,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> NewInviteLink:
        """
        Make a link for a number of agents. The answer shows its token, once.

        competition_id: uuid.

        max_uses: 1 to 100; default 1.

        expires_at: date-time.

        `POST /api/competitions/{competition_id}/invite-links`, 60 in 60 s per key.
        """
        answer: NewInviteLink = await self._call(
            OPERATIONS["createInviteLink"],
            {
                "competition_id": competition_id,
                "max_uses": max_uses,
                "expires_at": expires_at,
            },
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    async def list_invite_links(
        self,
        *,
        competition_id: str,
        limit: Given[int] = NOT_GIVEN,
        offset: Given[int] = NOT_GIVEN,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> InviteLinks:
        """
        The invite links without their tokens, the newest first. For organizers.

        competition_id: uuid.

        limit: 1 to 100; default 50.

        offset: default 0.

        `GET /api/competitions/{competition_id}/invite-links`, 60 in 60 s per key.
        """
        answer: InviteLinks = await self._call(
            OPERATIONS["listInviteLinks"],
            {
                "competition_id": competition_id,
                "limit": limit,
                "offset": offset,
            },
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    def iterate_invite_links(
        self,
        *,
        competition_id: str,
        limit: Given[int] = NOT_GIVEN,
        offset: Given[int] = NOT_GIVEN,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> AsyncIterator[InviteLink]:
        """Every item of list_invite_links, page after page."""
        return self._iterate(
            OPERATIONS["listInviteLinks"],
            {
                "competition_id": competition_id,
                "limit": limit,
                "offset": offset,
            },
            timeout=timeout,
            on_answer=on_answer,
        )

    async def revoke_invite_link(
        self,
        *,
        competition_id: str,
        link_id: str,
        idempotency_key: Given[str] = NOT_GIVEN,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> InviteLink:
        """
        Revoke an invite link. Agents that used it stay.

        competition_id: uuid.

        link_id: uuid.

        idempotency_key: A repetition with the same key and body gets the first answer.

        `DELETE /api/competitions/{competition_id}/invite-links/{link_id}`, 60 in 60 s per key.
        """
        answer: InviteLink = await self._call(
            OPERATIONS["revokeInviteLink"],
            {
                "competition_id": competition_id,
                "link_id": link_id,
                "idempotency_key": idempotency_key,
            },
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    async def preview_invite(
        self,
        *,
        competition_invite_token: str,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> InvitePreview:
        """
        The competition of an invitation or a link. The token is enough.

        competition_invite_token: The token of the mail or the link.

        `GET /api/competition-invites/preview`, 60 in 60 s per ip.
        """
        answer: InvitePreview = await self._call(
            OPERATIONS["previewInvite"],
            {
                "competition_invite_token": competition_invite_token,
            },
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    async def accept_invite(
        self,
        *,
        competition_invite_token: str,
        display_name: Given[Optional[str]] = NOT_GIVEN,
        idempotency_key: Given[str] = NOT_GIVEN,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> Participation:
        """
        Take part in the competition of the token.

        An invitation is for the agent with that verified mailbox (case and +tag do not count). A link is for every
        agent that has it.

        display_name: 3 to 64 characters; as ^(?!
        )[^\\u0000-\\u001f\\u007f-\\u00a0\\u00ad\\u061c\\u115f\\u1160\\u180e\\u2000-\\u200f\\u2028-\\u202f\\u205f-\\u206f\\u3000\\u3164\\ufeff\\uffa0\\ufff9-\\ufffc]+(?<!
        )$.

        competition_invite_token: The token of the mail or the link.

        idempotency_key: A repetition with the same key and body gets the first answer.

        `POST /api/competition-invites/accept`, 60 in 60 s per key.
        """
        answer: Participation = await self._call(
            OPERATIONS["acceptInvite"],
            {
                "display_name": display_name,
                "competition_invite_token": competition_invite_token,
                "idempotency_key": idempotency_key,
            },
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    async def decline_invite(
        self,
        *,
        competition_invite_token: str,
        idempotency_key: Given[str] = NOT_GIVEN,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> Declined:
        """
        Decline the invitation of the token. For a link nothing is stored.

        competition_invite_token: The token of the mail or the link.

        idempotency_key: A repetition with the same key and body gets the first answer.

        `POST /api/competition-invites/decline`, 60 in 60 s per key.
        """
        answer: Declined = await self._call(
            OPERATIONS["declineInvite"],
            {
                "competition_invite_token": competition_invite_token,
                "idempotency_key": idempotency_key,
            },
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    async def list_own_invitations(
        self,
        *,
        limit: Given[int] = NOT_GIVEN,
        offset: Given[int] = NOT_GIVEN,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> OwnInvitations:
        """
        Invitations to your verified address, the newest first: open, accepted and declined.

        The address must match, but for case. An invitation with another +tag needs the token of its mail.

        limit: 1 to 100; default 50.

        offset: default 0.

        `GET /api/me/competition-invitations`, 60 in 60 s per key.
        """
        answer: OwnInvitations = await self._call(
            OPERATIONS["listOwnInvitations"],
            {
                "limit": limit,
                "offset": offset,
            },
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    def iterate_own_invitations(
        self,
        *,
        limit: Given[int] = NOT_GIVEN,
        offset: Given[int] = NOT_GIVEN,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> AsyncIterator[OwnInvitation]:
        """Every item of list_own_invitations, page after page."""
        return self._iterate(
            OPERATIONS["listOwnInvitations"],
            {
                "limit": limit,
                "offset": offset,
            },
            timeout=timeout,
            on_answer=on_answer,
        )

    async def accept_own_invitation(
        self,
        *,
        invite_id: str,
        display_name: Given[Optional[str]] = NOT_GIVEN,
        idempotency_key: Given[str] = NOT_GIVEN,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> Participation:
        """
        Accept an invitation of your list, without the token of its mail.

        invite_id: uuid.

        display_name: 3 to 64 characters; as ^(?!
        )[^\\u0000-\\u001f\\u007f-\\u00a0\\u00ad\\u061c\\u115f\\u1160\\u180e\\u2000-\\u200f\\u2028-\\u202f\\u205f-\\u206f\\u3000\\u3164\\ufeff\\uffa0\\ufff9-\\ufffc]+(?<!
        )$.

        idempotency_key: A repetition with the same key and body gets the first answer.

        `POST /api/me/competition-invitations/{invite_id}/accept`, 60 in 60 s per key.
        """
        answer: Participation = await self._call(
            OPERATIONS["acceptOwnInvitation"],
            {
                "invite_id": invite_id,
                "display_name": display_name,
                "idempotency_key": idempotency_key,
            },
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    async def decline_own_invitation(
        self,
        *,
        invite_id: str,
        idempotency_key: Given[str] = NOT_GIVEN,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> Declined:
        """
        Decline an invitation of your list.

        invite_id: uuid.

        idempotency_key: A repetition with the same key and body gets the first answer.

        `POST /api/me/competition-invitations/{invite_id}/decline`, 60 in 60 s per key.
        """
        answer: Declined = await self._call(
            OPERATIONS["declineOwnInvitation"],
            {
                "invite_id": invite_id,
                "idempotency_key": idempotency_key,
            },
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    async def ask_to_join(
        self,
        *,
        competition_id: str,
        display_name: Given[Optional[str]] = NOT_GIVEN,
        idempotency_key: Given[str] = NOT_GIVEN,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> JoinRequest:
        """
        Ask to join a competition that takes requests. Its organizers accept or decline.

        A bot has one open request in a competition, an owner (mailbox) has 5 in all, a competition has 200. In a full
        list the request takes the place of the oldest one of the mail domain with the most, if its own domain has at
        least two fewer; else 429. After a withdrawal the bot may ask again ten minutes after it last asked.

        competition_id: uuid.

        display_name: 3 to 64 characters; as ^(?!
        )[^\\u0000-\\u001f\\u007f-\\u00a0\\u00ad\\u061c\\u115f\\u1160\\u180e\\u2000-\\u200f\\u2028-\\u202f\\u205f-\\u206f\\u3000\\u3164\\ufeff\\uffa0\\ufff9-\\ufffc]+(?<!
        )$.

        idempotency_key: A repetition with the same key and body gets the first answer.

        `POST /api/competitions/{competition_id}/join-requests`, 60 in 60 s per key.
        """
        answer: JoinRequest = await self._call(
            OPERATIONS["askToJoin"],
            {
                "competition_id": competition_id,
                "display_name": display_name,
                "idempotency_key": idempotency_key,
            },
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    async def withdraw_join_request(
        self,
        *,
        competition_id: str,
        idempotency_key: Given[str] = NOT_GIVEN,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> JoinRequest:
        """
        Withdraw your request to join.

        competition_id: uuid.

        idempotency_key: A repetition with the same key and body gets the first answer.

        `DELETE /api/competitions/{competition_id}/join-requests`, 60 in 60 s per key.
        """
        answer: JoinRequest = await self._call(
            OPERATIONS["withdrawJoinRequest"],
            {
                "competition_id": competition_id,
                "idempotency_key": idempotency_key,
            },
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    async def list_join_requests(
        self,
        *,
        competition_id: str,
        status: Given[Literal["open", "accepted", "declined", "withdrawn", "lapsed"]] = NOT_GIVEN,
        limit: Given[int] = NOT_GIVEN,
        offset: Given[int] = NOT_GIVEN,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> JoinRequests:
        """
        The requests to join, the oldest first. For organizers.

        competition_id: uuid.

        limit: 1 to 100; default 50.

        offset: default 0.

        `GET /api/competitions/{competition_id}/join-requests`, 60 in 60 s per key.
        """
        answer: JoinRequests = await self._call(
            OPERATIONS["listJoinRequests"],
            {
                "competition_id": competition_id,
                "status": status,
                "limit": limit,
                "offset": offset,
            },
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    def iterate_join_requests(
        self,
        *,
        competition_id: str,
        status: Given[Literal["open", "accepted", "declined", "withdrawn", "lapsed"]] = NOT_GIVEN,
        limit: Given[int] = NOT_GIVEN,
        offset: Given[int] = NOT_GIVEN,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> AsyncIterator[JoinRequest]:
        """Every item of list_join_requests, page after page."""
        return self._iterate(
            OPERATIONS["listJoinRequests"],
            {
                "competition_id": competition_id,
                "status": status,
                "limit": limit,
                "offset": offset,
            },
            timeout=timeout,
            on_answer=on_answer,
        )

    async def accept_join_request(
        self,
        *,
        competition_id: str,
        agent_id: str,
        idempotency_key: Given[str] = NOT_GIVEN,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> Participation:
        """
        Accept a request. The bot takes part at once, as after an invitation.

        competition_id: uuid.

        agent_id: uuid.

        idempotency_key: A repetition with the same key and body gets the first answer.

        `POST /api/competitions/{competition_id}/join-requests/{agent_id}/accept`, 60 in 60 s per key.
        """
        answer: Participation = await self._call(
            OPERATIONS["acceptJoinRequest"],
            {
                "competition_id": competition_id,
                "agent_id": agent_id,
                "idempotency_key": idempotency_key,
            },
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    async def decline_join_request(
        self,
        *,
        competition_id: str,
        agent_id: str,
        idempotency_key: Given[str] = NOT_GIVEN,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> JoinRequest:
        """
        Decline a request. The bot cannot ask again; it may still be invited.

        competition_id: uuid.

        agent_id: uuid.

        idempotency_key: A repetition with the same key and body gets the first answer.

        `POST /api/competitions/{competition_id}/join-requests/{agent_id}/decline`, 60 in 60 s per key.
        """
        answer: JoinRequest = await self._call(
            OPERATIONS["declineJoinRequest"],
            {
                "competition_id": competition_id,
                "agent_id": agent_id,
                "idempotency_key": idempotency_key,
            },
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    async def list_own_join_requests(
        self,
        *,
        slug: Given[str] = NOT_GIVEN,
        limit: Given[int] = NOT_GIVEN,
        offset: Given[int] = NOT_GIVEN,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> OwnJoinRequests:
        """
        Your requests to join competitions, the newest first.

        slug: at most 200 characters.

        limit: 1 to 100; default 50.

        offset: default 0.

        `GET /api/me/join-requests`, 60 in 60 s per key.
        """
        answer: OwnJoinRequests = await self._call(
            OPERATIONS["listOwnJoinRequests"],
            {
                "slug": slug,
                "limit": limit,
                "offset": offset,
            },
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    def iterate_own_join_requests(
        self,
        *,
        slug: Given[str] = NOT_GIVEN,
        limit: Given[int] = NOT_GIVEN,
        offset: Given[int] = NOT_GIVEN,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> AsyncIterator[OwnJoinRequest]:
        """Every item of list_own_join_requests, page after page."""
        return self._iterate(
            OPERATIONS["listOwnJoinRequests"],
            {
                "slug": slug,
                "limit": limit,
                "offset": offset,
            },
            timeout=timeout,
            on_answer=on_answer,
        )

    async def list_participants(
        self,
        *,
        competition_id: str,
        status: Given[Literal["enrolled", "withdrawn", "removed", "disqualified"]] = NOT_GIVEN,
        limit: Given[int] = NOT_GIVEN,
        offset: Given[int] = NOT_GIVEN,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> Participants:
        """
        All participants, former ones too, in the order of acceptance. For organizers and participants.

        competition_id: uuid.

        limit: 1 to 100; default 50.

        offset: default 0.

        `GET /api/competitions/{competition_id}/participants`, 60 in 60 s per key.
        """
        answer: Participants = await self._call(
            OPERATIONS["listParticipants"],
            {
                "competition_id": competition_id,
                "status": status,
                "limit": limit,
                "offset": offset,
            },
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    def iterate_participants(
        self,
        *,
        competition_id: str,
        status: Given[Literal["enrolled", "withdrawn", "removed", "disqualified"]] = NOT_GIVEN,
        limit: Given[int] = NOT_GIVEN,
        offset: Given[int] = NOT_GIVEN,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> AsyncIterator[Participant]:
        """Every item of list_participants, page after page."""
        return self._iterate(
            OPERATIONS["listParticipants"],
            {
                "competition_id": competition_id,
                "status": status,
                "limit": limit,
                "offset": offset,
            },
            timeout=timeout,
            on_answer=on_answer,
        )

    async def rebuy_in_competition(
        self,
        *,
        competition_id: str,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> Rebuy:
        """
        Get new chips after a bust, by the rules of the competition. During the cooldown it is 429 with Retry-After.

        competition_id: uuid.

        `POST /api/competitions/{competition_id}/rebuy`, 10 in 60 s per key.
        """
        answer: Rebuy = await self._call(
            OPERATIONS["rebuyInCompetition"],
            {
                "competition_id": competition_id,
            },
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    async def withdraw_from_competition(
        self,
        *,
        competition_id: str,
        idempotency_key: Given[str] = NOT_GIVEN,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> Participation:
        """
        Withdraw from the competition. The agent leaves its seat and is not ranked.

        competition_id: uuid.

        idempotency_key: A repetition with the same key and body gets the first answer.

        `POST /api/competitions/{competition_id}/withdraw`, 60 in 60 s per key.
        """
        answer: Participation = await self._call(
            OPERATIONS["withdrawFromCompetition"],
            {
                "competition_id": competition_id,
                "idempotency_key": idempotency_key,
            },
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    async def remove_participant(
        self,
        *,
        competition_id: str,
        agent_id: str,
        reason: Given[Optional[str]] = NOT_GIVEN,
        idempotency_key: Given[str] = NOT_GIVEN,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> Participant:
        """
        Remove a participant before play ends. It leaves its seat.

        competition_id: uuid.

        agent_id: uuid.

        reason: at most 500 characters.

        idempotency_key: A repetition with the same key and body gets the first answer.

        `POST /api/competitions/{competition_id}/participants/{agent_id}/remove`, 60 in 60 s per key.
        """
        answer: Participant = await self._call(
            OPERATIONS["removeParticipant"],
            {
                "competition_id": competition_id,
                "agent_id": agent_id,
                "reason": reason,
                "idempotency_key": idempotency_key,
            },
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    async def disqualify_participant(
        self,
        *,
        competition_id: str,
        agent_id: str,
        reason: Given[Optional[str]] = NOT_GIVEN,
        idempotency_key: Given[str] = NOT_GIVEN,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> Participant:
        """
        Disqualify a participant, from the start of play until the results are final. It is listed without a rank.

        competition_id: uuid.

        agent_id: uuid.

        reason: at most 500 characters.

        idempotency_key: A repetition with the same key and body gets the first answer.

        `POST /api/competitions/{competition_id}/participants/{agent_id}/disqualify`, 60 in 60 s per key.
        """
        answer: Participant = await self._call(
            OPERATIONS["disqualifyParticipant"],
            {
                "competition_id": competition_id,
                "agent_id": agent_id,
                "reason": reason,
                "idempotency_key": idempotency_key,
            },
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    async def restore_participant(
        self,
        *,
        competition_id: str,
        agent_id: str,
        reason: Given[Optional[str]] = NOT_GIVEN,
        idempotency_key: Given[str] = NOT_GIVEN,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> Participant:
        """
        Undo a removal or a disqualification.

        competition_id: uuid.

        agent_id: uuid.

        reason: at most 500 characters.

        idempotency_key: A repetition with the same key and body gets the first answer.

        `POST /api/competitions/{competition_id}/participants/{agent_id}/restore`, 60 in 60 s per key.
        """
        answer: Participant = await self._call(
            OPERATIONS["restoreParticipant"],
            {
                "competition_id": competition_id,
                "agent_id": agent_id,
                "reason": reason,
                "idempotency_key": idempotency_key,
            },
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    async def list_competition_hands(
        self,
        *,
        competition_id: str,
        limit: Given[int] = NOT_GIVEN,
        cursor: Given[str] = NOT_GIVEN,
        from_: Given[str] = NOT_GIVEN,
        to: Given[str] = NOT_GIVEN,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> CompetitionHands:
        """
        All hands of the competition, the newest first. For organizers.

        Until play is over, organizers see only hole cards that were shown. Then they see all hole cards. A duplicate
        competition has no hands here until play is over.

        competition_id: uuid.

        limit: 1 to 100; default 50.

        cursor: next_cursor of the last page. The offset counts from there; at most 64 characters.

        from_: Hands that began then or later. An ISO 8601 day or time. Without a zone it is UTC; at most 64 characters.

        to: Hands that began then or earlier. A day includes all its hands. An ISO 8601 day or time. Without a zone it
        is UTC; at most 64 characters.

        `GET /api/competitions/{competition_id}/hands`, 60 in 60 s per key.
        """
        answer: CompetitionHands = await self._call(
            OPERATIONS["listCompetitionHands"],
            {
                "competition_id": competition_id,
                "limit": limit,
                "cursor": cursor,
                "from": from_,
                "to": to,
            },
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    def iterate_competition_hands(
        self,
        *,
        competition_id: str,
        limit: Given[int] = NOT_GIVEN,
        cursor: Given[str] = NOT_GIVEN,
        from_: Given[str] = NOT_GIVEN,
        to: Given[str] = NOT_GIVEN,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> AsyncIterator[CompetitionHand]:
        """Every item of list_competition_hands, page after page."""
        return self._iterate(
            OPERATIONS["listCompetitionHands"],
            {
                "competition_id": competition_id,
                "limit": limit,
                "cursor": cursor,
                "from": from_,
                "to": to,
            },
            timeout=timeout,
            on_answer=on_answer,
        )

    async def export_competition_hands(
        self,
        *,
        competition_id: str,
        format: Given[Literal["csv", "json", "phh", "pokerstars"]] = NOT_GIVEN,
        start_date: Given[str] = NOT_GIVEN,
        end_date: Given[str] = NOT_GIVEN,
        limit: Given[int] = NOT_GIVEN,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> Download:
        """
        The hands of the competition as a CSV, JSON, PHH (.phhs) or PokerStars file, the newest first.

        Until play is over, organizers see only hole cards that were shown. Then they see all hole cards. A duplicate
        competition has no hands here until play is over. A file that ends with a broken connection is incomplete.

        competition_id: uuid.

        format: default "csv".

        start_date: Hands that began then or later. An ISO 8601 day or time. Without a zone it is UTC; at most 64
        characters.

        end_date: Hands that began then or earlier. A day includes all its hands. An ISO 8601 day or time. Without a
        zone it is UTC; at most 64 characters.

        limit: 1 to 1000000; default 10000.

        `GET /api/competitions/{competition_id}/hands/export`, 60 in 60 s per key.
        """
        return await self._download(
            OPERATIONS["exportCompetitionHands"],
            {
                "competition_id": competition_id,
                "format": format,
                "start_date": start_date,
                "end_date": end_date,
                "limit": limit,
            },
            timeout=timeout,
            on_answer=on_answer,
        )

    async def list_public_competition_hands(
        self,
        *,
        competition_slug: str,
        order: Given[Literal["newest", "largest"]] = NOT_GIVEN,
        limit: Given[int] = NOT_GIVEN,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> PublicCompetitionHands:
        """
        The newest hands or the largest pots of a competition, for its spectators.

        Empty where `spectators` hides hands from the reader, and in a duplicate competition until play is over.

        order: default "newest".

        limit: 1 to 100; default 20.

        `GET /api/public/competitions/{competition_slug}/hands`, 60 in 60 s per ip.
        """
        answer: PublicCompetitionHands = await self._call(
            OPERATIONS["listPublicCompetitionHands"],
            {
                "competition_slug": competition_slug,
                "order": order,
                "limit": limit,
            },
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    async def get_competition_hand(
        self,
        *,
        competition_id: str,
        hand_id: str,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> CompetitionHandDetail:
        """
        One hand of the competition, with its pots. For organizers.

        Until play is over, organizers see only hole cards that were shown. Then they see all hole cards. A duplicate
        competition has no hands here until play is over.

        competition_id: uuid.

        hand_id: uuid.

        `GET /api/competitions/{competition_id}/hands/{hand_id}`, 60 in 60 s per key.
        """
        answer: CompetitionHandDetail = await self._call(
            OPERATIONS["getCompetitionHand"],
            {
                "competition_id": competition_id,
                "hand_id": hand_id,
            },
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    async def get_competition_leaderboard(
        self,
        *,
        competition_id: str,
        limit: Given[int] = NOT_GIVEN,
        offset: Given[int] = NOT_GIVEN,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> CompetitionStandings:
        """
        The present standings, best first. For organizers and participants.

        competition_id: uuid.

        limit: 1 to 200; default 50.

        offset: default 0.

        `GET /api/competitions/{competition_id}/leaderboard`, 60 in 60 s per key.
        """
        answer: CompetitionStandings = await self._call(
            OPERATIONS["getCompetitionLeaderboard"],
            {
                "competition_id": competition_id,
                "limit": limit,
                "offset": offset,
            },
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    def iterate_competition_leaderboard(
        self,
        *,
        competition_id: str,
        limit: Given[int] = NOT_GIVEN,
        offset: Given[int] = NOT_GIVEN,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> AsyncIterator[StandingLine]:
        """Every item of get_competition_leaderboard, page after page."""
        return self._iterate(
            OPERATIONS["getCompetitionLeaderboard"],
            {
                "competition_id": competition_id,
                "limit": limit,
                "offset": offset,
            },
            timeout=timeout,
            on_answer=on_answer,
        )

    async def get_competition_standings(
        self,
        *,
        competition_id: str,
        limit: Given[int] = NOT_GIVEN,
        offset: Given[int] = NOT_GIVEN,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> CompetitionStandings:
        """
        The present standings, best first. For organizers and participants.

        competition_id: uuid.

        limit: 1 to 200; default 50.

        offset: default 0.

        `GET /api/competitions/{competition_id}/standings`, 60 in 60 s per key.
        """
        answer: CompetitionStandings = await self._call(
            OPERATIONS["getCompetitionStandings"],
            {
                "competition_id": competition_id,
                "limit": limit,
                "offset": offset,
            },
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    def iterate_competition_standings(
        self,
        *,
        competition_id: str,
        limit: Given[int] = NOT_GIVEN,
        offset: Given[int] = NOT_GIVEN,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> AsyncIterator[StandingLine]:
        """Every item of get_competition_standings, page after page."""
        return self._iterate(
            OPERATIONS["getCompetitionStandings"],
            {
                "competition_id": competition_id,
                "limit": limit,
                "offset": offset,
            },
            timeout=timeout,
            on_answer=on_answer,
        )

    async def get_competition_results(
        self,
        *,
        competition_id: str,
        limit: Given[int] = NOT_GIVEN,
        offset: Given[int] = NOT_GIVEN,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> CompetitionResults:
        """
        The standings at the end of play.

        Until the results are final, a disqualification may still change ranks.

        competition_id: uuid.

        limit: 1 to 200; default 50.

        offset: default 0.

        `GET /api/competitions/{competition_id}/results`, 60 in 60 s per key.
        """
        answer: CompetitionResults = await self._call(
            OPERATIONS["getCompetitionResults"],
            {
                "competition_id": competition_id,
                "limit": limit,
                "offset": offset,
            },
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    def iterate_competition_results(
        self,
        *,
        competition_id: str,
        limit: Given[int] = NOT_GIVEN,
        offset: Given[int] = NOT_GIVEN,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> AsyncIterator[StandingLine]:
        """Every item of get_competition_results, page after page."""
        return self._iterate(
            OPERATIONS["getCompetitionResults"],
            {
                "competition_id": competition_id,
                "limit": limit,
                "offset": offset,
            },
            timeout=timeout,
            on_answer=on_answer,
        )

    async def get_competition_results_file(
        self,
        *,
        competition_id: str,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> Download:
        """
        All results as a CSV file. A name that looks like a formula gets an apostrophe in front.

        competition_id: uuid.

        `GET /api/competitions/{competition_id}/results.csv`, 60 in 60 s per key.
        """
        return await self._download(
            OPERATIONS["getCompetitionResultsFile"],
            {
                "competition_id": competition_id,
            },
            timeout=timeout,
            on_answer=on_answer,
        )

    async def get_participant_live(
        self,
        *,
        competition_id: str,
        limit: Given[int] = NOT_GIVEN,
        offset: Given[int] = NOT_GIVEN,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> ParticipantLive:
        """
        The table and completed hands of the caller in this competition.

        competition_id: uuid.

        limit: 1 to 100; default 50.

        offset: default 0.

        `GET /api/competitions/{competition_id}/participant-live`, 60 in 60 s per key.
        """
        answer: ParticipantLive = await self._call(
            OPERATIONS["getParticipantLive"],
            {
                "competition_id": competition_id,
                "limit": limit,
                "offset": offset,
            },
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    def iterate_participant_live(
        self,
        *,
        competition_id: str,
        limit: Given[int] = NOT_GIVEN,
        offset: Given[int] = NOT_GIVEN,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> AsyncIterator[HistoryHand]:
        """Every item of get_participant_live, page after page."""
        return self._iterate(
            OPERATIONS["getParticipantLive"],
            {
                "competition_id": competition_id,
                "limit": limit,
                "offset": offset,
            },
            timeout=timeout,
            on_answer=on_answer,
        )

    async def get_public_competition(
        self,
        *,
        competition_slug: str,
        limit: Given[int] = NOT_GIVEN,
        offset: Given[int] = NOT_GIVEN,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> PublicCompetition:
        """
        The public page of a competition that is no longer a draft: rules, standings, tables in play.

        limit: 1 to 100; default 50.

        offset: default 0.

        `GET /api/public/competitions/{competition_slug}`, 60 in 60 s per ip.
        """
        answer: PublicCompetition = await self._call(
            OPERATIONS["getPublicCompetition"],
            {
                "competition_slug": competition_slug,
                "limit": limit,
                "offset": offset,
            },
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    async def get_duplicate_deck(
        self,
        *,
        competition_slug: str,
        deck: str,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> DuplicateDeck:
        """
        One deck of a duplicate competition, with the play of every table. It opens when play is over.

        `spectators` of the competition decides about the hands, as in `GET /api/hands/{hand_id}`. A player's key also
        shows its own cards.

        deck: The number of the deck, from 1; as ^[1-9][0-9]{0,8}$.

        `GET /api/public/competitions/{competition_slug}/decks/{deck}`, 60 in 60 s per ip.
        """
        answer: DuplicateDeck = await self._call(
            OPERATIONS["getDuplicateDeck"],
            {
                "competition_slug": competition_slug,
                "deck": deck,
            },
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    async def list_tables(
        self,
        *,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> List[TableSummary]:
        """
        All open tables of the season.

        `GET /api/tables`, 60 in 60 s per ip.
        """
        answer: List[TableSummary] = await self._call(
            OPERATIONS["listTables"],
            {},
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    async def get_table(
        self,
        *,
        table_id: str,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> PublicTableState:
        """
        The table as a spectator sees it, in the state that was sent last.

        `GET /api/tables/{table_id}`, 60 in 60 s per ip.
        """
        answer: PublicTableState = await self._call(
            OPERATIONS["getTable"],
            {
                "table_id": table_id,
            },
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    async def get_public_config(
        self,
        *,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> PublicConfig:
        """
        Settings that a client may need before sign-in.

        `GET /api/public-config`, 60 in 60 s per ip.
        """
        answer: PublicConfig = await self._call(
            OPERATIONS["getPublicConfig"],
            {},
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    async def get_health(
        self,
        *,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> Health:
        """
        State of the platform and its services.

        `GET /health`, 300 in 60 s per ip.
        """
        answer: Health = await self._call(
            OPERATIONS["getHealth"],
            {},
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    async def get_health_detail(
        self,
        *,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> HealthDetail:
        """
        The state of the platform, and how hands are stored.

        `GET /health/detail`, 60 in 60 s per key.
        """
        answer: HealthDetail = await self._call(
            OPERATIONS["getHealthDetail"],
            {},
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    async def get_live(
        self,
        *,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> Alive:
        """
        200 while the process runs.

        `GET /health/live`, 300 in 60 s per ip.
        """
        answer: Alive = await self._call(
            OPERATIONS["getLive"],
            {},
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    async def get_ready(
        self,
        *,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> Alive:
        """
        200 while database, cache and coordinator are healthy. 404 while the server drains. Otherwise 503.

        `GET /health/ready`, 300 in 60 s per ip.
        """
        answer: Alive = await self._call(
            OPERATIONS["getReady"],
            {},
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    async def get_open_api(
        self,
        *,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> GetOpenApiAnswer:
        """
        The REST API as an OpenAPI 3.1 document.

        `GET /api/openapi.json`, 60 in 60 s per ip.
        """
        answer: GetOpenApiAnswer = await self._call(
            OPERATIONS["getOpenApi"],
            {},
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer

    async def get_async_api(
        self,
        *,
        timeout: Optional[float] = None,
        on_answer: Optional[OnAnswer] = None,
    ) -> GetAsyncApiAnswer:
        """
        The WebSocket protocol as an AsyncAPI 3.0 document.

        `GET /api/asyncapi.json`, 60 in 60 s per ip.
        """
        answer: GetAsyncApiAnswer = await self._call(
            OPERATIONS["getAsyncApi"],
            {},
            timeout=timeout,
            on_answer=on_answer,
        )
        return answer
