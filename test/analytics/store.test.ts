/** Hands are counted once each, whatever happens meanwhile; and told over HTTP to who holds the pass. */
import { randomUUID } from 'node:crypto';
import type { Static } from 'typebox';
import t, { type Test } from 'tap';
import { createAnalytics, NO_ESTIMATES, selectEstimates } from '../../src/analytics/index.js';
import { Keeper } from '../../src/analytics/keeper.js';
import { getAnalytics, type Analytics } from '../../src/protocol/rest/analytics.js';
import { commitHands } from '../../src/shard/commit/queries.js';
import { seededRandom } from '../../src/cards/shuffle.js';
import type { Database } from '../../src/store/database.js';
import { encodeRecord } from '../../src/table/record/record-codec.js';
import { freshDatabase, openPool, silent, stopCluster } from '../support/database.js';
import { enterPool, openRandomTables } from '../support/random-table.js';
import { agentId, openHouse, TRANSPORTS, type House } from '../support/gateway.js';
import { statistics } from '../support/hand-statistics.js';
import { eventually, FILE_MS } from '../support/limits.js';
import { recordAnswer } from '../support/recorder.js';
import { SeasonHouse } from '../support/season-house.js';
import { wildPlay } from '../support/wild-hands.js';
import type { HandRecord } from '../../src/table/effects.js';
import { SEED } from '../support/seed.js';
import { startParts, stopParts } from '../support/parts.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);
t.comment(`SEED=${SEED}`);

type Answer = Static<typeof Analytics>;

/** A season with a table, whose players play on and on; or, calm, mostly call, so that nobody busts soon. */
async function openTable(t: Test, { players = 6, old = [] as string[], calm = false } = {}) {
  const address = await freshDatabase(t);
  const sql = openPool(t, address, 4);
  if (old.length > 0) {
    await sql`
      insert into agents (agent_id, email, name, key_hash, terms_accepted_at)
      select id::uuid, id || '@example.org', 'bot_' || right(id, 1), sha256(id::bytea), now()
      from unnest(${old}::text[]) id`;
  }
  const { fence, poolId, randomTables } = await openRandomTables(sql, { players, chips: 5000, old, seed: SEED });
  await sql`insert into seasons (season_id, start_date, end_date) values (${poolId}, now(), now() + interval '1 day')`;
  const randomTable = randomTables[0]!;
  const hands: HandRecord[] = [];
  const decide = calm ? undefined : wildPlay(seededRandom(SEED));
  const play = async (count: number) => {
    for (let n = 0; n < count && randomTable.seated.filter(({ stack }) => stack > 0).length > 1; n++) {
      const record = randomTable.play(decide);
      await commitHands(sql, fence, [record]);
      hands.push(record);
    }
  };
  return { address, sql, poolId, hands, play, agents: randomTable.seated.map((seated) => seated.agentId) };
}

const season = (poolId: string) => () => ({ seasonId: poolId });

/** What an agent is told, without a server. */
async function told(t: Test, { sql, address, poolId }: Awaited<ReturnType<typeof openTable>>, refreshMs = 0) {
  const analytics = createAnalytics({ sql, address, season: season(poolId), refreshMs, log: silent });
  t.teardown(() => stopParts(analytics));
  const { signal } = new AbortController();
  const ask = async (id: string): Promise<Answer> => {
    const agent = { agentId: id, name: 'unused', isAdmin: false };
    const route = analytics.routes[0]!;
    const answer = await route.run({ params: {}, query: '', body: '', agent, ip: '127.0.0.1', headers: {}, signal });
    recordAnswer(route.spec, answer.status, JSON.parse(answer.body));
    return JSON.parse(answer.body) as Answer;
  };
  return { analytics, ask };
}

const stored = (sql: Database, agentIds: readonly string[]) => sql<{ agent_id: string; hands: number }[]>`
  select * from analytics where agent_id = any(${agentIds as string[]}::uuid[]) order by agent_id`;

const close = (a: number, b: number) => Math.abs(a - b) < 1e-6;

/** Holds an answer against a count of all hands. */
function agrees(t: Test, body: Answer, hands: readonly HandRecord[], id: string, what: string): void {
  const expected = statistics(hands, id);
  const { total_hands, vpip, pfr, cbet_rate, three_bet_pct, wtsd, w_sd, showdown_winnings } = expected;
  t.match(
    body,
    { agent_id: id, total_hands, vpip, pfr, cbet_rate, three_bet_pct, wtsd, w_sd, showdown_winnings },
    what,
  );
  t.ok(close(body.all_in_adj_bb_per_100, expected.all_in_adj_bb_per_100), `${what}: all-in-adjusted`);
  t.same(
    body.position_stats.map(({ hand_count }) => hand_count),
    expected.position_stats.map(({ hand_count }) => hand_count),
  );
  const dealt = body.starting_hand_grid.filter(({ hand_count }) => hand_count > 0);
  t.same(
    Object.fromEntries(dealt.map(({ label, hand_count }) => [label, hand_count])),
    Object.fromEntries(Object.entries(expected.starting_hands).map(([label, { hand_count }]) => [label, hand_count])),
  );
  let sum = 0;
  const sums = expected.profits.map((profit) => (sum += profit));
  t.ok(
    body.pnl_series.every(({ hand_number, cumulative_profit }) => sums[hand_number - 1] === cumulative_profit),
    `${what}: profit`,
  );
}

await t.test('each hand counts once, whoever counts it, and however often they begin anew', async (t) => {
  const table = await openTable(t);
  const { sql, poolId, hands, play, agents } = table;
  const { ask } = await told(t, table);
  await sql`update entries set premium = true`;
  const empty = await ask(agents[0]!);
  t.match(empty, { total_hands: 0, vpip: 0, bb_per_100: 0, bb_per_100_ci95: null, pnl_series: [], recent_hands: [] });
  t.equal((await selectEstimates(sql, poolId, agents)).size, 0);

  for (let part = 0; part < 4; part++) {
    await play(25);
    // Two at once over the same hands, one of them in small portions; and one that breaks off.
    const keepers = [new Keeper(sql), new Keeper(sql)];
    await Promise.all([
      keepers[0]!.round(Infinity),
      ...agents.map((id) => keepers[1]!.advance(poolId, id, 1 + part * 7)),
      ...agents.slice(0, 3).map((id) => keepers[1]!.advance(poolId, id, 5)),
    ]);
  }
  for (const id of agents) agrees(t, await ask(id), hands, id, `seed ${SEED}, ${id}`);
  const before = await stored(sql, agents);
  await new Keeper(sql).round(Infinity);
  for (const id of agents) await ask(id);
  t.same(await stored(sql, agents), before, 'who looks again finds nothing to count');

  const estimates = await selectEstimates(sql, poolId, agents);
  for (const id of agents) {
    const body = await ask(id);
    const { bb_per_100, bb_per_100_ci95, bb_per_100_all_in_adjusted, bb_per_100_all_in_adjusted_ci95 } = body;
    const figures = { bb_per_100, bb_per_100_ci95, bb_per_100_all_in_adjusted, bb_per_100_all_in_adjusted_ci95 };
    t.same(estimates.get(id), { ...NO_ESTIMATES, hands_counted: body.total_hands, ...figures });
    t.same(body.all_in_adj_bb_per_100_ci95, bb_per_100_all_in_adjusted_ci95, 'by its older name');
  }
});

await t.test('hands that an older release has counted are counted again, with their stakes', async (t) => {
  const table = await openTable(t, { calm: true });
  const { sql, poolId, play, agents } = table;
  const { ask } = await told(t, table);
  await sql`update entries set premium = true`;
  await play(40);
  await new Keeper(sql).round(Infinity);
  const before = await selectEstimates(sql, poolId, agents);
  const pairs = () => sql`select agent_id, other_id, hands from pair_play
    where agent_id <> other_id order by 1, 2`;
  const met = await pairs();
  t.ok([...before.values()].every(({ bb_per_100_ci95: ends }) => ends![0] < ends![1]));

  const [asks, ...others] = agents;
  const old = [asks!, ...others.slice(0, 2)];
  const forgetStakes = () => sql`
    update analytics set staked_hands = staked_hands - 3, bb_risk = 1, bb_chance = 1 where agent_id = any(${old}::uuid[])`;
  await forgetStakes();
  for (const [id, estimates] of await selectEstimates(sql, poolId, agents)) {
    const unknown = old.includes(id);
    t.equal(estimates.bb_per_100, before.get(id)!.bb_per_100, 'the rate stands');
    t.equal(estimates.bb_per_100_ci95 === null, unknown, 'no interval from wrong stakes');
    t.equal(estimates.bb_per_100_all_in_adjusted_ci95 === null, unknown);
  }
  // One agent asks, the round comes to the others.
  await ask(asks!);
  t.equal((await selectEstimates(sql, poolId, agents)).get(asks!)!.hands_counted, 40);
  await play(5);
  await Promise.all([new Keeper(sql).round(Infinity), ask(old[1]!), new Keeper(sql).round(Infinity)]);
  const rows = await sql<{ hands: number; stakedHands: number }[]>`
    select hands, staked_hands as "stakedHands" from analytics`;
  t.ok(rows.length === agents.length && rows.every(({ hands, stakedHands }) => hands === stakedHands && hands === 45));

  await forgetStakes();
  const counted = await selectEstimates(sql, poolId, others.slice(2));
  await new Keeper(sql).round(Infinity);
  t.same(await selectEstimates(sql, poolId, others.slice(2)), counted, 'other agents keep their sums');
  for (const [id, { bb_per_100_ci95: ends }] of await selectEstimates(sql, poolId, old)) t.ok(ends![0] < ends![1], id);
  const again = await pairs();
  t.equal(again.length, met.length, 'pairs are counted once');
  t.ok(again.every(({ hands }, i) => hands === met[i]!['hands'] + 5));
});

await t.test('a hand is in, with its place, or it is not', async (t) => {
  const { sql, poolId, play, agents, hands } = await openTable(t);
  await play(30);
  const keeper = new Keeper(sql);
  // Half of the statement fails: nothing of it stays.
  await sql`alter table analytics_curves add constraint away check (step < 0)`;
  await t.rejects(keeper.advance(poolId, agents[0]!, 100));
  t.same(await sql`select hands from analytics where hands > 0`, []);
  t.same(await sql`select from analytics_starting_hands`, []);
  await sql`alter table analytics_curves drop constraint away`;
  await keeper.round(Infinity);
  const own = (id: string) => hands.filter(({ players }) => players.some((player) => player.agentId === id)).length;
  t.same(
    (await stored(sql, agents)).map(({ agent_id, hands: counted }) => [agent_id, counted]),
    [...agents].sort().map((id) => [id, own(id)]),
  );
});

await t.test('a hand that comes late, below those that are counted, is not lost', async (t) => {
  const table = await openTable(t, { calm: true });
  const { sql, poolId, hands, play, agents } = table;
  const { ask } = await told(t, table);
  await sql`update entries set premium = true`;
  await play(12);
  const late = hands[7]!;
  await sql`create table kept as select * from hand_players where hand_id = ${late.handId}`;
  await sql`delete from hand_players where hand_id = ${late.handId}`;
  await sql`update entries set hands_played = hands_played - 1`;
  await new Keeper(sql).round(Infinity);
  const [id] = agents as [string];
  t.equal((await ask(id)).total_hands, hands.length - 1);
  t.equal((await stored(sql, [id])).length, 1);
  await sql`insert into hand_players select * from kept`;
  await sql`update entries set hands_played = hands_played + 1`;
  await play(1);
  await new Keeper(sql).round(Infinity);
  for (const each of agents) agrees(t, await ask(each), hands, each, 'all is counted anew');

  // An entry that says more than there are hands is looked into once.
  await sql`update entries set hands_played = hands_played + 5 where agent_id = ${id}`;
  await new Keeper(sql).round(Infinity);
  t.match(await stored(sql, [id]), [{ hands: hands.length, unmatched: 5 }]);
  await play(1);
  // An answer waits a second for what is not counted yet, and is given without it then.
  const answer = await eventually('the last hand to be counted', async () => {
    const body = await ask(id);
    return body.total_hands === hands.length && body;
  });
  agrees(t, answer, hands, id, 'and counting goes on');
  t.equal(poolId, hands[0]!.poolId);
});

await t.test('a hand that cannot be read holds up those who played it and nobody else', async (t) => {
  const { sql, poolId, hands, play, agents } = await openTable(t, { players: 3, calm: true });
  await play(5);
  const [a, b, c] = agents as [string, string, string];
  const broken = hands[2]!;
  await sql`update hands set record = '\\x00' where hand_id = ${broken.handId}`;
  await sql`delete from hand_players where hand_id = ${broken.handId} and agent_id = ${c}`;
  const keeper = new Keeper(sql);
  t.match(await keeper.round(Infinity), { behind: false, unreadable: 2, reason: /unknown version 0/ });
  const counted = async () => Object.fromEntries((await stored(sql, agents)).map((row) => [row.agent_id, row.hands]));
  t.same(await counted(), { [a]: 2, [b]: 2, [c]: 4 });
  await sql`update hands set record = ${encodeRecord(broken)} where hand_id = ${broken.handId}`;
  await new Keeper(sql).round(Infinity);
  t.same(await counted(), { [a]: 5, [b]: 5, [c]: 4 });
  t.equal(poolId, broken.poolId);
});

await t.test('rounds find what is played, of guests, and end in time', async (t) => {
  const table = await openTable(t, { calm: true });
  const { sql, play, agents, hands } = table;
  await sql`update agents set is_house = true where agent_id = ${agents[5]!}`;
  await play(10);
  const { analytics } = await told(t, table, 20);
  const counted = async () => (await stored(sql, agents)).reduce((sum, row) => sum + row.hands, 0);
  const played = () => hands.flatMap(({ players }) => players).filter((player) => player.agentId !== agents[5]).length;
  await startParts(analytics);
  await eventually('all hands to be counted', async () => (await counted()) >= played());
  await play(5);
  await eventually('all hands to be counted', async () => (await counted()) >= played());
  t.equal(await counted(), played());
  await stopParts(analytics);
  await play(1);
  t.match(await new Keeper(sql).round(0), { hands: 0, behind: true }, 'no time, no work');
});

const [FREE, PRO, ABSENT] = [1, 2, 3];

for (const TRANSPORT of TRANSPORTS) {
  await t.test(`over ${TRANSPORT}`, async (t) => {
    const table = await openTable(t, { old: [FREE, PRO].map(agentId), calm: true });
    const { address, sql, poolId, play, hands } = table;
    let current: { seasonId: string } | null = { seasonId: poolId };
    const analytics = createAnalytics({ sql, address, season: () => current, refreshMs: 0, log: silent });
    t.teardown(() => stopParts(analytics));
    const house = await openHouse({ TRANSPORT }, analytics.routes);
    t.teardown(() => house.gateway.close());
    await play(60);
    await sql`update entries set premium = true, rebuys = 2 where agent_id = ${agentId(PRO)}`;

    let asked = 0;
    const first = async () => {
      asked++;
      const { status, body } = await get(house, PRO);
      t.equal(status, 200);
      return body as Answer;
    };
    const own = hands.filter(({ players }) => players.some((player) => player.agentId === agentId(PRO))).length;
    await eventually('all to be counted', async () => (await first()).total_hands === own, 100);
    const body = await first();
    agrees(t, body, hands, agentId(PRO), `seed ${SEED}`);
    t.match(body, { rebuys: 2, sample_warning: true });
    const { recent_hands } = body;
    const mine = hands.flatMap((hand, n) =>
      hand.players
        .filter((player) => player.agentId === agentId(PRO))
        .map(({ stackStart, stackEnd }) => ({ hand_id: hand.handId, profit: stackEnd - stackStart, n: n + 1 })),
    );
    t.same(
      recent_hands.map(({ hand_id, profit, hand_number }) => ({ hand_id, profit, n: hand_number })),
      mine.map((each, n) => ({ ...each, n: n + 1 })).slice(-20).reverse(), // prettier-ignore
    );

    const refused = { status: 403, body: { detail: 'Premium season pass required' } };
    t.match(await get(house, FREE), refused);
    t.match(await get(house, ABSENT), refused, 'who has no entry has no pass');
    t.match(await get(house, null), { status: 401, body: { detail: 'Invalid or missing API key' } });
    current = null;
    t.match(await get(house, PRO), { status: 404, body: { detail: 'No active season' } });
    // The one above counted, too.
    for (asked++; asked < 60; asked++) await get(house, PRO);
    t.match(await get(house, PRO), { status: 429, body: { detail: 'Too many requests' } });
    t.same(house.log.errors(), []);
  });
}

async function get(house: House, agent: number | null): Promise<{ status: number; body: unknown }> {
  const headers = agent === null ? {} : { authorization: `Bearer key-${agent}` };
  const response = await fetch(`${house.http}/api/analytics`, { headers });
  const body: unknown = await response.json();
  recordAnswer(getAnalytics, response.status, body);
  return { status: response.status, body };
}

await t.test('the leaderboard tells luck from skill, and ranks by neither', async (t) => {
  const { address, sql, poolId, play, agents } = await openTable(t, { calm: true });
  const spectator = randomUUID();
  await sql`
    insert into agents (agent_id, email, name, key_hash, terms_accepted_at)
    values (${spectator}, 's@example.org', 'spectator', sha256('s'), now())`;
  await enterPool(sql, poolId, [spectator]);
  await sql`update entries set hands_played = 30 where agent_id = ${spectator}`;
  await play(12);
  await new Keeper(sql).round(Infinity);
  const house = await SeasonHouse.open(t, {}, address);
  const rows = (await house.ask('getLeaderboard')).body as Record<string, unknown>[];
  const estimates = await selectEstimates(sql, poolId, agents);
  const names = await sql<{ name: string; agent_id: string }[]>`select name, agent_id from agents`;
  t.equal(rows.length, agents.length + 1);
  for (const { bot_name, all_in_adj_bb_per_100, ci95, ...row } of rows) {
    const { agent_id } = names.find(({ name }) => name === bot_name)!;
    const expected = estimates.get(agent_id) ?? NO_ESTIMATES;
    t.match(row, expected);
    t.same(all_in_adj_bb_per_100, expected.bb_per_100_all_in_adjusted, 'by its older name');
    t.same(ci95, expected.bb_per_100_all_in_adjusted_ci95);
  }
  t.same(
    rows.map(({ score }) => score),
    rows.map(({ score }) => Number(score)).sort((a, b) => b - a),
  );
});
