import { Leaderboard, type BoardPage } from '../../src/seasons/leaderboard.js';
import { selectEntry } from '../../src/seasons/entry-queries.js';
import { selectChart, selectSeasonStats } from '../../src/seasons/stats-queries.js';
import type { Database } from '../../src/store/database.js';
import { atMost, median, told, type Figure } from '../report.js';
import { fillHands, fillSeason } from './rows.js';

const ENTRIES = 100_000;
const HANDS = 100_000;
const ROUNDS = 40;
const quiet = { info: () => undefined, warn: console.warn, error: console.error };

/** The median of so many runs, in ms. */
async function time(run: () => Promise<unknown>, rounds = ROUNDS): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < rounds; n++) {
    const start = performance.now();
    await run();
    times.push(performance.now() - start);
  }
  return median(times);
}

/** Standings of a hundred thousand entries; statistics and chart of an agent with as many hands. */
export async function benchSeasons(sql: Database): Promise<Figure[]> {
  const season = await fillSeason(sql, ENTRIES);
  const { seasonId, agentId } = season;
  const current = { seasonId, number: 1, startsAt: 0, endsAt: 1 };
  const options = {
    sql,
    background: sql,
    season: { current },
    rules: { rebuyPenalty: 1500 },
    now: Date.now,
    log: quiet,
  };
  const board = new Leaderboard({ ...options, refreshMs: 1000 });
  const start = performance.now();
  await board.start();
  const figures = [told('standings of 100,000 entries: first reading', performance.now() - start, 'ms')];

  const pages: [what: string, page: Partial<BoardPage>][] = [
    ['by score', {}],
    ['by score, from 90,000', { offset: 90_000 }],
    ['by hands played', { sortBy: 'hands_played' }],
    ['by win rate, 200 rows of 1,000 hands', { sortBy: 'win_rate', minHands: 1000, limit: 200 }],
  ];
  for (const [what, page] of pages) {
    const ask = () => board.page({ sortBy: 'score', minHands: 10, limit: 50, offset: 0, ...page });
    figures.push(atMost(`leaderboard ${what}`, await time(ask), 'ms', 20));
  }
  const rank = async () => board.rankOf((await selectEntry(sql, seasonId, agentId))!);
  figures.push(atMost('own entry with its rank', await time(rank), 'ms', 20));
  board.stop();

  // One that reads before every answer: what a reading costs, alone and with what a busy second changes.
  const fresh = new Leaderboard({ ...options, refreshMs: 0 });
  const look = () => fresh.page({ sortBy: 'score', minHands: 10, limit: 1, offset: 0 });
  await look();
  figures.push(told('reading, nothing changed', await time(look, 10), 'ms'));
  const changed: number[] = [];
  for (let n = 0; n < 10; n++) {
    await sql`update entries set chip_balance = chip_balance + 1 where (pool_id, agent_id) in (
      select pool_id, agent_id from entries tablesample system (4) where pool_id = ${seasonId} limit 4000)`;
    changed.push(await time(look, 1));
  }
  figures.push(told('reading, 4,000 entries changed', median(changed), 'ms'));

  await fillHands(sql, season, HANDS);
  figures.push(atMost('statistics of all seasons', await time(() => selectSeasonStats(sql, agentId, 1500)), 'ms', 20));
  const chart = () => selectChart(sql, seasonId, agentId);
  figures.push(told('chart of 100,000 hands', await time(chart, 5), 'ms'));
  return figures;
}
