import { createAnalytics, selectEstimates } from '../../src/analytics/index.js';
import { Keeper } from '../../src/analytics/keeper.js';
import { listOpponents, MAX_OPPONENT_HANDS } from '../../src/protocol/rest/opponents.js';
import type { Route } from '../../src/protocol/route.js';
import { commitHands } from '../../src/shard/commit/queries.js';
import type { Database, DatabaseAddress } from '../../src/store/database.js';
import { stuffHands } from '../../test/support/bulk-hands.js';
import { openRandomTables } from '../../test/support/random-table.js';
import { atMost, median, told, type Figure } from '../report.js';

const HANDS = 1_000_000;
/** The number of different hands. Each is stored many times. */
const KINDS = 20;
const ROUNDS = 40;
/** About so many hands of an agent lie between two rounds of counting. */
const LATELY = 10;
const PAGE = 200;

/** GET /api/analytics of an agent with a million hands in the season, and what their counting costs. */
export async function benchAnalytics(sql: Database, address: DatabaseAddress): Promise<Figure[]> {
  const { poolId, fence, randomTables } = await openRandomTables(sql, { players: 6, shard: 41, chips: 5000, seed: 7 });
  const randomTable = randomTables[0]!;
  const { agentId } = randomTable.seated[0]!;
  await sql`update entries set premium = true where pool_id = ${poolId} and agent_id = ${agentId}`;
  for (let kind = 0; kind < KINDS; kind++) {
    const record = randomTable.play();
    await commitHands(sql, fence, [record]);
    const [count, startAt] = [HANDS / KINDS, Date.UTC(2010, kind, 1)];
    await stuffHands(sql, { record, agentId, count, startAt });
  }
  await sql`analyze`;

  const start = performance.now();
  const cpu = process.cpuUsage();
  await new Keeper(sql).advance(poolId, agentId, Infinity);
  const seconds = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage(cpu);

  const season = () => ({ seasonId: poolId });
  const analytics = createAnalytics({ sql, address, season, refreshMs: 0, log: console });
  const ask = async (): Promise<number> => {
    const { signal } = new AbortController();
    const agent = { agentId, name: 'bench', isAdmin: false };
    const begin = performance.now();
    await analytics.routes[0]!.run({ params: {}, query: '', body: '', agent, ip: '127.0.0.1', headers: {}, signal });
    return performance.now() - begin;
  };
  const asked: number[] = [];
  for (let n = 0; n < ROUNDS; n++) asked.push(await ask());
  const behind: number[] = [];
  for (let n = 0; n < ROUNDS; n++) {
    for (let hand = 0; hand < LATELY; hand++) await commitHands(sql, fence, [randomTable.play()]);
    behind.push(await ask());
  }
  const opponents = await meetingsTime(analytics.routes, agentId);
  await analytics.node.stop?.();
  return [
    told('analytics: counting of hands stored', (HANDS + KINDS) / seconds, 'hands/s'),
    told('analytics: counting, work of its thread', (user + system) / (HANDS + KINDS), 'µs/hand'),
    atMost('analytics: answer after 1,000,000 hands', median(asked), 'ms', 50),
    atMost('analytics: the same, 10 hands to be counted first', median(behind), 'ms', 50),
    told('analytics: the slowest of those', Math.max(...behind), 'ms'),
    ...opponents,
    told('analytics: luck of 200 rows of the leaderboard', await luckOfPage(sql), 'ms'),
  ];
}

/** The cost of the additional figures of a leaderboard page. Every entry of the database has its own. */
async function luckOfPage(sql: Database): Promise<number> {
  await sql`
    insert into analytics (pool_id, agent_id, hands, bb, adjusted_bb, adjusted_bb_squares)
    select pool_id, agent_id, 100, 5, 4, 90 from entries on conflict do nothing`;
  await sql`analyze analytics`;
  const rows = await sql<{ pool_id: string; agent_id: string }[]>`
    select pool_id, agent_id from analytics
    where pool_id = (select pool_id from entries group by pool_id order by count(*) desc limit 1)
    order by random() limit ${PAGE}`;
  const times: number[] = [];
  for (let n = 0; n < ROUNDS; n++) {
    const start = performance.now();
    await selectEstimates(sql, rows[0]!.pool_id, rows.map((row) => row.agent_id)); // prettier-ignore
    times.push(performance.now() - start);
  }
  return median(times);
}

/** GET /api/me/opponents over the newest of a million hands. */
async function meetingsTime(routes: readonly Route[], agentId: string): Promise<Figure[]> {
  const route = routes.find(({ spec }) => spec.id === listOpponents.id)!;
  const agent = { agentId, name: 'bench', isAdmin: false };
  const figures: Figure[] = [];
  for (const hands of [1000, MAX_OPPONENT_HANDS]) {
    const times: number[] = [];
    for (let n = 0; n < 10; n++) {
      const { signal } = new AbortController();
      const start = performance.now();
      await route.run({ params: {}, query: `hands=${hands}`, body: '', agent, ip: '127.0.0.1', headers: {}, signal });
      times.push(performance.now() - start);
    }
    figures.push(told(`analytics: opponents in ${hands} of 1,000,000 hands`, median(times), 'ms'));
  }
  return figures;
}
