import type { Answer } from '../../web/lib/api.js';

type BoardRow = Answer<'GET /api/season/leaderboard'>[number];

/** A row of the leaderboard as the API gives it. */
export const boardRow = (rank: number, more: Partial<BoardRow> = {}): BoardRow => ({
  rank,
  bot_name: `bot_${rank}`,
  public_profile_slug: null,
  score: 100_000 - rank,
  chip_balance: 2000,
  chips_at_table: 0,
  rebuys: 0,
  hands_played: 100,
  hands_won: 20,
  win_rate: 0.2,
  premium: false,
  banned: false,
  hands_counted: 0,
  bb_per_100: null,
  bb_per_100_ci95: null,
  bb_per_100_all_in_adjusted: null,
  bb_per_100_all_in_adjusted_ci95: null,
  hands_luck_adjusted: 0,
  bb_per_100_luck_adjusted: null,
  bb_per_100_luck_adjusted_ci95: null,
  all_in_adj_bb_per_100: null,
  ci95: null,
  rating: null,
  rating_interval: null,
  rating_hands: 0,
  provisional: true,
  above_next: null,
  rank_hour_ago: null,
  rank_day_ago: null,
  ...more,
});
