/**
 * GET /api/me/opponents: whom an agent met, held against a count of another make over the hands that both were dealt
 * into. The chips between the two players add up to the agent's winnings, and to zero over both.
 */
import type { Static } from 'typebox';
import t from 'tap';
import { createAnalytics } from '../../src/analytics/index.js';
import { Detail, HttpError } from '../../src/protocol/rest/errors.js';
import { listOpponents, type Opponents } from '../../src/protocol/rest/opponents.js';
import { commitHands } from '../../src/shard/commit/queries.js';
import { seededRandom } from '../../src/cards/shuffle.js';
import type { HandRecord } from '../../src/table/effects.js';
import { freshDatabase, openPool, silent, stopCluster } from '../support/database.js';
import { statistics } from '../support/hand-statistics.js';
import { FILE_MS } from '../support/limits.js';
import { openRandomTables } from '../support/random-table.js';
import { recordAnswer } from '../support/recorder.js';
import { SEED } from '../support/seed.js';
import { wildPlay } from '../support/wild-hands.js';
import { stopParts } from '../support/parts.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);
t.comment(`SEED=${SEED}`);

type Answer = Static<typeof Opponents>;
const HANDS = 150;

const profitOf = ({ players }: HandRecord, id: string) => {
  const { payout, contributed } = players.find(({ agentId }) => agentId === id)!;
  return payout - contributed;
};

await t.test('opponents of hands that were played', async (t) => {
  const address = await freshDatabase(t);
  const sql = openPool(t, address, 4);
  const { fence, poolId, randomTables } = await openRandomTables(sql, { players: 6, chips: 5000, seed: SEED });
  const [table] = randomTables;
  const agents = table!.seated.map(({ agentId }) => agentId);
  const decide = wildPlay(seededRandom(SEED));
  const hands: HandRecord[] = [];
  while (hands.length < HANDS && table!.seated.filter(({ stack }) => stack > 0).length > 1) {
    const record = table!.play(hands.length % 2 === 0 ? decide : undefined);
    await commitHands(sql, fence, [record]);
    hands.push(record);
  }
  await sql`update agents set is_house = true where agent_id = ${agents[1]!}`;
  const names = new Map(
    (await sql<{ agent_id: string; name: string }[]>`select agent_id, name from agents`).map((row) => [
      row.agent_id,
      row.name,
    ]),
  );
  let season: { seasonId: string } | null = { seasonId: poolId };
  const analytics = createAnalytics({ sql, address, season: () => season, refreshMs: 0, log: silent });
  t.teardown(() => stopParts(analytics));
  const ask = async (agentId: string, query = ''): Promise<{ status: number; body: Answer }> => {
    const route = analytics.routes.find(({ spec }) => spec.id === listOpponents.id)!;
    const agent = { agentId, name: 'unused', isAdmin: false };
    const { signal } = new AbortController();
    const request = { params: {}, query, body: '', agent, ip: '127.0.0.1', headers: {}, signal };
    const { status, body } = await route.run(request).catch((error: unknown) => {
      if (error instanceof HttpError) return { status: error.status, body: JSON.stringify(error.body) };
      throw error;
    });
    recordAnswer(route.spec, status, JSON.parse(body));
    return { status, body: JSON.parse(body) as Answer };
  };

  await t.test('each figure is that of the hands together', async (t) => {
    for (const me of agents) {
      const own = hands.filter(({ players }) => players.some(({ agentId }) => agentId === me));
      const { body } = await ask(me, `hands=${HANDS}`);
      t.equal(body.hands, own.length);
      let won = 0;
      for (const opponent of body.opponents) {
        const id = agents.find((agent) => names.get(agent) === opponent.name)!;
        const together = own.filter(({ players }) => players.some(({ agentId }) => agentId === id));
        const { vpip, pfr, cbet_rate, three_bet_pct, wtsd, w_sd } = statistics(together, id);
        const net = together.reduce((sum, hand) => sum + profitOf(hand, me), 0);
        t.match(opponent, { hands: together.length, net, is_house: id === agents[1] });
        t.match(opponent, { vpip, pfr, cbet_rate, three_bet_pct, wtsd, w_sd });
        const bb = together.reduce((sum, hand) => sum + profitOf(hand, me) / hand.bigBlind, 0);
        t.ok(Math.abs(opponent.bb_per_100 - (100 * bb) / together.length) < 1e-6);
        const [low, high] = opponent.bb_per_100_ci95 ?? [opponent.bb_per_100, opponent.bb_per_100];
        t.ok(low! <= opponent.bb_per_100 && opponent.bb_per_100 <= high!);
        won += opponent.won_from;
      }
      const total = own.reduce((sum, hand) => sum + profitOf(hand, me), 0);
      t.ok(Math.abs(won - total) <= body.opponents.length, `${won} of ${total} chips came from somebody`);
      const met = body.opponents.map((opponent) => opponent.hands);
      t.same(met, [...met].sort((a, b) => b - a), 'those met most often first'); // prettier-ignore
    }
  });

  await t.test('what one won from another, the other lost to it', async (t) => {
    const [ada, bob] = agents as [string, string];
    const from = async (me: string, them: string) =>
      (await ask(me, `hands=${HANDS}`)).body.opponents.find(({ name }) => name === names.get(them))!.won_from;
    t.equal((await from(ada, bob)) + (await from(bob, ada)), 0);
  });

  await t.test('only so many of the newest hands', async (t) => {
    const [me] = agents as [string];
    const own = hands.filter(({ players }) => players.some(({ agentId }) => agentId === me)).slice(-10);
    const { body } = await ask(me, 'hands=10');
    t.equal(body.hands, own.length);
    for (const { name, net } of body.opponents) {
      const together = own.filter(({ players }) => players.some(({ agentId }) => names.get(agentId) === name));
      t.equal(net, together.reduce((sum, hand) => sum + profitOf(hand, me), 0)); // prettier-ignore
    }
  });

  await t.test('nobody met, and no season', async (t) => {
    t.same((await ask('018f4e0a-7c1e-7d52-9d3f-2f6c1f0a9b11')).body, { hands: 0, opponents: [] });
    season = null;
    t.match(await ask(agents[0]!), { status: 404, body: { detail: Detail.noActiveSeason } });
  });

  await t.test('no more hands than are looked into, and at least one', async (t) => {
    for (const hands of ['0', '5001', 'all']) t.match(await ask(agents[0]!, `hands=${hands}`), { status: 422 });
  });
});
