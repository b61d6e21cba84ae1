/** Statistics and charts, held against the hands themselves. */
import { randomUUID } from 'node:crypto';
import t from 'tap';
import { Lanes } from '../../src/seasons/stats-routes.js';
import { buyIn, cashOut, commitHands, type Fence } from '../../src/shard/commit/queries.js';
import type { Database } from '../../src/store/database.js';
import { freshDatabase, openPool, stopCluster } from '../support/database.js';
import { openRandomTables, type RandomTable } from '../support/random-table.js';
import { FILE_MS } from '../support/limits.js';
import { SeasonHouse } from '../support/season-house.js';
import type { HandRecord } from '../../src/table/effects.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);

const CHIPS = 2000;

/** A season with two tables. The first player of the first table tries both. */
class Evening {
  readonly hands: HandRecord[] = [];

  private constructor(
    readonly house: SeasonHouse,
    readonly sql: Database,
    readonly fence: Fence,
    readonly poolId: string,
    readonly randomTables: RandomTable[],
  ) {}

  static async open(t: Tap): Promise<Evening> {
    const address = await freshDatabase(t);
    const sql = openPool(t, address);
    const { fence, poolId, randomTables } = await openRandomTables(sql, { tables: 2, players: 4, chips: CHIPS });
    const past = randomUUID();
    await sql`select create_pool(${past}, 'season')`;
    await sql`insert into seasons (season_id, status, start_date, end_date)
      values (${past}, 'ended', now() - interval '2 days', now() - interval '1 day')`;
    await sql`insert into seasons (season_id, start_date, end_date) values (${poolId}, now(), now() + interval '1 day')`;
    await sql`
      insert into entries (pool_id, agent_id, chip_balance, rebuys, hands_played, hands_won, chips_won, chips_lost)
      values (${past}, ${randomTables[0]!.seated[0]!.agentId}, 6000, 1, 40, 10, 900, 1400)`;
    return new Evening(await SeasonHouse.open(t, {}, address), sql, fence, poolId, randomTables);
  }

  /** The hero's results of the earlier season. */
  readonly before = {
    season_number: 1,
    hands_played: 40,
    hands_won: 10,
    win_rate: 0.25,
    total_chips_won: 900,
    total_chips_lost: 1400,
    net_chips: -500,
    avg_profit_per_hand: -12.5,
    score: 4500,
  };

  get hero(): string {
    return this.randomTables[0]!.seated[0]!.agentId;
  }

  async play(table: number, hands: number): Promise<void> {
    for (let n = 0; n < hands; n++) {
      const record = this.randomTables[table]!.play();
      await commitHands(this.sql, this.fence, [record]);
      this.hands.push(record);
    }
  }

  async premium(agentId: string): Promise<void> {
    await this.sql`update entries set premium = true where pool_id = ${this.poolId} and agent_id = ${agentId}`;
  }

  /** Takes an agent from its table, with its chips. */
  async leave(agentId: string): Promise<void> {
    const { sql, fence, poolId } = this;
    for (const { seated } of this.randomTables) {
      const at = seated.findIndex((player) => player.agentId === agentId);
      if (at < 0) continue;
      const [{ sitting, stack }] = seated.splice(at, 1) as [RandomTable['seated'][number]];
      await cashOut(sql, fence, { poolId, agentId, sitting, stack });
    }
  }

  async sit(agentId: string, table: number): Promise<void> {
    const { tableId, seated } = this.randomTables[table]!;
    const [seat, sitting] = [5, randomUUID()];
    await buyIn(this.sql, this.fence, { poolId: this.poolId, agentId, tableId, seat, sitting, amount: 1000 });
    seated.push({ agentId, seat, sitting, stack: 1000 });
  }

  /**
   * The profits of an agent, hand by hand in the order of their ids. This is the order of play, since each table has
   * its own clock here.
   */
  profits(agentId: string): { tableId: string; profit: number }[] {
    const inOrder = [...this.hands].sort((a, b) => (a.handId < b.handId ? -1 : 1));
    return inOrder.flatMap(({ tableId, players }) =>
      players
        .filter((player) => player.agentId === agentId)
        .map(({ stackStart, stackEnd }) => ({ tableId, profit: stackEnd - stackStart })),
    );
  }
}
type Tap = Parameters<typeof SeasonHouse.open>[0];

const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);

await t.test('statistics are what the hands say', async (t) => {
  const evening = await Evening.open(t);
  const { house } = evening;
  const ask = (agentId: string) => house.ask('getSeasonStats', { agentId });
  const nothing = { hands_played: 0, hands_won: 0, win_rate: 0, total_chips_won: 0, total_chips_lost: 0 };
  t.same(await ask(evening.hero), {
    status: 200,
    headers: {},
    body: {
      current: { season_number: 2, ...nothing, net_chips: 0, avg_profit_per_hand: 0, score: 5000 },
      premium: false,
    },
  });
  t.match(await ask(await house.agent()), { status: 404, body: { detail: 'Not registered for this season' } });

  await evening.play(0, 40);
  await evening.play(1, 20);
  const figures = (agentId: string) => {
    const profits = evening.profits(agentId).map(({ profit }) => profit);
    const hands_played = profits.length;
    const hands_won = profits.filter((profit) => profit > 0).length;
    return {
      season_number: 2,
      hands_played,
      hands_won,
      win_rate: hands_won / hands_played,
      total_chips_won: sum(profits.filter((profit) => profit > 0)),
      total_chips_lost: -sum(profits.filter((profit) => profit < 0)),
      net_chips: sum(profits),
      avg_profit_per_hand: sum(profits) / hands_played,
      score: 5000 + sum(profits),
    };
  };
  for (const { agentId } of evening.randomTables.flatMap(({ seated }) => seated)) {
    t.same((await ask(agentId)).body, { current: figures(agentId), premium: false });
  }

  await evening.premium(evening.hero);
  const [now, before] = [figures(evening.hero), evening.before];
  t.same((await ask(evening.hero)).body, {
    current: now,
    seasons: [now, before],
    lifetime_hands: now.hands_played + before.hands_played,
    lifetime_win_rate: (now.hands_won + before.hands_won) / (now.hands_played + before.hands_played),
    lifetime_net_chips: now.net_chips + before.net_chips,
    premium: true,
  });
});

await t.test('the chart is what the hands say', async (t) => {
  const evening = await Evening.open(t);
  const { house, hero, randomTables } = evening;
  const ask = (agentId: string) => house.ask('getSeasonChart', { agentId });
  t.match(await ask(hero), { status: 403, body: { detail: 'Premium season pass required' } });
  t.match(await ask(await house.agent()), { status: 404, body: { detail: 'Not registered for this season' } });
  await evening.premium(hero);
  t.same((await ask(hero)).body, { win_rate_series: [], pnl_series: [] }, 'nothing without a hand');

  const expected = () => {
    const profits = evening.profits(hero);
    const tables = [...new Set(profits.map(({ tableId }) => tableId))];
    let cumulative_profit = 0;
    return {
      win_rate_series: profits.slice(49).map((_, i) => ({
        hand_index: i + 49,
        win_rate: profits.slice(i, i + 50).filter(({ profit }) => profit > 0).length / 50,
      })),
      pnl_series: tables.map((table_id, session_index) => {
        const here = profits.filter(({ tableId }) => tableId === table_id);
        cumulative_profit += sum(here.map(({ profit }) => profit));
        return { session_index, table_id, cumulative_profit };
      }),
    };
  };
  const points = async () => {
    const { body } = await ask(hero);
    t.same(body, expected());
    const { win_rate_series, pnl_series } = body as ReturnType<typeof expected>;
    return [win_rate_series.length, pnl_series.length];
  };
  await evening.play(1, 3);
  await evening.play(0, 49);
  t.same(await points(), [0, 1], '49 hands make no window');
  await evening.play(0, 1);
  t.same(await points(), [1, 1]);
  await evening.leave(hero);
  await evening.sit(hero, 1);
  await evening.play(1, 20);
  t.same(await points(), [21, 2]);
  await evening.leave(hero);
  await evening.sit(hero, 0);
  await evening.play(0, 10);
  t.same(await points(), [31, 2], 'who comes back to a table goes on with its line');
  t.equal(randomTables.length, 2);
});

await t.test('before the first season there is nothing to tell', async (t) => {
  const house = await SeasonHouse.build(t);
  const agentId = await house.agent();
  for (const id of ['getSeasonStats', 'getSeasonChart']) {
    t.match(await house.ask(id, { agentId }), { status: 404, body: { detail: 'No active season' } });
  }
});

await t.test('lanes let so many through at a time, the others in turn, whatever becomes of them', async (t) => {
  const lanes = new Lanes(2);
  const log: string[] = [];
  let running = 0;
  const work = (name: number) => async () => {
    t.ok(++running <= 2);
    await Promise.resolve();
    log.push(`${name}`);
    running--;
    if (name % 3 === 0) throw new Error(`${name} fails`);
    return name;
  };
  const results = await Promise.allSettled([1, 2, 3, 4, 5, 6, 7].map((name) => lanes.run(work(name))));
  t.same(
    results.map(({ status }) => status),
    ['fulfilled', 'fulfilled', 'rejected', 'fulfilled', 'fulfilled', 'rejected', 'fulfilled'],
  );
  t.same(log, ['1', '2', '3', '4', '5', '6', '7']);
  t.equal(await lanes.run(work(8)), 8, 'a lane is free again');
});
