import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createHistory } from '../../src/history/index.js';
import { commitHands } from '../../src/shard/commit/queries.js';
import type { Database, DatabaseAddress } from '../../src/store/database.js';
import { stuffHands } from '../../test/support/bulk-hands.js';
import { openRandomTables } from '../../test/support/random-table.js';
import { atMost, median, told, type Figure } from '../report.js';

const HANDS = 500_000;
const EXPORTED = 40_000;
const ROUNDS = 40;

/** Pages and exports of an agent with half a million hands in the season. */
export async function benchHistory(sql: Database, address: DatabaseAddress): Promise<Figure[]> {
  const { poolId, fence, randomTables } = await openRandomTables(sql, { players: 6, shard: 40, chips: 5000 });
  const startAt = Date.UTC(2026, 0, 1);
  await sql`
    insert into seasons (season_id, start_date, end_date) values (${poolId}, ${new Date(startAt)}, ${new Date(2 ** 42)})`;
  const record = randomTables[0]!.play();
  await commitHands(sql, fence, [record]);
  const { agentId } = randomTables[0]!.seated[0]!;
  await stuffHands(sql, { record, agentId, count: HANDS, startAt: startAt + 60_000 });
  await sql`analyze`;
  const season = () => ({ seasonId: poolId, startsAt: startAt });
  const history = createHistory({ sql, address, season, now: Date.now });
  const ask = (id: string, query: string) => run(history.routes, id, agentId, query);

  const time = async (query: string) => {
    const times: number[] = [];
    for (let n = 0; n < ROUNDS; n++) {
      const start = performance.now();
      await ask('getHandHistory', query);
      times.push(performance.now() - start);
    }
    return median(times);
  };
  const first = await time('limit=50');
  const deep = HANDS - 100;
  const { body } = await ask('getHandHistory', `limit=1&offset=${deep}`);
  const { next_cursor: cursor } = JSON.parse(body) as { next_cursor: string };
  const byCursor = await time(`limit=50&cursor=${cursor}`);
  const byOffset = await time(`limit=50&offset=${deep}`);
  const figures = [
    told('history: page 1 of 50', first, 'ms'),
    atMost('history: page 10,000 by cursor, to page 1', byCursor / first, 'times', 2),
    atMost('history: page 10,000 by offset, to page 1', byOffset / first, 'times', 2),
    told('history: 200 hands', await time('limit=200'), 'ms'),
  ];
  for (const format of ['csv', 'json', 'phh', 'pokerstars']) {
    figures.push(...(await exported(format, (query) => ask('exportHandHistory', query))));
  }
  await history.node.stop?.();
  return figures;
}

/** Speed of an export, what it costs the thread of the sockets, and how much memory comes with it. */
async function exported(format: string, ask: (query: string) => Promise<Answer>): Promise<Figure[]> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const { stream } = await ask(`format=${format}&limit=${EXPORTED}`);
  if (stream === undefined) throw new Error('no file');
  const before = performance.eventLoopUtilization();
  const start = performance.now();
  let bytes = 0;
  let most = 0;
  let pieces = 0;
  delay.enable();
  for await (const chunk of stream) {
    bytes += chunk.length;
    if (++pieces % 20 === 0) most = Math.max(most, process.memoryUsage.rss());
  }
  delay.disable();
  const seconds = (performance.now() - start) / 1000;
  const { utilization } = performance.eventLoopUtilization(before);
  return [
    told(`export ${format}`, EXPORTED / seconds, 'hands/s'),
    told(`export ${format}: written`, bytes / EXPORTED, 'bytes/hand'),
    atMost(`export ${format}: work of the sockets' thread a piece`, (1000 * seconds * utilization) / pieces, 'ms', 2),
    told(`export ${format}: longest wait of the sockets' thread (p99.9)`, delay.percentile(99.9) / 1e6, 'ms'),
    told(`export ${format}: memory of the process at most`, most / 2 ** 20, 'MB'),
  ];
}

type Answer = Awaited<ReturnType<ReturnType<typeof createHistory>['routes'][number]['run']>>;

async function run(
  routes: ReturnType<typeof createHistory>['routes'],
  id: string,
  agentId: string,
  query: string,
): Promise<Answer> {
  const route = routes.find(({ spec }) => spec.id === id);
  if (route === undefined) throw new Error(`no route ${id}`);
  const agent = { agentId, name: 'bench', isAdmin: false };
  const { signal } = new AbortController();
  return route.run({ params: {}, query, body: '', agent, ip: '127.0.0.1', headers: {}, signal });
}
