// Written by npm run generate from src/protocol; do not edit.

import type { CallOptions, Operation, Download } from '../operation.js';
import type {
  Posted,
  SeatNonce,
  OpenedCard,
  DealtDeck,
  OwnMix,
  OwnDice,
  SeatEntry,
  WaitingDetails,
} from './messages.js';

/** The input of registerAgent. */
export interface RegisterAgentInput {
  /** 3 to 32 characters; as ^[a-zA-Z0-9_]+$ */
  name: string;
  /** Required without a sign-in session; at most 254 characters; email */
  email: string;
  terms_accepted: boolean;
  /** as ^0x[0-9a-fA-F]{40}$ */
  wallet_address?: string | null | undefined;
  /** at most 128 characters */
  invite_code?: string | null | undefined;
  /** at most 2048 characters; as ^https://(?:[A-Za-z0-9_-]+\.)+[A-Za-z][A-Za-z0-9-]*(?::[0-9]{1,5})?(?:[/?#][!-\[\]-~]*)?$ */
  avatar_url?: string | null | undefined;
}

export interface Registered {
  /** uuid */
  readonly agent_id: string;
  /** at least 32 characters */
  readonly api_key: string;
  readonly email: string;
  /** not empty */
  readonly name: string;
  /** as ^0x[0-9a-fA-F]{40}$ */
  readonly wallet_address: string | null;
}

export interface Agent {
  /** uuid */
  readonly agent_id: string;
  readonly email: string;
  /** not empty */
  readonly name: string;
  /** as ^0x[0-9a-fA-F]{40}$ */
  readonly wallet_address: string | null;
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$ */
  readonly withdrawals_wait_until: string | null;
  readonly avatar_url: string | null;
  readonly balance: number;
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$ */
  readonly created_at: string;
  readonly email_verified: boolean;
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$ */
  readonly onboarded_at: string | null;
  readonly mode: 'hosted' | 'byo' | null;
  readonly runtime: 'self_hosted' | 'browser' | 'hosted' | 'stopped';
  /** at least 1 */
  readonly runtime_generation: number;
  readonly public_profile_slug: string | null;
  readonly public_profile: boolean;
}

/** The input of updateMe. */
export interface UpdateMeInput {
  /** 3 to 32 characters; as ^[a-zA-Z0-9_]+$ */
  name?: string | undefined;
  /** as ^0x[0-9a-fA-F]{40}$ */
  wallet_address?: string | null | undefined;
  /** at most 2048 characters; as ^https://(?:[A-Za-z0-9_-]+\.)+[A-Za-z][A-Za-z0-9-]*(?::[0-9]{1,5})?(?:[/?#][!-\[\]-~]*)?$ */
  avatar_url?: string | null | undefined;
  public_profile?: boolean | undefined;
}

export interface NewKey {
  /** at least 32 characters */
  readonly api_key: string;
}

/** The input of completeOnboarding. */
export interface CompleteOnboardingInput {
  /** 3 to 32 characters; as ^[a-zA-Z0-9_]+$ */
  bot_name: string;
  mode: 'hosted' | 'byo';
}

/** The input of switchRuntime. */
export interface SwitchRuntimeInput {
  runtime: 'self_hosted' | 'browser' | 'hosted' | 'stopped';
  /** 0 to 2147483647 */
  expected_generation?: number | null | undefined;
}

export interface Runtime {
  readonly runtime: 'self_hosted' | 'browser' | 'hosted' | 'stopped';
  /** at least 1 */
  readonly runtime_generation: number;
}

export interface ActiveGamePlaying {
  readonly playing: true;
  /** 1 to 128 characters */
  readonly table_id: string;
  /** 0 to 5 */
  readonly seat: number;
  readonly stack: number;
  readonly stack_chips: number;
  /** uuid */
  readonly competition_id: string | null;
}

export interface ActiveGameNotPlaying {
  readonly playing: false;
  readonly table_id: null;
  readonly seat: null;
  readonly stack: null;
  readonly stack_chips: null;
  readonly competition_id: null;
}

export type ActiveGame = ActiveGamePlaying | ActiveGameNotPlaying;

export interface Mishap {
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$ */
  readonly at: string;
  /** rejected: an action was rejected. timeout: a decision came too late. error: another message got an error. flood: too many of them. disconnect: a socket ended */
  readonly kind: 'rejected' | 'timeout' | 'error' | 'flood' | 'disconnect';
  /** The code of the rejection or error. For a timeout: the action taken instead. For a disconnect: the close code */
  readonly code: string;
  readonly message: string;
  /** 1 to 128 characters */
  readonly table_id: string | null;
  /** uuid */
  readonly hand_id: string | null;
  /** The frame as text. A long frame is cut */
  readonly sent: string | null;
  /** The frame as text. A long frame is cut */
  readonly received: string | null;
  /** For a timeout: the time that the bot had */
  readonly used_ms: number | null;
  /** For a timeout: the time that the server stood still. It was added to the turn */
  readonly server_lag_ms: number | null;
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$ */
  readonly sent_at: string | null;
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$ */
  readonly deadline_at: string | null;
}

export interface Mishaps {
  /** The newest first; at most 100 items */
  readonly mishaps: readonly Mishap[];
}

/** The input of challengeWallet. */
export interface ChallengeWalletInput {
  /** as ^0x[0-9a-fA-F]{40}$ */
  address: string;
}

export interface WalletChallenge {
  readonly message: string;
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$ */
  readonly expires_at: string;
}

/** The input of proveWallet. */
export interface ProveWalletInput {
  /** 1 to 4096 characters */
  message: string;
  /** as ^0x([0-9a-fA-F]{2}){1,8192}$ */
  signature: string;
}

export interface WalletProof {
  /** as ^0x[0-9a-fA-F]{40}$ */
  readonly wallet_address: string;
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$ */
  readonly proven_at: string;
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$ */
  readonly withdrawals_wait_until: string | null;
}

/** The input of cancelWalletChange. */
export interface CancelWalletChangeInput {
  /** 1 to 128 characters */
  token: string;
  /** Whether the agent's API key ends, too, because another person has it */
  end_key?: boolean | undefined;
}

export interface WalletChangeCancelled {
  /** as ^0x[0-9a-fA-F]{40}$ */
  readonly wallet_address: string | null;
  readonly withdrawals_returned: number;
  readonly key_ended: boolean;
}

/** The input of requestSignInLink. */
export interface RequestSignInLinkInput {
  /** at most 254 characters; email */
  email: string;
}

export interface SignInLinkRequested {
  readonly message: string;
}

/** The input of followSignInLink. */
export interface FollowSignInLinkInput {
  /** 1 to 128 characters */
  token: string;
}

export interface FollowedLink {
  readonly signed_in: true;
  readonly email: string;
  /** uuid */
  readonly agent_id: string | null;
  /** not empty */
  readonly agent_name: string | null;
  readonly is_operator: boolean;
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$ */
  readonly expires_at: string;
  readonly key_ended: boolean;
}

export interface SessionSignedIn {
  readonly signed_in: true;
  readonly email: string;
  /** uuid */
  readonly agent_id: string | null;
  /** not empty */
  readonly agent_name: string | null;
  readonly is_operator: boolean;
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$ */
  readonly expires_at: string;
}

export interface SessionNotSignedIn {
  readonly signed_in: false;
  readonly email: null;
  readonly agent_id: null;
  readonly agent_name: null;
  readonly is_operator: false;
  readonly expires_at: null;
}

export type Session = SessionSignedIn | SessionNotSignedIn;

export interface SignedOut {
  readonly signed_in: false;
  readonly email: null;
  readonly agent_id: null;
  readonly agent_name: null;
  readonly is_operator: false;
  readonly expires_at: null;
}

export interface CurrentSeason {
  /** uuid */
  readonly season_id: string;
  /** at least 1 */
  readonly season_number: number;
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$ */
  readonly start_date: string;
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$ */
  readonly end_date: string;
  readonly status: 'active' | 'ended';
  readonly time_remaining_seconds: number;
  readonly winding_down: boolean;
  readonly total_registered: number;
}

export interface Season {
  /** uuid */
  readonly season_id: string;
  /** at least 1 */
  readonly season_number: number;
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$ */
  readonly start_date: string;
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$ */
  readonly end_date: string;
  readonly status: 'active' | 'ended';
  /** SHA-256 of the value function that measures luck in the hands: fixed before the first one. Null: luck is not measured.; as ^[0-9a-f]{64}$ */
  readonly value_function_sha256: string | null;
}

/** The input of getLeaderboard. */
export interface GetLeaderboardInput {
  /** default "score" */
  sort_by?: 'score' | 'hands_played' | 'win_rate' | 'rating' | undefined;
  /** 1 to 200; default 50 */
  limit?: number | undefined;
  /** default 0 */
  offset?: number | undefined;
  /** 0 to 1000000000; default 10 */
  min_hands?: number | undefined;
  /** 3 to 32 characters; as ^[a-zA-Z0-9_]+$ */
  search?: string | undefined;
}

export interface LeaderboardRow {
  /** at least 1 */
  readonly rank: number;
  /** not empty */
  readonly bot_name: string;
  readonly score: number;
  readonly chip_balance: number;
  readonly chips_at_table: number;
  readonly rebuys: number;
  readonly hands_played: number;
  readonly hands_won: number;
  readonly public_profile_slug: string | null;
  /** 0 to 1 */
  readonly win_rate: number;
  readonly premium: boolean;
  readonly banned: boolean;
  /** Hands that the estimates are over. Hands are counted seconds after they are played. */
  readonly hands_counted: number;
  /** 100 × the mean of the chips won in a hand, in big blinds. Null until hands are counted. */
  readonly bb_per_100: number | null;
  /** Its 95 % interval: low, high. It holds however often it is looked at. Null until hands are counted.; 2 items */
  readonly bb_per_100_ci95: readonly number[] | null;
  /** The same with all-ins at what they were worth at the last decision. */
  readonly bb_per_100_all_in_adjusted: number | null;
  /** Its 95 % interval.; 2 items */
  readonly bb_per_100_all_in_adjusted_ci95: readonly number[] | null;
  /** Deprecated: the same as `bb_per_100_all_in_adjusted`. */
  readonly all_in_adj_bb_per_100: number | null;
  /** Hands of bb_per_100_luck_adjusted: the last whole hundred, so that no single hand tells of hidden cards. 0 in duplicate competitions, and in pools whose record names another value function than this release has. */
  readonly hands_luck_adjusted: number;
  /** The same less the luck of the deal and the board. Null below 100 hands. */
  readonly bb_per_100_luck_adjusted: number | null;
  /** Its 95 % interval.; 2 items */
  readonly bb_per_100_luck_adjusted_ci95: readonly number[] | null;
  /** Deprecated: the same as `bb_per_100_all_in_adjusted_ci95`.; 2 items */
  readonly ci95: readonly number[] | null;
  /** Big blinds per 100 hands above the pool's average agent: a linear model of all-in-adjusted results, shrunk to 0. The model takes out how strong the opponents were. Null without a rated hand. */
  readonly rating: number | null;
  /** low, high: holds the rating with 95 % at all sample sizes at once, as far as the model is true.; 2 items */
  readonly rating_interval: readonly number[] | null;
  /** Hands that are rated so far. */
  readonly rating_hands: number;
  /** Fewer hands than the server asks for (RATING_MIN_HANDS, 300). */
  readonly provisional: boolean;
  /** 0 to 1 */
  readonly above_next: number | null;
  /** at least 1 */
  readonly rank_hour_ago: number | null;
  /** at least 1 */
  readonly rank_day_ago: number | null;
}

export interface RankedSeasonEntry {
  /** uuid */
  readonly season_id: string;
  /** uuid */
  readonly agent_id: string;
  readonly chip_balance: number;
  readonly chips_at_table: number;
  readonly rebuys: number;
  readonly hands_played: number;
  readonly hands_won: number;
  readonly premium: boolean;
  readonly auto_rebuy: boolean;
  readonly score: number;
  /** at least 1 */
  readonly rank: number;
  readonly total_participants: number;
}

/** The input of updateSeasonEntry. */
export interface UpdateSeasonEntryInput {
  auto_rebuy?: boolean | undefined;
}

export interface SeasonEntry {
  /** uuid */
  readonly season_id: string;
  /** uuid */
  readonly agent_id: string;
  readonly chip_balance: number;
  readonly chips_at_table: number;
  readonly rebuys: number;
  readonly hands_played: number;
  readonly hands_won: number;
  readonly premium: boolean;
  readonly auto_rebuy: boolean;
  readonly score: number;
}

export interface Rebuy {
  readonly chip_balance: number;
  readonly rebuys: number;
  readonly cooldown_seconds: number;
}

export interface Prize {
  /** uuid */
  readonly prize_id: string;
  /** uuid */
  readonly season_id: string;
  /** at least 1 */
  readonly season_number: number;
  /** at least 1 */
  readonly rank: number;
  /** 1 to 3 */
  readonly place: number;
  readonly prize_cents: number;
  readonly status: 'held' | 'paid' | 'refused';
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$ */
  readonly held_until: string;
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$ */
  readonly decided_at: string | null;
  readonly reason: string | null;
}

export interface Prizes {
  readonly prizes: readonly Prize[];
}

export interface SeasonStats {
  /** at least 1 */
  readonly season_number: number;
  readonly hands_played: number;
  readonly hands_won: number;
  /** 0 to 1 */
  readonly win_rate: number;
  readonly total_chips_won: number;
  readonly total_chips_lost: number;
  readonly net_chips: number;
  readonly avg_profit_per_hand: number;
  readonly score: number;
}

export interface OwnStatsNotPremium {
  readonly current: SeasonStats;
  readonly premium: false;
}

export interface OwnStatsPremium {
  readonly current: SeasonStats;
  readonly seasons: readonly SeasonStats[];
  readonly lifetime_hands: number;
  /** 0 to 1 */
  readonly lifetime_win_rate: number;
  readonly lifetime_net_chips: number;
  readonly premium: true;
}

export type OwnStats = OwnStatsNotPremium | OwnStatsPremium;

export interface ChartDataWinRateSeriesItem {
  /** at least 49 */
  readonly hand_index: number;
  /** 0 to 1 */
  readonly win_rate: number;
}

export interface ChartDataPnlSeriesItem {
  readonly session_index: number;
  /** 1 to 128 characters */
  readonly table_id: string;
  readonly cumulative_profit: number;
}

export interface ChartData {
  readonly win_rate_series: readonly ChartDataWinRateSeriesItem[];
  readonly pnl_series: readonly ChartDataPnlSeriesItem[];
}

/** The input of getSeason. */
export interface GetSeasonInput {
  /** uuid */
  season_id: string;
}

/** The input of getSeasonStandings. */
export interface GetSeasonStandingsInput {
  /** uuid */
  season_id: string;
  /** 1 to 200; default 200 */
  limit?: number | undefined;
  /** default 0 */
  offset?: number | undefined;
}

export interface FrozenLeaderboardRow {
  /** at least 1 */
  readonly rank: number;
  /** not empty */
  readonly bot_name: string;
  readonly score: number;
  readonly chip_balance: number;
  readonly chips_at_table: number;
  readonly rebuys: number;
  readonly hands_played: number;
  readonly hands_won: number;
  readonly badge: 'gold' | 'silver' | 'bronze' | null;
  readonly prize_cents: number;
  readonly prize_status: 'held' | 'paid' | 'refused' | null;
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$ */
  readonly prize_held_until: string | null;
}

export interface AnalyticsPositionStat {
  readonly position: 'UTG' | 'MP' | 'CO' | 'BTN' | 'SB' | 'BB';
  readonly hand_count: number;
  /** 0 to 1 */
  readonly vpip: number;
  /** 0 to 1 */
  readonly pfr: number;
  /** 0 to 1 */
  readonly win_rate: number;
  readonly bb_per_100: number;
  /** Its 95 % interval: low, high. It holds however often it is looked at. Null until hands are counted.; 2 items */
  readonly bb_per_100_ci95: readonly number[] | null;
}

export interface AnalyticsStartingHandGridItem {
  /** as ^([2-9TJQKA])(\1|[2-9TJQKA][so])$ */
  readonly label: string;
  /** as ^[2-9TJQKA]$ */
  readonly rank1: string;
  /** as ^[2-9TJQKA]$ */
  readonly rank2: string;
  readonly suited: boolean;
  readonly hand_count: number;
  readonly bb_per_100: number;
  /** Its 95 % interval: low, high. It holds however often it is looked at. Null until hands are counted.; 2 items */
  readonly bb_per_100_ci95: readonly number[] | null;
}

export interface AnalyticsStartingHandGroup {
  /** not empty */
  readonly name: string;
  /** not empty */
  readonly labels: readonly string[];
  readonly hand_count: number;
  readonly bb_per_100: number;
  /** Its 95 % interval: low, high. It holds however often it is looked at. Null until hands are counted.; 2 items */
  readonly bb_per_100_ci95: readonly number[] | null;
}

export interface AnalyticsPnlSeriesItem {
  /** at least 1 */
  readonly hand_number: number;
  readonly cumulative_profit: number;
}

export interface AnalyticsRecentHand {
  /** uuid */
  readonly hand_id: string;
  /** 1 to 128 characters */
  readonly table_id: string;
  /** The number of the hand at its table; at least 1 */
  readonly table_hand_number: number;
  /** The number of a hand, among the agent's hands of the season.; at least 1 */
  readonly hand_number: number;
  readonly profit: number;
  /** not empty */
  readonly action_summary: string;
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$ */
  readonly started_at: string;
}

export interface Analytics {
  /** uuid */
  readonly agent_id: string;
  /** Hands that are counted so far: the sample of all estimates. */
  readonly total_hands: number;
  /** Fewer than 1,000 hands: luck decides the figures. */
  readonly sample_warning: boolean;
  /** Hands with a call or a raise before the flop / hands. Unlike in PokerTracker, walks count as hands.; 0 to 1 */
  readonly vpip: number;
  /** Hands with a raise before the flop / hands.; 0 to 1 */
  readonly pfr: number;
  /** Hands with a raise / hands in which the agent could raise after exactly one raise of another player, preflop.; 0 to 1 */
  readonly three_bet_pct: number;
  /** Hands with a fold / hands with the first raise, then exactly one re-raise, preflop.; 0 to 1 */
  readonly fold_to_three_bet_pct: number;
  /** Hands with a bet / hands with the last raise preflop and the chance to bet first on the flop.; 0 to 1 */
  readonly cbet_rate: number;
  /** Raises after the flop / calls after the flop. Without a call the number of raises. */
  readonly aggression_factor: number;
  /** Showdowns / hands in which the agent saw the flop, also all-in.; 0 to 1 */
  readonly wtsd: number;
  /** Showdowns with a part of a pot / showdowns.; 0 to 1 */
  readonly w_sd: number;
  /** The share of these bets after which all opponents folded at once.; 0 to 1 */
  readonly cbet_success_rate: number;
  /** Hands with a net gain / hands.; 0 to 1 */
  readonly win_rate: number;
  /** 100 × the mean of the chips won in a hand, in big blinds. */
  readonly bb_per_100: number;
  /** Its 95 % interval: low, high. It holds however often it is looked at. Null until hands are counted.; 2 items */
  readonly bb_per_100_ci95: readonly number[] | null;
  /** The same with all-ins at what they were worth at the last decision. */
  readonly bb_per_100_all_in_adjusted: number;
  /** Its 95 % interval.; 2 items */
  readonly bb_per_100_all_in_adjusted_ci95: readonly number[] | null;
  /** Deprecated: the same as `bb_per_100_all_in_adjusted`. */
  readonly all_in_adj_bb_per_100: number;
  /** Deprecated: the same as `bb_per_100_all_in_adjusted_ci95`.; 2 items */
  readonly all_in_adj_bb_per_100_ci95: readonly number[] | null;
  /** Hands of bb_per_100_luck_adjusted: the last whole hundred, so that no single hand tells of hidden cards. 0 in duplicate competitions, and in pools whose record names another value function than this release has. */
  readonly hands_luck_adjusted: number;
  /** The same less the luck of the deal and the board. Null below 100 hands. */
  readonly bb_per_100_luck_adjusted: number | null;
  /** Its 95 % interval.; 2 items */
  readonly bb_per_100_luck_adjusted_ci95: readonly number[] | null;
  /** Profit of the hands that the agent showed down. */
  readonly showdown_winnings: number;
  /** Profit of the other hands. */
  readonly non_showdown_winnings: number;
  /** Rebuys of the season. */
  readonly rebuys: number;
  /** All six, in the order of preflop action. Tables with fewer players have no early positions. Heads-up has BTN and BB. */
  readonly position_stats: readonly AnalyticsPositionStat[];
  /** All 169, row by row from the aces. Pairs are on the diagonal, suited hands above it. */
  readonly starting_hand_grid: readonly AnalyticsStartingHandGridItem[];
  /** The same by kinds of hands, for small samples. Each of the 169 hands is in one group. */
  readonly starting_hand_groups: readonly AnalyticsStartingHandGroup[];
  /** The profit so far, in at most 257 points. The last point is the last hand. */
  readonly pnl_series: readonly AnalyticsPnlSeriesItem[];
  /** The last 20, newest first. */
  readonly recent_hands: readonly AnalyticsRecentHand[];
}

/** The input of listOpponents. */
export interface ListOpponentsInput {
  /** 1 to 5000; default 1000 */
  hands?: number | undefined;
}

export interface Opponent {
  /** not empty */
  readonly name: string;
  readonly public_profile_slug: string | null;
  readonly is_house: boolean;
  /** Hands that both players were dealt into. All figures here count these hands. */
  readonly hands: number;
  /** Chips that you won in these hands, from all players. */
  readonly net: number;
  /** net per 100 hands, in big blinds. */
  readonly bb_per_100: number;
  /** Its 95 % interval: low, high. It holds at all looks while `hands` covers the whole season.; 2 items */
  readonly bb_per_100_ci95: readonly number[] | null;
  /** The part of net that this opponent paid. Each winner of a hand has a share of each loss. */
  readonly won_from: number;
  /** Hands with a call or a raise before the flop / hands. Unlike in PokerTracker, walks count as hands.; 0 to 1 */
  readonly vpip: number;
  /** Hands with a raise before the flop / hands.; 0 to 1 */
  readonly pfr: number;
  /** Hands with a raise / hands in which the agent could raise after exactly one raise of another player, preflop.; 0 to 1 */
  readonly three_bet_pct: number;
  /** Hands with a fold / hands with the first raise, then exactly one re-raise, preflop.; 0 to 1 */
  readonly fold_to_three_bet_pct: number;
  /** Hands with a bet / hands with the last raise preflop and the chance to bet first on the flop.; 0 to 1 */
  readonly cbet_rate: number;
  /** Raises after the flop / calls after the flop. Without a call the number of raises. */
  readonly aggression_factor: number;
  /** Showdowns / hands in which the agent saw the flop, also all-in.; 0 to 1 */
  readonly wtsd: number;
  /** Showdowns with a part of a pot / showdowns.; 0 to 1 */
  readonly w_sd: number;
}

export interface Opponents {
  readonly hands: number;
  /** The opponents with the most common hands first; at most 200 items */
  readonly opponents: readonly Opponent[];
}

export interface RatedVersion {
  /** Null: hands without a version, and those of versions after the first 50 of the season.; 1 to 32 characters; as ^[A-Za-z0-9._-]{1,32}$ */
  readonly version: string | null;
  /** Big blinds per 100 hands above the pool's average agent: a linear model of all-in-adjusted results, shrunk to 0. The model takes out how strong the opponents were. Null without a rated hand. */
  readonly rating: number | null;
  /** low, high: holds the rating with 95 % at all sample sizes at once, as far as the model is true.; 2 items */
  readonly rating_interval: readonly number[] | null;
  /** Hands that are rated so far. */
  readonly rating_hands: number;
  /** Fewer hands than the server asks for (RATING_MIN_HANDS, 300). */
  readonly provisional: boolean;
}

export interface BotVersions {
  /** Those with the most hands first. Empty unless the bot ever told a version.; at most 51 items */
  readonly versions: readonly RatedVersion[];
}

export interface FieldBounds {
  readonly type: 'string' | 'integer' | 'boolean' | 'date-time' | 'enum';
  readonly required: boolean;
  readonly default: string | number | boolean | null;
  readonly minimum: number | null;
  readonly maximum: number | null;
  readonly values?: readonly string[];
}

export interface CompetitionMetadataTransition {
  readonly step: string;
  readonly from: readonly (
    | 'draft'
    | 'enrolling'
    | 'enrollment_closed'
    | 'active'
    | 'paused'
    | 'ending'
    | 'results_pending'
    | 'finalized'
    | 'cancelled'
  )[];
  readonly to:
    | 'draft'
    | 'enrolling'
    | 'enrollment_closed'
    | 'active'
    | 'paused'
    | 'ending'
    | 'results_pending'
    | 'finalized'
    | 'cancelled';
}

export interface CompetitionMetadata {
  readonly fields: Readonly<Record<string, FieldBounds>>;
  readonly statuses: readonly (
    | 'draft'
    | 'enrolling'
    | 'enrollment_closed'
    | 'active'
    | 'paused'
    | 'ending'
    | 'results_pending'
    | 'finalized'
    | 'cancelled'
  )[];
  readonly transitions: readonly CompetitionMetadataTransition[];
  readonly competitions_at_once: number;
  readonly competitions_a_day: number;
}

/** The input of listPublicCompetitions. */
export interface ListPublicCompetitionsInput {
  /** default "running" */
  status?: 'running' | 'open' | 'finished' | undefined;
  /** at most 100 characters; as ^[^\u0000-\u001f\u007f]*$ */
  search?: string | undefined;
  /** 1 to 100; default 50 */
  limit?: number | undefined;
  /** default 0 */
  offset?: number | undefined;
}

export interface PodiumPlace {
  /** 1 to 3 */
  readonly rank: number;
  /** not empty */
  readonly name: string;
  readonly public_profile_slug: string | null;
  readonly score: number;
}

export interface ListedCompetition {
  /** not empty */
  readonly slug: string;
  readonly status:
    | 'draft'
    | 'enrolling'
    | 'enrollment_closed'
    | 'active'
    | 'paused'
    | 'ending'
    | 'results_pending'
    | 'finalized'
    | 'cancelled';
  readonly name: string;
  /** not empty */
  readonly organizer_name: string;
  readonly organizer_profile_slug: string | null;
  readonly organization_name: string | null;
  readonly participant_cap: number;
  readonly join_requests: boolean;
  readonly participant_count: number;
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$ */
  readonly enrollment_deadline: string | null;
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$ */
  readonly starts_at: string | null;
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$ */
  readonly ends_at: string;
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$ */
  readonly started_at: string | null;
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$ */
  readonly ended_at: string | null;
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$ */
  readonly finalized_at: string | null;
  readonly duplicate: boolean;
  /** at most 3 items */
  readonly podium: readonly PodiumPlace[];
}

export interface ListedCompetitionsTotals {
  readonly running: number;
  readonly open: number;
  readonly finished: number;
}

export interface ListedCompetitions {
  /** at most 100 items */
  readonly competitions: readonly ListedCompetition[];
  readonly total: number;
  readonly totals: ListedCompetitionsTotals;
  /** 1 to 100 */
  readonly limit: number;
  readonly offset: number;
}

/** The input of listCompetitions. */
export interface ListCompetitionsInput {
  /** at most 32 characters */
  status?: string | undefined;
  /** 1 to 100; default 50 */
  limit?: number | undefined;
  /** default 0 */
  offset?: number | undefined;
}

export interface Competition {
  /** uuid */
  readonly competition_id: string;
  /** not empty */
  readonly slug: string;
  readonly status:
    | 'draft'
    | 'enrolling'
    | 'enrollment_closed'
    | 'active'
    | 'paused'
    | 'ending'
    | 'results_pending'
    | 'finalized'
    | 'cancelled';
  /** at least 1 */
  readonly version: number;
  /** uuid */
  readonly organizer_id: string;
  readonly is_organizer: boolean;
  readonly is_co_organizer: boolean;
  readonly participation: 'enrolled' | 'withdrawn' | 'removed' | 'disqualified' | null;
  readonly participant_count: number;
  readonly name: string;
  readonly organization_name: string | null;
  readonly description: string | null;
  readonly reward_description: string | null;
  readonly display_timezone: string;
  readonly participant_cap: number;
  readonly join_requests: boolean;
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$ */
  readonly enrollment_deadline: string | null;
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$ */
  readonly starts_at: string | null;
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$ */
  readonly ends_at: string;
  readonly starting_chips: number;
  readonly minimum_buy_in: number;
  readonly default_buy_in: number;
  readonly maximum_buy_in: number;
  readonly small_blind: number;
  readonly big_blind: number;
  /** 2 to 6 */
  readonly max_players: number;
  readonly minimum_hands: number;
  readonly rebuys_enabled: boolean;
  readonly max_rebuys: number;
  readonly rebuy_chips: number;
  readonly rebuy_score_penalty: number;
  readonly rebuy_cooldown_seconds: number;
  readonly duplicate: boolean;
  readonly between_hands_ms: number | null;
  readonly action_timeout_ms: number | null;
  readonly time_bank: boolean;
  readonly hand_limit: number | null;
  readonly spectators: 'public' | 'participants' | 'none';
  readonly open_cards: 'never' | 'after_pool' | 'after_hand';
  readonly duplicate_note: string | null;
  /** SHA-256 of the value function that measures luck in the hands: fixed before the first one. Null: luck is not measured.; as ^[0-9a-f]{64}$ */
  readonly value_function_sha256: string | null;
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$ */
  readonly created_at: string;
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$ */
  readonly updated_at: string;
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$ */
  readonly started_at: string | null;
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$ */
  readonly ended_at: string | null;
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$ */
  readonly finalized_at: string | null;
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$ */
  readonly cancelled_at: string | null;
}

export interface Competitions {
  /** at most 100 items */
  readonly competitions: readonly Competition[];
  readonly total: number;
  /** 1 to 100 */
  readonly limit: number;
  readonly offset: number;
}

/** The input of createCompetition. */
export interface CreateCompetitionInput {
  /** 3 to 80 characters */
  name: string;
  /** at most 100 characters */
  organization_name?: string | null | undefined;
  /** at most 4000 characters */
  description?: string | null | undefined;
  /** at most 4000 characters */
  reward_description?: string | null | undefined;
  /** 1 to 64 characters; default "UTC" */
  display_timezone?: string | undefined;
  /** 2 to 2000; default 24 */
  participant_cap?: number | undefined;
  /** date-time */
  enrollment_deadline?: string | null | undefined;
  /** date-time */
  starts_at?: string | null | undefined;
  /** date-time */
  ends_at: string;
  /** 100 to 1000000; default 5000 */
  starting_chips?: number | undefined;
  /** 20 to 1000000; default 1000 */
  minimum_buy_in?: number | undefined;
  /** 20 to 1000000; default 2000 */
  default_buy_in?: number | undefined;
  /** 20 to 1000000; default 5000 */
  maximum_buy_in?: number | undefined;
  /** 1 to 100000; default 10 */
  small_blind?: number | undefined;
  /** 2 to 200000; default 20 */
  big_blind?: number | undefined;
  /** 2 to 6; default 6 */
  max_players?: number | undefined;
  /** 0 to 100000; default 0 */
  minimum_hands?: number | undefined;
  /** default false */
  rebuys_enabled?: boolean | undefined;
  /** 0 to 20; default 0 */
  max_rebuys?: number | undefined;
  /** 1000 to 5000; default 1000 */
  rebuy_chips?: number | undefined;
  /** 0 to 5000; default 0 */
  rebuy_score_penalty?: number | undefined;
  /** 0 to 86400; default 0 */
  rebuy_cooldown_seconds?: number | undefined;
  /** default false */
  duplicate?: boolean | undefined;
  /** 0 to 10000 */
  between_hands_ms?: number | null | undefined;
  /** 1000 to 120000 */
  action_timeout_ms?: number | null | undefined;
  /** default true */
  time_bank?: boolean | undefined;
  /** 1 to 1000000 */
  hand_limit?: number | null | undefined;
  /** default "public" */
  spectators?: 'public' | 'participants' | 'none' | undefined;
  /** default "after_pool" */
  open_cards?: 'never' | 'after_pool' | 'after_hand' | undefined;
  /** default false */
  join_requests?: boolean | undefined;
}

/** The input of getCompetition. */
export interface GetCompetitionInput {
  /** uuid */
  competition_id: string;
}

/** The input of updateCompetition. */
export interface UpdateCompetitionInput {
  /** uuid */
  competition_id: string;
  /** 3 to 80 characters */
  name?: string | undefined;
  /** at most 100 characters */
  organization_name?: string | null | undefined;
  /** at most 4000 characters */
  description?: string | null | undefined;
  /** at most 4000 characters */
  reward_description?: string | null | undefined;
  /** 1 to 64 characters */
  display_timezone?: string | undefined;
  /** 2 to 2000 */
  participant_cap?: number | undefined;
  /** date-time */
  enrollment_deadline?: string | null | undefined;
  /** date-time */
  starts_at?: string | null | undefined;
  /** date-time */
  ends_at?: string | undefined;
  /** 100 to 1000000 */
  starting_chips?: number | undefined;
  /** 20 to 1000000 */
  minimum_buy_in?: number | undefined;
  /** 20 to 1000000 */
  default_buy_in?: number | undefined;
  /** 20 to 1000000 */
  maximum_buy_in?: number | undefined;
  /** 1 to 100000 */
  small_blind?: number | undefined;
  /** 2 to 200000 */
  big_blind?: number | undefined;
  /** 2 to 6 */
  max_players?: number | undefined;
  /** 0 to 100000 */
  minimum_hands?: number | undefined;
  rebuys_enabled?: boolean | undefined;
  /** 0 to 20 */
  max_rebuys?: number | undefined;
  /** 1000 to 5000 */
  rebuy_chips?: number | undefined;
  /** 0 to 5000 */
  rebuy_score_penalty?: number | undefined;
  /** 0 to 86400 */
  rebuy_cooldown_seconds?: number | undefined;
  duplicate?: boolean | undefined;
  /** 0 to 10000 */
  between_hands_ms?: number | null | undefined;
  /** 1000 to 120000 */
  action_timeout_ms?: number | null | undefined;
  time_bank?: boolean | undefined;
  /** 1 to 1000000 */
  hand_limit?: number | null | undefined;
  spectators?: 'public' | 'participants' | 'none' | undefined;
  open_cards?: 'never' | 'after_pool' | 'after_hand' | undefined;
  join_requests?: boolean | undefined;
}

/** The input of openEnrollment. */
export interface OpenEnrollmentInput {
  /** uuid */
  competition_id: string;
}

/** The input of closeEnrollment. */
export interface CloseEnrollmentInput {
  /** uuid */
  competition_id: string;
}

/** The input of startCompetition. */
export interface StartCompetitionInput {
  /** uuid */
  competition_id: string;
}

/** The input of pauseCompetition. */
export interface PauseCompetitionInput {
  /** uuid */
  competition_id: string;
}

/** The input of resumeCompetition. */
export interface ResumeCompetitionInput {
  /** uuid */
  competition_id: string;
}

/** The input of endCompetition. */
export interface EndCompetitionInput {
  /** uuid */
  competition_id: string;
}

/** The input of cancelCompetition. */
export interface CancelCompetitionInput {
  /** uuid */
  competition_id: string;
}

/** The input of finalizeCompetition. */
export interface FinalizeCompetitionInput {
  /** uuid */
  competition_id: string;
}

/** The input of getCompetitionAudit. */
export interface GetCompetitionAuditInput {
  /** uuid */
  competition_id: string;
  /** 1 to 100; default 50 */
  limit?: number | undefined;
  /** default 0 */
  offset?: number | undefined;
}

export interface CompetitionAuditEntry {
  readonly entry_id: number;
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$ */
  readonly at: string;
  readonly actor: string;
  readonly action: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

export interface CompetitionAudit {
  /** at most 100 items */
  readonly entries: readonly CompetitionAuditEntry[];
  readonly total: number;
  /** 1 to 100 */
  readonly limit: number;
  readonly offset: number;
}

export interface BotStrategy {
  readonly template: 'shark' | 'rock' | 'gambler' | 'bluffer' | 'gto_lite' | 'calling_station';
  /** 0 to 1 */
  readonly vpip?: number;
  /** 0 to 1 */
  readonly pfr?: number;
  /** 0 to 1 */
  readonly three_bet?: number;
  /** 0 to 1 */
  readonly aggression?: number;
  /** 0 to 1 */
  readonly bluff?: number;
  /** 0 to 1 */
  readonly call_down?: number;
  /** 0 to 1 */
  readonly balance?: number;
  /** 0 to 1 */
  readonly tilt?: number;
  readonly auto_rebuy?: boolean;
}

export interface SavedStrategyEffective {
  readonly template: 'shark' | 'rock' | 'gambler' | 'bluffer' | 'gto_lite' | 'calling_station';
  /** 0 to 1 */
  readonly vpip: number;
  /** 0 to 1 */
  readonly pfr: number;
  /** 0 to 1 */
  readonly three_bet: number;
  /** 0 to 1 */
  readonly aggression: number;
  /** 0 to 1 */
  readonly bluff: number;
  /** 0 to 1 */
  readonly call_down: number;
  /** 0 to 1 */
  readonly balance: number;
  /** 0 to 1 */
  readonly tilt: number;
  readonly auto_rebuy: boolean;
}

export interface SavedStrategy {
  readonly strategy: BotStrategy;
  readonly effective: SavedStrategyEffective;
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$ */
  readonly saved_at: string | null;
}

/** The input of saveStrategy. */
export interface SaveStrategyInput {
  template: 'shark' | 'rock' | 'gambler' | 'bluffer' | 'gto_lite' | 'calling_station';
  /** 0 to 1 */
  vpip?: number | undefined;
  /** 0 to 1 */
  pfr?: number | undefined;
  /** 0 to 1 */
  three_bet?: number | undefined;
  /** 0 to 1 */
  aggression?: number | undefined;
  /** 0 to 1 */
  bluff?: number | undefined;
  /** 0 to 1 */
  call_down?: number | undefined;
  /** 0 to 1 */
  balance?: number | undefined;
  /** 0 to 1 */
  tilt?: number | undefined;
  auto_rebuy?: boolean | undefined;
}

/** The input of saveStrategyApi. */
export interface SaveStrategyApiInput {
  template: 'shark' | 'rock' | 'gambler' | 'bluffer' | 'gto_lite' | 'calling_station';
  /** 0 to 1 */
  vpip?: number | undefined;
  /** 0 to 1 */
  pfr?: number | undefined;
  /** 0 to 1 */
  three_bet?: number | undefined;
  /** 0 to 1 */
  aggression?: number | undefined;
  /** 0 to 1 */
  bluff?: number | undefined;
  /** 0 to 1 */
  call_down?: number | undefined;
  /** 0 to 1 */
  balance?: number | undefined;
  /** 0 to 1 */
  tilt?: number | undefined;
  auto_rebuy?: boolean | undefined;
}

/** The input of deployBot. */
export interface DeployBotInput {
  mode: 'browser' | 'hosted';
  strategy?: BotStrategy | undefined;
}

export interface BotToken {
  /** as ^bt_[A-Za-z0-9_-]{43}$ */
  readonly bot_token: string;
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$ */
  readonly expires_at: string;
  /** uuid */
  readonly season_id: string;
}

export interface Deployed {
  readonly state: 'stopped' | 'starting' | 'running' | 'error';
  readonly mode: 'browser' | 'hosted';
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$ */
  readonly deployed_at: string;
  readonly hands_played: number;
  readonly last_error: null;
  /** at least 1 */
  readonly runtime_generation: number;
  readonly token: BotToken | null;
}

export interface HostedBot {
  readonly state: 'stopped' | 'starting' | 'running' | 'error';
  readonly mode: 'hosted';
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$ */
  readonly deployed_at: string;
  readonly hands_played: number;
  readonly last_error: null;
  /** at least 1 */
  readonly runtime_generation: number;
  readonly token: null;
}

export interface StoppedBot {
  readonly state: 'stopped';
  readonly mode: null;
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$ */
  readonly deployed_at: string | null;
  readonly hands_played: number;
  /** not empty */
  readonly last_error: string | null;
}

export interface BotStatus {
  readonly state: 'stopped' | 'starting' | 'running' | 'error';
  readonly mode: 'browser' | 'hosted' | null;
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$ */
  readonly deployed_at: string | null;
  readonly hands_played: number;
  /** not empty */
  readonly last_error: string | null;
}

/** The input of deposit. */
export interface DepositInput {
  /** Dollars, at most 4 decimals; at most 1000000; above 0 */
  amount: number;
}

export interface LedgerTransaction {
  /** uuid */
  readonly transaction_id: string;
  readonly type: 'deposit' | 'dev_deposit' | 'withdraw' | 'withdraw_refund' | 'season_pass' | 'prize' | 'sponsor';
  readonly amount: number;
  readonly balance_after: number;
}

/** The input of depositDev. */
export interface DepositDevInput {
  /** Dollars, at most 4 decimals; at most 1000000; above 0 */
  amount: number;
}

export interface Balance {
  /** uuid */
  readonly agent_id: string;
  readonly balance: number;
  readonly locked_in_play: number;
  readonly total: number;
}

/** The input of listTransactions. */
export interface ListTransactionsInput {
  /** 1 to 200; default 50 */
  limit?: number | undefined;
  /** default 0 */
  offset?: number | undefined;
}

export interface Transaction {
  /** uuid */
  readonly transaction_id: string;
  readonly type: 'deposit' | 'dev_deposit' | 'withdraw' | 'withdraw_refund' | 'season_pass' | 'prize' | 'sponsor';
  readonly amount: number;
  readonly balance_after: number;
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$ */
  readonly created_at: string;
  readonly reference: string | null;
}

export interface Transactions {
  /** at most 200 items */
  readonly transactions: readonly Transaction[];
  /** 1 to 200 */
  readonly limit: number;
  readonly offset: number;
}

/** The input of getPublicHand. */
export interface GetPublicHandInput {
  /** uuid */
  hand_id: string;
}

export interface PublicHandCompetition {
  /** uuid */
  readonly competition_id: string;
  readonly slug: string;
  readonly name: string;
}

export interface PublicHandPlayer {
  /** 0 to 5 */
  readonly seat: number;
  /** not empty */
  readonly name: string;
  readonly public_profile_slug: string | null;
  readonly avatar_url: string | null;
  readonly is_house: boolean;
  readonly stack_start: number;
  readonly stack_end: number;
  readonly contributed: number;
  readonly payout: number;
  readonly shown: boolean;
  /** 2 items */
  readonly hole_cards: readonly string[] | null;
  readonly opened: readonly OpenedCard[] | null;
}

export interface PublicHandStartBlinds {
  readonly small_blind: number;
  readonly big_blind: number;
}

export interface PublicHandStart {
  readonly type: 'hand_start';
  /** 0 to 5 */
  readonly dealer_seat: number;
  readonly blinds: PublicHandStartBlinds;
  /** at least 2 items */
  readonly posts: readonly Posted[];
  /** at least 1 */
  readonly hand_number?: number;
  /** as ^[0-9a-f]{64}$ */
  readonly deck_commitment?: string;
  /** at most 6 items */
  readonly deal_nonces?: readonly SeatNonce[];
  readonly at_ms: number;
}

export interface PublicPlayerAction {
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
  readonly at_ms: number;
}

export interface PublicFlop {
  readonly type: 'community_cards';
  readonly street: 'flop';
  /** 3 items */
  readonly cards: readonly string[];
  readonly at_ms: number;
}

export interface PublicTurnOrRiver {
  readonly type: 'community_cards';
  readonly street: 'turn' | 'river';
  /** 1 to 5 items */
  readonly cards: readonly string[];
  readonly at_ms: number;
}

export interface PublicHandResultWinner {
  /** 0 to 5 */
  readonly seat: number;
  /** not empty */
  readonly name: string;
  readonly stack: number;
  readonly amount: number;
  /** not empty */
  readonly hand_description: string;
}

export interface PublicHandResultAction {
  /** 0 to 5 */
  readonly seat: number;
  readonly action: 'fold' | 'check' | 'call' | 'raise' | 'all_in';
  readonly amount: number | null;
  readonly street: 'preflop' | 'flop' | 'turn' | 'river';
}

export interface PublicHandResultPayout {
  /** 0 to 5 */
  readonly seat: number;
  readonly amount: number;
}

export interface PublicHandResult {
  readonly type: 'hand_result';
  /** amount is the net gain. hand_description names rank 2 "Two" or "Twos", and no kickers. Without a showdown it is Uncontested; not empty */
  readonly winners: readonly PublicHandResultWinner[];
  readonly pot: number;
  readonly total_pot: number;
  readonly transferable_pot: number;
  readonly net_pot_after_rake: number;
  readonly final_stacks: Readonly<Record<string, number>>;
  readonly pot_kind: 'transferable';
  readonly rake: 0;
  readonly rake_settled: 0;
  readonly shown_cards: Readonly<Record<string, readonly string[]>>;
  readonly actions: readonly PublicHandResultAction[];
  /** not empty */
  readonly payouts: readonly PublicHandResultPayout[];
  readonly outcome_kind: 'win' | 'split' | 'multiple_winners';
  readonly deal_proof?: DealtDeck;
  readonly at_ms: number;
}

export type PublicHandEvent = PublicHandStart | PublicPlayerAction | PublicFlop | PublicTurnOrRiver | PublicHandResult;

export interface PublicHandPot {
  readonly amount: number;
  /** 1 to 6 items */
  readonly seats: readonly number[];
  /** 1 to 6 items */
  readonly winners: readonly number[];
}

export interface PublicHandReturned {
  /** 0 to 5 */
  readonly seat: number;
  readonly amount: number;
}

export interface PublicHandOwn {
  /** 0 to 5 */
  readonly seat: number;
  /** 2 items */
  readonly hole_cards: readonly string[];
  readonly opened: readonly OpenedCard[] | null;
}

export interface PublicHand {
  /** uuid */
  readonly hand_id: string;
  /** 1 to 128 characters */
  readonly table_id: string;
  /** at least 1 */
  readonly hand_number: number;
  /** uuid */
  readonly season_id: string | null;
  readonly competition: PublicHandCompetition | null;
  readonly open_cards: 'never' | 'after_pool' | 'after_hand';
  /** 0 to 5 */
  readonly dealer_seat: number;
  readonly small_blind: number;
  readonly big_blind: number;
  /** 2 to 6 items */
  readonly players: readonly PublicHandPlayer[];
  /** at least 2 items */
  readonly blinds: readonly Posted[];
  /** at least 2 items */
  readonly events: readonly PublicHandEvent[];
  /** not empty */
  readonly pots: readonly PublicHandPot[];
  readonly returned: PublicHandReturned | null;
  readonly own: PublicHandOwn | null;
  /** uuid */
  readonly previous_hand_id: string | null;
  /** uuid */
  readonly next_hand_id: string | null;
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$ */
  readonly started_at: string;
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$ */
  readonly ended_at: string;
}

/** The input of getPublicHandFile. */
export interface GetPublicHandFileInput {
  /** uuid */
  hand_id: string;
  /** default "phh" */
  format?: 'phh' | 'pokerstars' | undefined;
}

/** The input of getAgentProfile. */
export interface GetAgentProfileInput {
  slug: string;
}

export interface AgentProfileBadge {
  /** at least 1 */
  readonly season_number: number;
  readonly badge: 'gold' | 'silver' | 'bronze';
}

export interface AgentProfileSeasonCurveItem {
  /** at least 1 */
  readonly hand_number: number;
  readonly cumulative_profit: number;
  readonly all_in_adjusted: number | null;
}

export interface AgentProfileSeasonLuckCurveItem {
  /** at least 1 */
  readonly hand_number: number;
  readonly luck_adjusted: number;
  readonly low: number;
  readonly high: number;
}

export interface AgentProfileSeason {
  /** at least 1 */
  readonly season_number: number;
  /** at least 1 */
  readonly rank: number | null;
  readonly total_participants: number;
  readonly score: number;
  readonly rebuys: number;
  readonly premium: boolean;
  readonly hands_played: number;
  readonly hands_won: number;
  /** 0 to 1 */
  readonly win_rate: number;
  /** Hands that the estimates are over. Hands are counted seconds after they are played. */
  readonly hands_counted: number;
  /** 100 × the mean of the chips won in a hand, in big blinds. Null until hands are counted. */
  readonly bb_per_100: number | null;
  /** Its 95 % interval: low, high. It holds however often it is looked at. Null until hands are counted.; 2 items */
  readonly bb_per_100_ci95: readonly number[] | null;
  /** The same with all-ins at what they were worth at the last decision. */
  readonly bb_per_100_all_in_adjusted: number | null;
  /** Its 95 % interval.; 2 items */
  readonly bb_per_100_all_in_adjusted_ci95: readonly number[] | null;
  /** Deprecated: the same as `bb_per_100_all_in_adjusted`. */
  readonly all_in_adj_bb_per_100: number | null;
  /** Hands of bb_per_100_luck_adjusted: the last whole hundred, so that no single hand tells of hidden cards. 0 in duplicate competitions, and in pools whose record names another value function than this release has. */
  readonly hands_luck_adjusted: number;
  /** The same less the luck of the deal and the board. Null below 100 hands. */
  readonly bb_per_100_luck_adjusted: number | null;
  /** Its 95 % interval.; 2 items */
  readonly bb_per_100_luck_adjusted_ci95: readonly number[] | null;
  /** Deprecated: the same as `bb_per_100_all_in_adjusted_ci95`.; 2 items */
  readonly all_in_adj_bb_per_100_ci95: readonly number[] | null;
  /** Chips won less chips lost, every 50 hands or more, and now; and the same with all-ins at their worth. */
  readonly curve: readonly AgentProfileSeasonCurveItem[];
  /** Chips won less luck, every 100 hands or more, with the limits of the 95 % interval. */
  readonly luck_curve: readonly AgentProfileSeasonLuckCurveItem[];
}

export interface AgentProfileRecentHand {
  /** uuid */
  readonly hand_id: string;
  /** 1 to 128 characters */
  readonly table_id: string;
  /** at least 1 */
  readonly hand_number: number;
  /** 0 to 5 */
  readonly seat: number;
  readonly profit: number;
  readonly total_pot: number;
  /** not empty */
  readonly action_summary: string;
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$ */
  readonly started_at: string;
}

export interface AgentProfile {
  readonly public_profile_slug: string;
  /** not empty */
  readonly name: string;
  readonly avatar_url: string | null;
  readonly is_house: boolean;
  readonly badges: readonly AgentProfileBadge[];
  readonly season: AgentProfileSeason | null;
  /** at most 20 items */
  readonly recent_hands: readonly AgentProfileRecentHand[];
}

/** The input of getAgentTable. */
export interface GetAgentTableInput {
  slug: string;
}

export interface AgentTable {
  /** 1 to 128 characters */
  readonly table_id: string | null;
  /** 0 to 5 */
  readonly seat: number | null;
}

export interface MomentPlayer {
  /** 0 to 5 */
  readonly seat: number;
  /** not empty */
  readonly name: string;
  readonly public_profile_slug: string | null;
  readonly payout: number;
  /** Those that were shown to the table; 2 items */
  readonly hole_cards: readonly string[] | null;
  /** The expected part of the pot after the last decision, over every board that could still come. Null for a big pot; 0 to 1 */
  readonly equity: number | null;
}

export interface Moment {
  /** uuid */
  readonly hand_id: string;
  /** 1 to 128 characters */
  readonly table_id: string;
  /** at least 1 */
  readonly hand_number: number;
  /** The step of the replay, as it stands behind # in its address */
  readonly step: string;
  readonly total_pot: number;
  readonly big_blind: number;
  /** 1 to 6 items */
  readonly players: readonly MomentPlayer[];
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$ */
  readonly started_at: string;
}

export interface MomentsOfDay {
  /** The largest first; at most 5 items */
  readonly big_pots: readonly Moment[];
  /** All shown, with cards to come: the largest pot first; at most 5 items */
  readonly all_ins: readonly Moment[];
  /** Such all-ins of 20 big blinds that a player won with less than its equal share: the lowest equity first; at most 5 items */
  readonly upsets: readonly Moment[];
}

/** The input of getVersus. */
export interface GetVersusInput {
  slug: string;
  other: string;
}

export interface VersusAgentTogether {
  /** Chips won in the common hands, from all players. */
  readonly net: number;
  /** net per 100 common hands, in big blinds. */
  readonly bb_per_100: number;
  /** The 95 % interval of bb_per_100: low, high.; 2 items */
  readonly bb_per_100_ci95: readonly number[] | null;
  /** Chips won from the other one. Each winner of a hand has a share of each loss. */
  readonly won_from: number;
  /** won_from per 100 common hands, in big blinds. */
  readonly won_from_per_100: number;
  /** The 95 % interval of won_from_per_100: low, high.; 2 items */
  readonly won_from_per_100_ci95: readonly number[] | null;
  /** Hands with a call or a raise before the flop / hands. Unlike in PokerTracker, walks count as hands.; 0 to 1 */
  readonly vpip: number;
  /** Hands with a raise before the flop / hands.; 0 to 1 */
  readonly pfr: number;
  /** Hands with a raise / hands in which the agent could raise after exactly one raise of another player, preflop.; 0 to 1 */
  readonly three_bet_pct: number;
  /** Hands with a fold / hands with the first raise, then exactly one re-raise, preflop.; 0 to 1 */
  readonly fold_to_three_bet_pct: number;
  /** Hands with a bet / hands with the last raise preflop and the chance to bet first on the flop.; 0 to 1 */
  readonly cbet_rate: number;
  /** Raises after the flop / calls after the flop. Without a call the number of raises. */
  readonly aggression_factor: number;
  /** Showdowns / hands in which the agent saw the flop, also all-in.; 0 to 1 */
  readonly wtsd: number;
  /** Showdowns with a part of a pot / showdowns.; 0 to 1 */
  readonly w_sd: number;
}

export interface VersusAgent {
  /** not empty */
  readonly name: string;
  readonly public_profile_slug: string;
  readonly is_house: boolean;
  /** Null for a house bot, and without a part in the season.; at least 1 */
  readonly rank: number | null;
  /** Big blinds per 100 hands above the pool's average agent: a linear model of all-in-adjusted results, shrunk to 0. The model takes out how strong the opponents were. Null without a rated hand. */
  readonly rating: number | null;
  /** low, high: holds the rating with 95 % at all sample sizes at once, as far as the model is true.; 2 items */
  readonly rating_interval: readonly number[] | null;
  /** Hands that are rated so far. */
  readonly rating_hands: number;
  /** Fewer hands than the server asks for (RATING_MIN_HANDS, 300). */
  readonly provisional: boolean;
  /** Over the common hands. Null without one, and if spectators see no hands of the season. */
  readonly together: VersusAgentTogether | null;
}

export interface VersusLastHand {
  /** uuid */
  readonly hand_id: string;
  /** 1 to 128 characters */
  readonly table_id: string;
  /** at least 1 */
  readonly hand_number: number;
  readonly total_pot: number;
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$ */
  readonly started_at: string;
  /** Chips won by each of the two, in the order of `agents`.; 2 items */
  readonly profits: readonly number[];
}

export interface Versus {
  /** at least 1 */
  readonly season_number: number;
  /** Common hands that are counted: the newest 2000 at most, as old as spectators must wait. The sample of `together`. */
  readonly hands: number;
  /** In the order of the path.; 2 items */
  readonly agents: readonly VersusAgent[];
  /** The newest common hands.; at most 20 items */
  readonly last_hands: readonly VersusLastHand[];
}

/** The input of getHandProof. */
export interface GetHandProofInput {
  /** uuid */
  hand_id: string;
}

export interface HandProofOpenedHand {
  /** 0 to 5 */
  readonly seat: number;
  /** 2 items */
  readonly hole_cards: readonly string[];
  readonly opened: readonly OpenedCard[];
}

export interface HandProof {
  /** uuid */
  readonly hand_id: string;
  /** 1 to 128 characters */
  readonly table_id: string;
  /** at least 1 */
  readonly hand_number: number;
  /** 0 to 5 */
  readonly dealer_seat: number;
  /** 0 to 5 */
  readonly seat: number;
  /** 2 to 6 items */
  readonly seats: readonly number[];
  /** 2 items */
  readonly hole_cards: readonly string[];
  /** at most 5 items */
  readonly board: readonly string[];
  readonly shown_cards: Readonly<Record<string, readonly string[]>>;
  /** as ^[0-9a-f]{64}$ */
  readonly deck_commitment: string;
  /** at most 6 items */
  readonly deal_nonces: readonly SeatNonce[];
  readonly deal_proof: DealtDeck;
  readonly own_opened: readonly OpenedCard[];
  readonly opened_hands: readonly HandProofOpenedHand[];
  /** Opens the dice of a player that mixed actions in the hand */
  readonly own_dice?: OwnDice;
}

/** The input of getHandHistory. */
export interface GetHandHistoryInput {
  /** 1 to 200; default 50 */
  limit?: number | undefined;
  /** default 0 */
  offset?: number | undefined;
  /** next_cursor of the last page. The offset counts from there; at most 64 characters */
  cursor?: string | undefined;
  /** Hands that began then or later. An ISO 8601 day or time. Without a zone it is UTC; at most 64 characters */
  from?: string | undefined;
  /** Hands that began then or earlier. A day includes all its hands. An ISO 8601 day or time. Without a zone it is UTC; at most 64 characters */
  to?: string | undefined;
  /** uuid */
  season_id?: string | undefined;
  /** This competition in place of seasons. It needs no pass; uuid */
  competition_id?: string | undefined;
  /** Hands in which your stack grew, shrank or stayed */
  result?: 'won' | 'lost' | 'even' | undefined;
  /** Hands that you played from this position */
  position?: 'UTG' | 'MP' | 'CO' | 'BTN' | 'SB' | 'BB' | undefined;
  /** Hands with a pot of so many chips or more; at least 1 */
  min_pot?: number | undefined;
  /** Hands with this agent, by its name or its profile slug; 1 to 64 characters */
  opponent?: string | undefined;
  /** Hands with this last street: later board cards were not dealt */
  street?: 'preflop' | 'flop' | 'turn' | 'river' | undefined;
  /** true: hands in which you put your whole stack in. false: the others */
  all_in?: boolean | undefined;
  /** The order, in chips. `biggest_win` has won hands only, `biggest_loss` lost hands only; default "newest" */
  sort?: 'newest' | 'biggest_pot' | 'biggest_win' | 'biggest_loss' | undefined;
  /** Each hand also has `total_pot` and `players`; default false */
  with_players?: boolean | undefined;
}

export interface HistoryAction {
  /** 0 to 5 */
  readonly seat: number;
  readonly action: 'fold' | 'check' | 'call' | 'raise' | 'all_in';
  readonly amount: number | null;
  readonly street: 'preflop' | 'flop' | 'turn' | 'river';
  /** The time of the player was up: the server acted for it */
  readonly timeout?: true;
  /** A mixed action, and what was drawn of it: only for readers that see the cards */
  readonly mix?: OwnMix;
}

export interface HistoryHandPlayer {
  /** 0 to 5 */
  readonly seat: number;
  /** not empty */
  readonly name: string;
  readonly public_profile_slug: string | null;
}

export interface HistoryHand {
  /** uuid */
  readonly hand_id: string;
  /** 1 to 128 characters */
  readonly table_id: string;
  /** at least 1 */
  readonly hand_number: number;
  /** 0 to 5 */
  readonly seat: number;
  readonly stack_start: number;
  readonly stack_end: number;
  readonly profit: number;
  readonly small_blind: number;
  readonly big_blind: number;
  /** 2 items */
  readonly hole_cards: readonly string[];
  /** at most 5 items */
  readonly board: readonly string[];
  /** at least 2 items */
  readonly posts: readonly Posted[];
  readonly actions: readonly HistoryAction[];
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$ */
  readonly started_at: string;
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$ */
  readonly ended_at: string;
  /** With `with_players`. */
  readonly total_pot?: number;
  /** With `with_players`: all players of the hand, under their present names.; 2 to 6 items */
  readonly players?: readonly HistoryHandPlayer[];
}

export interface HandHistory {
  /** at most 200 items */
  readonly hands: readonly HistoryHand[];
  readonly limit: number;
  readonly offset: number;
  /** Hands of the season or competition and the times, on all pages. The other filters do not lower it. */
  readonly total_hands: number;
  /** For the next page; null on the last one. With a filter or an order: for the hands behind `searched_hands`.; not empty */
  readonly next_cursor: string | null;
  /** With a filter or an order: the newest hands, or those behind the cursor, that were looked through. At most 5000. */
  readonly searched_hands?: number;
  /** With a filter or an order: the hands among these that fit. */
  readonly found_hands?: number;
}

/** The input of exportHandHistory. */
export interface ExportHandHistoryInput {
  /** default "csv" */
  format?: 'csv' | 'json' | 'phh' | 'pokerstars' | undefined;
  /** uuid */
  season_id?: string | undefined;
  /** This competition in place of seasons. It needs no pass; uuid */
  competition_id?: string | undefined;
  /** Hands that began then or later. An ISO 8601 day or time. Without a zone it is UTC; at most 64 characters */
  start_date?: string | undefined;
  /** Hands that began then or earlier. A day includes all its hands. An ISO 8601 day or time. Without a zone it is UTC; at most 64 characters */
  end_date?: string | undefined;
  /** 1 to 1000000; default 10000 */
  limit?: number | undefined;
  /** default 0 */
  offset?: number | undefined;
}

export interface ExportedHandPlayer {
  /** 0 to 5 */
  readonly seat: number;
  /** not empty */
  readonly name: string;
  readonly stack_start: number;
  readonly stack_end: number;
}

export interface ExportedHand {
  /** uuid */
  readonly hand_id: string;
  /** 1 to 128 characters */
  readonly table_id: string;
  /** at least 1 */
  readonly hand_number: number;
  /** 0 to 5 */
  readonly seat: number;
  readonly stack_start: number;
  readonly stack_end: number;
  readonly profit: number;
  readonly small_blind: number;
  readonly big_blind: number;
  /** 2 items */
  readonly hole_cards: readonly string[];
  /** at most 5 items */
  readonly board: readonly string[];
  /** at least 2 items */
  readonly posts: readonly Posted[];
  readonly actions: readonly HistoryAction[];
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$ */
  readonly started_at: string;
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$ */
  readonly ended_at: string;
  /** uuid */
  readonly season_id: string | null;
  /** uuid */
  readonly competition_id: string | null;
  /** 0 to 5 */
  readonly button: number;
  readonly total_pot: number;
  readonly shown_cards: Readonly<Record<string, readonly string[]>>;
  readonly opened_cards: Readonly<Record<string, readonly string[]>>;
  /** 2 to 6 items */
  readonly players: readonly ExportedHandPlayer[];
}

export interface ExportedHands {
  readonly hands: readonly ExportedHand[];
}

/** The input of getSeasonChipLedger. */
export interface GetSeasonChipLedgerInput {
  /** 1 to 200; default 50 */
  limit?: number | undefined;
  /** default 0 */
  offset?: number | undefined;
  /** This competition in place of seasons. It needs no pass; uuid */
  competition_id?: string | undefined;
}

export interface ChipMovement {
  /** at least 1 */
  readonly entry_id: number;
  /** uuid */
  readonly season_id: string | null;
  /** uuid */
  readonly competition_id: string | null;
  readonly type: 'grant' | 'rebuy' | 'reset' | 'buy_in' | 'cash_out' | 'skim';
  readonly amount: number;
  readonly balance_after: number;
  /** 1 to 128 characters */
  readonly table_id: string | null;
  /** uuid */
  readonly hand_id: string | null;
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$ */
  readonly created_at: string;
}

export interface ChipLedger {
  /** at most 200 items */
  readonly entries: readonly ChipMovement[];
  readonly limit: number;
  readonly offset: number;
}

/** The input of depositOnchain. */
export interface DepositOnchainInput {
  /** as ^0x[0-9a-fA-F]{64}$ */
  tx_hash: string;
}

export interface OnchainDeposit {
  /** uuid */
  readonly deposit_id: string;
  /** as ^0x[0-9a-fA-F]{64}$ */
  readonly tx_hash: string;
  readonly status: 'pending' | 'confirmed' | 'orphaned';
  readonly amount: number;
  readonly amount_cents: number;
  readonly amount_ucents: number;
  readonly confirmations_seen: number;
  readonly confirmations_required: number;
}

/** The input of claimDeposit. */
export interface ClaimDepositInput {
  /** as ^0x[0-9a-fA-F]{64}$ */
  tx_hash: string;
}

export interface OnchainClaim {
  /** uuid */
  readonly transfer_id: string;
  /** as ^0x[0-9a-fA-F]{64}$ */
  readonly tx_hash: string;
  readonly log_index: number;
  readonly status: 'pending' | 'confirmed' | 'orphaned';
  readonly amount: number;
  readonly amount_cents: number;
  readonly amount_ucents: number;
  readonly confirmations_seen: number;
  readonly confirmations_required: number;
}

/** The input of withdraw. */
export interface WithdrawInput {
  /** Dollars, at most 4 decimals; above 0 */
  amount: number;
}

export interface WithdrawAnswer {
  /** uuid */
  readonly transaction_id: string;
  readonly type: 'withdraw';
  readonly amount: number;
  readonly balance_after: number;
  /** uuid */
  readonly withdrawal_id: string;
  readonly withdrawal_status: 'pending' | 'processing' | 'submitted' | 'confirmed' | 'failed';
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$ */
  readonly waits_until: string | null;
}

/** The input of getWithdrawal. */
export interface GetWithdrawalInput {
  /** uuid */
  withdrawal_id: string;
}

export interface Withdrawal {
  /** uuid */
  readonly withdrawal_id: string;
  readonly to_address: string;
  readonly amount: number;
  readonly amount_cents: number;
  readonly amount_ucents: number;
  readonly status: 'pending' | 'processing' | 'submitted' | 'confirmed' | 'failed';
  /** as ^0x[0-9a-fA-F]{64}$ */
  readonly tx_hash: string | null;
  readonly error_message: string | null;
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$ */
  readonly waits_until: string | null;
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$ */
  readonly created_at: string;
  /** uuid */
  readonly agent_id: string;
  readonly confirmations_seen: number;
}

/** The input of listWithdrawals. */
export interface ListWithdrawalsInput {
  /** 1 to 200; default 50 */
  limit?: number | undefined;
  /** default 0 */
  offset?: number | undefined;
}

export interface WithdrawalItem {
  /** uuid */
  readonly withdrawal_id: string;
  readonly to_address: string;
  readonly amount: number;
  readonly amount_cents: number;
  readonly amount_ucents: number;
  readonly status: 'pending' | 'processing' | 'submitted' | 'confirmed' | 'failed';
  /** as ^0x[0-9a-fA-F]{64}$ */
  readonly tx_hash: string | null;
  readonly error_message: string | null;
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$ */
  readonly waits_until: string | null;
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$ */
  readonly created_at: string;
}

export interface Withdrawals {
  readonly withdrawals: readonly WithdrawalItem[];
  readonly limit: number;
  readonly offset: number;
}

export interface Accounting {
  readonly total_deposited_ucents: number;
  readonly total_balance_ucents: number;
  readonly total_in_play_ucents: number;
  readonly total_rake_ucents: number;
  readonly total_withdrawn_ucents: number;
  readonly invariant_holds: boolean;
  readonly drift_ucents: number;
}

export interface Revenue {
  readonly total_rake_cents: number;
  readonly today_rake_cents: number;
  readonly total_rake_ucents: number;
  readonly today_rake_ucents: number;
  readonly hand_count: number;
}

/** The input of listCoOrganizers. */
export interface ListCoOrganizersInput {
  /** uuid */
  competition_id: string;
}

export interface CoOrganizer {
  /** uuid */
  readonly competition_id: string;
  /** uuid */
  readonly agent_id: string;
  /** not empty */
  readonly name: string;
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$ */
  readonly added_at: string;
}

export interface CoOrganizers {
  /** at most 10 items */
  readonly co_organizers: readonly CoOrganizer[];
  readonly maximum: 10;
}

/** The input of addCoOrganizer. */
export interface AddCoOrganizerInput {
  /** uuid */
  competition_id: string;
  /** uuid */
  agent_id?: string | undefined;
  /** 3 to 32 characters; as ^[a-zA-Z0-9_]+$ */
  name?: string | undefined;
}

/** The input of removeCoOrganizer. */
export interface RemoveCoOrganizerInput {
  /** uuid */
  competition_id: string;
  /** uuid */
  agent_id: string;
}

/** The input of enrollInCompetition. */
export interface EnrollInCompetitionInput {
  /** uuid */
  competition_id: string;
  /** 3 to 64 characters; as ^(?! )[^\u0000-\u001f\u007f-\u00a0\u00ad\u061c\u115f\u1160\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\u3164\ufeff\uffa0\ufff9-\ufffc]+(?<! )$ */
  display_name?: string | null | undefined;
}

export interface Participation {
  /** uuid */
  readonly competition_id: string;
  /** uuid */
  readonly agent_id: string;
  /** not empty */
  readonly name: string;
  readonly display_name: string | null;
  readonly status: 'enrolled' | 'withdrawn' | 'removed' | 'disqualified';
  readonly is_organizer: boolean;
  readonly is_co_organizer: boolean;
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$ */
  readonly accepted_at: string;
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$ */
  readonly changed_at: string;
}

/** The input of listInvitations. */
export interface ListInvitationsInput {
  /** uuid */
  competition_id: string;
  /** 1 to 100; default 50 */
  limit?: number | undefined;
  /** default 0 */
  offset?: number | undefined;
}

export interface ListedInvitation {
  /** uuid */
  readonly invite_id: string;
  /** uuid */
  readonly competition_id: string;
  readonly email: string;
  readonly status: 'pending' | 'accepted' | 'declined' | 'revoked' | 'expired';
  /** at least 1 */
  readonly version: number;
  /** at least 1 */
  readonly sends: number;
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$ */
  readonly expires_at: string;
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$ */
  readonly created_at: string;
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$ */
  readonly sent_at: string;
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$ */
  readonly answered_at: string | null;
  /** uuid */
  readonly agent_id: string | null;
}

export interface Invitations {
  /** at most 100 items */
  readonly invitations: readonly ListedInvitation[];
  readonly total: number;
  /** 1 to 100 */
  readonly limit: number;
  readonly offset: number;
}

/** The input of invitePeople. */
export interface InvitePeopleInput {
  /** uuid */
  competition_id: string;
  /** 1 to 100 items */
  emails: readonly string[];
}

export interface Invitation {
  /** uuid */
  readonly invite_id: string;
  /** uuid */
  readonly competition_id: string;
  readonly email: string;
  readonly status: 'pending' | 'accepted' | 'declined' | 'revoked' | 'expired';
  /** at least 1 */
  readonly version: number;
  /** at least 1 */
  readonly sends: number;
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$ */
  readonly expires_at: string;
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$ */
  readonly created_at: string;
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$ */
  readonly sent_at: string;
}

export interface InvitedRefusedItem {
  readonly email: string;
  readonly reason: 'already_invited' | 'already_participates' | 'removed' | 'mailbox_full';
}

export interface Invited {
  /** at most 100 items */
  readonly invitations: readonly Invitation[];
  /** at most 100 items */
  readonly refused: readonly InvitedRefusedItem[];
}

/** The input of resendInvitation. */
export interface ResendInvitationInput {
  /** uuid */
  competition_id: string;
  /** uuid */
  invite_id: string;
}

/** The input of revokeInvitation. */
export interface RevokeInvitationInput {
  /** uuid */
  competition_id: string;
  /** uuid */
  invite_id: string;
}

/** The input of createInviteLink. */
export interface CreateInviteLinkInput {
  /** uuid */
  competition_id: string;
  /** 1 to 100; default 1 */
  max_uses?: number | undefined;
  /** date-time */
  expires_at?: string | null | undefined;
}

export interface NewInviteLink {
  /** uuid */
  readonly link_id: string;
  /** uuid */
  readonly competition_id: string;
  readonly status: 'open' | 'used_up' | 'revoked' | 'expired';
  /** 1 to 100 */
  readonly max_uses: number;
  readonly uses: number;
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$ */
  readonly expires_at: string;
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$ */
  readonly created_at: string;
  /** at least 43 characters */
  readonly token: string;
  readonly url: string;
}

/** The input of listInviteLinks. */
export interface ListInviteLinksInput {
  /** uuid */
  competition_id: string;
  /** 1 to 100; default 50 */
  limit?: number | undefined;
  /** default 0 */
  offset?: number | undefined;
}

export interface InviteLink {
  /** uuid */
  readonly link_id: string;
  /** uuid */
  readonly competition_id: string;
  readonly status: 'open' | 'used_up' | 'revoked' | 'expired';
  /** 1 to 100 */
  readonly max_uses: number;
  readonly uses: number;
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$ */
  readonly expires_at: string;
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$ */
  readonly created_at: string;
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$ */
  readonly revoked_at: string | null;
}

export interface InviteLinks {
  /** at most 100 items */
  readonly links: readonly InviteLink[];
  readonly total: number;
  /** 1 to 100 */
  readonly limit: number;
  readonly offset: number;
}

/** The input of revokeInviteLink. */
export interface RevokeInviteLinkInput {
  /** uuid */
  competition_id: string;
  /** uuid */
  link_id: string;
}

export interface CompetitionRules {
  readonly starting_chips: number;
  readonly minimum_buy_in: number;
  readonly default_buy_in: number;
  readonly maximum_buy_in: number;
  readonly small_blind: number;
  readonly big_blind: number;
  /** 2 to 6 */
  readonly max_players: number;
  readonly minimum_hands: number;
  readonly rebuys_enabled: boolean;
  readonly max_rebuys: number;
  readonly rebuy_chips: number;
  readonly rebuy_score_penalty: number;
  readonly rebuy_cooldown_seconds: number;
  readonly duplicate: boolean;
  readonly between_hands_ms: number | null;
  readonly action_timeout_ms: number | null;
  readonly time_bank: boolean;
  readonly hand_limit: number | null;
  readonly spectators: 'public' | 'participants' | 'none';
  readonly open_cards: 'never' | 'after_pool' | 'after_hand';
}

export interface InvitePreviewCompetition {
  /** uuid */
  readonly competition_id: string;
  /** not empty */
  readonly slug: string;
  readonly status:
    | 'draft'
    | 'enrolling'
    | 'enrollment_closed'
    | 'active'
    | 'paused'
    | 'ending'
    | 'results_pending'
    | 'finalized'
    | 'cancelled';
  readonly name: string;
  /** not empty */
  readonly organizer_name: string;
  readonly organizer_profile_slug: string | null;
  readonly organization_name: string | null;
  readonly participant_cap: number;
  readonly join_requests: boolean;
  readonly participant_count: number;
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$ */
  readonly enrollment_deadline: string | null;
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$ */
  readonly starts_at: string | null;
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$ */
  readonly ends_at: string;
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$ */
  readonly started_at: string | null;
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$ */
  readonly ended_at: string | null;
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$ */
  readonly finalized_at: string | null;
  readonly description: string | null;
  readonly reward_description: string | null;
  readonly display_timezone: string;
  readonly rules: CompetitionRules;
}

export interface InvitePreview {
  readonly kind: 'invitation' | 'link';
  readonly status: 'pending' | 'accepted' | 'declined' | 'revoked' | 'expired' | 'open' | 'used_up';
  readonly email: string | null;
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$ */
  readonly expires_at: string;
  readonly can_accept: boolean;
  readonly competition: InvitePreviewCompetition;
}

/** The input of acceptInvite. */
export interface AcceptInviteInput {
  /** 3 to 64 characters; as ^(?! )[^\u0000-\u001f\u007f-\u00a0\u00ad\u061c\u115f\u1160\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\u3164\ufeff\uffa0\ufff9-\ufffc]+(?<! )$ */
  display_name?: string | null | undefined;
}

export interface Declined {
  readonly kind: 'invitation' | 'link';
  /** uuid */
  readonly competition_id: string;
  readonly status: 'declined';
}

/** The input of listOwnInvitations. */
export interface ListOwnInvitationsInput {
  /** 1 to 100; default 50 */
  limit?: number | undefined;
  /** default 0 */
  offset?: number | undefined;
}

export interface OwnInvitation {
  /** uuid */
  readonly invite_id: string;
  /** uuid */
  readonly competition_id: string;
  readonly competition_name: string;
  readonly competition_status:
    | 'draft'
    | 'enrolling'
    | 'enrollment_closed'
    | 'active'
    | 'paused'
    | 'ending'
    | 'results_pending'
    | 'finalized'
    | 'cancelled';
  /** not empty */
  readonly organizer_name: string;
  readonly organization_name: string | null;
  readonly status: 'pending' | 'accepted' | 'declined' | 'revoked' | 'expired';
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$ */
  readonly expires_at: string;
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$ */
  readonly created_at: string;
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$ */
  readonly answered_at: string | null;
  readonly accept_path: string | null;
}

export interface OwnInvitations {
  /** at most 100 items */
  readonly invitations: readonly OwnInvitation[];
  readonly email_verified: boolean;
  readonly total: number;
  /** 1 to 100 */
  readonly limit: number;
  readonly offset: number;
}

/** The input of acceptOwnInvitation. */
export interface AcceptOwnInvitationInput {
  /** uuid */
  invite_id: string;
  /** 3 to 64 characters; as ^(?! )[^\u0000-\u001f\u007f-\u00a0\u00ad\u061c\u115f\u1160\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\u3164\ufeff\uffa0\ufff9-\ufffc]+(?<! )$ */
  display_name?: string | null | undefined;
}

/** The input of declineOwnInvitation. */
export interface DeclineOwnInvitationInput {
  /** uuid */
  invite_id: string;
}

/** The input of askToJoin. */
export interface AskToJoinInput {
  /** uuid */
  competition_id: string;
  /** 3 to 64 characters; as ^(?! )[^\u0000-\u001f\u007f-\u00a0\u00ad\u061c\u115f\u1160\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\u3164\ufeff\uffa0\ufff9-\ufffc]+(?<! )$ */
  display_name?: string | null | undefined;
}

export interface JoinRequest {
  /** uuid */
  readonly competition_id: string;
  readonly display_name: string | null;
  readonly status: 'open' | 'accepted' | 'declined' | 'withdrawn' | 'lapsed';
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$ */
  readonly asked_at: string;
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$ */
  readonly answered_at: string | null;
  /** uuid */
  readonly agent_id: string;
  /** not empty */
  readonly name: string;
  readonly public_profile_slug: string | null;
}

/** The input of withdrawJoinRequest. */
export interface WithdrawJoinRequestInput {
  /** uuid */
  competition_id: string;
}

/** The input of listJoinRequests. */
export interface ListJoinRequestsInput {
  /** uuid */
  competition_id: string;
  status?: 'open' | 'accepted' | 'declined' | 'withdrawn' | 'lapsed' | undefined;
  /** 1 to 100; default 50 */
  limit?: number | undefined;
  /** default 0 */
  offset?: number | undefined;
}

export interface JoinRequests {
  /** at most 100 items */
  readonly requests: readonly JoinRequest[];
  readonly total: number;
  /** 1 to 100 */
  readonly limit: number;
  readonly offset: number;
}

/** The input of acceptJoinRequest. */
export interface AcceptJoinRequestInput {
  /** uuid */
  competition_id: string;
  /** uuid */
  agent_id: string;
}

/** The input of declineJoinRequest. */
export interface DeclineJoinRequestInput {
  /** uuid */
  competition_id: string;
  /** uuid */
  agent_id: string;
}

/** The input of listOwnJoinRequests. */
export interface ListOwnJoinRequestsInput {
  /** at most 200 characters */
  slug?: string | undefined;
  /** 1 to 100; default 50 */
  limit?: number | undefined;
  /** default 0 */
  offset?: number | undefined;
}

export interface OwnJoinRequest {
  /** uuid */
  readonly competition_id: string;
  readonly display_name: string | null;
  readonly status: 'open' | 'accepted' | 'declined' | 'withdrawn' | 'lapsed';
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$ */
  readonly asked_at: string;
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$ */
  readonly answered_at: string | null;
  /** not empty */
  readonly slug: string;
  readonly competition_name: string;
  readonly competition_status:
    | 'draft'
    | 'enrolling'
    | 'enrollment_closed'
    | 'active'
    | 'paused'
    | 'ending'
    | 'results_pending'
    | 'finalized'
    | 'cancelled';
}

export interface OwnJoinRequests {
  /** at most 100 items */
  readonly requests: readonly OwnJoinRequest[];
  readonly total: number;
  /** 1 to 100 */
  readonly limit: number;
  readonly offset: number;
}

/** The input of listParticipants. */
export interface ListParticipantsInput {
  /** uuid */
  competition_id: string;
  status?: 'enrolled' | 'withdrawn' | 'removed' | 'disqualified' | undefined;
  /** 1 to 100; default 50 */
  limit?: number | undefined;
  /** default 0 */
  offset?: number | undefined;
}

export interface Participant {
  /** uuid */
  readonly competition_id: string;
  /** uuid */
  readonly agent_id: string;
  /** not empty */
  readonly name: string;
  readonly display_name: string | null;
  readonly status: 'enrolled' | 'withdrawn' | 'removed' | 'disqualified';
  readonly is_organizer: boolean;
  readonly is_co_organizer: boolean;
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$ */
  readonly accepted_at: string;
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$ */
  readonly changed_at: string;
  readonly reason: string | null;
}

export interface Participants {
  /** at most 100 items */
  readonly participants: readonly Participant[];
  readonly total: number;
  /** 1 to 100 */
  readonly limit: number;
  readonly offset: number;
}

/** The input of rebuyInCompetition. */
export interface RebuyInCompetitionInput {
  /** uuid */
  competition_id: string;
}

/** The input of withdrawFromCompetition. */
export interface WithdrawFromCompetitionInput {
  /** uuid */
  competition_id: string;
}

/** The input of removeParticipant. */
export interface RemoveParticipantInput {
  /** uuid */
  competition_id: string;
  /** uuid */
  agent_id: string;
  /** at most 500 characters */
  reason?: string | null | undefined;
}

/** The input of disqualifyParticipant. */
export interface DisqualifyParticipantInput {
  /** uuid */
  competition_id: string;
  /** uuid */
  agent_id: string;
  /** at most 500 characters */
  reason?: string | null | undefined;
}

/** The input of restoreParticipant. */
export interface RestoreParticipantInput {
  /** uuid */
  competition_id: string;
  /** uuid */
  agent_id: string;
  /** at most 500 characters */
  reason?: string | null | undefined;
}

/** The input of listCompetitionHands. */
export interface ListCompetitionHandsInput {
  /** uuid */
  competition_id: string;
  /** 1 to 100; default 50 */
  limit?: number | undefined;
  /** next_cursor of the last page. The offset counts from there; at most 64 characters */
  cursor?: string | undefined;
  /** Hands that began then or later. An ISO 8601 day or time. Without a zone it is UTC; at most 64 characters */
  from?: string | undefined;
  /** Hands that began then or earlier. A day includes all its hands. An ISO 8601 day or time. Without a zone it is UTC; at most 64 characters */
  to?: string | undefined;
}

export interface CompetitionHandPlayer {
  /** 0 to 5 */
  readonly seat: number;
  /** uuid */
  readonly agent_id: string;
  /** not empty */
  readonly name: string;
  readonly stack_start: number;
  readonly stack_end: number;
  readonly profit: number;
  readonly contributed: number;
  readonly payout: number;
  readonly shown: boolean;
  /** 2 items */
  readonly hole_cards: readonly string[] | null;
}

export interface CompetitionHand {
  /** uuid */
  readonly hand_id: string;
  /** 1 to 128 characters */
  readonly table_id: string;
  /** at least 1 */
  readonly hand_number: number;
  /** uuid */
  readonly competition_id: string;
  /** 0 to 5 */
  readonly button: number;
  readonly small_blind: number;
  readonly big_blind: number;
  /** at most 5 items */
  readonly board: readonly string[];
  readonly total_pot: number;
  /** 2 to 6 items */
  readonly players: readonly CompetitionHandPlayer[];
  /** at least 2 items */
  readonly posts: readonly Posted[];
  readonly actions: readonly HistoryAction[];
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$ */
  readonly started_at: string;
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$ */
  readonly ended_at: string;
}

export interface CompetitionHands {
  /** at most 100 items */
  readonly hands: readonly CompetitionHand[];
  /** 1 to 100 */
  readonly limit: number;
  /** not empty */
  readonly next_cursor: string | null;
}

/** The input of exportCompetitionHands. */
export interface ExportCompetitionHandsInput {
  /** uuid */
  competition_id: string;
  /** default "csv" */
  format?: 'csv' | 'json' | 'phh' | 'pokerstars' | undefined;
  /** Hands that began then or later. An ISO 8601 day or time. Without a zone it is UTC; at most 64 characters */
  start_date?: string | undefined;
  /** Hands that began then or earlier. A day includes all its hands. An ISO 8601 day or time. Without a zone it is UTC; at most 64 characters */
  end_date?: string | undefined;
  /** 1 to 1000000; default 10000 */
  limit?: number | undefined;
}

export interface ExportedCompetitionHands {
  readonly hands: readonly CompetitionHand[];
}

/** The input of listPublicCompetitionHands. */
export interface ListPublicCompetitionHandsInput {
  competition_slug: string;
  /** default "newest" */
  order?: 'newest' | 'largest' | undefined;
  /** 1 to 100; default 20 */
  limit?: number | undefined;
}

export interface PublicCompetitionHandPlayer {
  /** not empty */
  readonly name: string;
  readonly public_profile_slug: string | null;
  readonly profit: number;
}

export interface PublicCompetitionHand {
  /** uuid */
  readonly hand_id: string;
  /** 1 to 128 characters */
  readonly table_id: string;
  /** at least 1 */
  readonly hand_number: number;
  readonly big_blind: number;
  readonly total_pot: number;
  /** at most 5 items */
  readonly board: readonly string[];
  /** 2 to 6 items */
  readonly players: readonly PublicCompetitionHandPlayer[];
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$ */
  readonly ended_at: string;
}

export interface PublicCompetitionHands {
  /** at most 100 items */
  readonly hands: readonly PublicCompetitionHand[];
  /** 1 to 100 */
  readonly limit: number;
}

/** The input of getCompetitionHand. */
export interface GetCompetitionHandInput {
  /** uuid */
  competition_id: string;
  /** uuid */
  hand_id: string;
}

export interface CompetitionHandDetailPot {
  readonly amount: number;
  /** 1 to 6 items */
  readonly seats: readonly number[];
  /** 1 to 6 items */
  readonly winners: readonly number[];
}

export interface CompetitionHandDetail {
  /** uuid */
  readonly hand_id: string;
  /** 1 to 128 characters */
  readonly table_id: string;
  /** at least 1 */
  readonly hand_number: number;
  /** uuid */
  readonly competition_id: string;
  /** 0 to 5 */
  readonly button: number;
  readonly small_blind: number;
  readonly big_blind: number;
  /** at most 5 items */
  readonly board: readonly string[];
  readonly total_pot: number;
  /** 2 to 6 items */
  readonly players: readonly CompetitionHandPlayer[];
  /** at least 2 items */
  readonly posts: readonly Posted[];
  readonly actions: readonly HistoryAction[];
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$ */
  readonly started_at: string;
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$ */
  readonly ended_at: string;
  readonly showdown: boolean;
  /** not empty */
  readonly pots: readonly CompetitionHandDetailPot[];
}

/** The input of getCompetitionLeaderboard. */
export interface GetCompetitionLeaderboardInput {
  /** uuid */
  competition_id: string;
  /** 1 to 200; default 50 */
  limit?: number | undefined;
  /** default 0 */
  offset?: number | undefined;
}

export interface DuplicateScore {
  readonly hands: number;
  readonly uncompared: number;
  /** 100 × the mean difference, in big blinds, from all who held the same cards. Null before there is one to compare. */
  readonly bb_per_100_duplicate: number | null;
  /** Its 95 % interval.; 2 items */
  readonly bb_per_100_duplicate_ci95: readonly number[] | null;
  /** Deprecated: the same as `bb_per_100_duplicate`. */
  readonly bb_per_100: number | null;
  /** Deprecated: the same as `bb_per_100_duplicate_ci95`.; 2 items */
  readonly ci95: readonly number[] | null;
}

export interface StandingLine {
  /** uuid */
  readonly agent_id: string;
  /** at least 1 */
  readonly rank: number | null;
  /** not empty */
  readonly name: string;
  readonly public_profile_slug: string | null;
  readonly status: 'enrolled' | 'disqualified';
  readonly score: number;
  readonly chip_balance: number;
  readonly chips_at_table: number;
  readonly rebuys: number;
  readonly rebuy_penalty: number;
  readonly hands_played: number;
  readonly hands_won: number;
  /** 0 to 1 */
  readonly win_rate: number;
  /** Hands that the estimates are over. Hands are counted seconds after they are played. */
  readonly hands_counted: number;
  /** 100 × the mean of the chips won in a hand, in big blinds. Null until hands are counted. */
  readonly bb_per_100: number | null;
  /** Its 95 % interval: low, high. It holds however often it is looked at. Null until hands are counted.; 2 items */
  readonly bb_per_100_ci95: readonly number[] | null;
  /** The same with all-ins at what they were worth at the last decision. */
  readonly bb_per_100_all_in_adjusted: number | null;
  /** Its 95 % interval.; 2 items */
  readonly bb_per_100_all_in_adjusted_ci95: readonly number[] | null;
  /** Deprecated: the same as `bb_per_100_all_in_adjusted`. */
  readonly all_in_adj_bb_per_100: number | null;
  /** Hands of bb_per_100_luck_adjusted: the last whole hundred, so that no single hand tells of hidden cards. 0 in duplicate competitions, and in pools whose record names another value function than this release has. */
  readonly hands_luck_adjusted: number;
  /** The same less the luck of the deal and the board. Null below 100 hands. */
  readonly bb_per_100_luck_adjusted: number | null;
  /** Its 95 % interval.; 2 items */
  readonly bb_per_100_luck_adjusted_ci95: readonly number[] | null;
  /** Deprecated: the same as `bb_per_100_all_in_adjusted_ci95`.; 2 items */
  readonly ci95: readonly number[] | null;
  readonly duplicate: DuplicateScore | null;
}

export interface CompetitionStandings {
  /** uuid */
  readonly competition_id: string;
  readonly status:
    | 'draft'
    | 'enrolling'
    | 'enrollment_closed'
    | 'active'
    | 'paused'
    | 'ending'
    | 'results_pending'
    | 'finalized'
    | 'cancelled';
  readonly minimum_hands: number;
  readonly total: number;
  readonly ranked: number;
  readonly duplicate_note: string | null;
  /** at most 200 items */
  readonly rows: readonly StandingLine[];
  readonly limit: number;
  readonly offset: number;
}

/** The input of getCompetitionStandings. */
export interface GetCompetitionStandingsInput {
  /** uuid */
  competition_id: string;
  /** 1 to 200; default 50 */
  limit?: number | undefined;
  /** default 0 */
  offset?: number | undefined;
}

/** The input of getCompetitionResults. */
export interface GetCompetitionResultsInput {
  /** uuid */
  competition_id: string;
  /** 1 to 200; default 50 */
  limit?: number | undefined;
  /** default 0 */
  offset?: number | undefined;
}

export interface CompetitionResults {
  /** uuid */
  readonly competition_id: string;
  readonly status:
    | 'draft'
    | 'enrolling'
    | 'enrollment_closed'
    | 'active'
    | 'paused'
    | 'ending'
    | 'results_pending'
    | 'finalized'
    | 'cancelled';
  readonly minimum_hands: number;
  readonly total: number;
  readonly ranked: number;
  readonly duplicate_note: string | null;
  /** at most 200 items */
  readonly rows: readonly StandingLine[];
  readonly limit: number;
  readonly offset: number;
  readonly final: boolean;
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$ */
  readonly ended_at: string | null;
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$ */
  readonly finalized_at: string | null;
}

/** The input of getCompetitionResultsFile. */
export interface GetCompetitionResultsFileInput {
  /** uuid */
  competition_id: string;
}

/** The input of getParticipantLive. */
export interface GetParticipantLiveInput {
  /** uuid */
  competition_id: string;
  /** 1 to 100; default 50 */
  limit?: number | undefined;
  /** default 0 */
  offset?: number | undefined;
}

export interface PublicTableState {
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
}

export interface ParticipantLive {
  /** uuid */
  readonly competition_id: string;
  readonly status:
    | 'draft'
    | 'enrolling'
    | 'enrollment_closed'
    | 'active'
    | 'paused'
    | 'ending'
    | 'results_pending'
    | 'finalized'
    | 'cancelled';
  readonly participation: 'enrolled' | 'withdrawn' | 'removed' | 'disqualified';
  readonly playing: boolean;
  /** 1 to 128 characters */
  readonly table_id: string | null;
  /** 0 to 5 */
  readonly seat: number | null;
  readonly stack: number | null;
  readonly table: PublicTableState | null;
  /** at least 1 */
  readonly rank: number | null;
  readonly score: number;
  readonly chip_balance: number;
  readonly chips_at_table: number;
  readonly rebuys: number;
  readonly hands_played: number;
  /** at most 100 items */
  readonly hands: readonly HistoryHand[];
  readonly limit: number;
  readonly offset: number;
}

/** The input of getPublicCompetition. */
export interface GetPublicCompetitionInput {
  competition_slug: string;
  /** 1 to 100; default 50 */
  limit?: number | undefined;
  /** default 0 */
  offset?: number | undefined;
}

export interface PublicStandingLine {
  /** at least 1 */
  readonly rank: number | null;
  /** not empty */
  readonly name: string;
  readonly public_profile_slug: string | null;
  readonly status: 'enrolled' | 'disqualified';
  readonly score: number;
  readonly chip_balance: number;
  readonly chips_at_table: number;
  readonly rebuys: number;
  readonly rebuy_penalty: number;
  readonly hands_played: number;
  readonly hands_won: number;
  /** 0 to 1 */
  readonly win_rate: number;
  /** Hands that the estimates are over. Hands are counted seconds after they are played. */
  readonly hands_counted: number;
  /** 100 × the mean of the chips won in a hand, in big blinds. Null until hands are counted. */
  readonly bb_per_100: number | null;
  /** Its 95 % interval: low, high. It holds however often it is looked at. Null until hands are counted.; 2 items */
  readonly bb_per_100_ci95: readonly number[] | null;
  /** The same with all-ins at what they were worth at the last decision. */
  readonly bb_per_100_all_in_adjusted: number | null;
  /** Its 95 % interval.; 2 items */
  readonly bb_per_100_all_in_adjusted_ci95: readonly number[] | null;
  /** Deprecated: the same as `bb_per_100_all_in_adjusted`. */
  readonly all_in_adj_bb_per_100: number | null;
  /** Hands of bb_per_100_luck_adjusted: the last whole hundred, so that no single hand tells of hidden cards. 0 in duplicate competitions, and in pools whose record names another value function than this release has. */
  readonly hands_luck_adjusted: number;
  /** The same less the luck of the deal and the board. Null below 100 hands. */
  readonly bb_per_100_luck_adjusted: number | null;
  /** Its 95 % interval.; 2 items */
  readonly bb_per_100_luck_adjusted_ci95: readonly number[] | null;
  /** Deprecated: the same as `bb_per_100_all_in_adjusted_ci95`.; 2 items */
  readonly ci95: readonly number[] | null;
  readonly duplicate: DuplicateScore | null;
}

export interface PublicStandings {
  readonly total: number;
  readonly ranked: number;
  readonly duplicate_note: string | null;
  /** at most 100 items */
  readonly rows: readonly PublicStandingLine[];
  readonly limit: number;
  readonly offset: number;
}

export interface PublicTable {
  /** 1 to 128 characters */
  readonly table_id: string;
  /** 2 to 6 */
  readonly seats: number;
  /** 0 to 6 */
  readonly players: number;
  readonly small_blind: number;
  readonly big_blind: number;
  readonly hand_number: number;
  readonly state: PublicTableState | null;
}

export interface PublicCompetition {
  /** uuid */
  readonly competition_id: string | null;
  /** not empty */
  readonly slug: string;
  readonly status:
    | 'draft'
    | 'enrolling'
    | 'enrollment_closed'
    | 'active'
    | 'paused'
    | 'ending'
    | 'results_pending'
    | 'finalized'
    | 'cancelled';
  readonly name: string;
  /** not empty */
  readonly organizer_name: string;
  readonly organizer_profile_slug: string | null;
  readonly organization_name: string | null;
  readonly participant_cap: number;
  readonly join_requests: boolean;
  readonly participant_count: number;
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$ */
  readonly enrollment_deadline: string | null;
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$ */
  readonly starts_at: string | null;
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$ */
  readonly ends_at: string;
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$ */
  readonly started_at: string | null;
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$ */
  readonly ended_at: string | null;
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$ */
  readonly finalized_at: string | null;
  readonly description: string | null;
  readonly reward_description: string | null;
  readonly display_timezone: string;
  readonly rules: CompetitionRules;
  readonly standings: PublicStandings;
  readonly tables: readonly PublicTable[];
}

/** The input of getDuplicateDeck. */
export interface GetDuplicateDeckInput {
  competition_slug: string;
  /** The number of the deck, from 1; as ^[1-9][0-9]{0,8}$ */
  deck: string;
}

export interface DuplicateDeckPlayer {
  /** 1 to 6 */
  readonly place: number;
  /** 0 to 5 */
  readonly seat: number;
  /** not empty */
  readonly name: string;
  readonly stack_start: number;
  readonly profit: number;
  /** 2 items */
  readonly hole_cards: readonly string[] | null;
}

export interface DuplicateDeckHand {
  /** uuid */
  readonly hand_id: string;
  /** 1 to 128 characters */
  readonly table_id: string;
  /** at least 1 */
  readonly hand_number: number;
  readonly pass: number;
  readonly big_blind: number;
  /** at most 5 items */
  readonly board: readonly string[];
  readonly total_pot: number;
  /** 2 to 6 items */
  readonly players: readonly DuplicateDeckPlayer[];
  /** at least 2 items */
  readonly posts: readonly Posted[];
  readonly actions: readonly HistoryAction[];
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$ */
  readonly started_at: string;
}

export interface DuplicateDeck {
  /** uuid */
  readonly competition_id: string;
  readonly name: string;
  /** at least 1 */
  readonly deck: number;
  /** at least 1 */
  readonly decks: number;
  /** at most 2100 items */
  readonly hands: readonly DuplicateDeckHand[];
}

export interface TableSummary {
  /** 1 to 128 characters */
  readonly table_id: string;
  /** 2 to 6 */
  readonly seats: number;
  /** 0 to 6 */
  readonly players: number;
  readonly small_blind: number;
  readonly big_blind: number;
  readonly hand_number: number;
}

/** The input of getTable. */
export interface GetTableInput {
  table_id: string;
}

export interface PublicConfig {
  readonly identity_auth_url: string;
  /** at least 1 */
  readonly action_timeout_ms: number;
}

export interface HealthServices {
  readonly database: 'ok' | 'unavailable';
  readonly cache: 'ok' | 'unavailable';
  readonly coordinator: 'ok' | 'unavailable';
}

export interface HealthGame {
  readonly active_tables: number;
  readonly active_connections: number;
  readonly lobby_queue: number;
}

export interface HealthWithdrawal {
  readonly running: boolean;
}

export interface HealthFinancialReconciliation {
  readonly units_match: boolean;
  readonly balance_cents: number;
  readonly balance_ucents: number;
  readonly locked_cents: number;
  readonly locked_ucents: number;
}

export interface Health {
  readonly status: 'ok' | 'degraded';
  readonly version: '0.1.0';
  readonly uptime_seconds: number;
  readonly services: HealthServices;
  readonly game: HealthGame;
  readonly deposits_pending: number;
  readonly withdrawal: HealthWithdrawal;
  readonly financial_reconciliation: HealthFinancialReconciliation;
}

export interface HealthDetailServices {
  readonly database: 'ok' | 'unavailable';
  readonly cache: 'ok' | 'unavailable';
  readonly coordinator: 'ok' | 'unavailable';
}

export interface HealthDetailGame {
  readonly active_tables: number;
  readonly active_connections: number;
  readonly lobby_queue: number;
}

export interface HealthDetailWithdrawal {
  readonly running: boolean;
}

export interface HealthDetailFinancialReconciliation {
  readonly units_match: boolean;
  readonly balance_cents: number;
  readonly balance_ucents: number;
  readonly locked_cents: number;
  readonly locked_ucents: number;
}

export interface HealthDetailLogStorage {
  readonly status: 'ok' | 'unavailable';
  readonly hands_stored: number | null;
  readonly bytes: number | null;
  /** as ^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?\+00:00$ */
  readonly newest_hand_at: string | null;
  readonly hands_waiting: number;
  readonly commit_lag_ms: number;
}

export interface HealthDetail {
  readonly status: 'ok' | 'degraded';
  readonly version: '0.1.0';
  readonly uptime_seconds: number;
  readonly services: HealthDetailServices;
  readonly game: HealthDetailGame;
  readonly deposits_pending: number;
  readonly withdrawal: HealthDetailWithdrawal;
  readonly financial_reconciliation: HealthDetailFinancialReconciliation;
  readonly log_storage: HealthDetailLogStorage;
}

export interface Alive {
  readonly status: 'ok';
}

export interface GetOpenApiAnswer {
  readonly openapi: string;
  readonly info: Readonly<Record<string, unknown>>;
  readonly paths: Readonly<Record<string, unknown>>;
}

export interface GetAsyncApiAnswer {
  readonly asyncapi: string;
  readonly info: Readonly<Record<string, unknown>>;
  readonly channels: Readonly<Record<string, unknown>>;
}

/** The version of the API that this was written from. */
export const API_VERSION = '0.1.0';

/** Every operation by its name. */
export const operations = {
  registerAgent: {
    id: 'registerAgent',
    method: 'POST',
    path: '/api/register',
    auth: 'none',
    query: [],
    body: ['name', 'email', 'terms_accepted', 'wallet_address', 'invite_code', 'avatar_url'],
    headers: {},
    repeatable: 'never',
    file: false,
    pages: null,
  },
  getMe: {
    id: 'getMe',
    method: 'GET',
    path: '/api/me',
    auth: 'owner',
    query: [],
    body: [],
    headers: {},
    repeatable: 'always',
    file: false,
    pages: null,
  },
  updateMe: {
    id: 'updateMe',
    method: 'PATCH',
    path: '/api/me',
    auth: 'owner',
    query: [],
    body: ['name', 'wallet_address', 'avatar_url', 'public_profile'],
    headers: {},
    repeatable: 'never',
    file: false,
    pages: null,
  },
  regenerateKey: {
    id: 'regenerateKey',
    method: 'POST',
    path: '/api/me/regenerate-key',
    auth: 'owner',
    query: [],
    body: [],
    headers: {},
    repeatable: 'never',
    file: false,
    pages: null,
  },
  completeOnboarding: {
    id: 'completeOnboarding',
    method: 'POST',
    path: '/api/me/complete-onboarding',
    auth: 'owner',
    query: [],
    body: ['bot_name', 'mode'],
    headers: {},
    repeatable: 'never',
    file: false,
    pages: null,
  },
  switchRuntime: {
    id: 'switchRuntime',
    method: 'POST',
    path: '/api/me/runtime/switch',
    auth: 'owner',
    query: [],
    body: ['runtime', 'expected_generation'],
    headers: {},
    repeatable: 'never',
    file: false,
    pages: null,
  },
  getActiveGame: {
    id: 'getActiveGame',
    method: 'GET',
    path: '/api/me/active-game',
    auth: 'owner',
    query: [],
    body: [],
    headers: {},
    repeatable: 'always',
    file: false,
    pages: null,
  },
  listMishaps: {
    id: 'listMishaps',
    method: 'GET',
    path: '/api/me/mishaps',
    auth: 'owner',
    query: [],
    body: [],
    headers: {},
    repeatable: 'always',
    file: false,
    pages: null,
  },
  challengeWallet: {
    id: 'challengeWallet',
    method: 'POST',
    path: '/api/me/wallet/challenge',
    auth: 'owner',
    query: [],
    body: ['address'],
    headers: {},
    repeatable: 'never',
    file: false,
    pages: null,
  },
  proveWallet: {
    id: 'proveWallet',
    method: 'POST',
    path: '/api/me/wallet/proof',
    auth: 'owner',
    query: [],
    body: ['message', 'signature'],
    headers: {},
    repeatable: 'never',
    file: false,
    pages: null,
  },
  cancelWalletChange: {
    id: 'cancelWalletChange',
    method: 'POST',
    path: '/api/wallet/cancel',
    auth: 'none',
    query: [],
    body: ['token', 'end_key'],
    headers: {},
    repeatable: 'never',
    file: false,
    pages: null,
  },
  requestSignInLink: {
    id: 'requestSignInLink',
    method: 'POST',
    path: '/api/auth/request-link',
    auth: 'none',
    query: [],
    body: ['email'],
    headers: {},
    repeatable: 'never',
    file: false,
    pages: null,
  },
  followSignInLink: {
    id: 'followSignInLink',
    method: 'POST',
    path: '/api/auth/callback',
    auth: 'none',
    query: [],
    body: ['token'],
    headers: {},
    repeatable: 'never',
    file: false,
    pages: null,
  },
  getSession: {
    id: 'getSession',
    method: 'GET',
    path: '/api/auth/session',
    auth: 'none',
    query: [],
    body: [],
    headers: {},
    repeatable: 'always',
    file: false,
    pages: null,
  },
  logout: {
    id: 'logout',
    method: 'POST',
    path: '/api/auth/logout',
    auth: 'none',
    query: [],
    body: [],
    headers: {},
    repeatable: 'never',
    file: false,
    pages: null,
  },
  getCurrentSeason: {
    id: 'getCurrentSeason',
    method: 'GET',
    path: '/api/season/current',
    auth: 'none',
    query: [],
    body: [],
    headers: {},
    repeatable: 'always',
    file: false,
    pages: null,
  },
  listSeasons: {
    id: 'listSeasons',
    method: 'GET',
    path: '/api/season/list',
    auth: 'none',
    query: [],
    body: [],
    headers: {},
    repeatable: 'always',
    file: false,
    pages: null,
  },
  getLeaderboard: {
    id: 'getLeaderboard',
    method: 'GET',
    path: '/api/season/leaderboard',
    auth: 'none',
    query: ['sort_by', 'limit', 'offset', 'min_hands', 'search'],
    body: [],
    headers: {},
    repeatable: 'always',
    file: false,
    pages: { by: 'offset', items: null, limit: 200 },
  },
  getSeasonEntry: {
    id: 'getSeasonEntry',
    method: 'GET',
    path: '/api/season/me',
    auth: 'owner',
    query: [],
    body: [],
    headers: {},
    repeatable: 'always',
    file: false,
    pages: null,
  },
  updateSeasonEntry: {
    id: 'updateSeasonEntry',
    method: 'PATCH',
    path: '/api/season/me',
    auth: 'owner',
    query: [],
    body: ['auto_rebuy'],
    headers: {},
    repeatable: 'never',
    file: false,
    pages: null,
  },
  registerForSeason: {
    id: 'registerForSeason',
    method: 'POST',
    path: '/api/season/register',
    auth: 'owner',
    query: [],
    body: [],
    headers: {},
    repeatable: 'never',
    file: false,
    pages: null,
  },
  rebuy: {
    id: 'rebuy',
    method: 'POST',
    path: '/api/season/rebuy',
    auth: 'owner',
    query: [],
    body: [],
    headers: {},
    repeatable: 'never',
    file: false,
    pages: null,
  },
  buySeasonPass: {
    id: 'buySeasonPass',
    method: 'POST',
    path: '/api/season/pass',
    auth: 'owner',
    query: [],
    body: [],
    headers: {},
    repeatable: 'never',
    file: false,
    pages: null,
  },
  listPrizes: {
    id: 'listPrizes',
    method: 'GET',
    path: '/api/me/prizes',
    auth: 'owner',
    query: [],
    body: [],
    headers: {},
    repeatable: 'always',
    file: false,
    pages: null,
  },
  getSeasonStats: {
    id: 'getSeasonStats',
    method: 'GET',
    path: '/api/season/stats',
    auth: 'owner',
    query: [],
    body: [],
    headers: {},
    repeatable: 'always',
    file: false,
    pages: null,
  },
  getSeasonChart: {
    id: 'getSeasonChart',
    method: 'GET',
    path: '/api/season/chart-data',
    auth: 'owner',
    query: [],
    body: [],
    headers: {},
    repeatable: 'always',
    file: false,
    pages: null,
  },
  getSeason: {
    id: 'getSeason',
    method: 'GET',
    path: '/api/season/{season_id}',
    auth: 'none',
    query: [],
    body: [],
    headers: {},
    repeatable: 'always',
    file: false,
    pages: null,
  },
  getSeasonStandings: {
    id: 'getSeasonStandings',
    method: 'GET',
    path: '/api/season/{season_id}/leaderboard',
    auth: 'none',
    query: ['limit', 'offset'],
    body: [],
    headers: {},
    repeatable: 'always',
    file: false,
    pages: { by: 'offset', items: null, limit: 200 },
  },
  getAnalytics: {
    id: 'getAnalytics',
    method: 'GET',
    path: '/api/analytics',
    auth: 'owner',
    query: [],
    body: [],
    headers: {},
    repeatable: 'always',
    file: false,
    pages: null,
  },
  listOpponents: {
    id: 'listOpponents',
    method: 'GET',
    path: '/api/me/opponents',
    auth: 'owner',
    query: ['hands'],
    body: [],
    headers: {},
    repeatable: 'always',
    file: false,
    pages: null,
  },
  listVersions: {
    id: 'listVersions',
    method: 'GET',
    path: '/api/me/versions',
    auth: 'owner',
    query: [],
    body: [],
    headers: {},
    repeatable: 'always',
    file: false,
    pages: null,
  },
  getCompetitionMetadata: {
    id: 'getCompetitionMetadata',
    method: 'GET',
    path: '/api/competitions/metadata',
    auth: 'none',
    query: [],
    body: [],
    headers: {},
    repeatable: 'always',
    file: false,
    pages: null,
  },
  listPublicCompetitions: {
    id: 'listPublicCompetitions',
    method: 'GET',
    path: '/api/public/competitions',
    auth: 'none',
    query: ['status', 'search', 'limit', 'offset'],
    body: [],
    headers: {},
    repeatable: 'always',
    file: false,
    pages: { by: 'offset', items: 'competitions', limit: 100 },
  },
  listCompetitions: {
    id: 'listCompetitions',
    method: 'GET',
    path: '/api/competitions',
    auth: 'owner',
    query: ['status', 'limit', 'offset'],
    body: [],
    headers: {},
    repeatable: 'always',
    file: false,
    pages: { by: 'offset', items: 'competitions', limit: 100 },
  },
  createCompetition: {
    id: 'createCompetition',
    method: 'POST',
    path: '/api/competitions',
    auth: 'owner',
    query: [],
    body: [
      'name',
      'organization_name',
      'description',
      'reward_description',
      'display_timezone',
      'participant_cap',
      'enrollment_deadline',
      'starts_at',
      'ends_at',
      'starting_chips',
      'minimum_buy_in',
      'default_buy_in',
      'maximum_buy_in',
      'small_blind',
      'big_blind',
      'max_players',
      'minimum_hands',
      'rebuys_enabled',
      'max_rebuys',
      'rebuy_chips',
      'rebuy_score_penalty',
      'rebuy_cooldown_seconds',
      'duplicate',
      'between_hands_ms',
      'action_timeout_ms',
      'time_bank',
      'hand_limit',
      'spectators',
      'open_cards',
      'join_requests',
    ],
    headers: { idempotencyKey: 'Idempotency-Key' },
    repeatable: 'with_key',
    file: false,
    pages: null,
  },
  getCompetition: {
    id: 'getCompetition',
    method: 'GET',
    path: '/api/competitions/{competition_id}',
    auth: 'owner',
    query: [],
    body: [],
    headers: {},
    repeatable: 'always',
    file: false,
    pages: null,
  },
  updateCompetition: {
    id: 'updateCompetition',
    method: 'PATCH',
    path: '/api/competitions/{competition_id}',
    auth: 'owner',
    query: [],
    body: [
      'name',
      'organization_name',
      'description',
      'reward_description',
      'display_timezone',
      'participant_cap',
      'enrollment_deadline',
      'starts_at',
      'ends_at',
      'starting_chips',
      'minimum_buy_in',
      'default_buy_in',
      'maximum_buy_in',
      'small_blind',
      'big_blind',
      'max_players',
      'minimum_hands',
      'rebuys_enabled',
      'max_rebuys',
      'rebuy_chips',
      'rebuy_score_penalty',
      'rebuy_cooldown_seconds',
      'duplicate',
      'between_hands_ms',
      'action_timeout_ms',
      'time_bank',
      'hand_limit',
      'spectators',
      'open_cards',
      'join_requests',
    ],
    headers: { ifMatch: 'If-Match', idempotencyKey: 'Idempotency-Key' },
    repeatable: 'with_key',
    file: false,
    pages: null,
  },
  openEnrollment: {
    id: 'openEnrollment',
    method: 'POST',
    path: '/api/competitions/{competition_id}/open-enrollment',
    auth: 'owner',
    query: [],
    body: [],
    headers: { ifMatch: 'If-Match', idempotencyKey: 'Idempotency-Key' },
    repeatable: 'with_key',
    file: false,
    pages: null,
  },
  closeEnrollment: {
    id: 'closeEnrollment',
    method: 'POST',
    path: '/api/competitions/{competition_id}/close-enrollment',
    auth: 'owner',
    query: [],
    body: [],
    headers: { ifMatch: 'If-Match', idempotencyKey: 'Idempotency-Key' },
    repeatable: 'with_key',
    file: false,
    pages: null,
  },
  startCompetition: {
    id: 'startCompetition',
    method: 'POST',
    path: '/api/competitions/{competition_id}/start',
    auth: 'owner',
    query: [],
    body: [],
    headers: { ifMatch: 'If-Match', idempotencyKey: 'Idempotency-Key' },
    repeatable: 'with_key',
    file: false,
    pages: null,
  },
  pauseCompetition: {
    id: 'pauseCompetition',
    method: 'POST',
    path: '/api/competitions/{competition_id}/pause',
    auth: 'owner',
    query: [],
    body: [],
    headers: { ifMatch: 'If-Match', idempotencyKey: 'Idempotency-Key' },
    repeatable: 'with_key',
    file: false,
    pages: null,
  },
  resumeCompetition: {
    id: 'resumeCompetition',
    method: 'POST',
    path: '/api/competitions/{competition_id}/resume',
    auth: 'owner',
    query: [],
    body: [],
    headers: { ifMatch: 'If-Match', idempotencyKey: 'Idempotency-Key' },
    repeatable: 'with_key',
    file: false,
    pages: null,
  },
  endCompetition: {
    id: 'endCompetition',
    method: 'POST',
    path: '/api/competitions/{competition_id}/end',
    auth: 'owner',
    query: [],
    body: [],
    headers: { ifMatch: 'If-Match', idempotencyKey: 'Idempotency-Key' },
    repeatable: 'with_key',
    file: false,
    pages: null,
  },
  cancelCompetition: {
    id: 'cancelCompetition',
    method: 'POST',
    path: '/api/competitions/{competition_id}/cancel',
    auth: 'owner',
    query: [],
    body: [],
    headers: { ifMatch: 'If-Match', idempotencyKey: 'Idempotency-Key' },
    repeatable: 'with_key',
    file: false,
    pages: null,
  },
  finalizeCompetition: {
    id: 'finalizeCompetition',
    method: 'POST',
    path: '/api/competitions/{competition_id}/finalize',
    auth: 'owner',
    query: [],
    body: [],
    headers: { ifMatch: 'If-Match', idempotencyKey: 'Idempotency-Key' },
    repeatable: 'with_key',
    file: false,
    pages: null,
  },
  getCompetitionAudit: {
    id: 'getCompetitionAudit',
    method: 'GET',
    path: '/api/competitions/{competition_id}/audit',
    auth: 'owner',
    query: ['limit', 'offset'],
    body: [],
    headers: {},
    repeatable: 'always',
    file: false,
    pages: { by: 'offset', items: 'entries', limit: 100 },
  },
  getStrategy: {
    id: 'getStrategy',
    method: 'GET',
    path: '/api/bot/strategy',
    auth: 'owner',
    query: [],
    body: [],
    headers: {},
    repeatable: 'always',
    file: false,
    pages: null,
  },
  saveStrategy: {
    id: 'saveStrategy',
    method: 'POST',
    path: '/api/bot/strategy',
    auth: 'owner',
    query: [],
    body: ['template', 'vpip', 'pfr', 'three_bet', 'aggression', 'bluff', 'call_down', 'balance', 'tilt', 'auto_rebuy'],
    headers: {},
    repeatable: 'never',
    file: false,
    pages: null,
  },
  getStrategyApi: {
    id: 'getStrategyApi',
    method: 'GET',
    path: '/api/bot/strategy/api',
    auth: 'owner',
    query: [],
    body: [],
    headers: {},
    repeatable: 'always',
    file: false,
    pages: null,
  },
  saveStrategyApi: {
    id: 'saveStrategyApi',
    method: 'PUT',
    path: '/api/bot/strategy/api',
    auth: 'owner',
    query: [],
    body: ['template', 'vpip', 'pfr', 'three_bet', 'aggression', 'bluff', 'call_down', 'balance', 'tilt', 'auto_rebuy'],
    headers: {},
    repeatable: 'always',
    file: false,
    pages: null,
  },
  deployBot: {
    id: 'deployBot',
    method: 'POST',
    path: '/api/bot/deploy',
    auth: 'owner',
    query: [],
    body: ['mode', 'strategy'],
    headers: {},
    repeatable: 'never',
    file: false,
    pages: null,
  },
  deployBotApi: {
    id: 'deployBotApi',
    method: 'POST',
    path: '/api/bot/deploy/api',
    auth: 'owner',
    query: [],
    body: [],
    headers: {},
    repeatable: 'never',
    file: false,
    pages: null,
  },
  stopBot: {
    id: 'stopBot',
    method: 'POST',
    path: '/api/bot/stop',
    auth: 'owner',
    query: [],
    body: [],
    headers: {},
    repeatable: 'never',
    file: false,
    pages: null,
  },
  stopBotApi: {
    id: 'stopBotApi',
    method: 'POST',
    path: '/api/bot/stop/api',
    auth: 'owner',
    query: [],
    body: [],
    headers: {},
    repeatable: 'never',
    file: false,
    pages: null,
  },
  refreshBotToken: {
    id: 'refreshBotToken',
    method: 'POST',
    path: '/api/bot/refresh-token',
    auth: 'owner',
    query: [],
    body: [],
    headers: {},
    repeatable: 'never',
    file: false,
    pages: null,
  },
  getBotStatus: {
    id: 'getBotStatus',
    method: 'GET',
    path: '/api/bot/status',
    auth: 'owner',
    query: [],
    body: [],
    headers: {},
    repeatable: 'always',
    file: false,
    pages: null,
  },
  getBotStatusApi: {
    id: 'getBotStatusApi',
    method: 'GET',
    path: '/api/bot/status/api',
    auth: 'owner',
    query: [],
    body: [],
    headers: {},
    repeatable: 'always',
    file: false,
    pages: null,
  },
  deposit: {
    id: 'deposit',
    method: 'POST',
    path: '/api/deposit',
    auth: 'owner',
    query: [],
    body: ['amount'],
    headers: { idempotencyKey: 'Idempotency-Key' },
    repeatable: 'with_key',
    file: false,
    pages: null,
  },
  depositDev: {
    id: 'depositDev',
    method: 'POST',
    path: '/api/deposit/dev',
    auth: 'owner',
    query: [],
    body: ['amount'],
    headers: { idempotencyKey: 'Idempotency-Key' },
    repeatable: 'with_key',
    file: false,
    pages: null,
  },
  getBalance: {
    id: 'getBalance',
    method: 'GET',
    path: '/api/balance',
    auth: 'owner',
    query: [],
    body: [],
    headers: {},
    repeatable: 'always',
    file: false,
    pages: null,
  },
  listTransactions: {
    id: 'listTransactions',
    method: 'GET',
    path: '/api/transactions',
    auth: 'owner',
    query: ['limit', 'offset'],
    body: [],
    headers: {},
    repeatable: 'always',
    file: false,
    pages: { by: 'offset', items: 'transactions', limit: 200 },
  },
  getPublicHand: {
    id: 'getPublicHand',
    method: 'GET',
    path: '/api/hands/{hand_id}',
    auth: 'optional',
    query: [],
    body: [],
    headers: {},
    repeatable: 'always',
    file: false,
    pages: null,
  },
  getPublicHandFile: {
    id: 'getPublicHandFile',
    method: 'GET',
    path: '/api/hands/{hand_id}/file',
    auth: 'optional',
    query: ['format'],
    body: [],
    headers: {},
    repeatable: 'always',
    file: true,
    pages: null,
  },
  getAgentProfile: {
    id: 'getAgentProfile',
    method: 'GET',
    path: '/api/agents/{slug}',
    auth: 'none',
    query: [],
    body: [],
    headers: {},
    repeatable: 'always',
    file: false,
    pages: null,
  },
  getAgentTable: {
    id: 'getAgentTable',
    method: 'GET',
    path: '/api/agents/{slug}/table',
    auth: 'none',
    query: [],
    body: [],
    headers: {},
    repeatable: 'always',
    file: false,
    pages: null,
  },
  getMoments: {
    id: 'getMoments',
    method: 'GET',
    path: '/api/public/moments',
    auth: 'none',
    query: [],
    body: [],
    headers: {},
    repeatable: 'always',
    file: false,
    pages: null,
  },
  getVersus: {
    id: 'getVersus',
    method: 'GET',
    path: '/api/public/agents/{slug}/versus/{other}',
    auth: 'none',
    query: [],
    body: [],
    headers: {},
    repeatable: 'always',
    file: false,
    pages: null,
  },
  getHandProof: {
    id: 'getHandProof',
    method: 'GET',
    path: '/api/hands/{hand_id}/proof',
    auth: 'owner',
    query: [],
    body: [],
    headers: {},
    repeatable: 'always',
    file: false,
    pages: null,
  },
  getHandHistory: {
    id: 'getHandHistory',
    method: 'GET',
    path: '/api/me/hand-history',
    auth: 'owner',
    query: [
      'limit',
      'offset',
      'cursor',
      'from',
      'to',
      'season_id',
      'competition_id',
      'result',
      'position',
      'min_pot',
      'opponent',
      'street',
      'all_in',
      'sort',
      'with_players',
    ],
    body: [],
    headers: {},
    repeatable: 'always',
    file: false,
    pages: { by: 'cursor', items: 'hands', limit: 200 },
  },
  exportHandHistory: {
    id: 'exportHandHistory',
    method: 'GET',
    path: '/api/me/hand-history/export',
    auth: 'owner',
    query: ['format', 'season_id', 'competition_id', 'start_date', 'end_date', 'limit', 'offset'],
    body: [],
    headers: {},
    repeatable: 'always',
    file: true,
    pages: null,
  },
  getSeasonChipLedger: {
    id: 'getSeasonChipLedger',
    method: 'GET',
    path: '/api/season-chip-ledger',
    auth: 'owner',
    query: ['limit', 'offset', 'competition_id'],
    body: [],
    headers: {},
    repeatable: 'always',
    file: false,
    pages: { by: 'offset', items: 'entries', limit: 200 },
  },
  depositOnchain: {
    id: 'depositOnchain',
    method: 'POST',
    path: '/api/deposit/onchain',
    auth: 'owner',
    query: [],
    body: ['tx_hash'],
    headers: {},
    repeatable: 'never',
    file: false,
    pages: null,
  },
  claimDeposit: {
    id: 'claimDeposit',
    method: 'POST',
    path: '/api/deposit/onchain/claim',
    auth: 'owner',
    query: [],
    body: ['tx_hash'],
    headers: {},
    repeatable: 'never',
    file: false,
    pages: null,
  },
  withdraw: {
    id: 'withdraw',
    method: 'POST',
    path: '/api/withdraw',
    auth: 'owner',
    query: [],
    body: ['amount'],
    headers: { idempotencyKey: 'Idempotency-Key' },
    repeatable: 'with_key',
    file: false,
    pages: null,
  },
  getWithdrawal: {
    id: 'getWithdrawal',
    method: 'GET',
    path: '/api/withdrawal/{withdrawal_id}',
    auth: 'owner',
    query: [],
    body: [],
    headers: {},
    repeatable: 'always',
    file: false,
    pages: null,
  },
  listWithdrawals: {
    id: 'listWithdrawals',
    method: 'GET',
    path: '/api/withdrawals',
    auth: 'owner',
    query: ['limit', 'offset'],
    body: [],
    headers: {},
    repeatable: 'always',
    file: false,
    pages: { by: 'offset', items: 'withdrawals', limit: 200 },
  },
  getAccounting: {
    id: 'getAccounting',
    method: 'GET',
    path: '/api/accounting',
    auth: 'admin',
    query: [],
    body: [],
    headers: {},
    repeatable: 'always',
    file: false,
    pages: null,
  },
  getRevenue: {
    id: 'getRevenue',
    method: 'GET',
    path: '/api/platform/revenue',
    auth: 'admin',
    query: [],
    body: [],
    headers: {},
    repeatable: 'always',
    file: false,
    pages: null,
  },
  listCoOrganizers: {
    id: 'listCoOrganizers',
    method: 'GET',
    path: '/api/competitions/{competition_id}/co-organizers',
    auth: 'owner',
    query: [],
    body: [],
    headers: {},
    repeatable: 'always',
    file: false,
    pages: null,
  },
  addCoOrganizer: {
    id: 'addCoOrganizer',
    method: 'POST',
    path: '/api/competitions/{competition_id}/co-organizers',
    auth: 'owner',
    query: [],
    body: ['agent_id', 'name'],
    headers: { idempotencyKey: 'Idempotency-Key' },
    repeatable: 'with_key',
    file: false,
    pages: null,
  },
  removeCoOrganizer: {
    id: 'removeCoOrganizer',
    method: 'DELETE',
    path: '/api/competitions/{competition_id}/co-organizers/{agent_id}',
    auth: 'owner',
    query: [],
    body: [],
    headers: { idempotencyKey: 'Idempotency-Key' },
    repeatable: 'with_key',
    file: false,
    pages: null,
  },
  enrollInCompetition: {
    id: 'enrollInCompetition',
    method: 'POST',
    path: '/api/competitions/{competition_id}/enroll',
    auth: 'owner',
    query: [],
    body: ['display_name'],
    headers: { idempotencyKey: 'Idempotency-Key' },
    repeatable: 'with_key',
    file: false,
    pages: null,
  },
  listInvitations: {
    id: 'listInvitations',
    method: 'GET',
    path: '/api/competitions/{competition_id}/invitations',
    auth: 'owner',
    query: ['limit', 'offset'],
    body: [],
    headers: {},
    repeatable: 'always',
    file: false,
    pages: { by: 'offset', items: 'invitations', limit: 100 },
  },
  invitePeople: {
    id: 'invitePeople',
    method: 'POST',
    path: '/api/competitions/{competition_id}/invitations',
    auth: 'owner',
    query: [],
    body: ['emails'],
    headers: { idempotencyKey: 'Idempotency-Key' },
    repeatable: 'with_key',
    file: false,
    pages: null,
  },
  resendInvitation: {
    id: 'resendInvitation',
    method: 'POST',
    path: '/api/competitions/{competition_id}/invitations/{invite_id}/resend',
    auth: 'owner',
    query: [],
    body: [],
    headers: { ifMatch: 'If-Match', idempotencyKey: 'Idempotency-Key' },
    repeatable: 'with_key',
    file: false,
    pages: null,
  },
  revokeInvitation: {
    id: 'revokeInvitation',
    method: 'DELETE',
    path: '/api/competitions/{competition_id}/invitations/{invite_id}',
    auth: 'owner',
    query: [],
    body: [],
    headers: { ifMatch: 'If-Match', idempotencyKey: 'Idempotency-Key' },
    repeatable: 'with_key',
    file: false,
    pages: null,
  },
  createInviteLink: {
    id: 'createInviteLink',
    method: 'POST',
    path: '/api/competitions/{competition_id}/invite-links',
    auth: 'owner',
    query: [],
    body: ['max_uses', 'expires_at'],
    headers: {},
    repeatable: 'never',
    file: false,
    pages: null,
  },
  listInviteLinks: {
    id: 'listInviteLinks',
    method: 'GET',
    path: '/api/competitions/{competition_id}/invite-links',
    auth: 'owner',
    query: ['limit', 'offset'],
    body: [],
    headers: {},
    repeatable: 'always',
    file: false,
    pages: { by: 'offset', items: 'links', limit: 100 },
  },
  revokeInviteLink: {
    id: 'revokeInviteLink',
    method: 'DELETE',
    path: '/api/competitions/{competition_id}/invite-links/{link_id}',
    auth: 'owner',
    query: [],
    body: [],
    headers: { idempotencyKey: 'Idempotency-Key' },
    repeatable: 'with_key',
    file: false,
    pages: null,
  },
  previewInvite: {
    id: 'previewInvite',
    method: 'GET',
    path: '/api/competition-invites/preview',
    auth: 'none',
    query: [],
    body: [],
    headers: { competitionInviteToken: 'X-Competition-Invite-Token' },
    repeatable: 'always',
    file: false,
    pages: null,
  },
  acceptInvite: {
    id: 'acceptInvite',
    method: 'POST',
    path: '/api/competition-invites/accept',
    auth: 'owner',
    query: [],
    body: ['display_name'],
    headers: { competitionInviteToken: 'X-Competition-Invite-Token', idempotencyKey: 'Idempotency-Key' },
    repeatable: 'with_key',
    file: false,
    pages: null,
  },
  declineInvite: {
    id: 'declineInvite',
    method: 'POST',
    path: '/api/competition-invites/decline',
    auth: 'owner',
    query: [],
    body: [],
    headers: { competitionInviteToken: 'X-Competition-Invite-Token', idempotencyKey: 'Idempotency-Key' },
    repeatable: 'with_key',
    file: false,
    pages: null,
  },
  listOwnInvitations: {
    id: 'listOwnInvitations',
    method: 'GET',
    path: '/api/me/competition-invitations',
    auth: 'owner',
    query: ['limit', 'offset'],
    body: [],
    headers: {},
    repeatable: 'always',
    file: false,
    pages: { by: 'offset', items: 'invitations', limit: 100 },
  },
  acceptOwnInvitation: {
    id: 'acceptOwnInvitation',
    method: 'POST',
    path: '/api/me/competition-invitations/{invite_id}/accept',
    auth: 'owner',
    query: [],
    body: ['display_name'],
    headers: { idempotencyKey: 'Idempotency-Key' },
    repeatable: 'with_key',
    file: false,
    pages: null,
  },
  declineOwnInvitation: {
    id: 'declineOwnInvitation',
    method: 'POST',
    path: '/api/me/competition-invitations/{invite_id}/decline',
    auth: 'owner',
    query: [],
    body: [],
    headers: { idempotencyKey: 'Idempotency-Key' },
    repeatable: 'with_key',
    file: false,
    pages: null,
  },
  askToJoin: {
    id: 'askToJoin',
    method: 'POST',
    path: '/api/competitions/{competition_id}/join-requests',
    auth: 'owner',
    query: [],
    body: ['display_name'],
    headers: { idempotencyKey: 'Idempotency-Key' },
    repeatable: 'with_key',
    file: false,
    pages: null,
  },
  withdrawJoinRequest: {
    id: 'withdrawJoinRequest',
    method: 'DELETE',
    path: '/api/competitions/{competition_id}/join-requests',
    auth: 'owner',
    query: [],
    body: [],
    headers: { idempotencyKey: 'Idempotency-Key' },
    repeatable: 'with_key',
    file: false,
    pages: null,
  },
  listJoinRequests: {
    id: 'listJoinRequests',
    method: 'GET',
    path: '/api/competitions/{competition_id}/join-requests',
    auth: 'owner',
    query: ['status', 'limit', 'offset'],
    body: [],
    headers: {},
    repeatable: 'always',
    file: false,
    pages: { by: 'offset', items: 'requests', limit: 100 },
  },
  acceptJoinRequest: {
    id: 'acceptJoinRequest',
    method: 'POST',
    path: '/api/competitions/{competition_id}/join-requests/{agent_id}/accept',
    auth: 'owner',
    query: [],
    body: [],
    headers: { idempotencyKey: 'Idempotency-Key' },
    repeatable: 'with_key',
    file: false,
    pages: null,
  },
  declineJoinRequest: {
    id: 'declineJoinRequest',
    method: 'POST',
    path: '/api/competitions/{competition_id}/join-requests/{agent_id}/decline',
    auth: 'owner',
    query: [],
    body: [],
    headers: { idempotencyKey: 'Idempotency-Key' },
    repeatable: 'with_key',
    file: false,
    pages: null,
  },
  listOwnJoinRequests: {
    id: 'listOwnJoinRequests',
    method: 'GET',
    path: '/api/me/join-requests',
    auth: 'owner',
    query: ['slug', 'limit', 'offset'],
    body: [],
    headers: {},
    repeatable: 'always',
    file: false,
    pages: { by: 'offset', items: 'requests', limit: 100 },
  },
  listParticipants: {
    id: 'listParticipants',
    method: 'GET',
    path: '/api/competitions/{competition_id}/participants',
    auth: 'owner',
    query: ['status', 'limit', 'offset'],
    body: [],
    headers: {},
    repeatable: 'always',
    file: false,
    pages: { by: 'offset', items: 'participants', limit: 100 },
  },
  rebuyInCompetition: {
    id: 'rebuyInCompetition',
    method: 'POST',
    path: '/api/competitions/{competition_id}/rebuy',
    auth: 'owner',
    query: [],
    body: [],
    headers: {},
    repeatable: 'never',
    file: false,
    pages: null,
  },
  withdrawFromCompetition: {
    id: 'withdrawFromCompetition',
    method: 'POST',
    path: '/api/competitions/{competition_id}/withdraw',
    auth: 'owner',
    query: [],
    body: [],
    headers: { idempotencyKey: 'Idempotency-Key' },
    repeatable: 'with_key',
    file: false,
    pages: null,
  },
  removeParticipant: {
    id: 'removeParticipant',
    method: 'POST',
    path: '/api/competitions/{competition_id}/participants/{agent_id}/remove',
    auth: 'owner',
    query: [],
    body: ['reason'],
    headers: { idempotencyKey: 'Idempotency-Key' },
    repeatable: 'with_key',
    file: false,
    pages: null,
  },
  disqualifyParticipant: {
    id: 'disqualifyParticipant',
    method: 'POST',
    path: '/api/competitions/{competition_id}/participants/{agent_id}/disqualify',
    auth: 'owner',
    query: [],
    body: ['reason'],
    headers: { idempotencyKey: 'Idempotency-Key' },
    repeatable: 'with_key',
    file: false,
    pages: null,
  },
  restoreParticipant: {
    id: 'restoreParticipant',
    method: 'POST',
    path: '/api/competitions/{competition_id}/participants/{agent_id}/restore',
    auth: 'owner',
    query: [],
    body: ['reason'],
    headers: { idempotencyKey: 'Idempotency-Key' },
    repeatable: 'with_key',
    file: false,
    pages: null,
  },
  listCompetitionHands: {
    id: 'listCompetitionHands',
    method: 'GET',
    path: '/api/competitions/{competition_id}/hands',
    auth: 'owner',
    query: ['limit', 'cursor', 'from', 'to'],
    body: [],
    headers: {},
    repeatable: 'always',
    file: false,
    pages: { by: 'cursor', items: 'hands', limit: 100 },
  },
  exportCompetitionHands: {
    id: 'exportCompetitionHands',
    method: 'GET',
    path: '/api/competitions/{competition_id}/hands/export',
    auth: 'owner',
    query: ['format', 'start_date', 'end_date', 'limit'],
    body: [],
    headers: {},
    repeatable: 'always',
    file: true,
    pages: null,
  },
  listPublicCompetitionHands: {
    id: 'listPublicCompetitionHands',
    method: 'GET',
    path: '/api/public/competitions/{competition_slug}/hands',
    auth: 'optional',
    query: ['order', 'limit'],
    body: [],
    headers: {},
    repeatable: 'always',
    file: false,
    pages: null,
  },
  getCompetitionHand: {
    id: 'getCompetitionHand',
    method: 'GET',
    path: '/api/competitions/{competition_id}/hands/{hand_id}',
    auth: 'owner',
    query: [],
    body: [],
    headers: {},
    repeatable: 'always',
    file: false,
    pages: null,
  },
  getCompetitionLeaderboard: {
    id: 'getCompetitionLeaderboard',
    method: 'GET',
    path: '/api/competitions/{competition_id}/leaderboard',
    auth: 'owner',
    query: ['limit', 'offset'],
    body: [],
    headers: {},
    repeatable: 'always',
    file: false,
    pages: { by: 'offset', items: 'rows', limit: 200 },
  },
  getCompetitionStandings: {
    id: 'getCompetitionStandings',
    method: 'GET',
    path: '/api/competitions/{competition_id}/standings',
    auth: 'owner',
    query: ['limit', 'offset'],
    body: [],
    headers: {},
    repeatable: 'always',
    file: false,
    pages: { by: 'offset', items: 'rows', limit: 200 },
  },
  getCompetitionResults: {
    id: 'getCompetitionResults',
    method: 'GET',
    path: '/api/competitions/{competition_id}/results',
    auth: 'owner',
    query: ['limit', 'offset'],
    body: [],
    headers: {},
    repeatable: 'always',
    file: false,
    pages: { by: 'offset', items: 'rows', limit: 200 },
  },
  getCompetitionResultsFile: {
    id: 'getCompetitionResultsFile',
    method: 'GET',
    path: '/api/competitions/{competition_id}/results.csv',
    auth: 'owner',
    query: [],
    body: [],
    headers: {},
    repeatable: 'always',
    file: true,
    pages: null,
  },
  getParticipantLive: {
    id: 'getParticipantLive',
    method: 'GET',
    path: '/api/competitions/{competition_id}/participant-live',
    auth: 'owner',
    query: ['limit', 'offset'],
    body: [],
    headers: {},
    repeatable: 'always',
    file: false,
    pages: { by: 'offset', items: 'hands', limit: 100 },
  },
  getPublicCompetition: {
    id: 'getPublicCompetition',
    method: 'GET',
    path: '/api/public/competitions/{competition_slug}',
    auth: 'none',
    query: ['limit', 'offset'],
    body: [],
    headers: {},
    repeatable: 'always',
    file: false,
    pages: null,
  },
  getDuplicateDeck: {
    id: 'getDuplicateDeck',
    method: 'GET',
    path: '/api/public/competitions/{competition_slug}/decks/{deck}',
    auth: 'optional',
    query: [],
    body: [],
    headers: {},
    repeatable: 'always',
    file: false,
    pages: null,
  },
  listTables: {
    id: 'listTables',
    method: 'GET',
    path: '/api/tables',
    auth: 'none',
    query: [],
    body: [],
    headers: {},
    repeatable: 'always',
    file: false,
    pages: null,
  },
  getTable: {
    id: 'getTable',
    method: 'GET',
    path: '/api/tables/{table_id}',
    auth: 'none',
    query: [],
    body: [],
    headers: {},
    repeatable: 'always',
    file: false,
    pages: null,
  },
  getPublicConfig: {
    id: 'getPublicConfig',
    method: 'GET',
    path: '/api/public-config',
    auth: 'none',
    query: [],
    body: [],
    headers: {},
    repeatable: 'always',
    file: false,
    pages: null,
  },
  getHealth: {
    id: 'getHealth',
    method: 'GET',
    path: '/health',
    auth: 'none',
    query: [],
    body: [],
    headers: {},
    repeatable: 'always',
    file: false,
    pages: null,
  },
  getHealthDetail: {
    id: 'getHealthDetail',
    method: 'GET',
    path: '/health/detail',
    auth: 'admin',
    query: [],
    body: [],
    headers: {},
    repeatable: 'always',
    file: false,
    pages: null,
  },
  getLive: {
    id: 'getLive',
    method: 'GET',
    path: '/health/live',
    auth: 'none',
    query: [],
    body: [],
    headers: {},
    repeatable: 'always',
    file: false,
    pages: null,
  },
  getReady: {
    id: 'getReady',
    method: 'GET',
    path: '/health/ready',
    auth: 'none',
    query: [],
    body: [],
    headers: {},
    repeatable: 'always',
    file: false,
    pages: null,
  },
  getOpenApi: {
    id: 'getOpenApi',
    method: 'GET',
    path: '/api/openapi.json',
    auth: 'none',
    query: [],
    body: [],
    headers: {},
    repeatable: 'always',
    file: false,
    pages: null,
  },
  getAsyncApi: {
    id: 'getAsyncApi',
    method: 'GET',
    path: '/api/asyncapi.json',
    auth: 'none',
    query: [],
    body: [],
    headers: {},
    repeatable: 'always',
    file: false,
    pages: null,
  },
} as const satisfies Readonly<Record<string, Operation>>;

/** A method for every operation; who extends it sends them. */
export abstract class RestOperations {
  protected abstract call<T>(operation: Operation, input: object, options: CallOptions): Promise<T>;
  protected abstract download(operation: Operation, input: object, options: CallOptions): Promise<Download>;
  protected abstract iterate<T>(operation: Operation, input: object, options: CallOptions): AsyncIterableIterator<T>;

  /**
   * Register an agent. The answer shows the API key, once.
   * Production requires a sign-in session. With a session the agent gets the verified e-mail address of the session.
   * `POST /api/register`, 5 in 60 s per ip.
   */
  registerAgent(input: RegisterAgentInput, options: CallOptions = {}): Promise<Registered> {
    return this.call<Registered>(operations.registerAgent, input, options);
  }

  /**
   * Your profile.
   * `GET /api/me`, 60 in 60 s per key.
   */
  getMe(options: CallOptions = {}): Promise<Agent> {
    return this.call<Agent>(operations.getMe, {}, options);
  }

  /**
   * Change name, wallet, avatar or public_profile. Null removes the wallet or the avatar.
   * `PATCH /api/me`, 10 in 60 s per key.
   */
  updateMe(input: UpdateMeInput = {}, options: CallOptions = {}): Promise<Agent> {
    return this.call<Agent>(operations.updateMe, input, options);
  }

  /**
   * Make a new API key. The old key ends at once, and its socket closes (4001).
   * Send the old key. After loss or theft of the key, use the sign-in session of its address.
   * `POST /api/me/regenerate-key`, 5 in 60 s per key.
   */
  regenerateKey(options: CallOptions = {}): Promise<NewKey> {
    return this.call<NewKey>(operations.regenerateKey, {}, options);
  }

  /**
   * Choose the name, and whether the platform or the owner runs the bot.
   * A repetition changes the name. It changes neither the mode nor the time of the first call.
   * `POST /api/me/complete-onboarding`, 60 in 60 s per key.
   */
  completeOnboarding(input: CompleteOnboardingInput, options: CallOptions = {}): Promise<Agent> {
    return this.call<Agent>(operations.completeOnboarding, input, options);
  }

  /**
   * Switch the agent to another runtime.
   * Each change raises the generation by one. A switch to the present runtime changes nothing.
   * `POST /api/me/runtime/switch`, 60 in 60 s per key.
   */
  switchRuntime(input: SwitchRuntimeInput, options: CallOptions = {}): Promise<Runtime> {
    return this.call<Runtime>(operations.switchRuntime, input, options);
  }

  /**
   * The agent's table and seat, and its stack as last sent.
   * `GET /api/me/active-game`, 60 in 60 s per key.
   */
  getActiveGame(options: CallOptions = {}): Promise<ActiveGame> {
    return this.call<ActiveGame>(operations.getActiveGame, {}, options);
  }

  /**
   * The latest mishaps of the agent: rejections, errors, timeouts, floods, disconnects, each with its frame.
   * The server keeps the last 100 in memory. They go after a day without a mishap, and with a restart.
   * `GET /api/me/mishaps`, 60 in 60 s per key.
   */
  listMishaps(options: CallOptions = {}): Promise<Mishaps> {
    return this.call<Mishaps>(operations.listMishaps, {}, options);
  }

  /**
   * A text (EIP-4361) for a wallet to sign. It is good once, for ten minutes.
   * `POST /api/me/wallet/challenge`, 10 in 60 s per key.
   */
  challengeWallet(input: ChallengeWalletInput, options: CallOptions = {}): Promise<WalletChallenge> {
    return this.call<WalletChallenge>(operations.challengeWallet, input, options);
  }

  /**
   * Prove a wallet by a signature. Its transfers to the treasury may then be claimed.
   * To prove a wallet again changes nothing. An agent without a wallet for withdrawals gets this one.
   * `POST /api/me/wallet/proof`, 10 in 60 s per key.
   */
  proveWallet(input: ProveWalletInput, options: CallOptions = {}): Promise<WalletProof> {
    return this.call<WalletProof>(operations.proveWallet, input, options);
  }

  /**
   * Take the change of a wallet back, with the token of the mail.
   * The old wallet stands again, and waiting withdrawals go back to the balance. The link works once, until the time in the mail.
   * `POST /api/wallet/cancel`, 10 in 60 s per ip.
   */
  cancelWalletChange(input: CancelWalletChangeInput, options: CallOptions = {}): Promise<WalletChangeCancelled> {
    return this.call<WalletChangeCancelled>(operations.cancelWalletChange, input, options);
  }

  /**
   * Ask for a sign-in link by e-mail.
   * The answer is the same for known and unknown addresses. Links count by asker, by mailbox, by mail domain and in all. Beyond a limit it is 429 with Retry-After. A known browser, and an agent that sends its API key, have limits of their own. The mail then names that agent.
   * `POST /api/auth/request-link`, 5 in 60 s per ip.
   */
  requestSignInLink(input: RequestSignInLinkInput, options: CallOptions = {}): Promise<SignInLinkRequested> {
    return this.call<SignInLinkRequested>(operations.requestSignInLink, input, options);
  }

  /**
   * Use a sign-in link up. It verifies the address and sets the session cookie.
   * The first link that verifies an agent's address ends its API key (4001) and removes its wallet. A second cookie marks the browser as known.
   * `POST /api/auth/callback`, 10 in 60 s per ip.
   */
  followSignInLink(input: FollowSignInLinkInput, options: CallOptions = {}): Promise<FollowedLink> {
    return this.call<FollowedLink>(operations.followSignInLink, input, options);
  }

  /**
   * The person that is signed in, by the session cookie.
   * `GET /api/auth/session`, 60 in 60 s per ip.
   */
  getSession(options: CallOptions = {}): Promise<Session> {
    return this.call<Session>(operations.getSession, {}, options);
  }

  /**
   * End the session.
   * `POST /api/auth/logout`, 60 in 60 s per ip.
   */
  logout(options: CallOptions = {}): Promise<SignedOut> {
    return this.call<SignedOut>(operations.logout, {}, options);
  }

  /**
   * The current season.
   * `GET /api/season/current`, 60 in 60 s per ip.
   */
  getCurrentSeason(options: CallOptions = {}): Promise<CurrentSeason> {
    return this.call<CurrentSeason>(operations.getCurrentSeason, {}, options);
  }

  /**
   * The last 20 seasons, the newest first.
   * `GET /api/season/list`, 60 in 60 s per ip.
   */
  listSeasons(options: CallOptions = {}): Promise<readonly Season[]> {
    return this.call<readonly Season[]>(operations.listSeasons, {}, options);
  }

  /**
   * Standings of the current season, for agents with enough hands.
   * `GET /api/season/leaderboard`, 30 in 60 s per ip.
   */
  getLeaderboard(input: GetLeaderboardInput = {}, options: CallOptions = {}): Promise<readonly LeaderboardRow[]> {
    return this.call<readonly LeaderboardRow[]>(operations.getLeaderboard, input, options);
  }

  /** Every item of getLeaderboard, page after page. */
  iterateLeaderboard(
    input: GetLeaderboardInput = {},
    options: CallOptions = {},
  ): AsyncIterableIterator<LeaderboardRow> {
    return this.iterate<LeaderboardRow>(operations.getLeaderboard, input, options);
  }

  /**
   * Your entry in the current season, with its rank.
   * `GET /api/season/me`, 60 in 60 s per key.
   */
  getSeasonEntry(options: CallOptions = {}): Promise<RankedSeasonEntry> {
    return this.call<RankedSeasonEntry>(operations.getSeasonEntry, {}, options);
  }

  /**
   * Change preferences of your entry.
   * `PATCH /api/season/me`, 60 in 60 s per key.
   */
  updateSeasonEntry(input: UpdateSeasonEntryInput = {}, options: CallOptions = {}): Promise<SeasonEntry> {
    return this.call<SeasonEntry>(operations.updateSeasonEntry, input, options);
  }

  /**
   * Enter the current season and get the starting chips. join_lobby also does it.
   * `POST /api/season/register`, 5 in 60 s per key.
   */
  registerForSeason(options: CallOptions = {}): Promise<SeasonEntry> {
    return this.call<SeasonEntry>(operations.registerForSeason, {}, options);
  }

  /**
   * Get new chips after a bust. During the cooldown it is 429 with Retry-After.
   * `POST /api/season/rebuy`, 10 in 60 s per key.
   */
  rebuy(options: CallOptions = {}): Promise<Rebuy> {
    return this.call<Rebuy>(operations.rebuy, {}, options);
  }

  /**
   * Buy the pass of the current season with credits. A holder is not charged again.
   * `POST /api/season/pass`, 5 in 60 s per key.
   */
  buySeasonPass(options: CallOptions = {}): Promise<SeasonEntry> {
    return this.call<SeasonEntry>(operations.buySeasonPass, {}, options);
  }

  /**
   * Your prizes, the newest first: held, paid or refused.
   * `GET /api/me/prizes`, 60 in 60 s per key.
   */
  listPrizes(options: CallOptions = {}): Promise<Prizes> {
    return this.call<Prizes>(operations.listPrizes, {}, options);
  }

  /**
   * Your figures of the current season. With the season pass, also of all seasons.
   * `GET /api/season/stats`, 30 in 60 s per key.
   */
  getSeasonStats(options: CallOptions = {}): Promise<OwnStats> {
    return this.call<OwnStats>(operations.getSeasonStats, {}, options);
  }

  /**
   * Your rolling win rate and profit by table in the current season. Requires the season pass.
   * `GET /api/season/chart-data`, 30 in 60 s per key.
   */
  getSeasonChart(options: CallOptions = {}): Promise<ChartData> {
    return this.call<ChartData>(operations.getSeasonChart, {}, options);
  }

  /**
   * One season.
   * `GET /api/season/{season_id}`, 60 in 60 s per ip.
   */
  getSeason(input: GetSeasonInput, options: CallOptions = {}): Promise<Season> {
    return this.call<Season>(operations.getSeason, input, options);
  }

  /**
   * The leaderboard at the end of a season, with badges and prizes. During the season it is empty.
   * `GET /api/season/{season_id}/leaderboard`, 60 in 60 s per ip.
   */
  getSeasonStandings(
    input: GetSeasonStandingsInput,
    options: CallOptions = {},
  ): Promise<readonly FrozenLeaderboardRow[]> {
    return this.call<readonly FrozenLeaderboardRow[]>(operations.getSeasonStandings, input, options);
  }

  /** Every item of getSeasonStandings, page after page. */
  iterateSeasonStandings(
    input: GetSeasonStandingsInput,
    options: CallOptions = {},
  ): AsyncIterableIterator<FrozenLeaderboardRow> {
    return this.iterate<FrozenLeaderboardRow>(operations.getSeasonStandings, input, options);
  }

  /**
   * Figures of your play in the current season. Requires the season pass.
   * The figures follow PokerTracker 4. Rates are shares from 0 to 1. A raise is a bet, a raise, or an all-in for more than a call. Timeouts are decisions, blinds are not. In an all-in-adjusted hand the betting ended before the river because no second player could bet. The hand counts with the mean payout over every possible board. Folded cards count as unknown. total_hands is the number of hands counted so far. A request first counts up to 512 new hands.
   * `GET /api/analytics`, 60 in 60 s per key.
   */
  getAnalytics(options: CallOptions = {}): Promise<Analytics> {
    return this.call<Analytics>(operations.getAnalytics, {}, options);
  }

  /**
   * The opponents in your newest hands of the season: how they play, and what you won from them.
   * `GET /api/me/opponents`, 10 in 60 s per key.
   */
  listOpponents(input: ListOpponentsInput = {}, options: CallOptions = {}): Promise<Opponents> {
    return this.call<Opponents>(operations.listOpponents, input, options);
  }

  /**
   * The ratings of the own bot's versions in the current season, each by its own hands.
   * A bot tells its version in join_lobby. Hands count for the version that took the seat. The leaderboard has one row for all versions.
   * `GET /api/me/versions`, 30 in 60 s per key.
   */
  listVersions(options: CallOptions = {}): Promise<BotVersions> {
    return this.call<BotVersions>(operations.listVersions, {}, options);
  }

  /**
   * Bounds and defaults of the fields of a competition.
   * `GET /api/competitions/metadata`, 60 in 60 s per ip.
   */
  getCompetitionMetadata(options: CallOptions = {}): Promise<CompetitionMetadata> {
    return this.call<CompetitionMetadata>(operations.getCompetitionMetadata, {}, options);
  }

  /**
   * Competitions that run, take people or are finished. Drafts and cancelled ones are not listed.
   * Running: the latest start first. Open: the nearest end of enrollment first. Finished: the latest end first. With `spectators` other than `public` a competition is listed only while bots may ask to join it. An answer may be a second old.
   * `GET /api/public/competitions`, 60 in 60 s per ip.
   */
  listPublicCompetitions(
    input: ListPublicCompetitionsInput = {},
    options: CallOptions = {},
  ): Promise<ListedCompetitions> {
    return this.call<ListedCompetitions>(operations.listPublicCompetitions, input, options);
  }

  /** Every item of listPublicCompetitions, page after page. */
  iteratePublicCompetitions(
    input: ListPublicCompetitionsInput = {},
    options: CallOptions = {},
  ): AsyncIterableIterator<ListedCompetition> {
    return this.iterate<ListedCompetition>(operations.listPublicCompetitions, input, options);
  }

  /**
   * The competitions that the caller organizes or takes part in, the newest first.
   * `GET /api/competitions`, 60 in 60 s per key.
   */
  listCompetitions(input: ListCompetitionsInput = {}, options: CallOptions = {}): Promise<Competitions> {
    return this.call<Competitions>(operations.listCompetitions, input, options);
  }

  /** Every item of listCompetitions, page after page. */
  iterateCompetitions(
    input: ListCompetitionsInput = {},
    options: CallOptions = {},
  ): AsyncIterableIterator<Competition> {
    return this.iterate<Competition>(operations.listCompetitions, input, options);
  }

  /**
   * Create a competition as a draft. The caller is its organizer.
   * idempotencyKey: A repetition with the same key and body gets the first answer.
   * `POST /api/competitions`, 60 in 60 s per key.
   */
  createCompetition(
    input: CreateCompetitionInput,
    options: CallOptions & { idempotencyKey?: string } = {},
  ): Promise<Competition> {
    return this.call<Competition>(operations.createCompetition, input, options);
  }

  /**
   * One competition, for organizers and participants.
   * `GET /api/competitions/{competition_id}`, 60 in 60 s per key.
   */
  getCompetition(input: GetCompetitionInput, options: CallOptions = {}): Promise<Competition> {
    return this.call<Competition>(operations.getCompetition, input, options);
  }

  /**
   * Change a competition.
   * Rules of play may change until the first acceptance. The cap, the deadline, the start and `join_requests` may change until play starts. The end may change until it has come. Texts may change until the competition is final or cancelled.
   * ifMatch: The ETag that the change is meant for. With another ETag the answer is a 412.
   * idempotencyKey: A repetition with the same key and body gets the first answer.
   * `PATCH /api/competitions/{competition_id}`, 60 in 60 s per key.
   */
  updateCompetition(
    input: UpdateCompetitionInput,
    options: CallOptions & { ifMatch?: string; idempotencyKey?: string } = {},
  ): Promise<Competition> {
    return this.call<Competition>(operations.updateCompetition, input, options);
  }

  /**
   * Open enrollment. People may be invited and enroll.
   * ifMatch: The ETag that the change is meant for. With another ETag the answer is a 412.
   * idempotencyKey: A repetition with the same key and body gets the first answer.
   * `POST /api/competitions/{competition_id}/open-enrollment`, 60 in 60 s per key.
   */
  openEnrollment(
    input: OpenEnrollmentInput,
    options: CallOptions & { ifMatch?: string; idempotencyKey?: string } = {},
  ): Promise<Competition> {
    return this.call<Competition>(operations.openEnrollment, input, options);
  }

  /**
   * Enrollment ends.
   * ifMatch: The ETag that the change is meant for. With another ETag the answer is a 412.
   * idempotencyKey: A repetition with the same key and body gets the first answer.
   * `POST /api/competitions/{competition_id}/close-enrollment`, 60 in 60 s per key.
   */
  closeEnrollment(
    input: CloseEnrollmentInput,
    options: CallOptions & { ifMatch?: string; idempotencyKey?: string } = {},
  ): Promise<Competition> {
    return this.call<Competition>(operations.closeEnrollment, input, options);
  }

  /**
   * Start play. Enrollment closes.
   * ifMatch: The ETag that the change is meant for. With another ETag the answer is a 412.
   * idempotencyKey: A repetition with the same key and body gets the first answer.
   * `POST /api/competitions/{competition_id}/start`, 60 in 60 s per key.
   */
  startCompetition(
    input: StartCompetitionInput,
    options: CallOptions & { ifMatch?: string; idempotencyKey?: string } = {},
  ): Promise<Competition> {
    return this.call<Competition>(operations.startCompetition, input, options);
  }

  /**
   * Start no new hands. Hands in progress are played out.
   * ifMatch: The ETag that the change is meant for. With another ETag the answer is a 412.
   * idempotencyKey: A repetition with the same key and body gets the first answer.
   * `POST /api/competitions/{competition_id}/pause`, 60 in 60 s per key.
   */
  pauseCompetition(
    input: PauseCompetitionInput,
    options: CallOptions & { ifMatch?: string; idempotencyKey?: string } = {},
  ): Promise<Competition> {
    return this.call<Competition>(operations.pauseCompetition, input, options);
  }

  /**
   * Resume play.
   * ifMatch: The ETag that the change is meant for. With another ETag the answer is a 412.
   * idempotencyKey: A repetition with the same key and body gets the first answer.
   * `POST /api/competitions/{competition_id}/resume`, 60 in 60 s per key.
   */
  resumeCompetition(
    input: ResumeCompetitionInput,
    options: CallOptions & { ifMatch?: string; idempotencyKey?: string } = {},
  ): Promise<Competition> {
    return this.call<Competition>(operations.resumeCompetition, input, options);
  }

  /**
   * End play. Hands in progress are played out, tables close, and the standings are recorded.
   * ifMatch: The ETag that the change is meant for. With another ETag the answer is a 412.
   * idempotencyKey: A repetition with the same key and body gets the first answer.
   * `POST /api/competitions/{competition_id}/end`, 60 in 60 s per key.
   */
  endCompetition(
    input: EndCompetitionInput,
    options: CallOptions & { ifMatch?: string; idempotencyKey?: string } = {},
  ): Promise<Competition> {
    return this.call<Competition>(operations.endCompetition, input, options);
  }

  /**
   * Cancel the competition before play begins.
   * ifMatch: The ETag that the change is meant for. With another ETag the answer is a 412.
   * idempotencyKey: A repetition with the same key and body gets the first answer.
   * `POST /api/competitions/{competition_id}/cancel`, 60 in 60 s per key.
   */
  cancelCompetition(
    input: CancelCompetitionInput,
    options: CallOptions & { ifMatch?: string; idempotencyKey?: string } = {},
  ): Promise<Competition> {
    return this.call<Competition>(operations.cancelCompetition, input, options);
  }

  /**
   * Make the results final.
   * ifMatch: The ETag that the change is meant for. With another ETag the answer is a 412.
   * idempotencyKey: A repetition with the same key and body gets the first answer.
   * `POST /api/competitions/{competition_id}/finalize`, 60 in 60 s per key.
   */
  finalizeCompetition(
    input: FinalizeCompetitionInput,
    options: CallOptions & { ifMatch?: string; idempotencyKey?: string } = {},
  ): Promise<Competition> {
    return this.call<Competition>(operations.finalizeCompetition, input, options);
  }

  /**
   * All acts on the competition and its people, each with its actor, the newest first. For organizers.
   * `GET /api/competitions/{competition_id}/audit`, 60 in 60 s per key.
   */
  getCompetitionAudit(input: GetCompetitionAuditInput, options: CallOptions = {}): Promise<CompetitionAudit> {
    return this.call<CompetitionAudit>(operations.getCompetitionAudit, input, options);
  }

  /** Every item of getCompetitionAudit, page after page. */
  iterateCompetitionAudit(
    input: GetCompetitionAuditInput,
    options: CallOptions = {},
  ): AsyncIterableIterator<CompetitionAuditEntry> {
    return this.iterate<CompetitionAuditEntry>(operations.getCompetitionAudit, input, options);
  }

  /**
   * The strategy of your bot.
   * `GET /api/bot/strategy`, 60 in 60 s per key.
   */
  getStrategy(options: CallOptions = {}): Promise<SavedStrategy> {
    return this.call<SavedStrategy>(operations.getStrategy, {}, options);
  }

  /**
   * Save the strategy. A hosted bot uses it from the next decision on.
   * `POST /api/bot/strategy`, 60 in 60 s per key.
   */
  saveStrategy(input: SaveStrategyInput, options: CallOptions = {}): Promise<SavedStrategy> {
    return this.call<SavedStrategy>(operations.saveStrategy, input, options);
  }

  /**
   * The strategy of your bot. Requires the season pass.
   * `GET /api/bot/strategy/api`, 60 in 60 s per key.
   */
  getStrategyApi(options: CallOptions = {}): Promise<SavedStrategy> {
    return this.call<SavedStrategy>(operations.getStrategyApi, {}, options);
  }

  /**
   * Save the strategy. Requires the season pass.
   * `PUT /api/bot/strategy/api`, 60 in 60 s per key.
   */
  saveStrategyApi(input: SaveStrategyApiInput, options: CallOptions = {}): Promise<SavedStrategy> {
    return this.call<SavedStrategy>(operations.saveStrategyApi, input, options);
  }

  /**
   * Let the platform (hosted) or a page (browser) run the bot.
   * The bot replaces the present runtime. The generation rises, and tokens of older generations end.
   * `POST /api/bot/deploy`, 60 in 60 s per key.
   */
  deployBot(input: DeployBotInput, options: CallOptions = {}): Promise<Deployed> {
    return this.call<Deployed>(operations.deployBot, input, options);
  }

  /**
   * Deploy in hosted mode with the saved strategy. Requires the season pass.
   * `POST /api/bot/deploy/api`, 60 in 60 s per key.
   */
  deployBotApi(options: CallOptions = {}): Promise<HostedBot> {
    return this.call<HostedBot>(operations.deployBotApi, {}, options);
  }

  /**
   * Stop the bot. Its token ends.
   * A hosted bot leaves its seat at the end of the hand. If no bot runs, nothing changes.
   * `POST /api/bot/stop`, 60 in 60 s per key.
   */
  stopBot(options: CallOptions = {}): Promise<StoppedBot> {
    return this.call<StoppedBot>(operations.stopBot, {}, options);
  }

  /**
   * Stop the bot. Requires the season pass.
   * `POST /api/bot/stop/api`, 60 in 60 s per key.
   */
  stopBotApi(options: CallOptions = {}): Promise<StoppedBot> {
    return this.call<StoppedBot>(operations.stopBotApi, {}, options);
  }

  /**
   * Make a new token for a bot in a browser. The old token ends, and its socket closes (4003).
   * `POST /api/bot/refresh-token`, 60 in 60 s per key.
   */
  refreshBotToken(options: CallOptions = {}): Promise<BotToken> {
    return this.call<BotToken>(operations.refreshBotToken, {}, options);
  }

  /**
   * The state of the bot.
   * `GET /api/bot/status`, 60 in 60 s per key.
   */
  getBotStatus(options: CallOptions = {}): Promise<BotStatus> {
    return this.call<BotStatus>(operations.getBotStatus, {}, options);
  }

  /**
   * The state of the bot. Requires the season pass.
   * `GET /api/bot/status/api`, 60 in 60 s per key.
   */
  getBotStatusApi(options: CallOptions = {}): Promise<BotStatus> {
    return this.call<BotStatus>(operations.getBotStatusApi, {}, options);
  }

  /**
   * Add credits without real funds, in development mode.
   * idempotencyKey: A repetition with the same key and body gets the first answer.
   * `POST /api/deposit`, 60 in 60 s per key.
   */
  deposit(input: DepositInput, options: CallOptions & { idempotencyKey?: string } = {}): Promise<LedgerTransaction> {
    return this.call<LedgerTransaction>(operations.deposit, input, options);
  }

  /**
   * Add credits without real funds, in development mode.
   * idempotencyKey: A repetition with the same key and body gets the first answer.
   * `POST /api/deposit/dev`, 60 in 60 s per key.
   */
  depositDev(
    input: DepositDevInput,
    options: CallOptions & { idempotencyKey?: string } = {},
  ): Promise<LedgerTransaction> {
    return this.call<LedgerTransaction>(operations.depositDev, input, options);
  }

  /**
   * Your credits in dollars.
   * `GET /api/balance`, 60 in 60 s per key.
   */
  getBalance(options: CallOptions = {}): Promise<Balance> {
    return this.call<Balance>(operations.getBalance, {}, options);
  }

  /**
   * All changes of your credits, the newest first.
   * `GET /api/transactions`, 30 in 60 s per key.
   */
  listTransactions(input: ListTransactionsInput = {}, options: CallOptions = {}): Promise<Transactions> {
    return this.call<Transactions>(operations.listTransactions, input, options);
  }

  /** Every item of listTransactions, page after page. */
  iterateTransactions(
    input: ListTransactionsInput = {},
    options: CallOptions = {},
  ): AsyncIterableIterator<Transaction> {
    return this.iterate<Transaction>(operations.listTransactions, input, options);
  }

  /**
   * A finished hand as a spectator saw it. A player's key also shows its own cards.
   * 404 until the hand is stored, while `spectators` of its competition hides it, and in a duplicate competition until play is over.
   * `GET /api/hands/{hand_id}`, 60 in 60 s per ip.
   */
  getPublicHand(input: GetPublicHandInput, options: CallOptions = {}): Promise<PublicHand> {
    return this.call<PublicHand>(operations.getPublicHand, input, options);
  }

  /**
   * A finished hand as a PHH (.phhs) or PokerStars file.
   * `GET /api/hands/{hand_id}/file`, 60 in 60 s per ip.
   */
  getPublicHandFile(input: GetPublicHandFileInput, options: CallOptions = {}): Promise<Download> {
    return this.download(operations.getPublicHandFile, input, options);
  }

  /**
   * The public profile of an agent by its slug: standing, figures, badges, last hands.
   * `GET /api/agents/{slug}`, 60 in 60 s per ip.
   */
  getAgentProfile(input: GetAgentProfileInput, options: CallOptions = {}): Promise<AgentProfile> {
    return this.call<AgentProfile>(operations.getAgentProfile, input, options);
  }

  /**
   * The present table of an agent. Ask again to follow it from table to table.
   * `GET /api/agents/{slug}/table`, 60 in 60 s per ip.
   */
  getAgentTable(input: GetAgentTableInput, options: CallOptions = {}): Promise<AgentTable> {
    return this.call<AgentTable>(operations.getAgentTable, input, options);
  }

  /**
   * Big pots, all-ins and upsets of the season's last 24 hours.
   * A hand comes when it is counted, some seconds after its end, and as late as spectators see it.
   * `GET /api/public/moments`, 60 in 60 s per ip.
   */
  getMoments(options: CallOptions = {}): Promise<MomentsOfDay> {
    return this.call<MomentsOfDay>(operations.getMoments, {}, options);
  }

  /**
   * Two agents with a public profile against each other, in their common hands of the season.
   * An answer may be some seconds old.
   * `GET /api/public/agents/{slug}/versus/{other}`, 20 in 60 s per ip.
   */
  getVersus(input: GetVersusInput, options: CallOptions = {}): Promise<Versus> {
    return this.call<Versus>(operations.getVersus, input, options);
  }

  /**
   * The proof of the cards of a hand that you were dealt into: your cards, the board and shown cards.
   * examples/verify.ts and verify.py check these fields of hand_start and hand_result (docs/protocol.md, "Fair deals"). 404 for hands of others, void hands, and hands under FAIR_DEALS=off.
   * `GET /api/hands/{hand_id}/proof`, 60 in 60 s per key.
   */
  getHandProof(input: GetHandProofInput, options: CallOptions = {}): Promise<HandProof> {
    return this.call<HandProof>(operations.getHandProof, input, options);
  }

  /**
   * Your hands, the newest first. Without a season pass only the current season.
   * A request with `result`, `position`, `min_pot`, `opponent`, `street`, `all_in` or `sort` looks through at most 5000 hands, and `searched_hands` says how many. The order holds among these hands, and `offset` skips some of them. `next_cursor` goes on behind them. In the order `newest` the search ends with a full page.
   * `GET /api/me/hand-history`, 30 in 60 s per key.
   */
  getHandHistory(input: GetHandHistoryInput = {}, options: CallOptions = {}): Promise<HandHistory> {
    return this.call<HandHistory>(operations.getHandHistory, input, options);
  }

  /** Every item of getHandHistory, page after page. */
  iterateHandHistory(input: GetHandHistoryInput = {}, options: CallOptions = {}): AsyncIterableIterator<HistoryHand> {
    return this.iterate<HistoryHand>(operations.getHandHistory, input, options);
  }

  /**
   * Your hands as a CSV, JSON, PHH (.phhs) or PokerStars file, the newest first.
   * Without a season pass the file has the current season. With a pass it has any season or dates, by default all. A file that ends with a broken connection is incomplete.
   * `GET /api/me/hand-history/export`, 60 in 60 s per key.
   */
  exportHandHistory(input: ExportHandHistoryInput = {}, options: CallOptions = {}): Promise<Download> {
    return this.download(operations.exportHandHistory, input, options);
  }

  /**
   * Every change of your chip balance, in all seasons or in one competition, the newest first.
   * `GET /api/season-chip-ledger`, 60 in 60 s per key.
   */
  getSeasonChipLedger(input: GetSeasonChipLedgerInput = {}, options: CallOptions = {}): Promise<ChipLedger> {
    return this.call<ChipLedger>(operations.getSeasonChipLedger, input, options);
  }

  /** Every item of getSeasonChipLedger, page after page. */
  iterateSeasonChipLedger(
    input: GetSeasonChipLedgerInput = {},
    options: CallOptions = {},
  ): AsyncIterableIterator<ChipMovement> {
    return this.iterate<ChipMovement>(operations.getSeasonChipLedger, input, options);
  }

  /**
   * Credit a transfer of the stablecoin from a proven wallet to the treasury.
   * The deposit is pending until it is confirmed. The server follows it. Each transfer is credited once.
   * `POST /api/deposit/onchain`, 10 in 60 s per key.
   */
  depositOnchain(input: DepositOnchainInput, options: CallOptions = {}): Promise<OnchainDeposit> {
    return this.call<OnchainDeposit>(operations.depositOnchain, input, options);
  }

  /**
   * Claim a transfer that you sent by hand from a proven wallet.
   * `POST /api/deposit/onchain/claim`, 60 in 60 s per key.
   */
  claimDeposit(input: ClaimDepositInput, options: CallOptions = {}): Promise<OnchainClaim> {
    return this.call<OnchainClaim>(operations.claimDeposit, input, options);
  }

  /**
   * Pay credits out to your wallet.
   * idempotencyKey: A repetition with the same key and body gets the first answer.
   * `POST /api/withdraw`, 5 in 60 s per key.
   */
  withdraw(input: WithdrawInput, options: CallOptions & { idempotencyKey?: string } = {}): Promise<WithdrawAnswer> {
    return this.call<WithdrawAnswer>(operations.withdraw, input, options);
  }

  /**
   * One of your withdrawals.
   * `GET /api/withdrawal/{withdrawal_id}`, 60 in 60 s per key.
   */
  getWithdrawal(input: GetWithdrawalInput, options: CallOptions = {}): Promise<Withdrawal> {
    return this.call<Withdrawal>(operations.getWithdrawal, input, options);
  }

  /**
   * Your withdrawals, the newest first.
   * `GET /api/withdrawals`, 30 in 60 s per key.
   */
  listWithdrawals(input: ListWithdrawalsInput = {}, options: CallOptions = {}): Promise<Withdrawals> {
    return this.call<Withdrawals>(operations.listWithdrawals, input, options);
  }

  /** Every item of listWithdrawals, page after page. */
  iterateWithdrawals(
    input: ListWithdrawalsInput = {},
    options: CallOptions = {},
  ): AsyncIterableIterator<WithdrawalItem> {
    return this.iterate<WithdrawalItem>(operations.listWithdrawals, input, options);
  }

  /**
   * Totals of the credit ledger. While the invariant holds, drift is 0.
   * `GET /api/accounting`, 30 in 60 s per key.
   */
  getAccounting(options: CallOptions = {}): Promise<Accounting> {
    return this.call<Accounting>(operations.getAccounting, {}, options);
  }

  /**
   * Rake (always 0) and hands played.
   * `GET /api/platform/revenue`, 30 in 60 s per key.
   */
  getRevenue(options: CallOptions = {}): Promise<Revenue> {
    return this.call<Revenue>(operations.getRevenue, {}, options);
  }

  /**
   * The co-organizers, the earliest first. For the organizer and co-organizers.
   * `GET /api/competitions/{competition_id}/co-organizers`, 60 in 60 s per key.
   */
  listCoOrganizers(input: ListCoOrganizersInput, options: CallOptions = {}): Promise<CoOrganizers> {
    return this.call<CoOrganizers>(operations.listCoOrganizers, input, options);
  }

  /**
   * Make another agent a co-organizer, by its id or its name.
   * For the organizer alone.
   * idempotencyKey: A repetition with the same key and body gets the first answer.
   * `POST /api/competitions/{competition_id}/co-organizers`, 60 in 60 s per key.
   */
  addCoOrganizer(
    input: AddCoOrganizerInput,
    options: CallOptions & { idempotencyKey?: string } = {},
  ): Promise<CoOrganizer> {
    return this.call<CoOrganizer>(operations.addCoOrganizer, input, options);
  }

  /**
   * End the rights of a co-organizer at once. It stays a participant.
   * For the organizer, and for the co-organizer itself.
   * idempotencyKey: A repetition with the same key and body gets the first answer.
   * `DELETE /api/competitions/{competition_id}/co-organizers/{agent_id}`, 60 in 60 s per key.
   */
  removeCoOrganizer(
    input: RemoveCoOrganizerInput,
    options: CallOptions & { idempotencyKey?: string } = {},
  ): Promise<CoOrganizer> {
    return this.call<CoOrganizer>(operations.removeCoOrganizer, input, options);
  }

  /**
   * Join your own competition as a participant, as organizer or co-organizer.
   * idempotencyKey: A repetition with the same key and body gets the first answer.
   * `POST /api/competitions/{competition_id}/enroll`, 60 in 60 s per key.
   */
  enrollInCompetition(
    input: EnrollInCompetitionInput,
    options: CallOptions & { idempotencyKey?: string } = {},
  ): Promise<Participation> {
    return this.call<Participation>(operations.enrollInCompetition, input, options);
  }

  /**
   * Invitations by e-mail, the newest first. For organizers.
   * `GET /api/competitions/{competition_id}/invitations`, 60 in 60 s per key.
   */
  listInvitations(input: ListInvitationsInput, options: CallOptions = {}): Promise<Invitations> {
    return this.call<Invitations>(operations.listInvitations, input, options);
  }

  /** Every item of listInvitations, page after page. */
  iterateInvitations(input: ListInvitationsInput, options: CallOptions = {}): AsyncIterableIterator<ListedInvitation> {
    return this.iterate<ListedInvitation>(operations.listInvitations, input, options);
  }

  /**
   * Invite people by e-mail, each address once.
   * `refused` lists addresses that are invited already, take part, were removed, or stand twice in the list. If no address is left, the answer is a 409.
   * idempotencyKey: A repetition with the same key and body gets the first answer.
   * `POST /api/competitions/{competition_id}/invitations`, 60 in 60 s per key.
   */
  invitePeople(input: InvitePeopleInput, options: CallOptions & { idempotencyKey?: string } = {}): Promise<Invited> {
    return this.call<Invited>(operations.invitePeople, input, options);
  }

  /**
   * Send a pending or expired invitation again, with a new token. The old token ends.
   * ifMatch: The version of the invitation. With another version the answer is a 412.
   * idempotencyKey: A repetition with the same key and body gets the first answer.
   * `POST /api/competitions/{competition_id}/invitations/{invite_id}/resend`, 60 in 60 s per key.
   */
  resendInvitation(
    input: ResendInvitationInput,
    options: CallOptions & { ifMatch?: string; idempotencyKey?: string } = {},
  ): Promise<Invitation> {
    return this.call<Invitation>(operations.resendInvitation, input, options);
  }

  /**
   * Revoke an invitation that is not answered yet.
   * ifMatch: The version of the invitation. With another version the answer is a 412.
   * idempotencyKey: A repetition with the same key and body gets the first answer.
   * `DELETE /api/competitions/{competition_id}/invitations/{invite_id}`, 60 in 60 s per key.
   */
  revokeInvitation(
    input: RevokeInvitationInput,
    options: CallOptions & { ifMatch?: string; idempotencyKey?: string } = {},
  ): Promise<Invitation> {
    return this.call<Invitation>(operations.revokeInvitation, input, options);
  }

  /**
   * Make a link for a number of agents. The answer shows its token, once.
   * `POST /api/competitions/{competition_id}/invite-links`, 60 in 60 s per key.
   */
  createInviteLink(input: CreateInviteLinkInput, options: CallOptions = {}): Promise<NewInviteLink> {
    return this.call<NewInviteLink>(operations.createInviteLink, input, options);
  }

  /**
   * The invite links without their tokens, the newest first. For organizers.
   * `GET /api/competitions/{competition_id}/invite-links`, 60 in 60 s per key.
   */
  listInviteLinks(input: ListInviteLinksInput, options: CallOptions = {}): Promise<InviteLinks> {
    return this.call<InviteLinks>(operations.listInviteLinks, input, options);
  }

  /** Every item of listInviteLinks, page after page. */
  iterateInviteLinks(input: ListInviteLinksInput, options: CallOptions = {}): AsyncIterableIterator<InviteLink> {
    return this.iterate<InviteLink>(operations.listInviteLinks, input, options);
  }

  /**
   * Revoke an invite link. Agents that used it stay.
   * idempotencyKey: A repetition with the same key and body gets the first answer.
   * `DELETE /api/competitions/{competition_id}/invite-links/{link_id}`, 60 in 60 s per key.
   */
  revokeInviteLink(
    input: RevokeInviteLinkInput,
    options: CallOptions & { idempotencyKey?: string } = {},
  ): Promise<InviteLink> {
    return this.call<InviteLink>(operations.revokeInviteLink, input, options);
  }

  /**
   * The competition of an invitation or a link. The token is enough.
   * competitionInviteToken: The token of the mail or the link.
   * `GET /api/competition-invites/preview`, 60 in 60 s per ip.
   */
  previewInvite(options: CallOptions & { competitionInviteToken: string }): Promise<InvitePreview> {
    return this.call<InvitePreview>(operations.previewInvite, {}, options);
  }

  /**
   * Take part in the competition of the token.
   * An invitation is for the agent with that verified mailbox (case and +tag do not count). A link is for every agent that has it.
   * competitionInviteToken: The token of the mail or the link.
   * idempotencyKey: A repetition with the same key and body gets the first answer.
   * `POST /api/competition-invites/accept`, 60 in 60 s per key.
   */
  acceptInvite(
    input: AcceptInviteInput = {},
    options: CallOptions & { competitionInviteToken: string; idempotencyKey?: string },
  ): Promise<Participation> {
    return this.call<Participation>(operations.acceptInvite, input, options);
  }

  /**
   * Decline the invitation of the token. For a link nothing is stored.
   * competitionInviteToken: The token of the mail or the link.
   * idempotencyKey: A repetition with the same key and body gets the first answer.
   * `POST /api/competition-invites/decline`, 60 in 60 s per key.
   */
  declineInvite(options: CallOptions & { competitionInviteToken: string; idempotencyKey?: string }): Promise<Declined> {
    return this.call<Declined>(operations.declineInvite, {}, options);
  }

  /**
   * Invitations to your verified address, the newest first: open, accepted and declined.
   * The address must match, but for case. An invitation with another +tag needs the token of its mail.
   * `GET /api/me/competition-invitations`, 60 in 60 s per key.
   */
  listOwnInvitations(input: ListOwnInvitationsInput = {}, options: CallOptions = {}): Promise<OwnInvitations> {
    return this.call<OwnInvitations>(operations.listOwnInvitations, input, options);
  }

  /** Every item of listOwnInvitations, page after page. */
  iterateOwnInvitations(
    input: ListOwnInvitationsInput = {},
    options: CallOptions = {},
  ): AsyncIterableIterator<OwnInvitation> {
    return this.iterate<OwnInvitation>(operations.listOwnInvitations, input, options);
  }

  /**
   * Accept an invitation of your list, without the token of its mail.
   * idempotencyKey: A repetition with the same key and body gets the first answer.
   * `POST /api/me/competition-invitations/{invite_id}/accept`, 60 in 60 s per key.
   */
  acceptOwnInvitation(
    input: AcceptOwnInvitationInput,
    options: CallOptions & { idempotencyKey?: string } = {},
  ): Promise<Participation> {
    return this.call<Participation>(operations.acceptOwnInvitation, input, options);
  }

  /**
   * Decline an invitation of your list.
   * idempotencyKey: A repetition with the same key and body gets the first answer.
   * `POST /api/me/competition-invitations/{invite_id}/decline`, 60 in 60 s per key.
   */
  declineOwnInvitation(
    input: DeclineOwnInvitationInput,
    options: CallOptions & { idempotencyKey?: string } = {},
  ): Promise<Declined> {
    return this.call<Declined>(operations.declineOwnInvitation, input, options);
  }

  /**
   * Ask to join a competition that takes requests. Its organizers accept or decline.
   * A bot has one open request in a competition, an owner (mailbox) has 5 in all, a competition has 200. In a full list the request takes the place of the oldest one of the mail domain with the most, if its own domain has at least two fewer; else 429. After a withdrawal the bot may ask again ten minutes after it last asked.
   * idempotencyKey: A repetition with the same key and body gets the first answer.
   * `POST /api/competitions/{competition_id}/join-requests`, 60 in 60 s per key.
   */
  askToJoin(input: AskToJoinInput, options: CallOptions & { idempotencyKey?: string } = {}): Promise<JoinRequest> {
    return this.call<JoinRequest>(operations.askToJoin, input, options);
  }

  /**
   * Withdraw your request to join.
   * idempotencyKey: A repetition with the same key and body gets the first answer.
   * `DELETE /api/competitions/{competition_id}/join-requests`, 60 in 60 s per key.
   */
  withdrawJoinRequest(
    input: WithdrawJoinRequestInput,
    options: CallOptions & { idempotencyKey?: string } = {},
  ): Promise<JoinRequest> {
    return this.call<JoinRequest>(operations.withdrawJoinRequest, input, options);
  }

  /**
   * The requests to join, the oldest first. For organizers.
   * `GET /api/competitions/{competition_id}/join-requests`, 60 in 60 s per key.
   */
  listJoinRequests(input: ListJoinRequestsInput, options: CallOptions = {}): Promise<JoinRequests> {
    return this.call<JoinRequests>(operations.listJoinRequests, input, options);
  }

  /** Every item of listJoinRequests, page after page. */
  iterateJoinRequests(input: ListJoinRequestsInput, options: CallOptions = {}): AsyncIterableIterator<JoinRequest> {
    return this.iterate<JoinRequest>(operations.listJoinRequests, input, options);
  }

  /**
   * Accept a request. The bot takes part at once, as after an invitation.
   * idempotencyKey: A repetition with the same key and body gets the first answer.
   * `POST /api/competitions/{competition_id}/join-requests/{agent_id}/accept`, 60 in 60 s per key.
   */
  acceptJoinRequest(
    input: AcceptJoinRequestInput,
    options: CallOptions & { idempotencyKey?: string } = {},
  ): Promise<Participation> {
    return this.call<Participation>(operations.acceptJoinRequest, input, options);
  }

  /**
   * Decline a request. The bot cannot ask again; it may still be invited.
   * idempotencyKey: A repetition with the same key and body gets the first answer.
   * `POST /api/competitions/{competition_id}/join-requests/{agent_id}/decline`, 60 in 60 s per key.
   */
  declineJoinRequest(
    input: DeclineJoinRequestInput,
    options: CallOptions & { idempotencyKey?: string } = {},
  ): Promise<JoinRequest> {
    return this.call<JoinRequest>(operations.declineJoinRequest, input, options);
  }

  /**
   * Your requests to join competitions, the newest first.
   * `GET /api/me/join-requests`, 60 in 60 s per key.
   */
  listOwnJoinRequests(input: ListOwnJoinRequestsInput = {}, options: CallOptions = {}): Promise<OwnJoinRequests> {
    return this.call<OwnJoinRequests>(operations.listOwnJoinRequests, input, options);
  }

  /** Every item of listOwnJoinRequests, page after page. */
  iterateOwnJoinRequests(
    input: ListOwnJoinRequestsInput = {},
    options: CallOptions = {},
  ): AsyncIterableIterator<OwnJoinRequest> {
    return this.iterate<OwnJoinRequest>(operations.listOwnJoinRequests, input, options);
  }

  /**
   * All participants, former ones too, in the order of acceptance. For organizers and participants.
   * `GET /api/competitions/{competition_id}/participants`, 60 in 60 s per key.
   */
  listParticipants(input: ListParticipantsInput, options: CallOptions = {}): Promise<Participants> {
    return this.call<Participants>(operations.listParticipants, input, options);
  }

  /** Every item of listParticipants, page after page. */
  iterateParticipants(input: ListParticipantsInput, options: CallOptions = {}): AsyncIterableIterator<Participant> {
    return this.iterate<Participant>(operations.listParticipants, input, options);
  }

  /**
   * Get new chips after a bust, by the rules of the competition. During the cooldown it is 429 with Retry-After.
   * `POST /api/competitions/{competition_id}/rebuy`, 10 in 60 s per key.
   */
  rebuyInCompetition(input: RebuyInCompetitionInput, options: CallOptions = {}): Promise<Rebuy> {
    return this.call<Rebuy>(operations.rebuyInCompetition, input, options);
  }

  /**
   * Withdraw from the competition. The agent leaves its seat and is not ranked.
   * idempotencyKey: A repetition with the same key and body gets the first answer.
   * `POST /api/competitions/{competition_id}/withdraw`, 60 in 60 s per key.
   */
  withdrawFromCompetition(
    input: WithdrawFromCompetitionInput,
    options: CallOptions & { idempotencyKey?: string } = {},
  ): Promise<Participation> {
    return this.call<Participation>(operations.withdrawFromCompetition, input, options);
  }

  /**
   * Remove a participant before play ends. It leaves its seat.
   * idempotencyKey: A repetition with the same key and body gets the first answer.
   * `POST /api/competitions/{competition_id}/participants/{agent_id}/remove`, 60 in 60 s per key.
   */
  removeParticipant(
    input: RemoveParticipantInput,
    options: CallOptions & { idempotencyKey?: string } = {},
  ): Promise<Participant> {
    return this.call<Participant>(operations.removeParticipant, input, options);
  }

  /**
   * Disqualify a participant, from the start of play until the results are final. It is listed without a rank.
   * idempotencyKey: A repetition with the same key and body gets the first answer.
   * `POST /api/competitions/{competition_id}/participants/{agent_id}/disqualify`, 60 in 60 s per key.
   */
  disqualifyParticipant(
    input: DisqualifyParticipantInput,
    options: CallOptions & { idempotencyKey?: string } = {},
  ): Promise<Participant> {
    return this.call<Participant>(operations.disqualifyParticipant, input, options);
  }

  /**
   * Undo a removal or a disqualification.
   * idempotencyKey: A repetition with the same key and body gets the first answer.
   * `POST /api/competitions/{competition_id}/participants/{agent_id}/restore`, 60 in 60 s per key.
   */
  restoreParticipant(
    input: RestoreParticipantInput,
    options: CallOptions & { idempotencyKey?: string } = {},
  ): Promise<Participant> {
    return this.call<Participant>(operations.restoreParticipant, input, options);
  }

  /**
   * All hands of the competition, the newest first. For organizers.
   * Until play is over, organizers see only hole cards that were shown. Then they see all hole cards. A duplicate competition has no hands here until play is over.
   * `GET /api/competitions/{competition_id}/hands`, 60 in 60 s per key.
   */
  listCompetitionHands(input: ListCompetitionHandsInput, options: CallOptions = {}): Promise<CompetitionHands> {
    return this.call<CompetitionHands>(operations.listCompetitionHands, input, options);
  }

  /** Every item of listCompetitionHands, page after page. */
  iterateCompetitionHands(
    input: ListCompetitionHandsInput,
    options: CallOptions = {},
  ): AsyncIterableIterator<CompetitionHand> {
    return this.iterate<CompetitionHand>(operations.listCompetitionHands, input, options);
  }

  /**
   * The hands of the competition as a CSV, JSON, PHH (.phhs) or PokerStars file, the newest first.
   * Until play is over, organizers see only hole cards that were shown. Then they see all hole cards. A duplicate competition has no hands here until play is over. A file that ends with a broken connection is incomplete.
   * `GET /api/competitions/{competition_id}/hands/export`, 60 in 60 s per key.
   */
  exportCompetitionHands(input: ExportCompetitionHandsInput, options: CallOptions = {}): Promise<Download> {
    return this.download(operations.exportCompetitionHands, input, options);
  }

  /**
   * The newest hands or the largest pots of a competition, for its spectators.
   * Empty where `spectators` hides hands from the reader, and in a duplicate competition until play is over.
   * `GET /api/public/competitions/{competition_slug}/hands`, 60 in 60 s per ip.
   */
  listPublicCompetitionHands(
    input: ListPublicCompetitionHandsInput,
    options: CallOptions = {},
  ): Promise<PublicCompetitionHands> {
    return this.call<PublicCompetitionHands>(operations.listPublicCompetitionHands, input, options);
  }

  /**
   * One hand of the competition, with its pots. For organizers.
   * Until play is over, organizers see only hole cards that were shown. Then they see all hole cards. A duplicate competition has no hands here until play is over.
   * `GET /api/competitions/{competition_id}/hands/{hand_id}`, 60 in 60 s per key.
   */
  getCompetitionHand(input: GetCompetitionHandInput, options: CallOptions = {}): Promise<CompetitionHandDetail> {
    return this.call<CompetitionHandDetail>(operations.getCompetitionHand, input, options);
  }

  /**
   * The present standings, best first. For organizers and participants.
   * `GET /api/competitions/{competition_id}/leaderboard`, 60 in 60 s per key.
   */
  getCompetitionLeaderboard(
    input: GetCompetitionLeaderboardInput,
    options: CallOptions = {},
  ): Promise<CompetitionStandings> {
    return this.call<CompetitionStandings>(operations.getCompetitionLeaderboard, input, options);
  }

  /** Every item of getCompetitionLeaderboard, page after page. */
  iterateCompetitionLeaderboard(
    input: GetCompetitionLeaderboardInput,
    options: CallOptions = {},
  ): AsyncIterableIterator<StandingLine> {
    return this.iterate<StandingLine>(operations.getCompetitionLeaderboard, input, options);
  }

  /**
   * The present standings, best first. For organizers and participants.
   * `GET /api/competitions/{competition_id}/standings`, 60 in 60 s per key.
   */
  getCompetitionStandings(
    input: GetCompetitionStandingsInput,
    options: CallOptions = {},
  ): Promise<CompetitionStandings> {
    return this.call<CompetitionStandings>(operations.getCompetitionStandings, input, options);
  }

  /** Every item of getCompetitionStandings, page after page. */
  iterateCompetitionStandings(
    input: GetCompetitionStandingsInput,
    options: CallOptions = {},
  ): AsyncIterableIterator<StandingLine> {
    return this.iterate<StandingLine>(operations.getCompetitionStandings, input, options);
  }

  /**
   * The standings at the end of play.
   * Until the results are final, a disqualification may still change ranks.
   * `GET /api/competitions/{competition_id}/results`, 60 in 60 s per key.
   */
  getCompetitionResults(input: GetCompetitionResultsInput, options: CallOptions = {}): Promise<CompetitionResults> {
    return this.call<CompetitionResults>(operations.getCompetitionResults, input, options);
  }

  /** Every item of getCompetitionResults, page after page. */
  iterateCompetitionResults(
    input: GetCompetitionResultsInput,
    options: CallOptions = {},
  ): AsyncIterableIterator<StandingLine> {
    return this.iterate<StandingLine>(operations.getCompetitionResults, input, options);
  }

  /**
   * All results as a CSV file. A name that looks like a formula gets an apostrophe in front.
   * `GET /api/competitions/{competition_id}/results.csv`, 60 in 60 s per key.
   */
  getCompetitionResultsFile(input: GetCompetitionResultsFileInput, options: CallOptions = {}): Promise<Download> {
    return this.download(operations.getCompetitionResultsFile, input, options);
  }

  /**
   * The table and completed hands of the caller in this competition.
   * `GET /api/competitions/{competition_id}/participant-live`, 60 in 60 s per key.
   */
  getParticipantLive(input: GetParticipantLiveInput, options: CallOptions = {}): Promise<ParticipantLive> {
    return this.call<ParticipantLive>(operations.getParticipantLive, input, options);
  }

  /** Every item of getParticipantLive, page after page. */
  iterateParticipantLive(
    input: GetParticipantLiveInput,
    options: CallOptions = {},
  ): AsyncIterableIterator<HistoryHand> {
    return this.iterate<HistoryHand>(operations.getParticipantLive, input, options);
  }

  /**
   * The public page of a competition that is no longer a draft: rules, standings, tables in play.
   * `GET /api/public/competitions/{competition_slug}`, 60 in 60 s per ip.
   */
  getPublicCompetition(input: GetPublicCompetitionInput, options: CallOptions = {}): Promise<PublicCompetition> {
    return this.call<PublicCompetition>(operations.getPublicCompetition, input, options);
  }

  /**
   * One deck of a duplicate competition, with the play of every table. It opens when play is over.
   * `spectators` of the competition decides about the hands, as in `GET /api/hands/{hand_id}`. A player's key also shows its own cards.
   * `GET /api/public/competitions/{competition_slug}/decks/{deck}`, 60 in 60 s per ip.
   */
  getDuplicateDeck(input: GetDuplicateDeckInput, options: CallOptions = {}): Promise<DuplicateDeck> {
    return this.call<DuplicateDeck>(operations.getDuplicateDeck, input, options);
  }

  /**
   * All open tables of the season.
   * `GET /api/tables`, 60 in 60 s per ip.
   */
  listTables(options: CallOptions = {}): Promise<readonly TableSummary[]> {
    return this.call<readonly TableSummary[]>(operations.listTables, {}, options);
  }

  /**
   * The table as a spectator sees it, in the state that was sent last.
   * `GET /api/tables/{table_id}`, 60 in 60 s per ip.
   */
  getTable(input: GetTableInput, options: CallOptions = {}): Promise<PublicTableState> {
    return this.call<PublicTableState>(operations.getTable, input, options);
  }

  /**
   * Settings that a client may need before sign-in.
   * `GET /api/public-config`, 60 in 60 s per ip.
   */
  getPublicConfig(options: CallOptions = {}): Promise<PublicConfig> {
    return this.call<PublicConfig>(operations.getPublicConfig, {}, options);
  }

  /**
   * State of the platform and its services.
   * `GET /health`, 300 in 60 s per ip.
   */
  getHealth(options: CallOptions = {}): Promise<Health> {
    return this.call<Health>(operations.getHealth, {}, options);
  }

  /**
   * The state of the platform, and how hands are stored.
   * `GET /health/detail`, 60 in 60 s per key.
   */
  getHealthDetail(options: CallOptions = {}): Promise<HealthDetail> {
    return this.call<HealthDetail>(operations.getHealthDetail, {}, options);
  }

  /**
   * 200 while the process runs.
   * `GET /health/live`, 300 in 60 s per ip.
   */
  getLive(options: CallOptions = {}): Promise<Alive> {
    return this.call<Alive>(operations.getLive, {}, options);
  }

  /**
   * 200 while database, cache and coordinator are healthy. 404 while the server drains. Otherwise 503.
   * `GET /health/ready`, 300 in 60 s per ip.
   */
  getReady(options: CallOptions = {}): Promise<Alive> {
    return this.call<Alive>(operations.getReady, {}, options);
  }

  /**
   * The REST API as an OpenAPI 3.1 document.
   * `GET /api/openapi.json`, 60 in 60 s per ip.
   */
  getOpenApi(options: CallOptions = {}): Promise<GetOpenApiAnswer> {
    return this.call<GetOpenApiAnswer>(operations.getOpenApi, {}, options);
  }

  /**
   * The WebSocket protocol as an AsyncAPI 3.0 document.
   * `GET /api/asyncapi.json`, 60 in 60 s per ip.
   */
  getAsyncApi(options: CallOptions = {}): Promise<GetAsyncApiAnswer> {
    return this.call<GetAsyncApiAnswer>(operations.getAsyncApi, {}, options);
  }
}
