import type * as real from '../../../src/seasons/standing-queries.js';
import { machine } from '../machine/machine.js';

/** src/seasons/standing-queries.ts on the vault. */
export const selectSeasonStandings: typeof real.selectSeasonStandings = (sql, seasonId, { limit, offset }) =>
  machine().storage.statement(sql, (vault) =>
    vault.standings
      .filter((row) => row.seasonId === seasonId && row.rank > offset)
      .slice(0, limit)
      .map((row) => ({
        rank: row.rank,
        bot_name: row.botName,
        score: row.score,
        chip_balance: row.chipBalance,
        chips_at_table: 0,
        rebuys: row.rebuys,
        hands_played: row.handsPlayed,
        hands_won: row.handsWon,
        badge: row.badge,
        prize_cents: row.prizeCents,
        prize_status: row.prizeCents > 0 ? 'paid' : null,
        prize_held_until: null,
      })),
  );
