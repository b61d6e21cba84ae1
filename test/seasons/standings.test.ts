/** The standings in memory: at every moment what a look at all entries would say. */
import fc from 'fast-check';
import t, { type Test } from 'tap';
import { Leaderboard, type BoardPage } from '../../src/seasons/leaderboard.js';
import { selectEntry } from '../../src/seasons/entry-queries.js';
import { byHands, byScore, byWinRate, StandingsOrder, type SeasonStanding } from '../../src/seasons/order.js';
import { transaction, type Database } from '../../src/store/database.js';
import { freshPool, silent, stopCluster } from '../support/database.js';
import { addAgents, addPool } from '../support/random-table.js';
import { FILE_MS } from '../support/limits.js';
import { SEED } from '../support/seed.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);
const PENALTY = 1500;

interface Place {
  sql: Database;
  board: Leaderboard;
  /** The season that the board takes for the current one. */
  season: { current: { seasonId: string; number: number; startsAt: number; endsAt: number } | null };
  agents: string[];
}

async function place(t: Test, agents: number, refreshMs = 0): Promise<Place> {
  const sql = await freshPool(t, 4);
  const seasonId = await addPool(sql);
  const season: Place['season'] = { current: { seasonId, number: 1, startsAt: 0, endsAt: 1 } };
  const board = new Leaderboard({
    sql,
    background: sql,
    season,
    rules: { rebuyPenalty: PENALTY },
    refreshMs,
    now: Date.now,
    log: silent,
  });
  t.teardown(() => {
    board.stop();
  });
  return { sql, board, season, agents: await addAgents(sql, seasonId, agents) };
}

/** The leaderboard by a plain query. */
async function recomputed(sql: Database, poolId: string, { sortBy, minHands, limit, offset }: BoardPage) {
  const score = sql`score desc, hands_played desc, rebuys, registered_at, agent_id`;
  const rate = sql`hands_won::float8 / greatest(hands_played, 1) desc`;
  const order = {
    score,
    hands_played: sql`hands_played desc, ${score}`,
    win_rate: sql`${rate}, hands_played desc, ${score}`,
    // Nobody is rated here.
    rating: score,
  }[sortBy];
  const rows = await sql<{ name: string; score: number; premium: boolean }[]>`
    select name, score, premium from (
      select a.name, e.*, chip_balance + chips_at_table - rebuys * ${PENALTY}::bigint as score
      from entries e join agents a using (agent_id) where pool_id = ${poolId} and not is_house) e
    where hands_played >= ${minHands} order by ${order} limit ${limit} offset ${offset}`;
  return [...rows];
}

const shown = async (board: Leaderboard, page: BoardPage) =>
  (await board.page(page)).map(({ botName: name, score, premium }) => ({ name, score, premium }));

const ALL: BoardPage = { sortBy: 'score', minHands: 0, limit: 1000, offset: 0 };

async function agrees(t: Test, { sql, board, season, agents }: Place, what: string): Promise<void> {
  const poolId = season.current!.seasonId;
  for (const sortBy of ['score', 'hands_played', 'win_rate', 'rating'] as const) {
    for (const page of [
      { ...ALL, sortBy },
      { sortBy, minHands: 10, limit: 7, offset: 3 },
    ]) {
      t.same(await shown(board, page), await recomputed(sql, poolId, page), `${what}: ${sortBy} ${page.limit}`);
    }
  }
  const order = (await recomputed(sql, poolId, ALL)).map(({ name }) => name);
  for (const agentId of agents.slice(0, 5)) {
    const entry = await selectEntry(sql, poolId, agentId);
    const [agent] = await sql<{ name: string; is_house: boolean }[]>`
      select name, is_house from agents where agent_id = ${agentId}`;
    if (entry === undefined || agent!.is_house) continue;
    t.same(await board.rankOf(entry), { rank: order.indexOf(agent!.name) + 1, total: order.length }, `${what}: rank`);
  }
}

await t.test('it follows whatever happens to the entries', async (t) => {
  const here = await place(t, 40);
  const { sql, agents } = here;
  const poolId = here.season.current!.seasonId;
  await sql`update agents set is_house = true where agent_id = any(${agents.slice(0, 3)}::uuid[])`;
  let seed = SEED;
  const dice = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
  await agrees(t, here, 'at first');
  for (let round = 0; round < 12; round++) {
    const some = agents.filter(() => dice(4) === 0);
    // Few values, so that many are equal but for the last rules of the order.
    for (const agentId of some) {
      const played = 10 * dice(4);
      await sql`
        update entries set chip_balance = ${1500 * dice(4)}, rebuys = ${dice(3)}, hands_played = ${played},
          hands_won = ${(played * dice(3)) / 2}, premium = ${dice(2) === 0}
        where pool_id = ${poolId} and agent_id = ${agentId}`;
    }
    if (dice(3) === 0) agents.push(...(await addAgents(sql, poolId, 1)));
    if (dice(3) === 0) {
      const [agentId, name] = [agents[dice(agents.length)]!, `renamed_${round}`];
      await sql`update agents set name = ${name} where agent_id = ${agentId}`;
    }
    await agrees(t, here, `seed ${SEED}, round ${round}`);
  }
});

await t.test('what is written before a reading and committed after it is in the next', async (t) => {
  const here = await place(t, 6);
  const { sql, agents } = here;
  await agrees(t, here, 'at first');
  await transaction(sql, async (tx) => {
    await tx`update entries set chip_balance = 9000, hands_played = 10 where agent_id = ${agents[1]!}`;
    await tx.savepoint(async (inner) => {
      await inner`update entries set chip_balance = 8000 where agent_id = ${agents[2]!}`;
    });
    // Others come and go meanwhile, so that later transactions are over before this one.
    for (const balance of [7000, 6000]) {
      await sql`update entries set chip_balance = ${balance} where agent_id = ${agents[3]!}`;
      await agrees(t, here, 'while it is open');
    }
  });
  await agrees(t, here, 'after its commit');
});

await t.test('a house bot has a place, but nobody is behind it', async (t) => {
  const { sql, board, agents, season } = await place(t, 3);
  await sql`update agents set is_house = true where agent_id = ${agents[0]!}`;
  await sql`update entries set chip_balance = 1 where agent_id = ${agents[1]!}`;
  const rank = async (agentId: string) => board.rankOf((await selectEntry(sql, season.current!.seasonId, agentId))!);
  t.same(await rank(agents[2]!), { rank: 1, total: 2 });
  t.same(await rank(agents[1]!), { rank: 2, total: 2 });
  t.same((await rank(agents[0]!)).total, 2);
});

await t.test('a ban puts an agent behind all others at once, marked, until it ends', async (t) => {
  const { sql, board, agents, season } = await place(t, 3);
  await sql`update entries set hands_played = 20, hands_won = 10`;
  const [best, second, third] = agents as [string, string, string];
  await sql`update entries set chip_balance = 9000 where agent_id = ${best}`;
  await sql`update entries set chip_balance = 1 where agent_id = ${third}`;
  const order = async (sortBy: BoardPage['sortBy']) =>
    (await board.page({ sortBy, minHands: 10, limit: 10, offset: 0 })).map(({ agentId, banned }) => [agentId, banned]);
  const honest = [
    [best, false],
    [second, false],
    [third, false],
  ];
  t.same(await order('score'), honest);
  await sql`update agents set banned_at = now() where agent_id = ${best}`;
  for (const sortBy of ['score', 'hands_played', 'win_rate'] as const) {
    t.same(await order(sortBy), [
      [second, false],
      [third, false],
      [best, true],
    ]);
  }
  const rank = await board.rankOf((await selectEntry(sql, season.current!.seasonId, second))!);
  t.equal(rank.rank, 1, 'nobody is pushed down by it');
  await sql`update agents set banned_at = null`;
  t.same(await order('score'), honest);
});

await t.test('the next season begins with an empty board', async (t) => {
  const here = await place(t, 5);
  const { sql, board, season } = here;
  t.equal((await board.page(ALL)).length, 5);
  season.current = { ...season.current!, seasonId: await addPool(sql) };
  t.same(await board.page(ALL), []);
  here.agents = await addAgents(sql, season.current.seasonId, 2);
  await agrees(t, here, 'in the next season');
  season.current = null;
  t.same(await board.page(ALL), [], 'and without a season there is none');
});

await t.test('it keeps up by itself, and answers in between without the database', async (t) => {
  const { sql, board, agents } = await place(t, 3, 20);
  await board.start();
  t.equal((await board.page(ALL)).length, 3);
  await sql`update entries set chip_balance = 77 where agent_id = ${agents[0]!}`;
  while ((await board.page({ ...ALL, offset: 2 }))[0]?.chipBalance !== 77);
  t.pass('the change has come');
});

await t.test('an order is what sorting gives, whatever is put when', (t) => {
  const standing = fc.record({
    agentId: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
    score: fc.nat(2),
    rebuys: fc.nat(1),
    handsPlayed: fc.nat(2),
    handsWon: fc.nat(1),
    registeredAt: fc.nat(1),
    look: fc.boolean(),
    banned: fc.boolean(),
  });
  const property = fc.property(fc.array(standing), fc.constantFrom(byScore, byHands, byWinRate), (puts, before) => {
    const order = new StandingsOrder(before);
    const now = new Map<string, SeasonStanding>();
    for (const { look, ...values } of puts) {
      const next = { ...values, chipBalance: 0, chipsAtTable: 0, premium: false };
      order.put(next, now.get(next.agentId));
      now.set(next.agentId, next);
      if (look) t.equal(order.all.length, now.size);
    }
    const sorted = [...now.values()].sort(before);
    if (sorted.some((each, place) => order.placeOf(each) !== place)) return false;
    return sorted.every((each, place) => order.all[place] === each);
  });
  fc.assert(property, { numRuns: 300 });
  t.end();
});
