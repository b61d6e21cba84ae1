/**
 * Promises of the stored side of ratings: each hand counts once whoever counts it, sums are those of all hands at once,
 * hands belong to the version that was told before them, and a pool is rated by its sums.
 */
import t from 'tap';
import type { Static } from 'typebox';
import { Keeper } from '../../src/analytics/keeper.js';
import { HandReader } from '../../src/analytics/hand-facts.js';
import { Equities } from '../../src/analytics/equity.js';
import { ratedFlows, tallyRatings } from '../../src/analytics/rated-hands.js';
import { Hand } from '../../src/holdem/hand.js';
import { Act } from '../../src/holdem/types.js';
import { Detail } from '../../src/protocol/rest/errors.js';
import type { BotVersions } from '../../src/protocol/rest/versions.js';
import { createRatings, finished, rate, ratePool, type PairFlow } from '../../src/ratings/index.js';
import { RatedStandings } from '../../src/ratings/pool-ratings.js';
import { KEPT_CHANGES } from '../../src/ratings/queries.js';
import { boundedVersions, VERSIONS_APART } from '../../src/ratings/versions.js';
import { Leaderboard } from '../../src/seasons/leaderboard.js';
import { seasonRoutes } from '../../src/seasons/routes.js';
import { commitHands } from '../../src/shard/commit/queries.js';
import type { HandRecord } from '../../src/table/effects.js';
import { freshDatabase, openPool, silent, stopCluster } from '../support/database.js';
import { FILE_MS } from '../support/limits.js';
import { openRandomTables } from '../support/random-table.js';
import { recordAnswer } from '../support/recorder.js';
import { SEED } from '../support/seed.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);
t.comment(`SEED=${SEED}`);

const never = (): Promise<never> => Promise.reject(new Error('nothing is rated'));
const near = (a: number, b: number) => Math.abs(a - b) < 1e-6;

await t.test('hands are rated once, by version, and solved as all at once', async (t) => {
  const sql = openPool(t, await freshDatabase(t), 4);
  const { fence, poolId, randomTables } = await openRandomTables(sql, { players: 6, chips: 5000, seed: SEED });
  const table = randomTables[0]!;
  const agents = table.seated.map(({ agentId }) => agentId);
  const hands: HandRecord[] = [];
  for (let n = 0; n < 60 && table.seated.filter(({ stack }) => stack > 0).length > 1; n++) {
    const record = table.play();
    await commitHands(sql, fence, [record]);
    hands.push(record);
  }
  const versions = createRatings({
    sql,
    season: () => ({ seasonId: poolId }),
    rate: (pool) => ratePool(sql, pool),
    minHands: 5,
    log: silent,
  });
  // A version that is told again makes no row. One that is told later than all hands has none of them.
  const own = agents[0]!;
  await versions.versions.joined(own, null);
  await versions.versions.joined(own, 'v1');
  await versions.versions.joined(own, 'v1');
  await versions.versions.joined(own, 'v2');
  t.same(
    (await sql`select version from bot_versions order by since`).map(({ version }) => version as string),
    ['v1', 'v2'],
  );
  const middle = hands[Math.floor(hands.length / 2)]!.startedAt;
  await sql`update bot_versions set since = ${new Date(middle)} where version = 'v1'`;

  // Two at once over the same hands, and one in small portions.
  const keepers = [new Keeper(sql), new Keeper(sql)];
  await Promise.all([keepers[0]!.round(Infinity), ...agents.map((agentId) => keepers[1]!.advance(poolId, agentId, 7))]);
  await keepers[0]!.round(Infinity);

  const reader = new HandReader(new Hand(), new Equities());
  const read = hands.map((hand) => ({ ...hand, flows: ratedFlows(hand, reader.read(hand)) }));
  const expected = agents.map((agentId) => {
    const sat = read.filter(({ players }) => players.some((player) => player.agentId === agentId));
    return tallyRatings(agentId, sat, agentId === own ? [{ since: middle, version: 'v1' }] : undefined);
  });
  const totals = await sql<{ agent_id: string; version: string; hands: number; result: number; squares: number }[]>`
    select * from rating_totals where pool_id = ${poolId}`;
  t.equal(totals.length, expected.flat().length);
  for (const row of totals) {
    const sums = expected[agents.indexOf(row.agent_id)]!.find(({ version }) => version === row.version)!.totals;
    t.ok(row.hands === sums.hands && near(row.result, sums.result) && near(row.squares, sums.squares), row.version);
  }
  const pairs = await sql<{ agent_id: string; version: string; other_id: string; weight: number; flow: number }[]>`
    select * from rating_pairs where pool_id = ${poolId}`;
  t.equal(
    pairs.length,
    expected.flat().reduce((sum, { pairs: met }) => sum + met.size, 0),
  );
  for (const row of pairs) {
    const { pairs: met } = expected[agents.indexOf(row.agent_id)]!.find(({ version }) => version === row.version)!;
    const sums = met.get(row.other_id)!;
    t.ok(near(row.weight, sums.weight) && near(row.flow, sums.flow), 'a pair');
  }

  const { agents: rated, versions: apart } = await ratePool(sql, poolId);
  const all = agents.map((agentId) => {
    const [sums] = tallyRatings(
      agentId,
      read.filter(({ players }) => players.some((player) => player.agentId === agentId)),
      undefined,
    );
    return sums!;
  });
  const flows = all.flatMap(({ pairs: met }, one): PairFlow[] =>
    [...met].map(([otherId, sums]) => ({ one, other: agents.indexOf(otherId), ...sums })),
  );
  const batch = finished(
    rate(
      all.map(({ totals: sums }) => sums),
      flows,
    ),
  );
  for (const { agentId, rating, spread } of rated) {
    const alone = batch.agents[agents.indexOf(agentId)]!;
    t.ok(Math.abs(rating - alone.rating) < 1e-4 && Math.abs(spread - alone.spread) < 1e-4, 'as all hands at once');
  }
  t.same(apart.map(({ agentId, version }) => [agentId, version]).sort(), [
    [own, ''],
    [own, 'v1'],
  ]);
  t.equal(
    apart.reduce((sum, { hands: count }) => sum + count, 0),
    rated.find(({ agentId }) => agentId === own)!.hands,
    'versions share the hands of the agent',
  );

  const route = versions.routes[0]!;
  const { signal } = new AbortController();
  const agent = { agentId: own, name: 'unused', isAdmin: false };
  const answer = await route.run({ params: {}, query: '', body: '', agent, ip: '127.0.0.1', headers: {}, signal });
  recordAnswer(route.spec, answer.status, JSON.parse(answer.body));
  const body = JSON.parse(answer.body) as Static<typeof BotVersions>;
  t.same(body.versions.map(({ version }) => version).sort(), [null, 'v1'].sort());

  const nowhere = createRatings({ sql, season: () => null, rate: never, minHands: 5, log: silent }).routes[0]!;
  await t.rejects(nowhere.run({ params: {}, query: '', body: '', agent, ip: '127.0.0.1', headers: {}, signal }), {
    name: 'HttpError',
    status: 404,
    detail: Detail.noActiveSeason,
  });
  recordAnswer(nowhere.spec, 404, { detail: Detail.noActiveSeason });

  const board = new Leaderboard({
    sql,
    background: sql,
    season: { current: { seasonId: poolId, number: 1, startsAt: 0, endsAt: 1 } },
    rules: { rebuyPenalty: 0 },
    refreshMs: 0,
    now: Date.now,
    log: silent,
    ratings: versions.ratings,
  });
  t.teardown(() => {
    board.stop();
  });
  const page = await board.page({ sortBy: 'rating', minHands: 0, limit: 3, offset: 0 });
  const order = new RatedStandings({ agents: rated, versions: apart }, 5).order.slice(0, 3);
  t.same(
    page.map(({ agentId }) => agentId),
    order,
  );
  t.ok(
    page.every(({ aboveNext, rating }) => aboveNext! >= 0.5 && !rating.provisional),
    'the next stands behind',
  );
  const shown = seasonRoutes({ sql, leaderboard: board } as never).find(({ spec }) => spec.id === 'getLeaderboard')!;
  const listed = await shown.run({
    params: {},
    query: 'sort_by=rating',
    body: '',
    agent: null,
    ip: '',
    headers: {},
    signal,
  });
  recordAnswer(shown.spec, listed.status, JSON.parse(listed.body));
  t.match(JSON.parse(listed.body), [
    { provisional: false, rating: 100 * rated.find(({ agentId }) => agentId === order[0])!.rating },
  ]);
  const last = await board.page({ sortBy: 'score', minHands: 0, limit: 6, offset: 5 });
  t.equal(last[0]!.aboveNext, null, 'nobody follows the last one');
});

await t.test('versions without end take no space without end', async (t) => {
  const sql = openPool(t, await freshDatabase(t), 4);
  const { fence, poolId, randomTables } = await openRandomTables(sql, { players: 3, chips: 5000, seed: SEED });
  const table = randomTables[0]!;
  const own = table.seated[0]!.agentId;
  const other = table.seated[1]!.agentId;
  const { versions } = createRatings({ sql, season: () => null, rate: never, minHands: 5, log: silent });

  // A bot with another version at each join, and one that changes between two.
  await versions.joined(other, 'steady');
  await sql`insert into bot_versions (agent_id, since, version)
    select ${own}, now() - make_interval(days => 2, secs => -n), 'old' || n from generate_series(1, ${KEPT_CHANGES}) n`;
  for (let n = 0; n < 6; n++) await versions.joined(own, n % 2 === 0 ? 'a' : 'b');
  const kept = await sql<{ version: string }[]>`
    select version from bot_versions where agent_id = ${own} order by since`;
  t.equal(kept.length, KEPT_CHANGES);
  t.same([kept[0]!.version, ...kept.slice(-6).map(({ version }) => version)], ['old7', 'a', 'b', 'a', 'b', 'a', 'b']);
  await versions.joined(own, 'b');
  t.same(await sql`select version from bot_versions where agent_id = ${own} order by since`, kept, 'no change, no row');
  t.equal((await sql`select from bot_versions where agent_id = ${other}`).length, 1, 'others keep theirs');

  // Each hand has another version, and its other player one as well.
  const hands: HandRecord[] = [];
  for (let n = 0; n < VERSIONS_APART + 10; n++) {
    // Nobody loses more than a blind, so all play each hand.
    const record = table.play((hand) => hand.act(hand.legal().check ? Act.check : Act.fold));
    await commitHands(sql, fence, [record]);
    hands.push(record);
  }
  await sql`delete from bot_versions`;
  const told = hands.map(({ startedAt }, n) => ({ agent_id: own, since: new Date(startedAt), version: `v${n}` }));
  await sql`insert into bot_versions ${sql(told)}`;
  t.equal(new Set(hands.map(({ startedAt }) => startedAt)).size, hands.length, 'hands begin one after the other');
  const keeper = new Keeper(sql);
  await keeper.advance(poolId, own, 7);
  await keeper.round(Infinity);
  const rows = await sql<{ version: string; hands: number }[]>`
    select version, hands from rating_totals where pool_id = ${poolId} and agent_id = ${own}`;
  t.same(
    rows.map(({ version, hands: count }) => `${version} ${count}`).sort(),
    [...told.slice(0, VERSIONS_APART).map(({ version }) => `${version} 1`), ' 10'].sort(),
    'the first count apart, further ones without a version',
  );
  const pairs = await sql<{ version: string; weight: number }[]>`
    select version, sum(weight) as weight from rating_pairs where pool_id = ${poolId} and agent_id = ${own} group by version`;
  t.equal(pairs.length, VERSIONS_APART + 1);
  t.ok(near(pairs.find(({ version }) => version === '')!.weight, 10), 'with all their opponents');
});

await t.test('versions that a pool knows count apart further on', (t) => {
  const one = (version: string) => ({
    version,
    totals: { hands: 1, result: 2, squares: 4 },
    pairs: new Map([['other', { weight: 1, flow: 2 }]]),
  });
  const known = Array.from({ length: VERSIONS_APART - 1 }, (_, n) => `k${n}`);
  const bounded = boundedVersions(['', 'n1', 'k3', 'n2', 'n3'].map(one), known);
  t.same(
    bounded.map(({ version, totals }) => [version, totals.hands, totals.result, totals.squares]),
    [
      ['n1', 1, 2, 4],
      ['k3', 1, 2, 4],
      ['', 3, 6, 12],
    ],
  );
  t.same([...bounded[2]!.pairs], [['other', { weight: 3, flow: 6 }]]);
  const few = ['', 'n1'].map(one);
  t.equal(boundedVersions(few, known), few);
  t.end();
});

await t.test('an answer waits for the first reading only, and a failed one leaves the former ratings', async (t) => {
  let fails = false;
  const warnings: string[] = [];
  const { ratings } = createRatings({
    sql: null as never,
    season: () => null,
    minHands: 100,
    log: { warn: (_, message) => void warnings.push(message) },
    rate: async () => {
      if (fails) throw new Error('no database');
      return { agents: [{ agentId: 'ann', rating: 0.1, spread: 0.1, hands: 99 }], versions: [] };
    },
  });
  const first = await ratings.of('pool');
  t.match(first.of('ann'), { rating: 10, rating_hands: 99, provisional: true });
  t.equal(first.chanceAbove('ann', 'ann'), null);
  t.same(first.order, []);
  t.match(first.of('bob'), { rating: null, rating_hands: 0 });
  fails = true;
  t.equal(await ratings.of('pool'), first);
  await t.rejects(ratings.of('other pool'), { message: 'no database' });
});
