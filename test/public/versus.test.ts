/**
 * Two agents against each other: the figures of their common hands, held against a count of another make. Chips that
 * one won from the other add up to zero. The rules for spectators decide the visible hands.
 */
import type { Static } from 'typebox';
import t from 'tap';
import { createAnalytics } from '../../src/analytics/index.js';
import { seededRandom } from '../../src/cards/shuffle.js';
import type { Audience } from '../../src/lobby/index.js';
import { MOST_COMMON_HANDS, type Versus } from '../../src/protocol/rest/versus.js';
import { publicRoutes } from '../../src/public/index.js';
import { commitHands } from '../../src/shard/commit/queries.js';
import type { HandRecord } from '../../src/table/effects.js';
import { repeatHands } from '../support/bulk-hands.js';
import { freshDatabase, openPool, silent, stopCluster } from '../support/database.js';
import { statistics } from '../support/hand-statistics.js';
import { FILE_MS } from '../support/limits.js';
import { stopParts } from '../support/parts.js';
import { openRandomTables } from '../support/random-table.js';
import { asker } from '../support/rest.js';
import { SEED } from '../support/seed.js';
import { wildPlay } from '../support/wild-hands.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);
t.comment(`SEED=${SEED}`);

type Answer = Static<typeof Versus>;
const HANDS = 80;
const RATED = { rating: 3, rating_interval: [-5, 11] as [number, number], rating_hands: 80, provisional: true };

const address = await freshDatabase(t);
const sql = openPool(t, address, 4);
const { fence, poolId, randomTables } = await openRandomTables(sql, { players: 6, chips: 5000, seed: SEED });
const [table] = randomTables;
const agents = table!.seated.map(({ agentId }) => agentId);
const [ada, bob, house] = agents as [string, string, string];
const wild = wildPlay(seededRandom(SEED));
const hands: HandRecord[] = [];
while (hands.length < HANDS && table!.seated.filter(({ stack }) => stack > 0).length > 1) {
  const record = table!.play(hands.length % 2 === 0 ? wild : undefined);
  await commitHands(sql, fence, [record]);
  hands.push(record);
}
await sql`update agents set public_profile_slug = 'ada' where agent_id = ${ada}`;
await sql`update agents set public_profile_slug = 'bob' where agent_id = ${bob}`;
await sql`update agents set public_profile_slug = 'house', is_house = true where agent_id = ${house}`;
const analytics = createAnalytics({ sql, address, season: () => null, refreshMs: 0, log: silent });
t.teardown(() => stopParts(analytics));

/** Asks a house of these rules, in a season of this pool. */
function openTo(audience: Partial<Audience> = {}, season: string | null = poolId) {
  const ask = asker(
    publicRoutes({
      sql,
      house: { spectators: 'public', sealed: false, delayHands: 0, ...audience },
      views: { shownSeat: () => Promise.resolve(null) },
      placeOf: (agentId) => {
        const place = { agentId, seasonId: poolId, number: 4, rank: 7, total: 9, score: 0, rebuys: 0, premium: false };
        return Promise.resolve(agentId === bob ? null : { ...place, handsPlayed: 1, handsWon: 0 });
      },
      season: () => (season === null ? null : { seasonId: season, number: 4 }),
      ratingOf: () => Promise.resolve(RATED),
      versus: (asked) => analytics.versus(asked),
    }),
  );
  return async (slug: string, other: string) => {
    const { status, body } = await ask('getVersus', { params: { slug, other } });
    return { status, body: body as Answer };
  };
}

const profitOf = ({ players }: HandRecord, id: string) => {
  const { payout, contributed } = players.find(({ agentId }) => agentId === id)!;
  return payout - contributed;
};
const common = hands.filter(({ players }) => [ada, bob].every((id) => players.some(({ agentId }) => agentId === id)));

await t.test('each figure is that of the common hands', async (t) => {
  const { status, body } = await openTo()('ada', 'bob');
  t.equal(status, 200);
  t.match(body, { season_number: 4, hands: common.length });
  for (const [at, id] of [ada, bob].entries()) {
    const { together, ...agent } = body.agents[at]!;
    t.match(agent, { public_profile_slug: ['ada', 'bob'][at], rank: id === bob ? null : 7, ...RATED });
    const { vpip, pfr, cbet_rate, three_bet_pct, wtsd, w_sd } = statistics(common, id);
    const net = common.reduce((sum, hand) => sum + profitOf(hand, id), 0);
    t.match(together, { net, vpip, pfr, cbet_rate, three_bet_pct, wtsd, w_sd });
    const { bb_per_100: rate, bb_per_100_ci95: interval, won_from: won } = together!;
    t.ok(Math.abs(rate - (100 * net) / 20 / common.length) < 1e-6);
    t.ok(interval === null || (interval[0]! <= rate && rate <= interval[1]!));
    const { won_from_per_100: flow, won_from_per_100_ci95: limits } = together!;
    t.ok(Math.abs(flow - (100 * won) / 20 / common.length) < 100 / 20 / common.length, 'the same chips as a rate');
    t.ok(limits === null || (limits[0]! <= flow && flow <= limits[1]!));
  }
  t.equal(body.agents[0]!.together!.won_from, -body.agents[1]!.together!.won_from || 0);
  t.same(
    body.last_hands.map(({ hand_id: id, profits }) => [id, ...profits]),
    common
      .slice(-20)
      .reverse()
      .map((hand) => [hand.handId, profitOf(hand, ada), profitOf(hand, bob)]),
  );
});

await t.test('the other way round it is the same', async (t) => {
  const [there, back] = [await openTo()('ada', 'bob'), await openTo()('bob', 'ada')];
  t.same(back.body.agents, there.body.agents.toReversed());
  t.same(
    back.body.last_hands,
    there.body.last_hands.map((hand) => ({ ...hand, profits: hand.profits.toReversed() })),
  );
});

await t.test('a house bot has no rank and no rating', async (t) => {
  const { body } = await openTo()('house', 'ada');
  t.match(body.agents[0], { is_house: true, rank: null, rating: null, rating_hands: 0 });
});

await t.test('spectators see hands that are old enough, and figures of these alone', async (t) => {
  const delayHands = 10;
  const { body } = await openTo({ delayHands })('ada', 'bob');
  const old = common.filter(({ handNumber }) => table!.handNumber - handNumber >= delayHands);
  t.equal(body.hands, old.length);
  t.equal(body.last_hands[0]?.hand_id, old.at(-1)?.handId);
  const net = old.reduce((sum, hand) => sum + profitOf(hand, ada), 0);
  t.equal(body.agents[0]!.together!.net, net);
  for (const spectators of ['participants', 'none'] as const) {
    const hidden = await openTo({ spectators })('ada', 'bob');
    t.match(hidden.body, { hands: 0, last_hands: [], agents: [{ together: null, rating: 3 }, { together: null }] });
  }
});

await t.test('unknown agents, hidden ones, banned ones, and the same one twice', async (t) => {
  const ask = openTo();
  const unknown = { status: 404, body: { detail: 'Agent not found' } };
  t.match(await ask('ada', 'nobody'), unknown);
  t.match(await ask('%00', 'ada'), unknown);
  await sql`update agents set public_profile = false where agent_id = ${bob}`;
  t.match(await ask('ada', 'bob'), unknown);
  await sql`update agents set public_profile = true, banned_at = now() where agent_id = ${bob}`;
  t.match(await ask('bob', 'ada'), unknown);
  await sql`update agents set banned_at = null where agent_id = ${bob}`;
  t.match(await ask('ada', 'ada'), { status: 400, body: { detail: 'Name two different agents' } });
  t.match(await openTo({}, null)('ada', 'bob'), { status: 404, body: { detail: 'No active season' } });
});

await t.test('two agents that never met', async (t) => {
  const { poolId: other } = await openRandomTables(sql, { players: 2, shard: 1, old: [ada, bob] });
  const { body } = await openTo({}, other)('ada', 'bob');
  t.match(body, { hands: 0, last_hands: [], agents: [{ together: null }, { together: null }] });
});

await t.test('no more hands than are counted', async (t) => {
  const season = await openRandomTables(sql, { players: 2, shard: 2, old: [ada, bob] });
  const [first, second] = [season.randomTables[0]!.play(), season.randomTables[0]!.play()];
  for (const hand of [first, second]) await commitHands(sql, season.fence, [hand]);
  await repeatHands(sql, [first, second], MOST_COMMON_HANDS + 100);
  const { body } = await openTo({}, season.poolId)('ada', 'bob');
  t.equal(body.hands, MOST_COMMON_HANDS);
});
