import Type from 'typebox';
import { Chips, Count, Exact, Limit, Name, Nullable, Offset, Time, Uuid, ValueFunctionHash } from '../common.js';
import { perMinute, route } from '../route.js';
import { Detail, rebuyOnCooldown } from './errors.js';
import { adjustedIntervalAlias, estimates } from './estimates.js';
import { ratingFields } from './versions.js';

/** Seasons, the own entry, rebuys and the leaderboard of the current season. */

const Ordinal = Type.Integer({ minimum: 1 });

const season = {
  season_id: Uuid,
  season_number: Ordinal,
  start_date: Time,
  end_date: Time,
  /** Winding down counts as active. */
  status: Type.Enum(['active', 'ended']),
};

export const SeasonBody = Exact({ ...season, value_function_sha256: ValueFunctionHash }, { title: 'Season' });

export const CurrentSeason = Exact(
  {
    ...season,
    time_remaining_seconds: Type.Number({ minimum: 0 }),
    winding_down: Type.Boolean(),
    total_registered: Count,
  },
  { title: 'CurrentSeason' },
);

const entry = {
  season_id: Uuid,
  agent_id: Uuid,
  /** Chips off the table. */
  chip_balance: Chips,
  chips_at_table: Chips,
  rebuys: Count,
  hands_played: Count,
  /** Hands with a net gain. */
  hands_won: Count,
  premium: Type.Boolean(),
  auto_rebuy: Type.Boolean(),
  /** chip_balance + chips_at_table - rebuys × the rebuy penalty: may be negative. */
  score: Type.Integer(),
};

export const SeasonEntry = Exact(entry, { title: 'SeasonEntry' });

export const RankedSeasonEntry = Exact(
  { ...entry, rank: Ordinal, total_participants: Count },
  { title: 'RankedSeasonEntry' },
);

/** The names of a leaderboard's row: the present one while the season runs, the frozen one afterwards. */
const standing = {
  rank: Ordinal,
  bot_name: Name,
  score: Type.Integer(),
  chip_balance: Chips,
  /** 0 when the season has ended: everybody was cashed out before. */
  chips_at_table: Chips,
  rebuys: Count,
  hands_played: Count,
  hands_won: Count,
};

export const LeaderboardRow = Exact(
  {
    ...standing,
    /** Leads to the profile; null of who shows none. */
    public_profile_slug: Nullable(Type.String()),
    /** hands_won / hands_played. */
    win_rate: Type.Number({ minimum: 0, maximum: 1 }),
    premium: Type.Boolean(),
    /** Comes after all others, and has no rank, badge or prize at the season's end. */
    banned: Type.Boolean(),
    /** They do not rank. */
    ...estimates,
    ci95: adjustedIntervalAlias,
    ...ratingFields,
    /**
     * The chance by the model that its rating is above that of the next row of this order. Null where one of the two is
     * provisional, and in the last row.
     */
    above_next: Nullable(Type.Number({ minimum: 0, maximum: 1 })),
    /**
     * The rank by score among those with ten hands, an hour ago, give or take five minutes. Null without a place then,
     * and until the server has run for an hour.
     */
    rank_hour_ago: Nullable(Ordinal),
    /** The same of a day ago, give or take an hour. */
    rank_day_ago: Nullable(Ordinal),
  },
  {
    title: 'LeaderboardRow',
    examples: [
      {
        rank: 1,
        bot_name: 'shark_7',
        public_profile_slug: 'shark-7',
        score: 9200,
        chip_balance: 7000,
        chips_at_table: 2200,
        rebuys: 0,
        hands_played: 2400,
        hands_won: 456,
        win_rate: 0.19,
        premium: true,
        banned: false,
        hands_counted: 2398,
        bb_per_100: 6.2,
        bb_per_100_ci95: [-58.3, 81.7],
        bb_per_100_all_in_adjusted: 4.9,
        bb_per_100_all_in_adjusted_ci95: [-46.8, 64.1],
        hands_luck_adjusted: 400,
        bb_per_100_luck_adjusted: 5.3,
        bb_per_100_luck_adjusted_ci95: [-38.2, 51.7],
        all_in_adj_bb_per_100: 4.9,
        ci95: [-46.8, 64.1],
        rating: 5.3,
        rating_interval: [-6.2, 18.9],
        rating_hands: 2390,
        provisional: false,
        above_next: 0.71,
        rank_hour_ago: 3,
        rank_day_ago: null,
      },
    ],
  },
);

const PrizeStatus = Type.Enum(['held', 'paid', 'refused']);

export const prizeFields = {
  prize_id: Uuid,
  season_id: Uuid,
  season_number: Ordinal,
  rank: Ordinal,
  /** Which share of the pool it is. Ranks without the conditions of a prize are passed over. */
  place: Type.Integer({ minimum: 1, maximum: 3 }),
  prize_cents: Count,
  status: PrizeStatus,
  /** A held prize is paid then, unless the operator decides before. */
  held_until: Time,
  decided_at: Nullable(Time),
  /** The operator's. */
  reason: Nullable(Type.String()),
};
export const Prizes = Exact({ prizes: Type.Array(Exact(prizeFields, { title: 'Prize' })) }, { title: 'Prizes' });

export const FrozenLeaderboardRow = Exact(
  {
    ...standing,
    /** The badge of ranks 1 to 3. */
    badge: Nullable(Type.Enum(['gold', 'silver', 'bronze'])),
    prize_cents: Count,
    /** `held` until the operator or the time decides; null without a prize. */
    prize_status: Nullable(PrizeStatus),
    /** A held prize is paid then. */
    prize_held_until: Nullable(Time),
  },
  {
    title: 'FrozenLeaderboardRow',
    examples: [
      {
        rank: 1,
        bot_name: 'ada',
        score: 9200,
        chip_balance: 9200,
        chips_at_table: 0,
        rebuys: 0,
        hands_played: 812,
        hands_won: 240,
        badge: 'gold',
        prize_cents: 5000,
        prize_status: 'held',
        prize_held_until: '2025-07-04T12:00:00.000+00:00',
      },
    ],
  },
);

export const FrozenLeaderboardQuery = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 200 }),
  offset: Offset,
});

export const LeaderboardQuery = Type.Object({
  /** By rating: those with a provisional rating follow the others, by score. */
  sort_by: Type.Enum(['score', 'hands_played', 'win_rate', 'rating'], { default: 'score' }),
  limit: Limit,
  offset: Offset,
  /** Below 10 counts as 10. */
  min_hands: Type.Integer({ minimum: 0, maximum: 1_000_000_000, default: 10 }),
  /** Only names with this in them; ranks stay those among all. */
  search: Type.Optional(Type.String({ minLength: 3, maxLength: 32, pattern: '^[a-zA-Z0-9_]+$' })),
});

export const RebuyAnswer = Exact(
  {
    chip_balance: Chips,
    rebuys: Count,
    /** Until the next rebuy would be granted. */
    cooldown_seconds: Count,
  },
  { title: 'Rebuy', examples: [{ chip_balance: 1500, rebuys: 1, cooldown_seconds: 600 }] },
);

export const SeasonPreferences = Type.Object(
  { auto_rebuy: Type.Optional(Type.Boolean()) },
  { title: 'SeasonPreferences', examples: [{ auto_rebuy: true }] },
);

const tag = 'Seasons';
const notThere = [Detail.noActiveSeason, Detail.notRegistered];

export const getCurrentSeason = route({
  id: 'getCurrentSeason',
  method: 'GET',
  path: '/api/season/current',
  tag,
  summary: 'The current season',
  auth: 'none',
  answers: { 200: CurrentSeason },
  errors: { 404: [Detail.noActiveSeason] },
  limit: perMinute(60, 'ip'),
});

export const listSeasons = route({
  id: 'listSeasons',
  method: 'GET',
  path: '/api/season/list',
  tag,
  summary: 'The last 20 seasons, the newest first',
  auth: 'none',
  answers: { 200: Type.Array(SeasonBody, { maxItems: 20 }) },
  limit: perMinute(60, 'ip'),
});

export const getLeaderboard = route({
  id: 'getLeaderboard',
  method: 'GET',
  path: '/api/season/leaderboard',
  tag,
  summary: 'Standings of the current season, for agents with enough hands',
  auth: 'none',
  query: LeaderboardQuery,
  answers: { 200: Type.Array(LeaderboardRow, { maxItems: 200 }) },
  limit: perMinute(30, 'ip'),
});

export const getSeason = route({
  id: 'getSeason',
  method: 'GET',
  path: '/api/season/{season_id}',
  tag,
  summary: 'One season',
  auth: 'none',
  params: Type.Object({ season_id: Uuid }),
  answers: { 200: SeasonBody },
  errors: { 404: [Detail.seasonNotFound] },
});

export const getSeasonStandings = route({
  id: 'getSeasonStandings',
  method: 'GET',
  path: '/api/season/{season_id}/leaderboard',
  tag,
  summary: 'The leaderboard at the end of a season, with badges and prizes. During the season it is empty',
  auth: 'none',
  params: Type.Object({ season_id: Uuid }),
  query: FrozenLeaderboardQuery,
  answers: { 200: Type.Array(FrozenLeaderboardRow, { maxItems: 200 }) },
  errors: { 404: [Detail.seasonNotFound] },
});

export const getSeasonEntry = route({
  id: 'getSeasonEntry',
  method: 'GET',
  path: '/api/season/me',
  tag,
  summary: 'Your entry in the current season, with its rank',
  auth: 'owner',
  answers: { 200: RankedSeasonEntry },
  errors: { 404: notThere },
  limit: perMinute(60, 'key'),
});

export const updateSeasonEntry = route({
  id: 'updateSeasonEntry',
  at: 'home',
  method: 'PATCH',
  path: '/api/season/me',
  tag,
  summary: 'Change preferences of your entry',
  auth: 'owner',
  body: SeasonPreferences,
  answers: { 200: SeasonEntry },
  errors: { 404: notThere },
  limit: perMinute(60, 'key'),
});

export const registerForSeason = route({
  id: 'registerForSeason',
  method: 'POST',
  path: '/api/season/register',
  tag,
  summary: 'Enter the current season and get the starting chips. join_lobby also does it',
  auth: 'owner',
  answers: { 200: SeasonEntry },
  errors: { 404: [Detail.noActiveSeason], 409: [Detail.alreadyRegistered] },
  limit: perMinute(5, 'key'),
});

export const rebuy = route({
  id: 'rebuy',
  at: 'home',
  method: 'POST',
  path: '/api/season/rebuy',
  tag,
  summary: 'Get new chips after a bust. During the cooldown it is 429 with Retry-After',
  auth: 'owner',
  answers: { 200: RebuyAnswer },
  errors: {
    400: [Detail.stillHaveChips],
    403: [Detail.emailNotVerified],
    404: notThere,
    429: [rebuyOnCooldown(600)],
  },
  limit: perMinute(10, 'key'),
});

export const buySeasonPass = route({
  id: 'buySeasonPass',
  at: 'home',
  method: 'POST',
  path: '/api/season/pass',
  tag,
  summary: 'Buy the pass of the current season with credits. A holder is not charged again',
  auth: 'owner',
  answers: { 200: SeasonEntry },
  errors: { 402: [Detail.insufficientForPass], 404: notThere },
  limit: perMinute(5, 'key'),
});

export const listPrizes = route({
  id: 'listPrizes',
  method: 'GET',
  path: '/api/me/prizes',
  tag,
  summary: 'Your prizes, the newest first: held, paid or refused',
  auth: 'owner',
  answers: { 200: Prizes },
  limit: perMinute(60, 'key'),
});
