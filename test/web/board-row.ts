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
  bb_per_100: null,
  all_in_adj_bb_per_100: null,
  ci95: null,
  rank_hour_ago: null,
  rank_day_ago: null,
  ...more,
});
